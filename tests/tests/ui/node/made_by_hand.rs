use manifest_core::{Audit, Draft, Gated, Node};

fn state(audit: Box<Audit>) -> Gated {
    Gated { audit }
}

fn draft(summary: String) -> Node<String, Draft> {
    Node { summary, settings: Default::default(), state: Draft }
}

fn main() {}

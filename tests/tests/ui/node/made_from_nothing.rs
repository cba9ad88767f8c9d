use manifest_core::{Draft, Node};

fn draft(summary: String) -> Node<String, Draft> {
    Node { body: todo!(), state: Draft }
}

fn main() {}

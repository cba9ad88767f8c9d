use manifest_core::{Audit, Gated};

fn state(audit: Box<Audit>) -> Gated {
    Gated { audit }
}

fn main() {}

use manifest_core::NodeState;

struct Approved;

impl NodeState for Approved {}

fn main() {}

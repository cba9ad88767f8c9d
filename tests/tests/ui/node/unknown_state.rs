use manifest_core::Node;

struct Approved;

fn commit(_: Node<String, Approved>) {}

fn main() {}

use manifest_core::{Draft, Node, Passed};

fn commit<S, State: Passed>(_: Node<S, State>) {}

fn main() {
    let draft = Draft::trace(&["a leaf"], "a summary".to_owned());
    commit(draft);
}

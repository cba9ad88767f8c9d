use manifest_core::{Draft, Policy};

fn main() {
    let gated = Draft::trace(&["a leaf"], "a leaf".to_owned()).gate(&Policy::exact()).unwrap();
    gated.amend("another text".to_owned());
}

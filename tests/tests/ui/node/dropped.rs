#![deny(unused_must_use)]
use manifest_core::{Draft, Policy};

fn main() {
    let draft = Draft::trace(&["a leaf"], "a summary".to_owned());
    draft.gate(&Policy::exact());
    Draft::trace(&["a leaf"], "a summary".to_owned());
}

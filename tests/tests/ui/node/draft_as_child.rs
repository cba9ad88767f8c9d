use manifest_core::Draft;

fn main() {
    let draft = Draft::trace(&["a leaf"], "a summary".to_owned());
    Draft::trace(&[draft], "a summary of a draft".to_owned());
}

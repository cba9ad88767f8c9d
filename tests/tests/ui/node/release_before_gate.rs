use manifest_core::Draft;

fn main() {
    let draft = Draft::trace(&["a leaf"], "a summary".to_owned());
    draft.audit();
    draft.report();
    draft.release();
}

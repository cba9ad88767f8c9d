#[derive(manifest_core::Manifest)]
#[manifest(crate = manifest_core)]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

fn main() {}

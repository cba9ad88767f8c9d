use manifest_core::Manifest;

#[derive(Manifest)]
struct Summary {
    #[manifest(text)]
    narrative: String,
    model: String,
    #[manifest(required)]
    codes: Vec<String>,
}

fn main() {}

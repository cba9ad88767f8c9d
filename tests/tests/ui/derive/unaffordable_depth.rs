use manifest_core::Manifest;

#[derive(Manifest)]
#[manifest(floor = 0.85, recall = 0.95, depth = 4)]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

fn main() {}

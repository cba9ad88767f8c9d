use manifest_core::Manifest;

const FLOOR: f64 = 85.0;

#[derive(Manifest)]
#[manifest(floor = FLOOR)]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

fn main() {}

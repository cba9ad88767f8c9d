use manifest_core::Manifest;

const BEST: f64 = 0.4;

#[derive(Manifest)]
#[manifest(provenance = (BEST, 0.5))]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

#[derive(Manifest)]
#[manifest(orphans = (BEST, 0.3), attempts = 0)]
struct Other {
    #[manifest(text)]
    narrative: String,
}

#[derive(Manifest)]
#[manifest(orphans = (BEST, 0.3))]
struct Inverted {
    #[manifest(text)]
    narrative: String,
}

fn main() {}

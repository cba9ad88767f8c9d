use manifest_core::Manifest;

const PLANNED: u32 = 5;

#[derive(Manifest)]
#[manifest(policy = "narrative", recall = 0.9, depth = PLANNED)]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

fn main() {}

use manifest_core::Manifest;

struct Code(u32);

#[derive(Manifest)]
struct Summary {
    #[manifest(text)]
    narrative: Vec<u8>,
    #[manifest(fact)]
    codes: Vec<Code>,
    #[manifest(conflicts)]
    conflicts: Vec<String>,
    #[manifest(drops)]
    dropped: bool,
    #[manifest(children)]
    made_from: Vec<f64>,
    #[manifest(manifest)]
    manifest: String,
}

fn main() {}

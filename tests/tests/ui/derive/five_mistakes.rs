use manifest_core::Manifest;

#[derive(Manifest)]
#[manifest(polcy = "exact", floor = 1.5, depth = 0)]
struct Summary {
    #[manifest(txt)]
    narrative: String,
    #[manifest(text, fact)]
    codes: Vec<String>,
}

fn main() {}

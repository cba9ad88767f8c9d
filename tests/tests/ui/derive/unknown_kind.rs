use manifest_core::Manifest;

#[derive(Manifest)]
struct Summary {
    #[manifest(text)]
    narrative: String,
    #[manifest(fact, required, kind = "errorcode")]
    codes: Vec<String>,
}

fn main() {}

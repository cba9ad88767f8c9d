use manifest_core::Manifest;

#[derive(Manifest)]
struct Summary {
    #[manifest(fact)]
    codes: Vec<String>,
}

#[derive(Manifest)]
enum Either {
    Text(String),
}

#[derive(Manifest)]
union Raw {
    bits: u64,
}

fn main() {}

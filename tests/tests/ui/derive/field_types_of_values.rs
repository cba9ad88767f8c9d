use manifest_core::Manifest;

struct Code(u32);

struct Inner;

#[derive(Manifest)]
struct Summary {
    #[manifest(text)]
    narrative: String,
    #[manifest(fact, display)]
    codes: Vec<Code>,
    #[manifest(nested)]
    inner: Option<Inner>,
    #[manifest(claims)]
    claims: Vec<String>,
}

fn main() {}

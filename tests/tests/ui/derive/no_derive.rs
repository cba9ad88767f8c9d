use manifest_core::Declaration;

struct Summary {
    narrative: String,
}

fn main() {
    Declaration::of(&Summary { narrative: String::new() });
}

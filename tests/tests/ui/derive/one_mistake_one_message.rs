use manifest_core::{Declaration, Manifest, Policy};

#[derive(Manifest)]
#[manifest(policy = "remedation")]
struct Summary {
    #[manifest(text)]
    narrative: String,
}

fn policy_of<S: Manifest>(_: &S) -> Policy {
    S::policy()
}

fn main() {
    let summary = Summary { narrative: String::new() };
    policy_of(&summary);
    Declaration::of(&summary).facts();
}

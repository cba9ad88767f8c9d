//! A struct that says what its fields hold, a gate, a draft that is refused, and the mended one.

use manifest_core::{Draft, Manifest, NotCommitted};

#[derive(Manifest)]
#[manifest(policy = "remediation", floor = 0.85)]
struct Incident {
    #[manifest(text)]
    narrative: &'static str,
    #[manifest(fact, required, kind = "error_code")]
    error_codes: &'static [&'static str],
}

const LEAVES: [&str; 2] = [
    "The importer on db-7 stopped with E_QUOTA_4417 while it wrote batch_07.csv.",
    "Raising the quota of media-eu to 640 GiB let the second run on db-7 finish.",
];

fn main() -> Result<(), NotCommitted<Incident>> {
    let fluent = "The importer stopped while it wrote a file. Raising the quota let the second run finish.";
    let exact = "The importer on db-7 stopped while it wrote batch_07.csv. Raising the quota of media-eu to 640 GiB let \
                 the second run on db-7 finish.";
    let draft = Draft::trace(&LEAVES, Incident { narrative: fluent, error_codes: &[] });
    let gated = match draft.gate(&Incident::policy()) {
        Ok(gated) => gated,
        Err(refused) => {
            println!("{refused}\n\n{}", refused.report.feedback());
            let mended = Incident { narrative: exact, error_codes: &["E_QUOTA_4417"] };
            refused.draft.amend(mended).gate(&Incident::policy())?
        }
    };
    println!("committed:\n\n{}", gated.audit().text());
    Ok(())
}

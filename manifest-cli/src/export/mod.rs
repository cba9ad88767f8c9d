//! A tree in forms that other tools read: an in-toto statement, PROV-JSON, a summary of Agent Context.

mod context;
mod prov;
mod statement;

use crate::error::Failure;
use crate::place::{PlaceArgs, block};
use crate::query::{Asked, print_json};
use crate::visible::plain;
use clap::{Args, ValueEnum};
use manifest_core::recover::{Coverage, End, GateState, Integrity, Verification, Verify};
use manifest_core::{FactId, NodeManifest, TextDigest};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::process::ExitCode;

/// A form.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// An in-toto Statement v1 about the root's text.
    InToto,
    /// The statement as an unsigned DSSE envelope.
    Dsse,
    /// The very bytes that a DSSE signature is over: sign them, and put the signature into the envelope.
    DssePae,
    /// PROV-JSON: leaves, summaries, facts and drops, and what made and ended them.
    Prov,
    /// A `context_summary` of Agent Context.
    Agentcontext,
}

/// Arguments of `manifest export`.
#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The form.
    #[arg(long = "as", value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    place: PlaceArgs,
}

/// A tree that was verified, and is in order.
struct Verified {
    asked: Asked,
    done: Verification,
    /// The root's text.
    text: String,
    /// What became of the facts of the leaves.
    account: BTreeMap<&'static str, u64>,
}

impl Verified {
    fn root(&self) -> Result<&NodeManifest, Failure> {
        let none = || Failure::NoSuchRoot { root: self.asked.root.to_string() };
        self.asked.map.get(self.asked.root).ok_or_else(none)
    }

    /// Whether the text of a leaf is gone. The tree is intact, so that a sweep took it and logged that.
    fn is_reclaimed(&self, leaf: &NodeManifest) -> Result<bool, Failure> {
        Ok(self.asked.text(leaf)?.is_none())
    }

    fn integrity(&self) -> &'static str {
        if self.done.integrity == Integrity::Intact { "intact" } else { "broken" }
    }

    fn coverage(&self) -> &'static str {
        match self.done.coverage {
            Coverage::Complete => "complete",
            Coverage::Lost(_) => "lost",
            _ => "not_checked",
        }
    }

    fn gate(&self) -> &'static str {
        match self.done.gate {
            GateState::Admitted => "admitted",
            GateState::Refused => "refused",
            GateState::Unattested => "unattested",
            _ => "not_checked",
        }
    }
}

pub(crate) fn run(args: &ExportArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let done = {
        let tree = asked.tree()?;
        block(async { Verify::of(&tree).run(asked.root).await })?
    };
    if !done.is_intact() {
        for finding in done.findings.iter().filter(|finding| !finding.code.starts_with("gate.")).take(3) {
            let _ = writeln!(std::io::stderr(), "manifest: {}: {}", finding.code, plain(&finding.message));
        }
        let _ = writeln!(std::io::stderr(), "manifest: the tree is not intact: nothing is exported");
        return Ok(ExitCode::from(1));
    }
    asked.map.check_order().map_err(Failure::Order)?;
    let root = asked.map.get(asked.root);
    let text = root.map(|root| asked.text(root)).transpose()?.flatten().unwrap_or_default();
    let account = account(&asked);
    let tree = Verified { asked, done, text, account };
    match args.form {
        Form::InToto => print_json(&statement::of(&tree)?)?,
        Form::Dsse => print_json(&statement::envelope(&tree)?)?,
        Form::DssePae => {
            let bytes = statement::pae(&tree)?;
            std::io::stdout().lock().write_all(&bytes).map_err(Failure::Output)?;
        }
        Form::Prov => print_json(&prov::of(&tree)?)?,
        Form::Agentcontext => print_json(&context::of(&tree)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the distinct facts of the leaves end.
fn account(asked: &Asked) -> BTreeMap<&'static str, u64> {
    use manifest_core::DropReason;
    let mut all: HashSet<FactId> = HashSet::new();
    for fact in asked.map.leaves().flat_map(NodeManifest::facts).filter(|fact| !fact.is_marker()) {
        if let Some(id) = fact.id() {
            all.insert(id);
        }
    }
    let mut out = BTreeMap::from([("facts", all.len() as u64), ("at_root", all.len() as u64)]);
    for lost in asked.map.lost(None) {
        let why = match &lost.sighting.end {
            End::Dropped { reason: DropReason::NotRequired, .. } => "not_required",
            End::Dropped { reason: DropReason::Observed, .. } => "lost",
            End::Dropped { .. } => "given_up",
            _ => "reworded",
        };
        *out.entry(why).or_default() += 1;
        if let Some(at_root) = out.get_mut("at_root") {
            *at_root = at_root.saturating_sub(1);
        }
    }
    out
}

/// Both digests of a text.
fn digests(text: &str) -> Value {
    use sha2::{Digest as _, Sha256};
    let sha256 = data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
    json!({"sha256": sha256, "blake3": TextDigest::of(text).to_string()})
}

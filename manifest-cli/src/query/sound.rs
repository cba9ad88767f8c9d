//! `verify`: whether a tree is what it says.

use super::prove::check as check_proof;
use super::{print, print_json};
use crate::error::Failure;
use crate::place::{PlaceArgs, block, short};
use crate::visible::plain;
use clap::Args;
use manifest_core::recover::{Coverage, Finding, GateState, Integrity, Verify};
use manifest_core::tree::Tree;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Findings of one code that are shown.
const ROWS: usize = 3;

/// Arguments of `manifest verify`.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Check this proof alone, and no store: that its fact stands below the root whose whole id --root gives.
    #[arg(long, value_name = "FILE", requires = "root", conflicts_with = "no_texts")]
    proof: Option<PathBuf>,
    /// The text of the proof's leaf: it is checked that it says the fact where the proof says that it does.
    #[arg(long, value_name = "FILE", requires = "proof")]
    text: Option<PathBuf>,
    /// Check the manifests alone, and read no text.
    #[arg(long)]
    no_texts: bool,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// The findings of each code, in the order in which the codes were found first.
fn by_code(findings: &[Finding]) -> Vec<(&'static str, Vec<&Finding>)> {
    let mut out: Vec<(&'static str, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        match out.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, known)) => known.push(finding),
            None => out.push((finding.code, vec![finding])),
        }
    }
    out
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    if let Some(proof) = &args.proof {
        return check_proof(proof, args.place.pinned()?, args.text.as_deref(), args.json);
    }
    let store = args.place.store.open()?;
    let tree = Tree::open(&store, args.place.store.head())?;
    let shown = std::io::stderr().is_terminal();
    let tell = |n: usize| {
        if shown && n.is_multiple_of(256) {
            let _ = write!(std::io::stderr(), "\r\x1b[K{n} manifests read");
        }
    };
    let (root, done) = block(async {
        let root = args.place.root_of(&tree, &store).await?;
        let done = Verify::of(&tree).texts(!args.no_texts).on_step(&tell).run(root).await?;
        Ok::<_, Failure>((root, done))
    })?;
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let integrity = match done.integrity {
        Integrity::Intact => "intact",
        Integrity::Broken => "broken",
        _ => "not checked",
    };
    let coverage = match done.coverage {
        Coverage::Complete => "complete".to_owned(),
        Coverage::Lost(n) => format!("{n} required facts lost"),
        _ => "not checked".to_owned(),
    };
    let gate = match done.gate {
        GateState::Admitted => "admitted",
        GateState::Refused => "refused, and only observed",
        GateState::Unattested => "unattested",
        _ => "not checked",
    };
    if args.json {
        let findings: Vec<Value> = done
            .findings
            .iter()
            .map(|finding| json!({"code": finding.code, "of": finding.of, "message": finding.message}))
            .collect();
        print_json(&json!({
            "root": root.to_string(),
            "integrity": integrity,
            "coverage": coverage,
            "gate": gate,
            "manifests": done.manifests,
            "texts": done.texts,
            "reclaimed": done.reclaimed,
            "findings": findings,
        }))?;
    } else {
        print(|out| {
            writeln!(out, "root {}", short(root))?;
            writeln!(
                out,
                "  bytes   {integrity}: {} manifests, {} texts, {} reclaimed by logged sweeps",
                done.manifests, done.texts, done.reclaimed
            )?;
            writeln!(out, "  facts   {coverage}")?;
            writeln!(out, "  gates   {gate}")?;
            for (code, findings) in by_code(&done.findings) {
                writeln!(out, "  {code}  {}", findings.len())?;
                for finding in findings.iter().take(ROWS) {
                    writeln!(out, "    {}  {}", plain(&finding.of), plain(&finding.message))?;
                }
                if findings.len() > ROWS {
                    writeln!(out, "    … and {} more (--json lists them)", findings.len() - ROWS)?;
                }
            }
            Ok(())
        })?;
    }
    Ok(if done.is_intact() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

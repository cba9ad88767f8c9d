//! `prove` writes a proof of one fact, `verify --proof` checks it alone.

use super::{Asked, print, print_json};
use crate::error::Failure;
use crate::place::{PlaceArgs, short};
use crate::visible::plain;
use clap::Args;
use manifest_core::recover::Sighting;
use manifest_core::{InclusionProof, NodeId, ProofError, ProvenFact};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bytes that the file of a proof may have: far more than one has.
const MOST: u64 = 64 << 20;

/// Arguments of `manifest prove`.
#[derive(Args)]
pub(crate) struct ProveArgs {
    /// An exact value (`LDG-4471`, `30 s`), or words of a fact.
    #[arg(required = true)]
    words: Vec<String>,
    /// The file to write the proof to; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The leaf, by its name, its id or the first digits of it; the first that states the fact by default.
    #[arg(long, value_name = "LEAF")]
    leaf: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    let asked = Asked::open(&args.place)?;
    let words = args.words.join(" ");
    let leaf = match &args.leaf {
        Some(name) => Some(asked.node(Some(name))?.id()),
        None => None,
    };
    let mut found = asked.map.trace(&words);
    found.retain(|sighting| leaf.is_none_or(|leaf| leaf == sighting.leaf));
    let Some(sighting) = found.first() else {
        let _ = writeln!(std::io::stderr(), "manifest: no leaf states `{}`", plain(&words));
        return Ok(ExitCode::from(1));
    };
    let proof = asked.map.prove(sighting.leaf, sighting.number).map_err(Failure::Prove)?;
    if args.out == Path::new("-") {
        std::io::stdout().lock().write_all(proof.bytes()).map_err(Failure::Output)?;
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::write(&args.out, proof.bytes())
        .map_err(|source| Failure::Write { path: args.out.clone(), source })?;
    told(&asked, sighting, found.len() - 1, proof.bytes().len(), args)?;
    Ok(ExitCode::SUCCESS)
}

fn told(
    asked: &Asked,
    sighting: &Sighting,
    more: usize,
    bytes: usize,
    args: &ProveArgs,
) -> Result<(), Failure> {
    if args.json {
        return print_json(&json!({
            "root": asked.root.to_string(),
            "kind": sighting.class,
            "text": sighting.text,
            "leaf": sighting.leaf.to_string(),
            "source": sighting.source,
            "span": [sighting.span.start, sighting.span.end],
            "text_digest": sighting.text_digest.to_string(),
            "bytes": bytes,
            "more": more,
        }));
    }
    print(|out| {
        let text = sighting.text.as_deref().map_or_else(|| "a value kept as its digest".to_owned(), plain);
        let leaf = asked.name(sighting.leaf);
        writeln!(
            out,
            "{} {text}  {leaf}, bytes {}..{}",
            sighting.class, sighting.span.start, sighting.span.end
        )?;
        writeln!(out, "  {bytes} bytes in {}", plain(&args.out.display().to_string()))?;
        if more > 0 {
            writeln!(out, "  {more} more places state it (--leaf names one, `manifest trace` lists them)")?;
        }
        writeln!(out, "  check it anywhere: manifest verify --proof FILE --root {}", asked.root)
    })
}

/// Checks a proof against a pinned root, and the text of its leaf where one is given.
pub(super) fn check(
    file: &Path,
    root: NodeId,
    text: Option<&Path>,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let bytes = read(file)?;
    let text = match text {
        Some(path) => Some(String::from_utf8(read(path)?).map_err(|error| Failure::NotUtf8 {
            path: path.to_owned(),
            at: error.utf8_error().valid_up_to(),
        })?),
        None => None,
    };
    let checked = InclusionProof::parse(&bytes);
    let proven = checked.as_ref().map_err(Clone::clone).and_then(|proof| {
        let proven = proof.verify(root)?;
        text.as_deref().map_or(Ok(()), |text| proven.check_text(text))?;
        Ok(proven)
    });
    match &proven {
        Ok(proven) => holds(proven, root, text.is_some(), as_json)?,
        Err(error) => refused(error, root, as_json)?,
    }
    Ok(if proven.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::Read { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(MOST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST {
        let limit = usize::try_from(MOST).unwrap_or(usize::MAX);
        return Err(Failure::TooLarge { path: path.to_owned(), bytes: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

fn holds(proven: &ProvenFact<'_>, root: NodeId, text: bool, as_json: bool) -> Result<(), Failure> {
    let fact = proven.fact();
    let spans: Vec<_> = fact.spans().collect();
    let source = proven.origin().and_then(|origin| origin.source.as_deref());
    if as_json {
        let way: Vec<_> = proven
            .nodes()
            .iter()
            .map(|node| json!({"id": node.id.to_string(), "level": node.level}))
            .collect();
        return print_json(&json!({
            "proof": "holds",
            "root": root.to_string(),
            "fact": fact,
            "in": if proven.is_of_ledger() { "ledger" } else { "text" },
            "source": source,
            "text_digest": proven.text_digest().to_string(),
            "text_bytes": proven.text_bytes(),
            "text": if text { "checked" } else { "not checked" },
            "path": way,
            "unknown_critical": proven.unknown_critical_sections(),
        }));
    }
    print(|out| {
        let value = fact.text().map_or_else(|| "a value kept as its digest".to_owned(), plain);
        writeln!(out, "The proof holds: {} {value}", fact.class())?;
        let places: Vec<String> =
            spans.iter().take(8).map(|span| format!("{}..{}", span.start, span.end)).collect();
        let more = if spans.len() > places.len() { ", …" } else { "" };
        let part = if proven.is_of_ledger() { "ledger" } else { "text" };
        let of = source.map_or_else(String::new, |source| format!(" ({})", plain(source)));
        writeln!(out, "  bytes {}{more} of the {part}{of}", places.join(", "))?;
        let checked = if text { "given, and says it there" } else { "not checked (--text FILE)" };
        writeln!(out, "  text digest {}, {} bytes: {checked}", proven.text_digest(), proven.text_bytes())?;
        for node in proven.nodes() {
            writeln!(out, "  level {}  {}", node.level, short(node.id))?;
        }
        for name in proven.unknown_critical_sections() {
            writeln!(out, "  section.critical.unknown: `{}`", plain(name))?;
        }
        writeln!(out, "  below the pinned root {root}")
    })
}

fn refused(error: &ProofError, root: NodeId, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print_json(&json!({
            "proof": "refused",
            "root": root.to_string(),
            "code": error.code(),
            "message": error.to_string(),
        }));
    }
    print(|out| writeln!(out, "The proof does not hold.\n  {}: {}", error.code(), plain(&error.to_string())))
}

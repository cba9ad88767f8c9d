//! JSON lines in, JSON lines out: same order, one answer a line, a bad line gets its error and the others go on.

use crate::error::Failure;
use crate::input;
use crate::line::Object;
use crate::shape::{Id, LineError};
use crate::visible::plain;
use crate::{BatchArgs, CheckArgs, LedgerArgs};
use manifest_core::{Class, Fact, LedgerRow, Span, ranked_facts};
use serde::Serialize;
use std::io::{BufWriter, IsTerminal as _, Read as _, Write};
use std::process::ExitCode;

#[derive(Serialize)]
struct Answer<T: Serialize> {
    id: Id,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct BadLine {
    id: Id,
    line: u64,
    error: LineError,
}

/// Answers each line of standard input by `answer`.
fn each_line<T: Serialize>(
    limit: usize,
    mut answer: impl FnMut(&Object) -> Result<T, LineError>,
) -> Result<ExitCode, Failure> {
    let mut stdin = std::io::BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut bad = false;
    let mut number = 0u64;
    while let Some(line) = input::next_line(&mut stdin, limit).map_err(Failure::Input)? {
        number += 1;
        match line.text(limit) {
            Ok(text) if text.trim().is_empty() => {}
            read => {
                let answered = read.map_err(|error| (Id::default(), error)).and_then(|text| {
                    let text = if number == 1 { input::without_mark(&text) } else { &text };
                    let object = Object::parse(text)?;
                    match answer(&object) {
                        Ok(body) => Ok(Answer { id: object.id, body }),
                        Err(error) => Err((object.id, error)),
                    }
                });
                match answered {
                    Ok(answer) => write_line(&mut out, &answer)?,
                    Err((id, error)) => {
                        bad = true;
                        write_line(&mut out, &BadLine { id, line: number, error })?;
                    }
                }
            }
        }
        // A caller that talks line by line waits for each answer, perhaps with the next line begun.
        if !stdin.buffer().contains(&b'\n') {
            out.flush().map_err(Failure::Output)?;
        }
    }
    out.flush().map_err(Failure::Output)?;
    Ok(if bad { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// Writes one answer as one line.
pub(crate) fn write_line(out: &mut impl Write, answer: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_vec(answer).map_err(Failure::Json)?;
    text.push(b'\n');
    out.write_all(&text).map_err(Failure::Output)
}

/// `check --jsonl`.
pub(crate) fn check(args: &CheckArgs, policy: &manifest_core::Policy) -> Result<ExitCode, Failure> {
    each_line(args.limits.max_line, |object| object.check(policy))
}

/// One object on standard input: its report, and an exit status that tells the verdict.
pub(crate) fn check_one(args: &CheckArgs, policy: &manifest_core::Policy) -> Result<ExitCode, Failure> {
    let limit = args.limits.max_line;
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(Failure::Usage("check takes two paths, SOURCES and SUMMARY, or JSON on standard input"));
    }
    let mut data = Vec::new();
    stdin.lock().take((limit as u64).saturating_add(1)).read_to_end(&mut data).map_err(Failure::Input)?;
    let failed = |error: LineError| Failure::Object { code: error.code, message: error.message };
    if data.len() > limit {
        let message = format!("standard input has more than {limit} bytes; raise the limit with --max-line");
        return Err(failed(LineError::new("line.too_long", message)));
    }
    let text = String::from_utf8(data).map_err(|e| {
        failed(LineError::new("line.not_utf8", format!("not UTF-8 at byte {}", e.utf8_error().valid_up_to())))
    })?;
    if text.trim().is_empty() {
        return Err(Failure::Usage(
            "standard input is empty; check takes one JSON object there, or two paths, SOURCES and SUMMARY",
        ));
    }
    let object = Object::parse(input::without_mark(&text)).map_err(|(_, mut error)| {
        if error.message.starts_with("more text after") {
            error.message.push_str("; to check one object a line, add --jsonl");
        }
        failed(error)
    })?;
    let report = object.check(policy).map_err(failed)?;
    let passes = report.verdict.is_commit() || report.observed;
    write_line(&mut std::io::stdout().lock(), &Answer { id: object.id, body: report })?;
    Ok(ExitCode::from(u8::from(!passes)))
}

/// `facts`.
pub(crate) fn facts(args: &BatchArgs) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.sources {
        let texts = input::texts_of(path, args.limits.max_line)?;
        let children: Vec<_> = texts.iter().map(|(_, text)| text.into()).collect();
        // Where the lines of each text end: asked for each fact.
        let ends: Vec<Vec<usize>> =
            texts.iter().map(|(_, text)| memchr::memchr_iter(b'\n', text.as_bytes()).collect()).collect();
        let mut out = BufWriter::new(std::io::stdout().lock());
        for ranked in ranked_facts(&children) {
            let Some((name, text)) = texts.get(ranked.child) else { continue };
            let line = 1 + ends
                .get(ranked.child)
                .map_or(0, |ends| ends.partition_point(|end| *end < ranked.fact.span.start));
            let shown = plain(shown(&ranked.fact, text));
            let name = plain(name);
            writeln!(out, "{:.2}  {:<12} {shown}  ({name}:{line})", ranked.salience, ranked.fact.class)
                .map_err(Failure::Output)?;
        }
        out.flush().map_err(Failure::Output)?;
        return Ok(ExitCode::SUCCESS);
    }
    each_line(args.limits.max_line, |object| {
        let children = object.children();
        let facts: Vec<FactOut> = ranked_facts(&children)
            .into_iter()
            .map(|r| FactOut {
                text: children.get(r.child).map(|c| shown(&r.fact, &c.text).to_owned()).unwrap_or_default(),
                kind: r.fact.class.as_str(),
                child: r.child,
                span: r.fact.span,
                salience: (r.salience * 1e4).round() / 1e4,
            })
            .collect();
        Ok(FactsOut { facts })
    })
}

#[derive(Serialize)]
struct FactOut {
    text: String,
    kind: &'static str,
    child: usize,
    span: Span,
    salience: f64,
}

#[derive(Serialize)]
struct FactsOut {
    facts: Vec<FactOut>,
}

/// The surface of a fact; a secret is masked.
fn shown<'t>(fact: &Fact, text: &'t str) -> &'t str {
    if fact.class == Class::Secret { "[secret]" } else { fact.span.of(text) }
}

#[derive(Serialize)]
struct LedgerOut {
    ledger: String,
    entries: Vec<manifest_core::LedgerEntry>,
}

/// `ledger`.
pub(crate) fn ledger(args: &LedgerArgs) -> Result<ExitCode, Failure> {
    let default = |children: usize| manifest_core::Policy::default().ledger().bytes(children);
    if let Some(path) = &args.batch.sources {
        let texts = input::texts_of(path, args.batch.limits.max_line)?;
        let children: Vec<_> = texts.iter().map(|(_, text)| text.into()).collect();
        let bytes = args.bytes.unwrap_or_else(|| default(texts.iter().map(|t| t.1.len()).sum()));
        let made = manifest_core::ledger_of(&children, "", bytes);
        writeln!(std::io::stdout().lock(), "{}", crate::visible::lines(&made.text))
            .map_err(Failure::Output)?;
        return Ok(ExitCode::SUCCESS);
    }
    each_line(args.batch.limits.max_line, |object| {
        let children = object.children();
        let bytes = object
            .ledger_bytes
            .or(args.bytes)
            .unwrap_or_else(|| default(children.iter().map(|c| c.text.len()).sum()));
        let LedgerRow { text, entries, .. } =
            manifest_core::ledger_of(&children, object.parent.as_deref().unwrap_or_default(), bytes);
        Ok(LedgerOut { ledger: text, entries })
    })
}

//! A transcript that can be read from its start as often as it takes.

use super::chat::Chat;
use super::claude::Claude;
use super::codex::Codex;
use super::detect::{self, Form};
use super::elements::Elements;
use super::error::{TranscriptError, bytes};
use super::gather::Gather;
use super::item::{Item, Kind, Part};
use super::json::{self, Parsed};
use super::markdown::Markdown;
use super::plain::Plain;
use super::reader::{LineReader, Out, RecordReader};
use super::records::{Lines, Next, Records};
use super::source::Source;
use super::tally::Tally;
use super::terminal::Terminal;
use manifest_core::Role;
use std::io::{BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// What a reading holds at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one line, or of one element of an array.
    pub(crate) line: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { line: 64 << 20 }
    }
}

/// Bytes of a pipe that are kept to be read again.
const SPOOL: u64 = 4 << 30;

/// A transcript.
#[derive(Debug)]
pub(crate) struct Session {
    source: Source,
    limits: Limits,
    form: Form,
}

/// A reader of records or of lines.
enum Reader {
    Records(Box<dyn RecordReader>),
    Lines(Box<dyn LineReader>),
}

impl Session {
    /// Opens a transcript and tells its form. `-` is standard input.
    pub(crate) fn open(path: &Path, limits: Limits) -> Result<Session, TranscriptError> {
        let mut source = Source::open(path, SPOOL)?;
        let mut head = Vec::new();
        source
            .bytes()?
            .take(detect::HEAD as u64)
            .read_to_end(&mut head)
            .map_err(|e| TranscriptError::io(path, e))?;
        if head.is_empty() {
            return Err(TranscriptError::Empty { path: path.to_path_buf() });
        }
        if let Some(what) = detect::binary(&head) {
            return Err(TranscriptError::Binary { path: path.to_path_buf(), what });
        }
        let form = detect::detect(&head, head.len() < detect::HEAD);
        Ok(Session { source, limits, form })
    }

    /// Its form.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// What the caller named.
    pub(crate) fn path(&self) -> &Path {
        &self.source.path
    }

    /// Reads all items in order, until `visit` breaks off. The tally counts what was read up to there.
    pub(crate) fn read(
        &mut self,
        visit: &mut dyn FnMut(Item) -> ControlFlow<()>,
    ) -> Result<Tally, TranscriptError> {
        let path = self.source.path.clone();
        let form = self.form;
        let max = self.limits.line;
        let input = self.source.bytes()?;
        let mut tally = Tally::default();
        let whole = drive(form, input, max, &mut tally, visit).map_err(|e| TranscriptError::io(&path, e))?;
        if whole && tally.understood == 0 && tally.unknown.is_empty() {
            let what = if tally.nul_bytes > 0 && tally.nul_bytes + tally.lines >= tally.bytes {
                format!("{} of NUL bytes", bytes(tally.nul_bytes))
            } else if tally.broken > 0 {
                let first = tally.broken_lines.first();
                format!(
                    "none of its {} lines can be read (line {}: {})",
                    tally.lines,
                    first.map_or(1, |b| b.line),
                    first.map_or("", |b| b.reason.as_str())
                )
            } else if form == Form::ChatDocument && tally.truncated.is_some() {
                "a document that ends before its first message".to_owned()
            } else if form == Form::ChatDocument {
                "a document without a message".to_owned()
            } else {
                format!("{} of white space", bytes(tally.bytes))
            };
            return Err(TranscriptError::Blank { path, what });
        }
        Ok(tally)
    }
}

/// The text of a file (packed or not) of at most the limit's bytes; what is no UTF-8 is replaced.
///
/// # Errors
///
/// When it cannot be read, or is larger.
pub(crate) fn text_of(path: &Path, limits: Limits) -> Result<String, TranscriptError> {
    let mut bytes = Vec::new();
    let most = (limits.line as u64).saturating_add(1);
    Source::open(path, most)?
        .bytes()?
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|e| TranscriptError::io(path, e))?;
    if bytes.len() > limits.line {
        return Err(TranscriptError::TooLarge { path: path.to_path_buf(), limit: limits.line as u64 });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads `input`; false where `visit` broke off.
fn drive(
    form: Form,
    input: Box<dyn BufRead + '_>,
    max: usize,
    tally: &mut Tally,
    visit: &mut dyn FnMut(Item) -> ControlFlow<()>,
) -> std::io::Result<bool> {
    let mut records = match form {
        Form::ChatDocument => Records::Elements(Elements::new(input, max)),
        _ => Records::Lines(Lines::new(input, max, form.is_text())),
    };
    let mut reader = match form {
        Form::Chat | Form::ChatDocument => Reader::Records(Box::new(Chat)),
        Form::Claude => Reader::Records(Box::new(Claude::default())),
        Form::Codex(events) => Reader::Records(Box::new(Codex::new(events))),
        Form::Markdown(style) => Reader::Lines(Box::new(Markdown::new(style))),
        Form::Terminal => Reader::Lines(Box::new(Terminal::default())),
        Form::Log => Reader::Lines(Box::new(Plain::new(true))),
        Form::Plain => Reader::Lines(Box::new(Plain::new(false))),
    };
    let mut gather = Gather::default();
    loop {
        let mut out_tally = std::mem::take(tally);
        let next = records.next(&mut out_tally)?;
        *tally = out_tally;
        let record = match next {
            Next::End => break,
            Next::TooLong => continue,
            Next::Record(record) => record,
        };
        let mut out = Out { gather: &mut gather, tally };
        match &mut reader {
            Reader::Lines(lines) => {
                let text = json::decode(record.bytes, out.tally);
                lines.line(&text, record.line, &mut out);
            }
            Reader::Records(records) => match json::parse(record.bytes, out.tally) {
                Parsed::Value(value) if value.is_object() => records.record(&value, record.line, &mut out),
                Parsed::Value(_) => out.tally.broken(record.line, "JSON, but no object".to_owned()),
                Parsed::Raw(text, name) => {
                    out.tally.unknown(name, record.line);
                    out.part(Part::new(Kind::Unknown, Role::Tool, text, record.line));
                }
                Parsed::Broken(reason) => {
                    if record.cut && json::is_cut(&reason) {
                        out.tally.truncated = Some(record.line);
                    }
                    out.tally.broken(record.line, reason);
                }
            },
        }
        while let Some(item) = gather.next() {
            if visit(item).is_break() {
                return Ok(false);
            }
        }
    }
    let mut out = Out { gather: &mut gather, tally };
    match &mut reader {
        Reader::Lines(lines) => lines.end(&mut out),
        Reader::Records(records) => records.end(&mut out),
    }
    gather.flush(tally);
    while let Some(item) = gather.next() {
        if visit(item).is_break() {
            return Ok(false);
        }
    }
    Ok(true)
}

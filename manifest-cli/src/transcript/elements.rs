//! A JSON document that holds the messages in one array, split into its elements without parsing it whole.

use super::records::{Next, Record};
use super::tally::Tally;
use std::io::{self, BufRead};

/// Keys of a document under which the messages stand.
const LISTS: [&[u8]; 2] = [b"messages", b"input"];
/// Keys of a document whose value is context, and is given as a message of the role `system`.
const CONTEXT: [&[u8]; 2] = [b"system", b"instructions"];
/// Capacity that the buffer keeps between elements.
const KEEP: usize = 4 << 20;
/// Longest key that is told apart.
const MAX_KEY: usize = 64;

/// Where the scan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Outside every document.
    Outside,
    /// In the object that holds the list, at its keys.
    Object,
    /// In the list, between elements.
    List,
}

/// The elements of the list of a JSON document: `[…]`, or `{"messages": […]}`.
#[derive(Debug)]
pub(crate) struct Elements<R> {
    source: R,
    max: usize,
    at: At,
    /// Whether the list stands in an object.
    wrapped: bool,
    buffer: Vec<u8>,
    key: Vec<u8>,
    line: u64,
    /// The last byte that was passed; a line feed before the first.
    last: u8,
}

/// How a value was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    Whole,
    TooLong(u64),
    Cut,
}

impl<R: BufRead> Elements<R> {
    /// Elements of up to `max` bytes each.
    pub(crate) fn new(source: R, max: usize) -> Self {
        Elements {
            source,
            max,
            at: At::Outside,
            wrapped: false,
            buffer: Vec::new(),
            key: Vec::new(),
            line: 1,
            last: b'\n',
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.source.fill_buf()?.first().copied())
    }

    fn bump(&mut self, tally: &mut Tally) -> io::Result<()> {
        let Some(byte) = self.peek()? else { return Ok(()) };
        if byte == b'\n' {
            self.line += 1;
            tally.lines += 1;
        }
        self.last = byte;
        self.source.consume(1);
        tally.bytes += 1;
        Ok(())
    }

    pub(crate) fn next(&mut self, tally: &mut Tally) -> io::Result<Next<'_>> {
        loop {
            let Some(byte) = self.peek()? else {
                if self.at != At::Outside {
                    tally.truncated = Some(self.line);
                }
                // A last line without its end is a line.
                tally.lines += u64::from(self.last != b'\n');
                self.last = b'\n';
                return Ok(Next::End);
            };
            if byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | 0xef | 0xbb | 0xbf) {
                self.bump(tally)?;
                continue;
            }
            match (self.at, byte) {
                (At::Outside, b'[') => {
                    self.at = At::List;
                    self.wrapped = false;
                    self.bump(tally)?;
                }
                (At::Outside, b'{') => {
                    self.at = At::Object;
                    self.bump(tally)?;
                }
                (At::Object, b'}') | (At::List, b']') => {
                    self.at = if self.at == At::List && self.wrapped { At::Object } else { At::Outside };
                    self.bump(tally)?;
                }
                // A bracket that closes nothing.
                (_, b']' | b'}') => {
                    tally.broken(self.line, "unbalanced bracket".to_owned());
                    self.bump(tally)?;
                }
                (At::Outside, _) => {
                    let line = self.line;
                    self.value(tally, 0)?;
                    tally.broken(line, "text outside of the JSON document".to_owned());
                }
                (At::Object, b'"') => {
                    if let Some(cut) = self.entry(tally)? {
                        return Ok(self.give(cut));
                    }
                }
                (At::Object, _) => {
                    let line = self.line;
                    self.value(tally, 0)?;
                    tally.broken(line, "a value without a key".to_owned());
                }
                (At::List, _) => {
                    let line = self.line;
                    match self.value(tally, self.max)? {
                        Passed::TooLong(length) => {
                            tally.too_long(line, length, 0);
                            return Ok(Next::TooLong);
                        }
                        passed => return Ok(self.give((line, passed == Passed::Cut))),
                    }
                }
            }
        }
    }

    /// Gives what is in the buffer as a record.
    fn give(&mut self, (line, cut): (u64, bool)) -> Next<'_> {
        Next::Record(Record { line, bytes: &self.buffer, cut })
    }

    /// One `"key": value` of the document. `Some` where the value is context: it then stands in the buffer as a
    /// message.
    fn entry(&mut self, tally: &mut Tally) -> io::Result<Option<(u64, bool)>> {
        if self.value(tally, MAX_KEY + 2)? == Passed::Cut {
            tally.truncated = Some(self.line);
            return Ok(None);
        }
        self.key.clear();
        self.key
            .extend_from_slice(self.buffer.get(1..self.buffer.len().saturating_sub(1)).unwrap_or_default());
        while self.peek()?.is_some_and(|b| b.is_ascii_whitespace() || b == b':') {
            self.bump(tally)?;
        }
        let first = self.peek()?;
        if first == Some(b'[') && LISTS.contains(&self.key.as_slice()) {
            self.at = At::List;
            self.wrapped = true;
            self.bump(tally)?;
            return Ok(None);
        }
        if matches!(first, None | Some(b'}')) {
            return Ok(None);
        }
        let line = self.line;
        let context = CONTEXT.contains(&self.key.as_slice());
        let passed = self.value(tally, if context { self.max } else { 0 })?;
        match passed {
            Passed::Cut => {
                tally.truncated = Some(line);
                Ok(None)
            }
            Passed::Whole if context => {
                let value = std::mem::take(&mut self.buffer);
                self.buffer.extend_from_slice(br#"{"role":"system","content":"#);
                self.buffer.extend_from_slice(&value);
                self.buffer.push(b'}');
                Ok(Some((line, false)))
            }
            _ => {
                tally.skip(&format!("document.{}", String::from_utf8_lossy(&self.key)), line);
                Ok(None)
            }
        }
    }

    /// Passes one JSON value, kept in the buffer as long as it has no more than `max` bytes. Depth is a counter:
    /// hostile nesting costs nothing.
    fn value(&mut self, tally: &mut Tally, max: usize) -> io::Result<Passed> {
        self.buffer.clear();
        self.buffer.shrink_to(KEEP);
        let mut scan = Scan::default();
        let mut length = 0usize;
        loop {
            let chunk = self.source.fill_buf()?;
            if chunk.is_empty() {
                // A number or a word at the end of the input is whole; a string or a bracket is not.
                let whole = scan.depth == 0 && !scan.string;
                return Ok(if whole && length > 0 { Passed::Whole } else { Passed::Cut });
            }
            let (used, done) = scan.pass(chunk);
            let part = chunk.get(..used).unwrap_or_default();
            let newlines = memchr::memchr_iter(b'\n', part).count() as u64;
            self.last = part.last().copied().unwrap_or(self.last);
            length += used;
            if length <= max {
                self.buffer.extend_from_slice(part);
            } else {
                self.buffer.clear();
                self.buffer.shrink_to(KEEP);
            }
            self.source.consume(used);
            self.line += newlines;
            tally.lines += newlines;
            tally.bytes += used as u64;
            if done {
                return Ok(if length <= max { Passed::Whole } else { Passed::TooLong(length as u64) });
            }
        }
    }
}

/// The scan of one value.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    depth: u64,
    string: bool,
    escape: bool,
    /// Whether a number or a word has begun.
    word: bool,
}

impl Scan {
    /// How many bytes of `chunk` belong to the value, and whether it ends there.
    fn pass(&mut self, chunk: &[u8]) -> (usize, bool) {
        let mut i = 0;
        while let Some(&byte) = chunk.get(i) {
            if self.string {
                if self.escape {
                    self.escape = false;
                    i += 1;
                    continue;
                }
                let rest = chunk.get(i..).unwrap_or_default();
                let Some(next) = memchr::memchr2(b'"', b'\\', rest) else { return (chunk.len(), false) };
                i += next + 1;
                if rest.get(next) == Some(&b'\\') {
                    self.escape = true;
                } else {
                    self.string = false;
                    if self.depth == 0 {
                        return (i, true);
                    }
                }
                continue;
            }
            match byte {
                b'"' => self.string = true,
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' => {
                    if self.depth == 0 {
                        return (i, true);
                    }
                    self.depth -= 1;
                    if self.depth == 0 {
                        return (i + 1, true);
                    }
                }
                b',' if self.depth == 0 => return (i, true),
                b if self.depth == 0 && self.word && b.is_ascii_whitespace() => return (i, true),
                _ => self.word = true,
            }
            i += 1;
        }
        (chunk.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str, max: usize) -> (Vec<(u64, String, bool)>, Tally) {
        let mut tally = Tally::default();
        let mut elements = Elements::new(io::BufReader::with_capacity(5, text.as_bytes()), max);
        let mut out = Vec::new();
        loop {
            match elements.next(&mut tally).unwrap() {
                Next::Record(r) => out.push((r.line, String::from_utf8(r.bytes.to_vec()).unwrap(), r.cut)),
                Next::TooLong => {}
                Next::End => return (out, tally),
            }
        }
    }

    #[test]
    fn elements_of_an_array_keep_their_lines() {
        let (got, tally) = elements("[\n  {\"a\": \"]\\\"}\"},\n  {\"b\": [1, {}]}\n]\n", 1000);
        assert_eq!(got, [(2, "{\"a\": \"]\\\"}\"}".into(), false), (3, "{\"b\": [1, {}]}".into(), false)]);
        assert_eq!(tally.lines, 4);
        assert_eq!(tally.truncated, None);
        assert_eq!(elements("[{\"a\": 1}]", 1000).1.lines, 1);
        assert_eq!(elements("[\n{\"a\": 1}]", 1000).1.lines, 2);
    }

    #[test]
    fn elements_under_messages_are_found_and_other_keys_named() {
        let text =
            r#"{"model":"m","system":"be kind","meta":{"messages":[1]},"messages":[{"x":1},{"y":2}],"n":3}"#;
        let (got, tally) = elements(text, 1000);
        let texts: Vec<_> = got.iter().map(|g| g.1.as_str()).collect();
        assert_eq!(texts, [r#"{"role":"system","content":"be kind"}"#, r#"{"x":1}"#, r#"{"y":2}"#]);
        let names: Vec<_> = tally.skipped.keys().map(String::as_str).collect();
        assert_eq!(names, ["document.meta", "document.model", "document.n"]);
    }

    #[test]
    fn a_cut_document_gives_its_last_element_as_cut() {
        let (got, tally) = elements("[{\"a\":1},{\"b\":\"unfin", 1000);
        assert_eq!(got.len(), 2);
        assert!(got[1].2);
        assert_eq!(tally.truncated, Some(1));
    }

    #[test]
    fn deep_and_long_elements_are_passed_in_constant_memory() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let (got, tally) = elements(&format!("[{deep},7]"), 1000);
        assert_eq!(got, [(1, "7".into(), false)]);
        assert_eq!(tally.long_lines, 1);
    }

    #[test]
    fn broken_documents_end() {
        for text in [
            "[",
            "{",
            "]",
            "{\"messages\"",
            "{\"messages\":",
            "{,}",
            "[,,]",
            "}{][",
            "[1 2",
            "{\"a\" 1 2 }",
            "[\"\\",
        ] {
            elements(text, 100);
        }
    }
}

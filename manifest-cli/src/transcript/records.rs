//! The bytes as records: one line each, or one element of a JSON array each, without holding more than one.

use super::tally::Tally;
use std::io::{self, BufRead};

/// One record as it stands in the source.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    /// The line of the source on which it begins, from 1.
    pub(crate) line: u64,
    /// Its bytes, without the line's end.
    pub(crate) bytes: &'a [u8],
    /// Whether the source ended before the record did.
    pub(crate) cut: bool,
}

/// What came next.
#[derive(Debug)]
pub(crate) enum Next<'a> {
    /// A record.
    Record(Record<'a>),
    /// A record longer than the limit was passed over.
    TooLong,
    /// The source is at its end.
    End,
}

/// Splits a source into records.
pub(crate) enum Records<R> {
    /// One record a line.
    Lines(Lines<R>),
    /// One record an element.
    Elements(super::elements::Elements<R>),
}

impl<R: BufRead> Records<R> {
    /// The next record. What is passed over is counted in `tally`.
    pub(crate) fn next(&mut self, tally: &mut Tally) -> io::Result<Next<'_>> {
        match self {
            Records::Lines(lines) => lines.next(tally),
            Records::Elements(elements) => elements.next(tally),
        }
    }
}

/// The lines of a source, none held that is longer than the limit.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    max: usize,
    buffer: Vec<u8>,
    line: u64,
    /// Whether blank lines are records too (they are, in texts).
    blank: bool,
}

/// Capacity that the buffer keeps between lines.
const KEEP: usize = 4 << 20;

impl<R: BufRead> Lines<R> {
    /// Lines of up to `max` bytes; `blank` says whether empty lines are given too.
    pub(crate) fn new(source: R, max: usize, blank: bool) -> Self {
        Lines { source, max, buffer: Vec::new(), line: 0, blank }
    }

    fn next(&mut self, tally: &mut Tally) -> io::Result<Next<'_>> {
        loop {
            self.buffer.clear();
            self.buffer.shrink_to(KEEP);
            self.line += 1;
            let mut length: u64 = 0;
            let mut nul = 0u64;
            let mut ended = false;
            loop {
                let chunk = self.source.fill_buf()?;
                if chunk.is_empty() {
                    break;
                }
                let end = memchr::memchr(b'\n', chunk);
                let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
                length += part.len() as u64;
                nul += count_nul(part);
                if length <= self.max as u64 {
                    self.buffer.extend_from_slice(part);
                } else {
                    // Passed over: what was gathered of it is let go.
                    self.buffer.clear();
                    self.buffer.shrink_to(KEEP);
                }
                let used = part.len() + usize::from(end.is_some());
                self.source.consume(used);
                if end.is_some() {
                    ended = true;
                    break;
                }
            }
            if length == 0 && !ended {
                return Ok(Next::End);
            }
            tally.lines += 1;
            tally.bytes += length + u64::from(ended);
            tally.nul_bytes += nul;
            if length > self.max as u64 {
                tally.too_long(self.line, length, nul);
                return Ok(Next::TooLong);
            }
            if self.line == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") {
                self.buffer.drain(..3);
            }
            if self.buffer.last() == Some(&b'\r') {
                self.buffer.pop();
            }
            if nul > 0 && nul == length {
                // Space that a crash left unwritten.
                tally.broken(self.line, format!("{} of NUL", super::error::bytes(nul)));
                continue;
            }
            if !self.blank && self.buffer.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Ok(Next::Record(Record { line: self.line, bytes: &self.buffer, cut: !ended }));
        }
    }
}

/// How many NUL bytes are in `bytes`; linear, and quick where there are none.
fn count_nul(bytes: &[u8]) -> u64 {
    const ZEROS: [u8; 4096] = [0; 4096];
    if memchr::memchr(0, bytes).is_none() {
        return 0;
    }
    let mut n = 0u64;
    for chunk in bytes.chunks(ZEROS.len()) {
        n += if ZEROS.starts_with(chunk) {
            chunk.len() as u64
        } else {
            memchr::memchr_iter(0, chunk).count() as u64
        };
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    type Given = (u64, Vec<u8>, bool);

    fn lines(bytes: &[u8], max: usize) -> (Vec<Given>, Tally) {
        let mut tally = Tally::default();
        let mut lines = Lines::new(io::BufReader::with_capacity(7, bytes), max, false);
        let mut out = Vec::new();
        loop {
            match lines.next(&mut tally).unwrap() {
                Next::Record(r) => out.push((r.line, r.bytes.to_vec(), r.cut)),
                Next::TooLong => {}
                Next::End => return (out, tally),
            }
        }
    }

    #[test]
    fn lines_keep_their_numbers_over_blank_ones_and_lose_bom_and_cr() {
        let (got, tally) = lines(b"\xef\xbb\xbf{1}\r\n\n  \n{2}\n{3}", 100);
        assert_eq!(
            got,
            [(1, b"{1}".to_vec(), false), (4, b"{2}".to_vec(), false), (5, b"{3}".to_vec(), true)]
        );
        assert_eq!((tally.lines, tally.bytes), (5, 19));
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_with_a_count() {
        let (got, tally) = lines(b"short\nthis one is far too long\nshort\n", 10);
        assert_eq!(got.len(), 2);
        assert_eq!(got[1].0, 3);
        assert_eq!(tally.long_lines, 1);
        assert!(tally.broken_lines[0].reason.contains("24 B"), "{:?}", tally.broken_lines);
    }

    #[test]
    fn a_line_of_nul_is_broken_and_named() {
        let (got, tally) = lines(b"a\n\0\0\0\nb\n\0\0", 10);
        assert_eq!(got.len(), 2);
        assert_eq!((tally.broken, tally.nul_bytes), (2, 5));
        assert_eq!(tally.broken_lines[0].reason, "3 B of NUL");
    }
}

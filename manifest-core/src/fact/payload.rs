//! Long opaque bodies: base64, hexadecimal dumps.

use super::Class;
use super::scan::Scan;
use super::token::Token;
use crate::text::Span;

/// Shorter bodies may be digests and tokens.
const LEAST: usize = 100;
/// Bytes of a run that tell whether it is a body.
const HEAD: usize = 4096;
/// Widths of the lines of a body that was wrapped.
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=LEAST;

/// One run of base64 or hexadecimal digits, longer than any digest, with the lines that go on with it.
pub(super) fn payload(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let end = s.body_end(t.start);
    if end - t.start < LEAST || !is_body(s.bytes.get(t.start..end)?) {
        return None;
    }
    let end = more(s, end, end - t.start);
    s.push_text(Class::Payload, Span::new(t.start, end));
    Some(end)
}

/// Lines of base64 from the line at `start`, two or more of one width, or the lines of a dump.
pub(super) fn block(s: &mut Scan<'_>, start: usize) -> Option<usize> {
    let first = s.skip_spaces(start);
    if s.at(first).is_ascii_hexdigit()
        && let Some(end) = dump(s, first)
    {
        s.push_text(Class::Payload, Span::new(first, end));
        return Some(end);
    }
    let e = s.body_end(first);
    let width = e - first;
    if !WIDTHS.contains(&width) || s.at(e) != b'\n' || !is_body(s.bytes.get(first..e)?) {
        return None;
    }
    let end = more(s, e, width);
    if end == e {
        return None;
    }
    s.push_text(Class::Payload, Span::new(first, end));
    Some(end)
}

/// The end of a hexadecimal dump that begins at `i`: lines of an offset and eight bytes or more, in pairs or fours of
/// digits, with their text behind them.
fn dump(s: &Scan<'_>, i: usize) -> Option<usize> {
    let mut end = None;
    let mut line = i;
    loop {
        let line_end = s.line_end(line);
        let mut words = s.slice(line, line_end).split_ascii_whitespace();
        let offset = words.next().map(|w| w.trim_end_matches(':')).unwrap_or_default();
        let hex = |w: &&str| matches!(w.len(), 2 | 4) && w.bytes().all(|b| b.is_ascii_hexdigit());
        let bytes: usize = words.take_while(hex).map(str::len).sum();
        let offset = (6..=16).contains(&offset.len()) && offset.bytes().all(|b| b.is_ascii_hexdigit());
        // The last line of a dump may be short, or be the offset of its end.
        if !offset || bytes < 16 && end.is_none() {
            return end;
        }
        end = Some(line_end);
        if bytes < 16 || s.at(line_end) != b'\n' {
            return end;
        }
        line = s.skip_spaces(line_end + 1);
    }
}

/// The end of the lines that go on with a body whose first line was `width` wide.
fn more(s: &Scan<'_>, mut end: usize, width: usize) -> usize {
    while s.at(end) == b'\n' {
        let next = s.skip_spaces(end + 1);
        let e = s.body_end(next);
        let len = e - next;
        let last = len < width;
        // A shorter line ends the body; it still comes in fours, unless it is padding.
        if len == 0
            || len > width
            || !matches!(s.at(e), b'\n' | b'\r' | b'"' | b'\'' | 0)
            || last && !len.is_multiple_of(4)
        {
            break;
        }
        if s.bytes.get(next..e).is_none_or(|b| len >= 16 && !is_body(b)) {
            break;
        }
        end = e;
        if last {
            break;
        }
    }
    end
}

/// Whether the run reads as an encoded body: digits and letters mixed throughout, not words with hyphens or folders
/// with slashes. A long one is judged by its head: it is asked for again at every piece of the run.
fn is_body(b: &[u8]) -> bool {
    let b = b.get(..HEAD).unwrap_or(b);
    let count = |f: fn(&u8) -> bool| b.iter().filter(|c| f(c)).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let hex = b.iter().all(u8::is_ascii_hexdigit) && digits > 0;
    let marks = b.len() - digits - upper - lower;
    // In base64 ten of 64 are digits, and a letter is a capital as often as not.
    let mixed = digits * 50 > b.len() && upper * 6 > b.len() && lower * 6 > b.len() && marks * 8 < b.len();
    hex || mixed
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, none, of};
    use crate::Class;

    const BODY: &str = "H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adR9A/JLaJBaUdQl57mz1";

    #[test]
    fn a_body_is_one_fact() {
        let text = format!("cert blob: {BODY} expires 2027-02-11");
        assert_eq!(of(Class::Payload, &text), [BODY]);
        assert_eq!(all(&text).len(), 2);
        let hex = "0123456789abcdef".repeat(12);
        assert_eq!(all(&hex), [(Class::Payload, hex.as_str())]);
    }

    #[test]
    fn a_wrapped_body_is_one_fact() {
        let (a, b) = BODY.split_at(64);
        let text = format!("data:\n  {a}\n  {b}\nend");
        assert_eq!(of(Class::Payload, &text).len(), 1, "{:?}", all(&text));
        assert_eq!(all(&text).len(), 1);
    }

    #[test]
    fn a_dump_is_one_fact() {
        let od = "0081920 00 00 00 00 d8 ab 5d 02 a5 60 00 00 30 00 50 00\n0081936 00 20 04 20 00 00 00 00 28 98\n0081952\nend";
        assert_eq!(all(od).len(), 1, "{:?}", all(od));
        let xxd = "00000000: 4865 6c6c 6f20 776f 726c 640a 0000 0000  Hello world.....\n";
        assert_eq!(of(Class::Payload, xxd).len(), 1);
        assert_eq!(all("deadbeef42 is the id of 20 jobs").len(), 2);
    }

    #[test]
    fn long_names_are_no_bodies() {
        let folders = "src/components/".repeat(10);
        let words = "some-long-hyphenated-name-".repeat(6);
        let constant = "SOME_LONG_CONSTANT_NAME_".repeat(6);
        none(Class::Payload, &[&folders, &words, &constant, &"a".repeat(300)]);
    }
}

//! The layout of one line: what it is before anything is read in it.

use super::Span;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing, or a rule of dashes, or the line under a heading or a table's head.
    Empty,
    /// A line of `=` or `-` under a text, or between a table's head and its body: what stands above is a heading.
    Underline,
    /// The start or the end of fenced code.
    Fence,
    /// A heading by its marks, or a label: text up to a colon at the end of the line.
    Heading,
    /// A list item.
    Item,
    /// A row, a line of code, of a log, of JSON.
    Row,
    /// Running text.
    Prose,
}

/// A line without its marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) shape: Shape,
    /// The text without indent, marker, ordinal and trailing space.
    pub(super) body: Span,
    /// Whether it can continue the line before it: no mark, no speaker, no time in front.
    pub(super) continues: bool,
}

/// Words that open a line of a log.
const LEVELS: [&str; 12] = [
    "INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE", "FATAL", "CRITICAL", "NOTICE", "SEVERE", "PANIC",
    "ERR",
];
/// Longest label, in words; a longer line that ends in a colon is a sentence that leads over to a list.
const LABEL_WORDS: usize = 6;
/// How many bytes of a line are looked at to tell code from prose.
const SAMPLE: usize = 240;

/// Reads the layout of the line `at`.
pub(super) fn line(text: &str, at: Span) -> Line {
    let mut body = trim(text, at);
    let mut continues = true;
    let empty = Line { shape: Shape::Empty, body: Span::new(body.start, body.start), continues: false };
    let fence = |b: &str| b.starts_with("```") || b.starts_with("~~~");
    if fence(body.of(text)) {
        return Line { shape: Shape::Fence, body, continues: false };
    }
    // Quoted lines: the mark belongs to the layout.
    while let Some(rest) = body.of(text).strip_prefix('>') {
        if rest.starts_with(">>") || rest.starts_with('=') {
            break;
        }
        body = trim(text, Span::new(body.start + 1, body.end));
        continues = false;
    }
    let b = body.of(text);
    let Some(&first) = b.as_bytes().first() else { return empty };
    if !first.is_ascii_alphanumeric()
        && let Some(shape) = ruled(b)
    {
        return Line { shape, body, continues: false };
    }
    let marks = b.bytes().take_while(|&c| c == b'#').count();
    if (1..=6).contains(&marks) && b.as_bytes().get(marks).is_some_and(u8::is_ascii_whitespace) {
        let body = trim(text, Span::new(body.start + marks, body.end));
        return Line { shape: Shape::Heading, body, continues: false };
    }
    if first == b'|' {
        return Line { shape: Shape::Row, body, continues: false };
    }
    let marker = marker(b);
    if marker > 0 {
        body = trim(text, Span::new(body.start + marker, body.end));
        continues = false;
    }
    let b = body.of(text);
    if b.is_empty() {
        return empty;
    }
    let shape = if label(b) {
        Shape::Heading
    } else if row(b) {
        Shape::Row
    } else if marker > 0 {
        Shape::Item
    } else {
        Shape::Prose
    };
    let continues = continues && !timed(b) && speaker(b) == 0;
    Line { shape, body, continues }
}

/// A line of nothing but rule characters.
fn ruled(b: &str) -> Option<Shape> {
    let mut dashes = 0;
    for c in b.bytes() {
        match c {
            b'-' | b'=' => dashes += 1,
            b'|' | b'+' | b':' | b' ' | b'\t' => {}
            b'*' | b'_' if b.len() >= 3 => {}
            _ => return None,
        }
    }
    let table = b.contains('|') || b.contains('+');
    let bare = b.bytes().all(|c| c == b'-') || b.bytes().all(|c| c == b'=');
    if dashes >= 3 && (table || bare) {
        Some(Shape::Underline)
    } else if b.len() >= 3 || b == "|" {
        Some(Shape::Empty)
    } else {
        None
    }
}

/// How many bytes of `b` are the marker of a list item, with its check box: `- [x] `, `12. `, `(a) `, `• `.
fn marker(b: &str) -> usize {
    let bytes = b.as_bytes();
    let mut n = match bytes.first() {
        Some(b'-' | b'*' | b'+') => 1,
        Some(0xE2 | 0xC2) => {
            let c = b.chars().next().unwrap_or(' ');
            if "•‣◦▪▫●○■□–—·⁃∙▸►➤✓✔✗✘".contains(c) {
                c.len_utf8()
            } else {
                0
            }
        }
        Some(b'(') => ordinal(bytes.get(1..).unwrap_or_default())
            .filter(|&(_, close)| close == b')')
            .map_or(0, |(n, _)| n + 2),
        Some(_) => ordinal(bytes).map_or(0, |(n, _)| n + 1),
        None => 0,
    };
    let blank = |i: usize| bytes.get(i).is_none_or(u8::is_ascii_whitespace);
    if n == 0 || !blank(n) {
        return 0;
    }
    while bytes.get(n).is_some_and(u8::is_ascii_whitespace) {
        n += 1;
    }
    if let [b'[', b' ' | b'x' | b'X' | b'-' | b'~', b']', ..] = bytes.get(n..).unwrap_or_default()
        && blank(n + 3)
    {
        n += 3;
    }
    n
}

/// The length of an ordinal before `.`, `)` or `:`, and that closing byte: up to three digits, one letter, or a
/// Roman numeral.
pub(super) fn ordinal(bytes: &[u8]) -> Option<(usize, u8)> {
    let digits = bytes.iter().take_while(|c| c.is_ascii_digit()).count();
    let n = if digits > 0 {
        digits
    } else {
        let roman = bytes.iter().take_while(|c| matches!(c, b'i' | b'v' | b'x')).count();
        if roman > 0 { roman } else { usize::from(bytes.first().is_some_and(u8::is_ascii_alphabetic)) }
    };
    let close = *bytes.get(n)?;
    let ok = match digits {
        0 => n > 0 && n <= 4 && close == b')',
        1..=3 => matches!(close, b'.' | b')'),
        _ => false,
    };
    ok.then_some((n, close))
}

/// A label: a few words up to a colon at the end, bare or in bold; or a whole line in bold.
fn label(b: &str) -> bool {
    let opens = b.starts_with(['*', '_']);
    if !opens && !b.ends_with([':', '：']) || b.len() > 120 {
        return false;
    }
    let plain = b.trim_matches(|c| c == '*' || c == '_');
    let bold = b.starts_with("**") && b.ends_with("**") && b.len() > 4 && !plain.contains("**");
    let colon = plain.ends_with([':', '：']);
    let words = plain.split_ascii_whitespace().take(LABEL_WORDS + 1).count();
    (bold && !plain.ends_with(['.', '!', '?']) || colon)
        && words <= LABEL_WORDS
        && !plain.contains(['{', '(', '='])
}

/// Whether a line is one of code, of a log, or of JSON.
fn row(b: &str) -> bool {
    let bytes = b.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    if matches!(last, b'{' | b'}' | b';') && bytes.len() < SAMPLE || matches!(first, b'{' | b'}') {
        return true;
    }
    let marked = match first {
        b'@' => b.starts_with("@@ "),
        b'$' => b.starts_with("$ "),
        b'/' => b.starts_with("//") || b.starts_with("/*"),
        b'<' => last == b'>',
        b'>' => b.starts_with(">>>"),
        b'[' | b'"' => matches!(last, b',' | b']' | b'[' | b'"') && b.contains("\":"),
        _ => false,
    };
    if marked || (first.is_ascii_digit() || first == b'[' || first.is_ascii_uppercase()) && leveled(b) {
        return true;
    }
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let (mut marks, mut solid, mut bars) = (0_usize, 0_usize, 0_usize);
    for &c in sample {
        let kind = KIND.get(usize::from(c)).copied().unwrap_or(SOLID);
        solid += usize::from(kind & SOLID != 0);
        marks += usize::from(kind & MARK != 0);
        bars += usize::from(c == b'|');
    }
    let columns = bars >= 2 && sample.windows(3).filter(|w| w == b" | ").count() >= 2;
    solid >= 8 && marks * 5 >= solid || columns
}

/// Whether one of the first words is the level of a log.
fn leveled(b: &str) -> bool {
    let head = b.as_bytes().get(..64).unwrap_or(b.as_bytes());
    head.split(|c| c.is_ascii_whitespace() || matches!(c, b'[' | b']' | b':' | b'(' | b'|'))
        .filter(|h| !h.is_empty())
        .take(6)
        .any(|h| h.get(1).is_some_and(u8::is_ascii_uppercase) && LEVELS.iter().any(|l| l.as_bytes() == h))
}

const SOLID: u8 = 1;
const MARK: u8 = 2;
/// What a byte says for code: nothing, something solid, a mark that prose seldom has.
const KIND: [u8; 256] = {
    let mut t = [SOLID; 256];
    let blank = b" \t\r\n\x0B\x0C";
    let mut i = 0;
    while i < blank.len() {
        t[blank[i] as usize] = 0;
        i += 1;
    }
    let marks = b"{}()[]<>=|&\\\"$@;_/#";
    let mut i = 0;
    while i < marks.len() {
        t[marks[i] as usize] = SOLID | MARK;
        i += 1;
    }
    t
};

/// Whether a line begins with a date, a time or an epoch: an entry of its own.
fn timed(b: &str) -> bool {
    let b = b.strip_prefix(['[', '(']).unwrap_or(b);
    let head = b.as_bytes().get(..10).unwrap_or(b.as_bytes());
    let digits = head.iter().take_while(|c| c.is_ascii_digit()).count();
    match (digits, head.get(digits)) {
        (1 | 2, Some(b':')) | (4, Some(b'-' | b'/')) | (10, None) => {
            head.get(digits + 1).is_none_or(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// The length of a speaker's name with its colon at the start of a line (`user:`, `Grad E:`, `tool search:`), or 0.
pub(super) fn speaker(b: &str) -> usize {
    let mut words = 1;
    for (i, c) in b.char_indices().take(40) {
        match c {
            ':' | '：' => {
                let end = i + c.len_utf8();
                let rest = b.get(end..).unwrap_or_default();
                return if i > 0 && (rest.is_empty() || rest.starts_with(char::is_whitespace)) {
                    end
                } else {
                    0
                };
            }
            ' ' => words += 1,
            '_' | '-' | '\'' | '(' | ')' | '.' => {}
            c if c.is_alphanumeric() => {}
            _ => return 0,
        }
        if words > 4 {
            return 0;
        }
    }
    0
}

/// `at` without blank ends.
pub(super) fn trim(text: &str, at: Span) -> Span {
    let s = at.of(text);
    let head = s.len() - s.trim_start().len();
    let body = s.trim();
    Span::new(at.start + head, at.start + head + body.len())
}

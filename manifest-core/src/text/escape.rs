//! Escapes within quoted strings of records: JSON, and JSON that stands as a string in JSON.

/// A run of backslashes with what it escapes.
pub(super) struct Escape {
    /// What it stands for.
    pub(super) with: char,
    /// How often it stands for that.
    pub(super) times: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// What is known of the line that the folding pass is in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecordLine {
    /// Where the line ends; 0 before the first.
    end: usize,
    /// Whether it holds a record.
    record: bool,
    /// Up to where its quotes were looked at.
    seen: usize,
    /// Whether the last of them was escaped: then the string is within a string.
    nested: bool,
}

impl RecordLine {
    /// The escape at `i`, which is a backslash, if the line holds a record.
    pub(super) fn escape(&mut self, bytes: &[u8], i: usize) -> Option<Escape> {
        if i >= self.end {
            *self = Self::around(bytes, i);
        }
        if !self.record {
            return None;
        }
        self.look(bytes, i);
        let count = bytes.get(i..)?.iter().take_while(|b| **b == b'\\').count();
        let at = i + count;
        let literal = Escape { with: '\\', times: (count / if self.nested { 4 } else { 2 }).max(1), end: at };
        // A level of nesting doubles the backslashes before a letter, and those before a quote and one more.
        let letter = count == 1 || self.nested && count.is_power_of_two();
        let one = |with| Some(Escape { with, times: 1, end: at + 1 });
        match bytes.get(at)? {
            b'"' => one('"'),
            b'/' if count % 2 == 1 => one('/'),
            b'n' if letter => one('\n'),
            b't' if letter => one('\t'),
            b'r' | b'b' | b'f' if letter => one(' '),
            b'u' if letter => {
                let (with, end) = unicode(bytes, at, count)?;
                Some(Escape { with, times: 1, end })
            }
            _ => (count > 1).then_some(literal),
        }
    }

    /// The line that `i` is in.
    fn around(bytes: &[u8], i: usize) -> Self {
        let start =
            bytes.get(..i).and_then(|head| head.iter().rposition(|&b| b == b'\n')).map_or(0, |n| n + 1);
        let rest = bytes.get(i..).unwrap_or_default();
        let end = i + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let line = bytes.get(start..end).unwrap_or_default();
        let holds_keys = line.windows(2).any(|w| matches!(w, b"\":" | b"{\"" | b"[\""));
        let string = matches!(line.trim_ascii(), [b'"', .., b'"' | b',']);
        RecordLine { end: end.max(i + 1), record: holds_keys || string, seen: start, nested: false }
    }

    /// Looks at the quotes before `i`.
    fn look(&mut self, bytes: &[u8], i: usize) {
        let part = bytes.get(self.seen..i).unwrap_or_default();
        if let Some(k) = part.iter().rposition(|&b| b == b'"') {
            let at = self.seen + k;
            self.nested = at > 0 && bytes.get(at - 1) == Some(&b'\\');
        }
        self.seen = i.max(self.seen);
    }
}

/// The character of `\u00e9` or of a surrogate pair whose first `u` is at `at`, and where it ends.
fn unicode(bytes: &[u8], at: usize, backslashes: usize) -> Option<(char, usize)> {
    let unit = |u: usize| {
        let digits = std::str::from_utf8(bytes.get(u + 1..u + 5)?).ok()?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(at)?;
    let second = at + 5 + backslashes;
    let pair = [first, if bytes.get(second) == Some(&b'u') { unit(second).unwrap_or(0) } else { 0 }];
    match char::decode_utf16(pair).next()? {
        Ok(c) if c.len_utf16() == 2 => Some((c, second + 5)),
        Ok(c) => Some((c, at + 5)),
        Err(_) => None,
    }
}

//! The one pass over a text: finds where tokens begin and asks the classes, longest and most specific first.

use super::byte::{
    AT, BACK, COLON, DIGIT, DOT, HIGH, HYPHEN, JOINER, LETTER, LOWER, SLASH, UNDER, WORD, class, is_word,
    is_word_char,
};
use super::layout::Line;
use super::number::Locale;
use super::value::{Domain, Value};
use super::{Class, Fact, address, command, date, digest, email, flag, identifier, layout, name};
use super::{path, payload, quantity, quote, relative, secret, symbol, ticket, url, uuid, version};
use crate::text::{Normal, Span};

/// A run of bytes that may be one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: usize,
    /// End of the whole run, without the punctuation that closes a phrase.
    pub(super) end: usize,
    /// End of its first word.
    pub(super) word: usize,
    /// All classes of its bytes, or-ed.
    pub(super) flags: u16,
}

impl Token {
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }

    pub(super) fn has(self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Whether it has no byte of another class.
    pub(super) fn only(self, flags: u16) -> bool {
        self.flags & !flags == 0
    }

    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// The state of the pass.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    /// No token reaches beyond this offset: the end of the innermost open composite, or of the text.
    pub(super) limit: usize,
    pub(super) facts: Vec<Fact>,
    /// Open composites: index and end, innermost last.
    open: Vec<(usize, usize)>,
    /// The line that is being read.
    pub(super) line: Line,
    pub(super) locale: Option<Locale>,
    pub(super) grouped: bool,
}

/// Finds all facts of a folded text.
pub(super) fn scan(normal: &Normal<'_>) -> Vec<Fact> {
    let text: &str = &normal.text;
    let mut s = Scan {
        text,
        bytes: text.as_bytes(),
        limit: text.len(),
        facts: Vec::new(),
        open: Vec::new(),
        line: Line::default(),
        locale: None,
        grouped: normal.grouped,
    };
    s.run();
    let mut facts = s.facts;
    name::repeated(text, &mut facts);
    for f in &mut facts {
        f.span = normal.source(f.at);
    }
    facts
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        let mut i = layout::line_start(self, 0);
        while i < self.text.len() {
            while let Some(&(_, end)) = self.open.last()
                && i >= end
            {
                self.close();
            }
            let next = self.step(i);
            debug_assert!(next > i, "the pass must move on");
            i = next.max(i + 1);
        }
        while !self.open.is_empty() {
            self.close();
        }
    }

    /// Reads what begins at `i` and returns where to go on.
    fn step(&mut self, i: usize) -> usize {
        let b = self.at(i);
        let c = class(b);
        if c & (LETTER | UNDER) != 0 {
            return self.letter(i);
        }
        if c & DIGIT != 0 {
            return self.digit(i);
        }
        match b {
            b' ' | b',' | b';' | b')' | b'=' | b'|' | b'*' => i + 1,
            b'\n' => layout::line_start(self, i + 1),
            b'"' | b'\'' | b'`' => quote::open(self, i),
            b'/' | b'~' => path::rooted(self, i).unwrap_or(i + 1),
            b'.' => path::dotted(self, i).or_else(|| quantity::fraction(self, i)).unwrap_or(i + 1),
            b'-' => secret::key_block(self, i)
                .or_else(|| flag::flag(self, i))
                .or_else(|| quantity::signed(self, i))
                .unwrap_or(i + 1),
            b'+' => quantity::signed(self, i).unwrap_or(i + 1),
            b'$' => quantity::money(self, i).or_else(|| symbol::variable(self, i)).unwrap_or(i + 1),
            b'#' => ticket::hash(self, i).unwrap_or(i + 1),
            b'@' => identifier::at_name(self, i).unwrap_or(i + 1),
            b':' => address::double_colon(self, i).unwrap_or(i + 1),
            b'\\' => path::share(self, i).unwrap_or_else(|| self.escape(i)),
            _ if c & HIGH != 0 => self.high(i),
            _ => i + 1,
        }
    }

    /// Skips a backslash escape of a quoted string.
    fn escape(&self, i: usize) -> usize {
        match self.at(i + 1) {
            b'n' | b't' | b'r' | b'"' | b'\\' | b'/' | b'b' | b'f' => i + 2,
            b'u' if (2..6).all(|k| self.at(i + k).is_ascii_hexdigit()) => i + 6,
            _ => i + 1,
        }
    }

    /// A token that begins with a letter or an underscore.
    fn letter(&mut self, i: usize) -> usize {
        let t = self.token(i);
        if t.only(LOWER) {
            return self.lower(t);
        }
        if let Some(end) = self.special(t) {
            return end;
        }
        // Nothing knows the run as a whole: its first word stands for itself.
        let word = Token { end: t.word, flags: self.flags(t.start, t.word), ..t };
        if word.only(LOWER) {
            return self.lower(word);
        }
        if word.end < t.end
            && let Some(end) = self.special(word)
        {
            return end;
        }
        name::name(self, word).unwrap_or(word.end)
    }

    /// A token that begins with a digit.
    fn digit(&mut self, i: usize) -> usize {
        let t = self.token(i);
        let found = date::digit(self, i)
            .or_else(|| if t.has(LETTER) { self.coded(t) } else { None })
            .or_else(|| if t.has(AT) { email::email(self, t) } else { None })
            .or_else(|| if t.has(COLON | HYPHEN) { digest::separated(self, t) } else { None })
            .or_else(|| if t.has(COLON | DOT) { address::address(self, t) } else { None })
            .or_else(|| if t.has(DOT) { version::version(self, t) } else { None })
            .or_else(|| if t.has(LETTER) || t.len() >= 40 { digest::digest(self, t) } else { None })
            .or_else(|| quantity::digit(self, t))
            .or_else(|| if t.has(SLASH | DOT | BACK) { path::relative(self, t) } else { None })
            .or_else(|| if t.has(HYPHEN | UNDER) { ticket::ticket(self, t) } else { None })
            .or_else(|| identifier::identifier(self, t));
        found.unwrap_or_else(|| quantity::rest(self, t))
    }

    /// A token with digits and letters that is encoded: a payload, a UUID, a credential.
    fn coded(&mut self, t: Token) -> Option<usize> {
        if t.len() >= 64
            && let Some(end) = payload::payload(self, t)
        {
            return Some(end);
        }
        uuid::uuid(self, t).or_else(|| secret::shaped(self, t))
    }

    /// A plain lower-case word: most of every text.
    fn lower(&mut self, t: Token) -> usize {
        if !hooked(self.at(t.start), t.len()) {
            return secret::keyed(self, t).unwrap_or(t.end);
        }
        command::words(self, t)
            .or_else(|| secret::keyed(self, t))
            .or_else(|| date::month_first(self, t))
            .or_else(|| quantity::word(self, t))
            .or_else(|| relative::relative(self, t))
            .or_else(|| path::line_reference(self, t))
            .or_else(|| identifier::status(self, t))
            .or_else(|| symbol::call(self, t))
            .unwrap_or(t.end)
    }

    /// A token with more than lower-case letters.
    fn special(&mut self, t: Token) -> Option<usize> {
        let letters = t.only(LETTER | HIGH);
        if letters {
            return command::words(self, t)
                .or_else(|| secret::keyed(self, t))
                .or_else(|| date::month_first(self, t))
                .or_else(|| quantity::word(self, t))
                .or_else(|| relative::relative(self, t))
                .or_else(|| quantity::money_code(self, t))
                .or_else(|| path::line_reference(self, t))
                .or_else(|| identifier::status(self, t))
                .or_else(|| symbol::letters(self, t));
        }
        command::words(self, t)
            .or_else(|| secret::keyed(self, t))
            .or_else(|| secret::shaped(self, t))
            .or_else(|| if t.len() >= 64 { payload::payload(self, t) } else { None })
            .or_else(|| if t.has(COLON) { url::url(self, t) } else { None })
            .or_else(|| if t.has(HYPHEN) { uuid::uuid(self, t) } else { None })
            .or_else(|| if t.has(AT) { email::email(self, t) } else { None })
            .or_else(|| if t.has(COLON | HYPHEN) { digest::separated(self, t) } else { None })
            .or_else(|| if t.has(COLON) { address::address(self, t) } else { None })
            .or_else(|| if t.has(SLASH | BACK | DOT) { path::relative(self, t) } else { None })
            .or_else(|| if t.has(DIGIT | DOT) { version::version(self, t) } else { None })
            .or_else(|| if t.has(DIGIT) { digest::digest(self, t) } else { None })
            .or_else(|| if t.has(DIGIT | HYPHEN | UNDER) { ticket::ticket(self, t) } else { None })
            .or_else(|| symbol::symbol(self, t))
            .or_else(|| identifier::identifier(self, t))
    }

    /// A character beyond ASCII.
    fn high(&mut self, i: usize) -> usize {
        let Some(c) = self.char_at(i) else { return i + 1 };
        let end = i + c.len_utf8();
        if is_word_char(c) {
            return self.letter(i);
        }
        if let Some(end) = quantity::money(self, i) {
            return end;
        }
        if self.at(end) == b'-' {
            return identifier::pictured(self, i, end).unwrap_or(end);
        }
        end
    }

    /// The byte at `i`, or 0 beyond the limit.
    #[inline]
    pub(super) fn at(&self, i: usize) -> u8 {
        if i < self.limit { self.bytes.get(i).copied().unwrap_or(0) } else { 0 }
    }

    /// The byte before `i`, or a line feed at the start of the text.
    #[inline]
    pub(super) fn before(&self, i: usize) -> u8 {
        i.checked_sub(1).and_then(|i| self.bytes.get(i)).copied().unwrap_or(b'\n')
    }

    pub(super) fn char_at(&self, i: usize) -> Option<char> {
        self.text.get(i..self.limit)?.chars().next()
    }

    /// The text from `start` to `end`.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end.min(self.limit)).unwrap_or_default()
    }

    /// Whether `rest` stands at `i`.
    pub(super) fn is(&self, i: usize, rest: &str) -> bool {
        self.bytes.get(i..self.limit).is_some_and(|b| b.starts_with(rest.as_bytes()))
    }

    /// Whether a word ends at `i`: no word character follows.
    pub(super) fn ends(&self, i: usize) -> bool {
        let b = self.at(i);
        if b < 0x80 { !is_word(b) } else { !self.char_at(i).is_some_and(is_word_char) }
    }

    /// Whether a token can begin at `i`: no word character stands before it.
    pub(super) fn begins(&self, i: usize) -> bool {
        let b = self.before(i);
        if b < 0x80 {
            return !is_word(b);
        }
        !self.text.get(..i).and_then(|t| t.chars().next_back()).is_some_and(is_word_char)
    }

    /// Skips spaces (not line feeds).
    pub(super) fn skip_spaces(&self, mut i: usize) -> usize {
        while matches!(self.at(i), b' ' | b'\t') {
            i += 1;
        }
        i
    }

    /// The word at `i`: letters only.
    pub(super) fn word_at(&self, i: usize) -> &'a str {
        let mut end = i;
        while class(self.at(end)) & LETTER != 0 {
            end += 1;
        }
        self.slice(i, end)
    }

    /// The end of the digits at `i`.
    pub(super) fn digits(&self, mut i: usize) -> usize {
        while self.at(i).is_ascii_digit() {
            i += 1;
        }
        i
    }

    /// The last word before `i` on its line: letters only, across spaces and the punctuation `:`, `=`, `"`, `(`.
    pub(super) fn word_before(&self, i: usize) -> &'a str {
        let low = self.line.start;
        let mut end = i;
        while end > low
            && matches!(self.before(end), b' ' | b'\t' | b':' | b'=' | b'"' | b'(' | b'`' | b'*' | b'\'')
        {
            end -= 1;
        }
        let mut start = end;
        while start > low && is_word(self.before(start)) {
            start -= 1;
        }
        self.text.get(start..end).unwrap_or_default()
    }

    fn flags(&self, start: usize, end: usize) -> u16 {
        self.bytes.get(start..end).into_iter().flatten().fold(0, |f, &b| f | class(b))
    }

    /// The run of token bytes at `start`.
    pub(super) fn token(&self, start: usize) -> Token {
        let mut flags = 0;
        let mut i = start;
        let mut word = 0;
        loop {
            let b = self.at(i);
            let c = class(b);
            if c & WORD != 0 {
                flags |= c;
                i += 1;
                continue;
            }
            if c & HIGH != 0 {
                match self.char_at(i) {
                    Some(c) if is_word_char(c) => {
                        flags |= HIGH;
                        i += c.len_utf8();
                        continue;
                    }
                    _ => break,
                }
            }
            if word == 0 {
                word = i;
            }
            if c & SLASH != 0 {
                if self.ends(i + 1) && self.at(i + 1) != b'.' {
                    // `a/` and `a//b`: the slash belongs to a path only if something did already.
                    if flags & (SLASH | BACK) != 0 || self.at(i + 1) == b'/' && flags & COLON != 0 {
                        flags |= c;
                        i += 1;
                    }
                    break;
                }
                flags |= c;
                i += 1;
            } else if c & BACK != 0 {
                // A backslash joins only what an escape of a string cannot be.
                if matches!(self.at(i + 1), b'n' | b'r' | b't' | b'u' | b'b' | b'f')
                    || !is_word(self.at(i + 1))
                {
                    break;
                }
                flags |= c;
                i += 1;
            } else if c & JOINER != 0 {
                let mut j = i;
                let mut f = 0;
                while class(self.at(j)) & JOINER != 0 {
                    f |= class(self.at(j));
                    j += 1;
                }
                if self.ends(j) && self.at(j) != b'/' {
                    break;
                }
                flags |= f;
                i = j;
            } else {
                break;
            }
        }
        if word == 0 {
            word = i;
        }
        Token { start, end: i, word: word.min(i), flags }
    }

    /// Adds a fact whose value is its canonical text.
    pub(super) fn push_text(&mut self, class: Class, at: Span) -> usize {
        let domain = Domain::of(class);
        let key = domain.key(super::canonical_text(class, at.of(self.text)).as_bytes());
        self.push(Fact::new(class, at, key, Value::Text))
    }

    /// Adds a fact with a value of its own.
    pub(super) fn push_value(&mut self, class: Class, at: Span, value: Value) -> usize {
        self.push(Fact::new(class, at, value.key(), value))
    }

    /// Adds a fact as a part of the innermost open composite; returns its index.
    pub(super) fn push(&mut self, mut fact: Fact) -> usize {
        if fact.whole.is_none() {
            fact.whole = self.open.last().map(|&(i, _)| i);
        }
        fact.marker = self.line.marker.is_some_and(|m| m.contains(fact.at));
        self.facts.push(fact);
        self.facts.len() - 1
    }

    /// Opens a composite: what is found up to its end is part of it.
    pub(super) fn open(&mut self, fact: Fact) -> usize {
        let end = fact.at.end.min(self.limit);
        let i = self.push(fact);
        self.open.push((i, end));
        self.limit = end;
        i
    }

    /// Whether a composite is open.
    pub(super) fn inside(&self) -> Option<Class> {
        self.open.last().and_then(|&(i, _)| self.facts.get(i)).map(|f| f.class)
    }

    fn close(&mut self) {
        if let Some((i, _)) = self.open.pop() {
            self.limit = self.open.last().map_or(self.text.len(), |&(_, end)| end);
            quote::close(self, i);
        }
    }
}

/// Whether a lower-case word of this first letter and length may be more than a word.
fn hooked(first: u8, len: usize) -> bool {
    let _ = first;
    (2..=12).contains(&len)
}

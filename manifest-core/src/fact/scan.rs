//! The one pass over a text: finds where tokens begin and asks the classes, longest and most specific first.

use super::byte::{
    ALNUM, AT, BACK, COLON, DIGIT, DOT, HIGH, HYPHEN, LETTER, LOWER, SLASH, UNDER, class, is_dense, is_word,
    is_word_char,
};
use super::decimal::Decimal;
use super::hook::{HOOKS, Hook};
use super::layout::Line;
use super::locale::Locale;
use super::run::Runs;
use super::token::{LONGEST, Token};
use super::value::{Domain, Value};
use super::{
    Class, Fact, address, command, date, digest, email, flag, identifier, instant, layout, money, name,
};
use super::{path, payload, quantity, quote, relative, secret, symbol, ticket, time, url, uuid, version};
use crate::text::{Normal, Span};

/// The state of the pass.
pub(super) struct Scan<'a> {
    /// The folded text.
    pub(super) text: &'a str,
    /// Its bytes up to the end of the innermost open composite: no token reaches beyond.
    pub(super) bytes: &'a [u8],
    pub(super) facts: Vec<Fact>,
    /// Open composites: index and end, innermost last.
    open: Vec<(usize, usize)>,
    /// Capitalised words at the heads of sentences: names only if they are names elsewhere.
    pub(super) heads: Vec<Span>,
    /// The line that is being read.
    pub(super) line: Line,
    /// How the text writes its decimals, once a number asked.
    pub(super) locale: Option<Locale>,
    /// Whether the text is German, once a capital asked.
    pub(super) german: Option<bool>,
    /// Whether a narrow space grouped digits.
    pub(super) grouped: bool,
    /// Amounts that are spoken: they explain numbers, and are no facts.
    pub(super) spoken: Vec<Decimal>,
    /// Up to where the secret of an access key may follow its id.
    pub(super) paired_until: usize,
    /// A secret on a line that follows, known by its key.
    pub(super) awaited: Span,
    /// Long runs of digits, of letters, and of what a body is encoded in.
    numerals: Runs,
    words: Runs,
    bodies: Runs,
}

/// Finds all facts of a folded text.
pub(super) fn scan(normal: &Normal<'_>) -> (Vec<Fact>, Vec<Decimal>) {
    let text: &str = &normal.text;
    let mut s = Scan::over(text);
    s.facts.reserve(text.len() / 48);
    s.grouped = normal.grouped;
    s.run();
    let spoken = std::mem::take(&mut s.spoken);
    let mut facts = name::with_heads(text, s.facts, s.heads);
    for f in &mut facts {
        f.span = normal.source(f.at);
    }
    (facts, spoken)
}

impl<'a> Scan<'a> {
    /// Over a folded text, before anything of it is read.
    pub(super) fn over(text: &'a str) -> Self {
        Scan {
            text,
            bytes: text.as_bytes(),
            facts: Vec::new(),
            open: Vec::new(),
            heads: Vec::new(),
            line: Line::default(),
            locale: None,
            german: None,
            grouped: false,
            spoken: Vec::new(),
            paired_until: 0,
            awaited: Span::new(0, 0),
            numerals: Runs::default(),
            words: Runs::default(),
            bodies: Runs::default(),
        }
    }

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
        if i < self.paired_until
            && let Some(end) = secret::paired(self, i)
        {
            return end;
        }
        if i < self.awaited.end && i == self.awaited.start {
            let end = self.awaited.end;
            self.push_text(Class::Secret, self.awaited);
            return end;
        }
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
            b'$' => money::signed(self, i).or_else(|| symbol::variable(self, i)).unwrap_or(i + 1),
            b'#' => ticket::hash(self, i).unwrap_or(i + 1),
            b'@' => identifier::at_name(self, i).unwrap_or(i + 1),
            b':' => address::double_colon(self, i).unwrap_or(i + 1),
            b'\\' => path::share(self, i).unwrap_or(i + 1),
            _ if c & HIGH != 0 => self.high(i),
            _ => i + 1,
        }
    }

    /// A token that begins with a letter or an underscore.
    fn letter(&mut self, i: usize) -> usize {
        if let Some(t) = self.plain_word(i) {
            return self.lower(t);
        }
        let t = self.token(i);
        if t.only(LOWER) {
            return self.lower(t);
        }
        if let Some(end) = if t.only(LETTER | HIGH) { self.letters(t) } else { self.joined(t) } {
            return end;
        }
        if t.len() > LONGEST {
            return t.end;
        }
        // Nothing knows the run as a whole: its first word stands for itself.
        let word = self.first_word(t);
        if word.only(LOWER) {
            return self.lower(word);
        }
        if word.end < t.end
            && let Some(end) = if word.only(LETTER | HIGH) { self.letters(word) } else { self.joined(word) }
        {
            return end;
        }
        name::name(self, word).unwrap_or(word.end)
    }

    /// A plain lower-case word: most of every text.
    fn lower(&mut self, t: Token) -> usize {
        let hook = self.bytes.get(t.start..t.end).and_then(|w| HOOKS.get(w));
        if let Some(hook) = hook
            && let Some(end) = self.hooked(t, hook)
        {
            return end;
        }
        if hook.is_none()
            && let Some(end) = secret::assigned(self, t)
        {
            return end;
        }
        if self.at(t.end) == b'(' { symbol::call(self, t).unwrap_or(t.end) } else { t.end }
    }

    /// A word of letters with capitals.
    fn letters(&mut self, t: Token) -> Option<usize> {
        let hook = self.bytes.get(t.start..t.end).and_then(|w| HOOKS.get_folded(w));
        hook.and_then(|hook| self.hooked(t, hook))
            .or_else(|| if hook.is_none() { secret::assigned(self, t) } else { None })
            .or_else(|| money::coded(self, t))
            .or_else(|| symbol::letters(self, t))
            .or_else(|| path::bare(self, t))
    }

    /// A word that may begin something longer.
    fn hooked(&mut self, t: Token, hook: Hook) -> Option<usize> {
        match hook {
            Hook::Program | Hook::Common => {
                command::words(self, t, hook);
                None
            }
            Hook::Sensitive => secret::word(self, t),
            Hook::Bearer => secret::bearer(self, t.end),
            Hook::Month(month) => date::month_first(self, t, month),
            Hook::Weekday(day) => date::weekday(self, t, day),
            Hook::Number(_) | Hook::Power(_) => quantity::word(self, t),
            Hook::Anchored => Some(relative::anchored(self, t)),
            Hook::Anchoring => relative::anchoring(self, t),
            Hook::Line => path::line_reference(self, t),
            Hook::Status => ticket::status(self, t),
            Hook::Hour(hour) => Some(time::named(self, t, hour)),
            Hook::Half => quantity::half(self, t),
        }
    }

    /// A token that begins with a letter and has more than letters.
    fn joined(&mut self, t: Token) -> Option<usize> {
        let hex = self.at(t.start).is_ascii_hexdigit();
        secret::shaped(self, t)
            .or_else(|| secret::keyed(self, t))
            .or_else(|| if t.len() >= 64 { payload::payload(self, t) } else { None })
            .or_else(|| if t.has(COLON) { url::url(self, t) } else { None })
            .or_else(|| if t.has(AT) { email::email(self, t) } else { None })
            .or_else(|| if hex && t.has(HYPHEN) { uuid::uuid(self, t) } else { None })
            .or_else(|| if t.has(COLON | HYPHEN) { digest::separated(self, t) } else { None })
            .or_else(|| if hex && t.has(COLON) { address::address(self, t) } else { None })
            .or_else(|| if hex && t.has(DOT) { digest::dotted(self, t) } else { None })
            .or_else(|| if t.has(SLASH | BACK | DOT | COLON) { path::relative(self, t) } else { None })
            .or_else(|| if t.has(DIGIT) { self.numbered(t, hex) } else { None })
            .or_else(|| ticket::ticket(self, t))
            .or_else(|| symbol::symbol(self, t))
            .or_else(|| identifier::identifier(self, t))
    }

    /// A token that begins with a letter and has digits: a version, a digest.
    fn numbered(&mut self, t: Token, hex: bool) -> Option<usize> {
        version::version(self, t).or_else(|| if hex { digest::digest(self, t) } else { None })
    }

    /// A token that begins with a digit.
    fn digit(&mut self, i: usize) -> usize {
        let t = self.token(i);
        let found = instant::digit(self, i)
            .or_else(|| if t.has(LETTER) { self.coded(t) } else { None })
            .or_else(|| if t.has(AT) { email::email(self, t) } else { None })
            .or_else(|| if t.has(COLON | HYPHEN) { digest::separated(self, t) } else { None })
            .or_else(|| if t.has(COLON | DOT) { address::address(self, t) } else { None })
            .or_else(|| if t.has(DOT) { digest::dotted(self, t) } else { None })
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

    /// A character beyond ASCII.
    fn high(&mut self, i: usize) -> usize {
        let Some(c) = self.char_at(i) else { return i + 1 };
        let end = i + c.len_utf8();
        if let Some(end) = quantity::vulgar(self, i, c) {
            return end;
        }
        if is_word_char(c) {
            return self.letter(i);
        }
        if is_dense(c)
            && let Some(at) = secret::attached(self, i)
        {
            self.awaited = at;
            return end;
        }
        if let Some(end) = money::signed(self, i) {
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
        self.bytes.get(i).copied().unwrap_or(0)
    }

    /// The byte before `i`, or a line feed at the start of the text.
    #[inline]
    pub(super) fn before(&self, i: usize) -> u8 {
        i.checked_sub(1).and_then(|i| self.bytes.get(i)).copied().unwrap_or(b'\n')
    }

    /// Where the readable text ends.
    #[inline]
    pub(super) fn limit(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn char_at(&self, i: usize) -> Option<char> {
        self.text.get(i..self.limit())?.chars().next()
    }

    /// The text from `start` to `end`.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end.min(self.limit())).unwrap_or_default()
    }

    /// Whether `rest` stands at `i`.
    pub(super) fn is(&self, i: usize, rest: &str) -> bool {
        self.bytes.get(i..).is_some_and(|b| b.starts_with(rest.as_bytes()))
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

    /// The last character boundary at or before `i`.
    pub(super) fn floor(&self, i: usize) -> usize {
        let mut i = i.min(self.limit());
        while !self.text.is_char_boundary(i) {
            i -= 1;
        }
        i
    }

    /// The end of the line that `i` is in.
    pub(super) fn line_end(&self, i: usize) -> usize {
        let rest = self.bytes.get(i..).unwrap_or_default();
        i + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
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
        self.slice(i, self.letters_end(i))
    }

    /// The end of the letters at `i`.
    #[inline]
    pub(super) fn letters_end(&self, i: usize) -> usize {
        self.words.end(self.text.as_bytes(), self.limit(), i, |b| class(b) & LETTER != 0)
    }

    /// The end of the digits at `i`.
    #[inline]
    pub(super) fn digits(&self, i: usize) -> usize {
        self.numerals.end(self.text.as_bytes(), self.limit(), i, |b| b.is_ascii_digit())
    }

    /// The end of the run at `i` of what a body is encoded in: base64, hexadecimal digits.
    pub(super) fn body_end(&self, i: usize) -> usize {
        let encodes = |b: u8| class(b) & ALNUM != 0 || matches!(b, b'+' | b'/' | b'=' | b'_' | b'-');
        self.bodies.end(self.text.as_bytes(), self.limit(), i, encodes)
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
            // No word is so long.
            if end - start > LONGEST {
                return "";
            }
        }
        self.text.get(start..end).unwrap_or_default()
    }

    /// The fact whose value is its canonical text.
    pub(super) fn text_fact(&self, class: Class, at: Span) -> Fact {
        let canonical = super::canonical_text(class, at.of(self.text));
        Fact::new(class, at, Domain::of(class).key(canonical.as_bytes()), Value::Text)
    }

    /// Adds a fact whose value is its canonical text.
    pub(super) fn push_text(&mut self, class: Class, at: Span) -> usize {
        let fact = self.text_fact(class, at);
        self.push(fact)
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

    /// Adds a fact that shows only behind it: what was found in its place is taken back. Not across the start of a composite.
    pub(super) fn retake(&mut self, class: Class, at: Span) -> bool {
        let whole = self.open.last().map(|&(i, _)| i);
        if whole.and_then(|i| self.facts.get(i)).is_some_and(|f| f.at.start > at.start) {
            return false;
        }
        let least = whole.map_or(0, |i| i + 1);
        let mut later = Vec::new();
        while self.facts.len() > least && self.facts.last().is_some_and(|f| f.at.end > at.start) {
            later.extend(self.facts.pop().filter(|f| f.at.start >= at.end && f.whole == whole));
        }
        while self.heads.last().is_some_and(|head| head.end > at.start) {
            self.heads.pop();
        }
        self.push_text(class, at);
        self.facts.extend(later.into_iter().rev());
        true
    }

    /// Opens a composite: what is found up to its end is part of it.
    pub(super) fn open(&mut self, fact: Fact) -> usize {
        let end = fact.at.end.min(self.limit());
        let i = self.push(fact);
        self.open.push((i, end));
        self.set_limit(end);
        i
    }

    /// Whether a composite is open.
    pub(super) fn inside(&self) -> Option<Class> {
        self.open.last().and_then(|&(i, _)| self.facts.get(i)).map(|f| f.class)
    }

    fn close(&mut self) {
        if let Some((i, _)) = self.open.pop() {
            self.set_limit(self.open.last().map_or(self.text.len(), |&(_, end)| end));
            quote::close(self, i);
        }
    }

    fn set_limit(&mut self, end: usize) {
        self.bytes = self.text.as_bytes().get(..end).unwrap_or(self.bytes);
    }
}

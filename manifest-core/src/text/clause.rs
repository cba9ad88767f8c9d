//! Independent clauses of a sentence.
//!
//! A clause is cut off where both sides can stand alone: at a semicolon, and at a coordinating conjunction or a dash
//! with a subject and a finite verb on either side. The test is by closed lists of pronouns and common verbs; where it
//! is in doubt it does not cut, since half a clause reads as a statement that nobody made.

use super::Span;
use super::line::trim;
use super::stop;
use super::word::hash;

/// How far a subject may be from its verb, in words.
const REACH: usize = 7;

/// Cuts the sentence `at` into clauses and hands each to `push`, in order.
pub(super) fn cut(text: &str, at: Span, inside: &impl Fn(usize) -> bool, mut push: impl FnMut(Span)) {
    let bytes = text.as_bytes();
    let mut start = at.start;
    let (mut depth, mut quoted) = (0_usize, false);
    let mut i = at.start;
    while let Some(skip) =
        bytes.get(i..at.end).and_then(|rest| rest.iter().position(|&b| CLASS[usize::from(b)] != 0))
    {
        i += skip;
        let place = match bytes.get(i).map(|&b| CLASS[usize::from(b)]) {
            Some(OPEN) => {
                depth += 1;
                None
            }
            Some(CLOSE) => {
                depth = depth.saturating_sub(1);
                None
            }
            Some(QUOTE) => {
                quoted = !quoted;
                None
            }
            // Only "and", "but" and dashes can follow a space here.
            Some(SPACE) if !matches!(bytes.get(i + 1), Some(b'a' | b'b' | b'-' | 0xE2)) => None,
            _ if depth > 0 => None,
            Some(SPACE | STOP) if !quoted => boundary(text, start, i, at.end),
            _ => match text.get(i..i + 3) {
                Some("“") => {
                    quoted = true;
                    None
                }
                Some("”") => {
                    quoted = false;
                    None
                }
                Some("—") if !quoted => dash(text, start, i, i + 3, at.end),
                Some("；" | "，" | "、") if !quoted => wide(text, i, at.end),
                _ => None,
            },
        };
        match place {
            Some((end, next)) if next < at.end && !inside(i) && !inside(next) => {
                let done = trim(text, Span::new(start, end));
                if !done.is_empty() {
                    push(done);
                }
                start = next;
                i = next;
            }
            _ => i += 1,
        }
    }
    let rest = trim(text, Span::new(start, at.end));
    if !rest.is_empty() {
        push(rest);
    }
}

const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const QUOTE: u8 = 3;
const SPACE: u8 = 4;
const STOP: u8 = 5;
const WIDE: u8 = 6;
/// What a byte can be for a clause.
const CLASS: [u8; 256] = {
    let mut t = [0_u8; 256];
    t[b'(' as usize] = OPEN;
    t[b'[' as usize] = OPEN;
    t[b'{' as usize] = OPEN;
    t[b')' as usize] = CLOSE;
    t[b']' as usize] = CLOSE;
    t[b'}' as usize] = CLOSE;
    t[b'"' as usize] = QUOTE;
    t[b'`' as usize] = QUOTE;
    t[b' ' as usize] = SPACE;
    t[b',' as usize] = STOP;
    t[b';' as usize] = STOP;
    // Lead bytes of quotes, dashes and the marks of scripts without spaces.
    t[0xE2] = WIDE;
    t[0xE3] = WIDE;
    t[0xEF] = WIDE;
    t
};

/// Whether a clause ends at the semicolon, comma or space at `i`: where it ends and where the next begins.
fn boundary(text: &str, start: usize, i: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let after = |n: usize| text.get(n..end).unwrap_or_default();
    match bytes.get(i)? {
        b';' => {
            let next = after(i + 1);
            let blank = next.len() - next.trim_start().len();
            (blank > 0 && words(next).nth(1).is_some() && words(text.get(start..i)?).nth(1).is_some())
                .then_some((i, i + 1 + blank))
        }
        b',' => {
            let next = after(i + 1);
            let rest = next.trim_start();
            let at = i + 1 + (next.len() - rest.len());
            let (word, body) = rest.split_once(' ')?;
            if !CONJUNCTIONS.contains(&word) {
                return None;
            }
            let foreign = matches!(word, "aber" | "mais" | "pero" | "mas") && words(body).nth(2).is_some();
            let keep = if matches!(word, "so" | "yet" | "nor") { at } else { at + word.len() + 1 };
            (foreign || stands(body, false) && has_verb(text.get(start..i)?)).then_some((i, keep))
        }
        _ => {
            let rest = after(i + 1);
            match rest.as_bytes().first()? {
                b'a' | b'b' => {
                    let body = rest.strip_prefix("and ").or_else(|| rest.strip_prefix("but "))?;
                    let left = text.get(start..i)?;
                    (!left.ends_with([',', ';'])
                        && stands(body, true)
                        && has_verb(left)
                        && !subordinate(left))
                    .then_some((i, i + 5))
                }
                b'-' => {
                    let width = rest.bytes().take_while(|&b| b == b'-').count();
                    dash(text, start, i, i + 1 + width, end)
                }
                0xE2 => rest.starts_with('–').then(|| dash(text, start, i, i + 4, end)).flatten(),
                _ => None,
            }
        }
    }
}

/// A dash from `i` to `next`: a boundary where either side can stand alone.
fn dash(text: &str, start: usize, i: usize, next: usize, end: usize) -> Option<(usize, usize)> {
    let rest = text.get(next..end)?;
    let body = rest.trim_start();
    let spaced = body.len() < rest.len() || text.as_bytes().get(i) == Some(&0xE2);
    (spaced && stands(body, true) && has_verb(text.get(start..i)?)).then_some((i, next))
}

/// Conjunctions and pronouns that open a clause of their own after a comma.
const OPENERS: [&str; 20] = [
    "但",
    "但是",
    "而且",
    "不过",
    "然后",
    "所以",
    "因此",
    "可是",
    "于是",
    "同时",
    "他",
    "她",
    "它",
    "我",
    "你",
    "这",
    "那",
    "しかし",
    "でも",
    "そして",
];

/// A boundary of a script that writes no spaces: its semicolon, or its comma before a conjunction or a pronoun.
fn wide(text: &str, i: usize, end: usize) -> Option<(usize, usize)> {
    let rest = text.get(i..end)?;
    if let Some(body) = rest.strip_prefix('；') {
        return (!body.is_empty()).then_some((i, i + 3));
    }
    let body = rest.strip_prefix('，').or_else(|| rest.strip_prefix('、'))?.trim_start();
    OPENERS.iter().any(|o| body.starts_with(o)).then(|| (i, end - body.len()))
}

/// The words of a piece of text, with the punctuation on them.
fn words(s: &str) -> impl Iterator<Item = &str> {
    s.split_ascii_whitespace()
}

/// Conjunctions that can join two clauses after a comma.
const CONJUNCTIONS: [&str; 13] =
    ["and", "but", "or", "so", "yet", "nor", "und", "aber", "mais", "pero", "mas", "et", "y"];
/// Pronouns that can only be a subject.
const SUBJECTS: [&str; 15] = [
    "i", "he", "she", "we", "they", "i'm", "we're", "they're", "it's", "he's", "she's", "i'll", "we'll",
    "that's", "there's",
];
/// Words that no subject begins with.
const NO_SUBJECT: [&str; 15] =
    ["to", "not", "if", "when", "by", "in", "on", "for", "with", "from", "at", "of", "as", "which", "who"];
/// Adverbs that may stand before a subject.
const BEFORE_SUBJECT: [&str; 14] = [
    "now",
    "then",
    "also",
    "soon",
    "later",
    "instead",
    "still",
    "again",
    "thus",
    "therefore",
    "however",
    "meanwhile",
    "today",
    "yesterday",
];
/// Words after which a verb is not the clause's own.
const HANGING: [&str; 24] = [
    "that", "which", "who", "whose", "if", "when", "because", "where", "to", "whether", "how", "what",
    "while", "after", "before", "until", "since", "both", "between", "although", "though", "unless", "once",
    "as",
];

/// Whether `body` begins with a subject and its finite verb. `strict`: no comma stands before it, so the subject may
/// as well be the second of two, and a past form a participle.
fn stands(body: &str, strict: bool) -> bool {
    let mut all = words(body).take(REACH + 2).peekable();
    while let Some(first) = all.peek().copied() {
        let mut low = [0_u8; 24];
        let early = lowered(first, &mut low)
            .is_some_and(|w| BEFORE_SUBJECT.contains(&w) || w.len() > 4 && w.ends_with("ly"));
        if !early {
            break;
        }
        all.next();
    }
    let mut subject = Subject { first: "", before: "", words: 0, two: false };
    while subject.words <= REACH
        && let Some(raw) = all.next()
    {
        let next = all.peek().copied().unwrap_or_default();
        let word = bare(raw);
        let ends = raw.ends_with([',', ';', ':', '.', '!', '?', ')']);
        match subject.takes(word, next, ends, strict) {
            Some(verb) => return verb,
            None if ends => return false,
            None => subject.add(word),
        }
    }
    false
}

/// The words of a clause up to its verb.
struct Subject<'t> {
    first: &'t str,
    before: &'t str,
    words: usize,
    /// Whether it is joined of two.
    two: bool,
}

impl<'t> Subject<'t> {
    fn add(&mut self, word: &'t str) {
        if self.words == 0 {
            self.first = word;
        }
        self.two |= matches!(word, "and" | "or");
        self.before = word;
        self.words += 1;
    }

    /// Whether `word`, before `next`, makes a clause of what came so far; none where it is still open.
    fn takes(&self, word: &str, next: &str, ends: bool, strict: bool) -> Option<bool> {
        let mut low = [0_u8; 24];
        let lower = lowered(word, &mut low)?;
        let finite = stop::finite(lower);
        if self.words == 0 {
            return if SUBJECTS.contains(&lower) {
                Some(!ends)
            } else {
                (NO_SUBJECT.contains(&lower) || finite || past(lower)).then_some(false)
            };
        }
        if HANGING.contains(&lower) || self.words > 1 && self.first == "that" {
            return Some(false);
        }
        if finite && !possesses(self.before) {
            let one = lower.ends_with('s');
            let shared = strict && self.words == 1 && matches!(lower, "are" | "were" | "have");
            return Some(!(self.two && one || shared));
        }
        if !past(lower) || determines(self.before) || !word.starts_with(char::is_lowercase) {
            return None;
        }
        // A regular past, or a participle before its noun ("two checked bags") or after it ("the options required for").
        let pronoun = self.words == 1 && matches!(self.first, "it" | "this" | "that" | "you" | "It");
        let named =
            self.words > 1 || self.first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if pronoun {
            return Some(true);
        }
        if !named {
            return Some(false);
        }
        if ends || next.is_empty() {
            return Some(!(strict && self.words > 2));
        }
        let after = matches!(next, "by" | "for" | "to")
            || strict && matches!(next, "in" | "from" | "on" | "with" | "at");
        let closed =
            stop::opens(bare(next)) || next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if after { Some(false) } else { closed.then_some(true) }
    }
}

/// A word without the punctuation on it.
fn bare(raw: &str) -> &str {
    raw.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'')
}

/// Whether a finite verb stands in `left`.
fn has_verb(left: &str) -> bool {
    let mut before = "";
    words(left).any(|raw| {
        let word = bare(raw);
        let mut low = [0_u8; 24];
        let Some(lower) = lowered(word, &mut low) else { return false };
        let contracted = lower.ends_with("'s") || lower.ends_with("'m") || lower.ends_with("'re");
        let verb = stop::finite(lower)
            || !before.is_empty() && past(lower)
            || contracted && stop::empty(hash(lower.as_bytes()));
        let found = verb && !(if stop::finite(lower) { possesses(before) } else { determines(before) });
        before = word;
        found
    })
}

/// Whether what follows `word` is a noun, not a verb.
fn possesses(word: &str) -> bool {
    let mut low = [0_u8; 24];
    // A capital A is a name where no sentence begins ("build A failed").
    let article = word != "A";
    article
        && lowered(word, &mut low).is_some_and(|w| {
            matches!(w, "a" | "an" | "the" | "its" | "their" | "his" | "our" | "my" | "your" | "no")
        })
}

/// Whether what follows `word` is a noun or its adjective, not a regular past.
fn determines(word: &str) -> bool {
    let mut low = [0_u8; 24];
    possesses(word)
        || lowered(word, &mut low).is_some_and(|w| {
            w.ends_with("ly")
                || matches!(w, "this" | "these" | "those" | "all" | "any" | "some" | "each" | "her")
        })
}

/// Whether the last clause of `left` hangs on a subordinating word, which may govern what follows as well.
fn subordinate(left: &str) -> bool {
    left.rsplit([',', ';', ':']).next().is_some_and(|last| {
        words(last).any(|raw| {
            let mut low = [0_u8; 24];
            lowered(bare(raw), &mut low).is_some_and(|w| w != "to" && w != "as" && HANGING.contains(&w))
        })
    })
}

/// A regular past form.
fn past(lower: &str) -> bool {
    lower.len() > 4
        && lower.ends_with("ed")
        && !lower.ends_with("eed")
        && !matches!(lower, "hundred" | "sacred" | "embed" | "naked" | "wicked" | "unused" | "biased")
}

/// `word` in lower case, in `buffer`; none where it does not fit.
fn lowered<'b>(word: &str, buffer: &'b mut [u8; 24]) -> Option<&'b str> {
    let room = buffer.get_mut(..word.len())?;
    room.copy_from_slice(word.as_bytes());
    room.make_ascii_lowercase();
    std::str::from_utf8(room).ok()
}

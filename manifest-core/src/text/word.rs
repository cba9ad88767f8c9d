//! Words of a folded text, with stems.

use super::Span;
use super::stem::{base, stem};
use super::stop;
use std::cell::RefCell;
use std::hash::Hasher;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Hash of its case-folded stem.
    pub(crate) stem: u64,
    /// Hash of the first letters of its stem: equal for derivations that no suffix rule brings together, and for
    /// the inflections of other languages.
    pub(crate) root: u64,
    /// Whether it carries content (no article, preposition, auxiliary …).
    pub(crate) content: bool,
}

/// Letters of a root. Six kept own and foreign text apart best of 4 – 8 and of whole stems.
const ROOT: usize = 6;
/// Longer runs of letters and digits are no words: they are hashed as they stand.
const LONGEST: usize = 48;

/// The words of `text` within `at`, in order. Scripts without spaces give pairs of neighbouring characters.
pub(crate) fn words(text: &str, at: Span) -> Vec<Word> {
    MEMO.with_borrow_mut(|memo| {
        memo.resize(SLOTS, Slot::default());
        let mut out = Vec::new();
        each(text, at, |at, form| {
            let surface = hash(form);
            // The upper bits are the better mixed ones.
            let slot = usize::try_from(surface >> 40).unwrap_or(0) % SLOTS;
            let Some(slot) = memo.get_mut(slot) else { return };
            if slot.surface != surface {
                *slot = look_up(surface, form);
            }
            out.push(Word { at, stem: slot.stem, root: slot.root, content: slot.content });
        });
        out
    })
}

/// How many forms a thread remembers: text repeats itself, and remembering costs a tenth of stemming.
const SLOTS: usize = 1 << 12;

thread_local! {
    static MEMO: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
}

/// What a folded form is.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    surface: u64,
    stem: u64,
    root: u64,
    content: bool,
}

/// Looks a folded form up in the word lists and stems it.
fn look_up(surface: u64, form: &[u8]) -> Slot {
    let content = !(stop::empty(surface)
        || form.len() == 1 && form.first().is_some_and(u8::is_ascii_alphabetic)
        || faint(form));
    let form = base(surface).unwrap_or(form);
    let mut room = [0_u8; LONGEST];
    let whole = match room.get_mut(..form.len()) {
        Some(room) if form.len() > 2 => {
            room.copy_from_slice(form);
            let n = stem(room);
            room.get(..n).unwrap_or_default()
        }
        _ => form,
    };
    Slot { surface, stem: hash(whole), root: hash(root(whole)), content }
}

/// The first letters of a stem; what has a digit in it is its own root.
fn root(stem: &[u8]) -> &[u8] {
    match stem.get(ROOT) {
        Some(next) if next & 0xC0 != 0x80 && !stem.iter().any(u8::is_ascii_digit) => {
            stem.get(..ROOT).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// A pair of characters that only hold a sentence together: two Hiragana, or one with a Chinese particle.
fn faint(form: &[u8]) -> bool {
    if form.is_ascii() {
        return false;
    }
    let Ok(s) = std::str::from_utf8(form) else { return false };
    s.chars().all(|c| matches!(u32::from(c), 0x3041..=0x309F))
        || s.chars().any(|c| "的了是在和与也就都而及着或".contains(c)) && s.chars().all(stop::unspaced)
}

/// Hands each word within `at` to `push`: its span and its folded form.
pub(super) fn each(text: &str, at: Span, mut push: impl FnMut(Span, &[u8])) {
    let bytes = text.as_bytes();
    let end = at.end.min(bytes.len());
    let mut room = [0_u8; LONGEST];
    let mut i = at.start;
    while i < end {
        let Some(&b) = bytes.get(i) else { break };
        if b < 0x80 && FOLD[usize::from(b)] == 0 {
            i += 1;
            continue;
        }
        // The ASCII run; an apostrophe between letters and a point or comma between digits are part of it.
        let (start, mut n) = (i, 0);
        let mut prior = 0_u8;
        while let Some(&b) = bytes.get(i).filter(|_| i < end) {
            let folded = FOLD.get(usize::from(b)).copied().unwrap_or(0);
            if b >= 0x80 {
                break;
            }
            if folded == 0 {
                let next = bytes.get(i + 1).copied().filter(|_| i + 1 < end).unwrap_or(0);
                let joins = match b {
                    b'\'' => prior.is_ascii_alphabetic() && next.is_ascii_alphabetic(),
                    b'.' | b',' => prior.is_ascii_digit() && next.is_ascii_digit(),
                    _ => false,
                };
                if !joins {
                    break;
                }
                prior = b;
                i += 1;
                if b != b',' {
                    if let Some(slot) = room.get_mut(n) {
                        *slot = b;
                    }
                    n += 1;
                }
                continue;
            }
            if let Some(slot) = room.get_mut(n) {
                *slot = folded;
            }
            n += 1;
            prior = b;
            i += 1;
        }
        if bytes.get(i).is_some_and(|&b| b >= 0x80) && i < end {
            i = other(text, start, end, &mut push);
            continue;
        }
        let at = Span::new(start, i);
        match room.get(..n) {
            Some(form) => push(at, possessive(form)),
            None => push(at, at.of(text).as_bytes()),
        }
    }
}

/// Words from `start` on, up to the next character that is none, where they are not plain ASCII.
fn other(text: &str, start: usize, end: usize, push: &mut impl FnMut(Span, &[u8])) -> usize {
    let mut form = String::new();
    let mut from = start;
    let mut pair: Option<(usize, char)> = None;
    let mut paired = false;
    let mut i = start;
    let lone =
        |pair: &mut Option<(usize, char)>, paired: &mut bool, i: usize, push: &mut dyn FnMut(Span, &[u8])| {
            if let Some((at, c)) = pair.take()
                && !*paired
            {
                push(Span::new(at, i), c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            *paired = false;
        };
    for c in text.get(start..end).unwrap_or_default().chars() {
        let next = i + c.len_utf8();
        if stop::unspaced(c) {
            if !form.is_empty() {
                push(Span::new(from, i), form.as_bytes());
                form.clear();
            }
            if let Some((at, first)) = pair {
                let mut two = [0_u8; 8];
                let n = first.encode_utf8(&mut two).len();
                let m = two.get_mut(n..).map_or(0, |rest| c.encode_utf8(rest).len());
                push(Span::new(at, next), two.get(..n + m).unwrap_or_default());
                paired = true;
            }
            pair = Some((i, c));
            from = next;
        } else if c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '’' | '\'') && !form.is_empty()
        {
            lone(&mut pair, &mut paired, i, push);
            if form.is_empty() {
                from = i;
            }
            if !is_combining_mark(c) {
                let c = if c == '’' { '\'' } else { c };
                form.extend(c.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase));
            }
        } else {
            break;
        }
        i = next;
    }
    lone(&mut pair, &mut paired, i, push);
    if !form.is_empty() {
        push(Span::new(from, i), possessive(form.trim_end_matches('\'').as_bytes()));
    }
    // A character that is neither word nor ASCII was met first: step over it.
    if i == start {
        start + text.get(start..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8)
    } else {
        i
    }
}

/// Without `'s`.
fn possessive(form: &[u8]) -> &[u8] {
    form.strip_suffix(b"'s").unwrap_or(form)
}

/// A fast hash for tables; never committed.
pub(super) fn hash(form: &[u8]) -> u64 {
    let mut h = rustc_hash::FxHasher::default();
    h.write(form);
    h.finish()
}

/// ASCII letters and digits in lower case; 0 for what is no part of a word.
const FOLD: [u8; 128] = {
    let mut t = [0_u8; 128];
    let mut i = 0_u8;
    while i < 128 {
        if i.is_ascii_alphanumeric() {
            t[i as usize] = i.to_ascii_lowercase();
        }
        i += 1;
    }
    t
};

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(&str, bool)> {
        words(text, Span::new(0, text.len())).iter().map(|w| (w.at.of(text), w.content)).collect()
    }

    fn stems(text: &str) -> Vec<u64> {
        words(text, Span::new(0, text.len())).iter().map(|w| w.stem).collect()
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(
            of("The user's 2,000 real-time items."),
            [
                ("The", false),
                ("user's", true),
                ("2,000", true),
                ("real", true),
                ("time", true),
                ("items", true)
            ]
        );
        assert_eq!(of("Die Größe naïve"), [("Die", true), ("Größe", true), ("naïve", true)]);
        assert_eq!(of("缓存失效"), [("缓存", true), ("存失", true), ("失效", true)]);
        assert_eq!(of("x 我"), [("x", false), ("我", true)]);
        assert_eq!(of("don’t — Ünï"), [("don’t", false), ("Ünï", true)]);
    }

    #[test]
    fn forms_of_one_word_share_a_stem() {
        for pair in [
            "Running ran",
            "user’s users",
            "Größe größe",
            "café cafe\u{301}",
            "2,000 2000",
            "went going",
            "ＡＢＣ abc",
        ] {
            let s = stems(pair);
            assert_eq!(s.len(), 2, "{pair}");
            assert_eq!(s.first(), s.get(1), "{pair}");
        }
    }

    #[test]
    fn words_within_a_span_only() {
        let text = "alpha beta gamma";
        assert_eq!(words(text, Span::new(6, 10)).len(), 1);
        assert!(words(text, Span::new(3, 3)).is_empty());
        assert!(words(text, Span::new(90, 99)).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn words_stand_in_order_within_their_span(text in proptest::prelude::any::<String>(), a in 0_usize..80, b in 0_usize..80) {
            let at = Span::new(a, b);
            let mut last = 0;
            for w in words(&text, at) {
                proptest::prop_assert!(at.contains(w.at) && w.at.start >= last && !w.at.is_empty());
                proptest::prop_assert!(text.get(w.at.start..w.at.end).is_some());
                last = w.at.start;
            }
        }
    }
}

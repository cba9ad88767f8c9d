//! Which words and word sequences of the parent the children hold.

use super::parent::Text;
use crate::fact::Class;
use crate::text::{Span, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words of the longest sequence that is looked for.
const LONGEST: usize = 64;

/// A sequence of words to look for.
#[derive(Clone, Debug, Default)]
struct Phrase {
    stems: Vec<u64>,
    /// The token itself, where letters and case matter, and how far before its first word it begins.
    token: Option<(Box<str>, usize)>,
    class: Option<Class>,
    found: bool,
}

/// How a stem was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// In a child.
    held: bool,
    /// In small letters, anywhere.
    small: bool,
}

/// The parent's words, ticked off while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// Stems of the parent, and how they were seen.
    seen: FxHashMap<u64, Seen>,
    phrases: Vec<Phrase>,
    /// Numbers of words of the phrases that begin with a stem, each once.
    lengths: FxHashMap<u64, Vec<usize>>,
    /// Phrases by the hash of their stems.
    by_hash: FxHashMap<u64, Vec<usize>>,
    /// Two neighbouring stems of the children, among stems of the parent.
    pairs: FxHashSet<(u64, u64)>,
}

/// Whether a token of the class has to stand in a child letter by letter; the words of others are enough.
fn exact(class: Class, token: &str) -> bool {
    let opaque = matches!(
        class,
        Class::Identifier
            | Class::Ticket
            | Class::Path
            | Class::ErrorCode
            | Class::EnvVar
            | Class::Digest
            | Class::Address
            | Class::Version
    );
    let mixed = token.bytes().any(|b| b.is_ascii_digit())
        || token.bytes().skip(1).any(|b| b.is_ascii_uppercase())
        || class == Class::Path;
    opaque && mixed
}

impl Vocabulary {
    /// The vocabulary of a parent, with the tokens (spans of its folded text) to look for word by word.
    pub(crate) fn of(parent: &Text<'_>, tokens: impl Iterator<Item = (Class, Span)>) -> Self {
        let text = &*parent.reading.normal.text;
        let mut out = Vocabulary::default();
        for word in &parent.words {
            out.seen.entry(word.stem).or_default().small |= is_small(word.at.of(text));
        }
        let mut known: FxHashMap<(u64, &str), usize> = FxHashMap::default();
        for (class, at) in tokens {
            let here = words(text, at);
            let stems: Vec<u64> = here.iter().map(|w| w.stem).collect();
            let surface = at.of(text);
            let token = here.first().filter(|_| exact(class, surface));
            let token = token.map(|w| (surface.into(), w.at.start - at.start));
            let number = out.phrases.len();
            if let Some(first) = stems.first()
                && stems.len() <= LONGEST
            {
                let hash = hash_of(&stems);
                // The same once more is found with the first.
                let same = *known.entry((hash, if token.is_some() { surface } else { "" })).or_insert(number);
                if same == number {
                    out.by_hash.entry(hash).or_default().push(number);
                    let lengths = out.lengths.entry(*first).or_default();
                    if !lengths.contains(&stems.len()) {
                        lengths.push(stems.len());
                    }
                }
            }
            out.phrases.push(Phrase { stems, token, class: Some(class), found: false });
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, text: &Text<'_>) {
        let folded = &*text.reading.normal.text;
        // Hashes of the first n words, so that the hash of any stretch is at hand.
        let mut heads: Vec<u64> = Vec::with_capacity(text.words.len() + 1);
        heads.push(0);
        for word in &text.words {
            heads.push(next(heads.last().copied().unwrap_or(0), word.stem));
        }
        let mut previous = None;
        for (i, word) in text.words.iter().enumerate() {
            let Some(seen) = self.seen.get_mut(&word.stem) else {
                previous = None;
                continue;
            };
            seen.held = true;
            seen.small |= is_small(word.at.of(folded));
            if let Some(previous) = previous {
                self.pairs.insert((previous, word.stem));
            }
            previous = Some(word.stem);
            for n in self.lengths.get(&word.stem).map(Vec::as_slice).unwrap_or_default() {
                let (Some(from), Some(to)) = (heads.get(i), heads.get(i + n)) else { continue };
                let Some(phrases) = self.by_hash.get(&stretch(*from, *to, *n)) else { continue };
                for phrase in phrases {
                    let Some(phrase) = self.phrases.get_mut(*phrase).filter(|p| !p.found) else { continue };
                    let here = text.words.get(i..i + n).unwrap_or_default().iter().map(|w| w.stem);
                    phrase.found = here.eq(phrase.stems.iter().copied())
                        && phrase.token.as_ref().is_none_or(|(token, lead)| {
                            let at = word.at.start.checked_sub(*lead);
                            at.is_some_and(|at| stands_at(folded, at, token, phrase.class))
                        });
                }
            }
        }
    }

    /// Whether a child holds the stem.
    pub(crate) fn holds(&self, stem: u64) -> bool {
        self.seen.get(&stem).is_some_and(|s| s.held)
    }

    /// Whether parent and children hold the stem with a capital only: a name, wherever in a sentence it stands.
    pub(crate) fn is_proper(&self, stem: u64) -> bool {
        self.seen.get(&stem).is_some_and(|s| s.held && !s.small)
    }

    /// Whether a child holds the two stems side by side.
    pub(crate) fn holds_pair(&self, first: u64, second: u64) -> bool {
        self.pairs.contains(&(first, second))
    }

    /// Whether a child holds the token of this number: word by word, and letter by letter where these matter.
    pub(crate) fn holds_phrase(&self, number: usize) -> bool {
        let Some(phrase) = self.phrases.get(number) else { return false };
        let token = phrase.token.as_ref().map(|(token, _)| token);
        let same = |p: &&Phrase| {
            p.found && p.stems == phrase.stems && p.token.as_ref().map(|(token, _)| token) == token
        };
        let all = self.by_hash.get(&hash_of(&phrase.stems)).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|n| self.phrases.get(*n)).find(same).is_some()
    }

    /// Share of the parent's content stems that the children hold.
    pub(crate) fn share(&self, content: impl Iterator<Item = u64>) -> f64 {
        let (mut all, mut held) = (0usize, 0usize);
        for stem in content {
            all += 1;
            held += usize::from(self.holds(stem));
        }
        if all == 0 { 0.0 } else { held as f64 / all as f64 }
    }
}

fn is_small(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

/// Whether a token stands at byte `at` and ends there, not as a part of a longer one. The names of a path stand for
/// themselves, and so do the words that an underscore joins.
fn stands_at(text: &str, at: usize, token: &str, class: Option<Class>) -> bool {
    let Some(after) = text.get(at..).and_then(|t| t.strip_prefix(token)) else { return false };
    let word = token.bytes().all(|b| b.is_ascii_alphanumeric());
    let part = |c: char| c.is_alphanumeric() || c == '-' || c == '_' && !word;
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let mut after = after.chars();
    let next = after.next();
    // After a path a colon opens a line number.
    let joins = match next {
        Some('.' | '@') => true,
        Some(':') => class != Some(Class::Path),
        // After an address a slash opens the length of its prefix.
        Some('/') => class == Some(Class::Address),
        _ => false,
    };
    let dotted = joins
        && after
            .next()
            .is_some_and(|c| if next == Some('/') { c.is_ascii_digit() } else { c.is_alphanumeric() });
    !before.is_some_and(|c| part(c) || c == '.') && !next.is_some_and(part) && !dotted
}

/// An odd factor: hashes of stretches are differences of hashes of heads.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

fn next(head: u64, stem: u64) -> u64 {
    head.wrapping_mul(FACTOR).wrapping_add(stem)
}

fn stretch(from: u64, to: u64, n: usize) -> u64 {
    to.wrapping_sub(from.wrapping_mul(FACTOR.wrapping_pow(u32::try_from(n).unwrap_or(u32::MAX))))
}

fn hash_of(stems: &[u64]) -> u64 {
    stems.iter().fold(0, |head, stem| next(head, *stem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn holds(parent: &str, token: &str, class: Class, children: &[&str]) -> bool {
        let text = Text::of(read(parent));
        let start = parent.find(token).expect("the token stands in the parent");
        let at = Span::new(start, start + token.len());
        let mut vocabulary = Vocabulary::of(&text, std::iter::once((class, at)));
        for child in children {
            vocabulary.child(&Text::of(read(child)));
        }
        vocabulary.holds_phrase(0)
    }

    #[test]
    fn words_in_their_order() {
        let name = "the Blue Heron Committee met";
        let token = "Blue Heron Committee";
        assert!(holds(name, token, Class::Name, &["no", "a note of the blue heron committee, late"]));
        assert!(!holds(name, token, Class::Name, &["heron blue committee"]));
    }

    #[test]
    fn identifiers_letter_by_letter_and_whole() {
        let held = |children: &[&str]| holds("uses kX93b now", "kX93b", Class::Identifier, children);
        assert!(held(&["the key (kX93b)"]));
        for other in ["the key kx93b", "the key kX93b-old", "at kX93b.internal"] {
            assert!(!held(&[other]), "{other}");
        }
        for other in ["ends in kX93b.", "under /dev/mapper/kX93b", "keys/kX93b/old", "kX93b_ms"] {
            assert!(held(&[other]), "{other}");
        }
    }

    #[test]
    fn an_address_within_a_longer_token() {
        let held = |child: &str| holds("at 10.4.7.6:6432", "10.4.7.6:6432", Class::Address, &[child]);
        assert!(held("postgresql://ops@10.4.7.6:6432/tank"));
        assert!(!held("postgresql://ops@10.4.7.6:64321/tank") && !held("110.4.7.6:6432"));
        assert!(!holds("at 10.4.7.0", "10.4.7.0", Class::Address, &["10.4.7.0/24"]));
    }

    #[test]
    fn a_path_by_its_last_names_and_its_folders() {
        let held = |token: &str, child: &str| holds(token, token, Class::Path, &[child]);
        assert!(held("log/dry.rs", "wrote crates/log/dry.rs:7"));
        assert!(held("/var/tank", "wrote /var/tank/dry.rs"));
        assert!(!held("/var/tank", "wrote /var/tank-old/dry.rs"));
        assert!(!held("/tank/a.rs", "wrote /var/tank/a.rs"));
    }

    #[test]
    fn one_token_twice_is_found_twice() {
        let parent = "ab-1 then ab-1";
        let text = Text::of(read(parent));
        let spans = [Span::new(0, 4), Span::new(10, 14)].map(|at| (Class::Identifier, at));
        let mut vocabulary = Vocabulary::of(&text, spans.into_iter());
        vocabulary.child(&Text::of(read("ab-1")));
        assert!(vocabulary.holds_phrase(0) && vocabulary.holds_phrase(1));
    }
}

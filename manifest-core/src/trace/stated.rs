//! Whether the parent (or the ledger beside it) states a value of the children.

use super::entry::Entry;
use super::likeness::Digests;
use super::parent::{Index, Text};
use super::places::{Runs, Sentences, Stretches};
use super::table::Table;
use crate::fact::Class;
use crate::text::{Span, words};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// Characters of a digest that stand for it, at least.
const HEAD: usize = 7;

/// A text that may state values: the parent, or the ledger.
pub(crate) struct Stater<'a, 't> {
    text: &'a Text<'t>,
    index: &'a Index,
    words: FxHashSet<u64>,
    lower: String,
    /// Whether the text is a ledger: a list of exact values, each as its child writes it.
    exact: bool,
    /// Each built where the first value asks for it.
    runs: OnceCell<Runs>,
    sentences: OnceCell<Sentences>,
    stretches: Stretches,
    heads: OnceCell<Heads>,
}

/// Whether a character is a part of the token beside it.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\\')
}

/// Whether a token may begin behind a text.
fn is_bounded(before: &str) -> bool {
    !before.ends_with(|c: char| is_part(c) || c == '.')
}

/// Bytes behind a folder in which its files are named.
const LISTED: usize = 1024;

/// The last folder that a text names, without its last slash (`src/trace/`).
fn last_folder(before: &str) -> Option<&str> {
    let near = before.get(before.floor_char_boundary(before.len().saturating_sub(LISTED))..)?;
    let outside = |c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~' | '@'));
    near.rsplit(outside).find_map(|token| token.strip_suffix('/')).filter(|folder| !folder.is_empty())
}

/// Digests, whole or short, of the text, and those of the children.
struct Heads {
    /// Seven characters or more, in small letters.
    stated: FxHashSet<Box<str>>,
    longest: usize,
    digests: Digests,
    uuids: Digests,
}

impl<'a, 't> Stater<'a, 't> {
    /// Prepares a text.
    pub(crate) fn of(text: &'a Text<'t>, index: &'a Index) -> Self {
        let stems = text.words.iter().map(|w| w.stem).collect();
        Stater {
            text,
            index,
            words: stems,
            lower: text.reading.normal.text.to_lowercase(),
            exact: false,
            runs: OnceCell::new(),
            sentences: OnceCell::new(),
            stretches: Stretches::default(),
            heads: OnceCell::new(),
        }
    }

    /// Prepares a ledger.
    pub(crate) fn of_ledger(text: &'a Text<'t>, index: &'a Index) -> Self {
        Stater { exact: true, ..Stater::of(text, index) }
    }

    /// Whether the text states the value.
    pub(crate) fn states(&self, key: u64, entry: &Entry<'_>, table: &Table) -> bool {
        let by_second = entry.also().is_some_and(|also| self.index.facts.contains_key(&also));
        if self.index.facts.contains_key(&key) || self.index.also.contains(&key) || by_second {
            return true;
        }
        if self.exact && self.verbatim(entry.text) {
            return true;
        }
        match entry.class {
            Class::Digest | Class::Uuid => self.short_digest(entry, table),
            Class::Name => !self.exact && self.name(entry),
            // A ledger writes it as it stands, also where its quotes are read as something else there.
            Class::Command if self.exact && self.quotes(&single_spaced(entry.text)) => true,
            Class::Command => self.phrase(entry.text, 0.8) && self.flags(entry.text),
            Class::Quote => self.phrase(entry.text, 0.9),
            Class::Payload => true,
            Class::Symbol => self.verbatim(entry.text) || self.spelled_out(entry.text),
            Class::Path => self.verbatim(entry.text) || !self.exact && self.in_a_folder(entry.text),
            // A flag alone is stated by one that is given a value.
            Class::Flag
            | Class::Identifier
            | Class::Ticket
            | Class::ErrorCode
            | Class::EnvVar
            | Class::Url => self.verbatim(entry.text),
            _ => false,
        }
    }

    /// Whether the text states the value as it is written, and not only in words: what is pinned must be found again.
    pub(crate) fn writes(&self, key: u64, entry: &Entry<'_>) -> bool {
        self.index.facts.contains_key(&key) || self.index.also.contains(&key) || self.verbatim(entry.text)
    }

    /// Whether every flag of a command stands in the text: one that is gone makes another command of it.
    fn flags(&self, command: &str) -> bool {
        let flags = command.split_whitespace().map(|word| word.split('=').next().unwrap_or(word));
        flags
            .filter(|flag| flag.starts_with('-') && flag.bytes().any(|b| b.is_ascii_alphabetic()))
            .all(|flag| self.verbatim(flag))
    }

    /// Whether the text holds a clause word for word, whatever stands between its words.
    pub(crate) fn quotes(&self, clause: &str) -> bool {
        let text = single_spaced(self.text.reading.text);
        !clause.is_empty() && text.contains(clause)
    }

    /// A head of seven digits or more states a digest, if no other digest has the same head.
    fn short_digest(&self, entry: &Entry<'_>, table: &Table) -> bool {
        let heads = self.heads.get_or_init(|| self.heads(table));
        let full = entry.text.to_ascii_lowercase();
        let children = if entry.class == Class::Digest { &heads.digests } else { &heads.uuids };
        let lengths = HEAD..full.len().min(heads.longest + 1);
        lengths
            .filter_map(|length| full.get(..length))
            .any(|head| heads.stated.contains(head) && children.from(head).take(2).count() == 1)
    }

    fn heads(&self, table: &Table) -> Heads {
        let facts = self.text.reading.facts.iter();
        let stated = facts.filter(|f| matches!(f.class, Class::Digest | Class::Identifier));
        let stated = stated.map(|f| f.at.of(&self.text.reading.normal.text).to_ascii_lowercase());
        let stated: FxHashSet<Box<str>> =
            stated.filter(|head| head.len() >= HEAD).map(String::into_boxed_str).collect();
        Heads {
            longest: stated.iter().map(|head| head.len()).max().unwrap_or(0),
            digests: Digests::of(table, Class::Digest, &stated),
            uuids: Digests::of(table, Class::Uuid, &stated),
            stated,
        }
    }

    /// The token as it stands, not as a part of a longer one.
    fn verbatim(&self, surface: &str) -> bool {
        self.stands(surface, is_bounded)
    }

    /// Whether the text tells a path in two parts: a file's name with a folder before it (`data/postmaster.pid`), or a
    /// folder and then the names in it (`In src/trace/: bare.rs, place.rs`).
    fn in_a_folder(&self, path: &str) -> bool {
        match path.rsplit_once('/') {
            None => self.stands(path, |before| before.ends_with('/')),
            Some((folder, name)) if !folder.is_empty() && !name.is_empty() => {
                self.stands(name, |before| is_bounded(before) && last_folder(before) == Some(folder))
            }
            Some(_) => false,
        }
    }

    /// Whether a value stands in the text as it is written, behind what `follows` allows.
    fn stands(&self, surface: &str, follows: impl Fn(&str) -> bool) -> bool {
        let text = &*self.text.reading.normal.text;
        // Most values stand nowhere in the text: their words tell that sooner than a search does.
        if words(surface, Span::new(0, surface.len())).iter().any(|word| !self.words.contains(&word.stem)) {
            return false;
        }
        let stands = |at: usize| {
            let mut after = text.get(at + surface.len()..).unwrap_or_default().chars();
            let next = after.next();
            // A point belongs to the token where a letter or digit follows it.
            let dotted =
                matches!(next, Some('.' | ':' | '@')) && after.next().is_some_and(char::is_alphanumeric);
            !next.is_some_and(is_part) && !dotted && follows(text.get(..at).unwrap_or_default())
        };
        match self.runs.get_or_init(|| Runs::of(text)).find(text, surface) {
            Some(mut places) => places.any(stands),
            None => text.match_indices(surface).any(|(at, _)| stands(at)),
        }
    }

    /// The sentences of the text by their words.
    fn sentences(&self) -> &Sentences {
        let reading = &self.text.reading;
        self.sentences.get_or_init(|| Sentences::of(&reading.normal.text, &reading.sentences))
    }

    /// The words of a name of code, told in prose in one sentence (`expires_at`: "it expires at …").
    fn spelled_out(&self, surface: &str) -> bool {
        let prose = !surface.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        let wanted: Vec<u64> = words(surface, Span::new(0, surface.len()))
            .iter()
            .filter(|w| w.content)
            .map(|w| w.stem)
            .collect();
        prose
            && !wanted.is_empty()
            && wanted.iter().all(|s| self.words.contains(s))
            && self.sentences().one_holds(&wanted, wanted.len())
    }

    fn name(&self, entry: &Entry<'_>) -> bool {
        let stems = words(entry.text, Span::new(0, entry.text.len()));
        if stems.is_empty() || stems.iter().any(|w| self.words.contains(&w.stem)) {
            return true;
        }
        let own = entry.text.to_lowercase();
        own.len() >= 5 && {
            let head: String = own.chars().take(own.chars().count().saturating_sub(3).max(5)).collect();
            self.stretches.hold(&self.lower, &head)
        }
    }

    /// A share of the words stands in one sentence of the text.
    fn phrase(&self, surface: &str, share: f64) -> bool {
        let wanted: Vec<u64> = words(surface, Span::new(0, surface.len())).iter().map(|w| w.stem).collect();
        if wanted.is_empty() {
            return self.text.reading.normal.text.contains(surface);
        }
        let enough = |held: usize| held as f64 + 1e-9 >= share * wanted.len() as f64;
        let least = (0..=wanted.len()).find(|held| enough(*held)).unwrap_or(wanted.len());
        enough(wanted.iter().filter(|s| self.words.contains(s)).count())
            && self.sentences().one_holds(&wanted, least)
    }
}

/// Words with one space between them.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    /// What of the child the parent does not state.
    fn lost(child: &str, parent: &str) -> Vec<String> {
        let report = check(&[child], parent, &Policy::exact());
        report.lost.into_iter().filter(|lost| lost.kind != "statement").map(|lost| lost.text).collect()
    }

    #[test]
    fn a_flag_alone_is_stated_by_one_with_a_value() {
        let child = "Start it with pg_ctl -w -l logfile.";
        assert_eq!(lost(child, "Ran `pg_ctl -w -l server.log start`."), [""; 0]);
        assert_eq!(lost(child, "Ran `pg_ctl -w -k server.log start`."), ["-l"]);
    }

    #[test]
    fn a_path_is_stated_by_its_folder_and_its_name() {
        let child = "Read src/trace/bare.rs and src/trace/place.rs.";
        assert_eq!(lost(child, "Read two files in src/trace/ (bare.rs, place.rs)."), [""; 0]);
        assert_eq!(lost(child, "In `src/trace/`:\n- bare.rs\n- place.rs"), [""; 0]);
        let other = "Read src/trace/, then in src/gate/: bare.rs, place.rs.";
        assert_eq!(lost(child, other), ["src/trace/bare.rs", "src/trace/place.rs"]);
        assert_eq!(lost("The lock file queue.pid exists.", "See data/queue.pid: it exists."), [""; 0]);
        assert_eq!(lost("The lock file queue.pid exists.", "See data-queue.pid: it exists."), ["queue.pid"]);
    }
}

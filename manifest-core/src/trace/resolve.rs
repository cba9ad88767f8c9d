//! The parent's mentions: which of them a child explains.

use super::bare::Bare;
use super::derive::Derivations;
use super::likeness::{Asked, Digests, Folders, Names};
use super::parent::Text;
use super::rounded::Rounded;
use super::table::Table;
use super::verbatim::Verbatim;
use super::vocabulary::Vocabulary;
use crate::code::Code;
use crate::fact::{Class, Decimal, Fact, amount_before_unit, read};
use crate::text::words;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// What explains a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// A child states the same value.
    Child,
    /// The parts of it do, or the whole that it is a part of.
    Parts,
    /// It follows from values of the children; how.
    Derived(String),
    /// A child states its amount without the unit.
    Bare,
    /// Its words stand in a child.
    Words,
    /// Only a text that the caller named as context explains it.
    Context,
    /// Nothing does.
    Orphan,
}

/// Whether a class stands for an exact identifier: one that nobody can derive.
pub(crate) fn is_identifier(class: Class) -> bool {
    matches!(
        class,
        Class::Uuid
            | Class::Digest
            | Class::Url
            | Class::Email
            | Class::Address
            | Class::Path
            | Class::Location
            | Class::Version
            | Class::Flag
            | Class::EnvVar
            | Class::Ticket
            | Class::ErrorCode
            | Class::Symbol
            | Class::Identifier
    )
}

/// Whether a class carries an amount, a moment or the like: comparable by value.
pub(crate) fn is_measured(class: Class) -> bool {
    matches!(
        class,
        Class::Quantity
            | Class::Percentage
            | Class::Money
            | Class::Range
            | Class::Date
            | Class::Time
            | Class::Instant
    )
}

/// Whether a fact of the parent counts as a referent: parts and relative times are judged with what they belong to.
pub(crate) fn is_referent(fact: &Fact) -> bool {
    fact.whole.is_none() && !matches!(fact.class, Class::Secret | Class::Payload)
}

/// The code of a referent that nothing explains.
pub(crate) fn code_of(class: Class) -> Code {
    if is_identifier(class) || is_measured(class) { Code::ReferentInvented } else { Code::ReferentOrphaned }
}

/// The classes whose words are looked for one by one when the value itself is not found.
pub(crate) fn is_phrase(class: Class) -> bool {
    matches!(
        class,
        Class::Name
            | Class::Quote
            | Class::Command
            | Class::Symbol
            | Class::Flag
            | Class::Path
            | Class::Identifier
            | Class::Ticket
            | Class::ErrorCode
            | Class::EnvVar
            | Class::Address
            | Class::Version
    )
}

/// Explains the parent's facts one by one.
pub(crate) struct Resolver<'a, 't> {
    pub(crate) parent: &'a Text<'t>,
    pub(crate) table: &'a Table,
    pub(crate) context: &'a Table,
    pub(crate) vocabulary: &'a Vocabulary,
    /// Number of each fact's phrase in the vocabulary.
    pub(crate) phrases: &'a [Option<usize>],
    pub(crate) derivations: &'a Derivations,
    pub(crate) verbatim: &'a Verbatim,
    pub(crate) bare: &'a Bare,
    pub(crate) rounded: &'a Rounded,
    /// Built where the first path asks for it.
    pub(super) places: OnceCell<Folders>,
    /// Hosts that the children name with a port.
    pub(super) ported: OnceCell<FxHashSet<Box<str>>>,
    /// Tokens of the parent that the children hold in another case, looked for once they are asked for.
    pub(crate) folded: OnceCell<FxHashSet<String>>,
    /// Built where the first mention asks for it.
    pub(super) names: OnceCell<Names>,
    pub(super) digests: OnceCell<Digests>,
}

impl Resolver<'_, '_> {
    /// What explains each fact of the parent.
    pub(crate) fn all(&self) -> Vec<Resolution> {
        let facts = &self.parent.reading.facts;
        let operands = self.derivations.operands(self.parent, self.table);
        let mut derived: FxHashMap<(Class, u64), Option<String>> = FxHashMap::default();
        let mut derive = |fact: &Fact| {
            let known = derived.entry((fact.class, fact.key));
            known.or_insert_with(|| self.derivations.explain(fact, &operands)).clone()
        };
        let mut out: Vec<Resolution> = (0..facts.len()).map(|i| self.alone(i, &mut derive)).collect();
        // A whole whose parts are all explained is explained, and so are the parts of an explained whole.
        for i in 0..facts.len() {
            let parts: Vec<usize> = (i + 1..facts.len())
                .take_while(|p| facts[*p].at.start < facts[i].at.end)
                .filter(|p| facts[*p].whole == Some(i))
                .collect();
            if parts.is_empty() || !composes(facts[i].class) {
                continue;
            }
            if out[i] == Resolution::Orphan && parts.iter().all(|p| out[*p] != Resolution::Orphan) {
                out[i] = Resolution::Parts;
            } else if out[i] != Resolution::Orphan {
                for p in parts {
                    if out[p] == Resolution::Orphan {
                        out[p] = Resolution::Parts;
                    }
                }
            }
        }
        out
    }

    fn alone(&self, i: usize, derive: &mut impl FnMut(&Fact) -> Option<String>) -> Resolution {
        let facts = &self.parent.reading.facts;
        let Some(fact) = facts.get(i) else { return Resolution::Orphan };
        if self.table.explains(fact) || self.verbatim.holds(fact.at) {
            return Resolution::Child;
        }
        if let Some(why) = derive(fact) {
            return Resolution::Derived(why);
        }
        if self.digest_prefix(fact)
            || self.spoken(fact)
            || self.in_other_case(fact)
            || self.behind_escape(fact)
        {
            return Resolution::Child;
        }
        if self.bare.explains(i) {
            return Resolution::Bare;
        }
        if self.rounded.explains(i) {
            return Resolution::Derived("the same in fewer digits".to_owned());
        }
        let text = &*self.parent.reading.normal.text;
        let folders = || {
            let paths = facts.iter().filter(|fact| fact.class == Class::Path);
            Folders::of(self.table, paths.map(|path| path.at.of(text)))
        };
        if fact.class == Class::Path && self.places.get_or_init(folders).join(fact.at.of(text)) {
            return Resolution::Parts;
        }
        if self.numbered(fact) || self.spans(fact) || self.with_port(fact) {
            return Resolution::Words;
        }
        if is_phrase(fact.class)
            && self.phrases.get(i).copied().flatten().is_some_and(|p| self.vocabulary.holds_phrase(p))
        {
            return Resolution::Words;
        }
        if fact.class == Class::Name && self.name(fact) {
            return Resolution::Words;
        }
        if self.context.explains(fact) {
            return Resolution::Context;
        }
        Resolution::Orphan
    }

    /// A child speaks the amount: `twelve fifty` for `12.50 euros`.
    fn spoken(&self, fact: &Fact) -> bool {
        let own = fact.at.of(&self.parent.reading.normal.text);
        let amount = match fact.class {
            Class::Number | Class::Quantity | Class::Money | Class::Percentage => amount_before_unit(own),
            // `TA11835`, of which the children speak the digits one by one.
            Class::Identifier => {
                let digits = own.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                Some(digits).filter(|d| d.len() >= 4).and_then(Decimal::parse)
            }
            _ => None,
        };
        amount.is_some_and(|amount| self.table.speaks(amount))
    }

    /// `shard 06` is `shard-06`: digits alone, behind the word that they stand behind in a child.
    fn numbered(&self, fact: &Fact) -> bool {
        let text = &*self.parent.reading.normal.text;
        let digits = fact.at.of(text).bytes().all(|b| b.is_ascii_digit());
        if !digits || !matches!(fact.class, Class::Identifier | Class::Number) {
            return false;
        }
        let words = &self.parent.words;
        let own = words.partition_point(|w| w.at.start < fact.at.start);
        let before = own.checked_sub(1).and_then(|i| words.get(i));
        let pair = before.zip(words.get(own).filter(|w| w.at == fact.at));
        pair.is_some_and(|(before, own)| {
            before.content
                && before.at.of(text).bytes().all(|b| b.is_ascii_alphabetic())
                && before.at.end + 1 == own.at.start
                && self.vocabulary.holds_pair(before.stem, own.stem)
        })
    }

    /// `10.4.7.6:5544`, of which the children tell the host and the port apart, and no other port of this host.
    fn with_port(&self, fact: &Fact) -> bool {
        let own = fact.at.of(&self.parent.reading.normal.text);
        let Some((host, port)) = own.rsplit_once(':').filter(|_| fact.class == Class::Address) else {
            return false;
        };
        let named = |name: &str| read(name).facts.first().is_some_and(|f| self.table.explains(f));
        let with_ports = || {
            let all = self.table.iter().filter(|(_, e)| e.class == Class::Address);
            all.filter_map(|(_, e)| Some(e.text.rsplit_once(':')?.0.into())).collect()
        };
        let known = |host: &str| self.ported.get_or_init(with_ports).contains(host);
        named(host) && named(port) && !known(host)
    }

    /// `\nThe` of a string that was taken out of its record: the escape of a line break, and what stands behind it.
    fn behind_escape(&self, fact: &Fact) -> bool {
        let text = &*self.parent.reading.normal.text;
        let escaped = text.get(..fact.at.start).is_some_and(|head| head.ends_with('\\'));
        let rest =
            fact.at.of(text).strip_prefix(['n', 't', 'r']).filter(|_| escaped && fact.class != Class::Path);
        rest.is_some_and(|rest| {
            let bare = rest.bytes().all(|b| b.is_ascii_alphabetic());
            let facts = read(rest).facts;
            facts.iter().all(|f| self.table.explains(f)) && (!facts.is_empty() || bare)
        })
    }

    /// `pump-1..3` is `pump-1` up to `pump-3`, both of which the children name.
    fn spans(&self, fact: &Fact) -> bool {
        let own = fact.at.of(&self.parent.reading.normal.text);
        let Some((first, last)) = own.split_once("..").filter(|_| fact.class == Class::Identifier) else {
            return false;
        };
        let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let last = last.trim_start_matches('.');
        let digits = !last.is_empty() && last.len() <= 6 && last.bytes().all(|b| b.is_ascii_digit());
        let named = |name: &str| read(name).facts.first().is_some_and(|f| self.table.explains(f));
        digits && !stem.is_empty() && stem != first && named(first) && named(&format!("{stem}{last}"))
    }

    /// `Covid-19` is `COVID-19`: letters, digits and hyphens, of which only the case differs.
    fn in_other_case(&self, fact: &Fact) -> bool {
        let text = &*self.parent.reading.normal.text;
        let own = fact.at.of(text);
        recased(fact.class, own)
            .is_some_and(|own| self.folded.get_or_init(|| self.in_other_cases()).contains(&own))
    }

    /// What of the parent's tokens in small letters the children hold: as few as the parent has, however many they have.
    fn in_other_cases(&self) -> FxHashSet<String> {
        let text = &*self.parent.reading.normal.text;
        let own = self.parent.reading.facts.iter().filter_map(|fact| recased(fact.class, fact.at.of(text)));
        let own: FxHashSet<String> = own.collect();
        let longest = own.iter().map(String::len).max().unwrap_or(0);
        let short = self.table.iter().filter(|(_, entry)| entry.text.len() <= longest);
        let held = short.filter_map(|(_, entry)| recased(entry.class, entry.text));
        held.filter(|token| own.contains(token)).collect()
    }

    /// A short SHA stands for a full one of which it is the head.
    fn digest_prefix(&self, fact: &Fact) -> bool {
        if !matches!(fact.class, Class::Digest | Class::Identifier) {
            return false;
        }
        let text = &*self.parent.reading.normal.text;
        let head = fact.at.of(text).to_ascii_lowercase();
        if !is_digest_head(&head) {
            return false;
        }
        let digests = self.digests.get_or_init(|| {
            let facts = self.parent.reading.facts.iter();
            let facts = facts.filter(|fact| matches!(fact.class, Class::Digest | Class::Identifier));
            let heads = facts.map(|fact| fact.at.of(text).to_ascii_lowercase());
            let heads = heads.filter(|head| is_digest_head(head)).map(String::into_boxed_str).collect();
            Digests::of(self.table, Class::Digest, &heads)
        });
        digests.from(&head).any(|digest| digest.len() > head.len())
    }

    /// A name whose words all stand in the children, or that is a longer or shorter form of a name of theirs.
    fn name(&self, fact: &Fact) -> bool {
        let text = &*self.parent.reading.normal.text;
        let parts = words(text, fact.at);
        if !parts.is_empty() && parts.iter().all(|w| self.vocabulary.holds(w.stem)) {
            return true;
        }
        let names = || {
            let names = self.parent.reading.facts.iter().filter(|fact| fact.class == Class::Name);
            Names::of(self.table, names.map(|name| Asked::of(name.at.of(text))))
        };
        self.names.get_or_init(names).holds_form_of(&Asked::of(fact.at.of(text)))
    }
}

/// A token of letters, digits and hyphens in small letters, where a change of case does not make another of it: one of
/// mixed case throughout is a key, of which each letter counts.
fn recased(class: Class, token: &str) -> Option<String> {
    let named = matches!(class, Class::Identifier | Class::Ticket | Class::ErrorCode | Class::Name);
    let bare = named && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (bare && !is_scrambled(token)).then(|| token.to_ascii_lowercase())
}

/// Whether a token in small letters may be the head of a digest.
fn is_digest_head(token: &str) -> bool {
    token.len() >= 7 && token.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether a token has a capital behind a small letter or a digit: `aB3xQ`, no word in any writing.
fn is_scrambled(token: &str) -> bool {
    token.as_bytes().windows(2).any(|pair| matches!(pair, [a, b] if !a.is_ascii_uppercase() && a.is_ascii_alphanumeric() && b.is_ascii_uppercase()))
}

/// Whether parts make up the whole: what is said of all of them is said of it.
fn composes(class: Class) -> bool {
    matches!(
        class,
        Class::Instant
            | Class::Range
            | Class::Command
            | Class::Flag
            | Class::Path
            | Class::Location
            | Class::Quote
            | Class::Date
    )
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn orphans(child: &str, parent: &str) -> Vec<String> {
        check(&[child], parent, &Policy::remediation()).orphans.into_iter().map(|o| o.text).collect()
    }

    #[test]
    fn a_file_in_the_folder_of_its_neighbour() {
        let child = "The tests go to pump-cli/tests/gate_in.rs and gate_out.rs.";
        assert!(orphans(child, "tests/gate_out.rs is next.").is_empty());
        assert_eq!(orphans(child, "src/gate_out.rs is next."), ["src/gate_out.rs"]);
        let elsewhere = "The tests go to pump-cli/tests/gate_in.rs and lib/gate_out.rs.";
        assert_eq!(orphans(elsewhere, "tests/gate_out.rs is next."), ["tests/gate_out.rs"]);
    }

    #[test]
    fn a_host_with_its_port() {
        let child = "listening on IPv4 address \"10.4.7.6\", port 5544; the other one takes 5545.";
        assert!(orphans(child, "It listens on 10.4.7.6:5544.").is_empty());
        assert_eq!(orphans(child, "It listens on 10.4.7.6:5546."), ["10.4.7.6:5546"]);
        let known = "listening on 10.4.7.6:5544; the other one takes 5545.";
        assert_eq!(orphans(known, "It listens on 10.4.7.6:5545."), ["10.4.7.6:5545"]);
    }

    #[test]
    fn an_escape_is_no_part_of_what_stands_behind_it() {
        let child = r#"{"note": "pump-1 is shut (child 1)\nThe valve_west is open\nretention.below_floor"}"#;
        let taken = r"pump-1 is shut (child 1)\nThe valve_west is open\nretention.below_floor";
        assert!(orphans(child, taken).is_empty());
        assert_eq!(orphans(child, r"pump-1 is shut\nvalve_east is open"), ["nvalve_east"]);
        assert_eq!(orphans(child, "pump-1 is shut, nThe_valve is open"), ["nThe_valve"]);
    }

    #[test]
    fn a_row_of_names() {
        let child = "pump-1 ok\npump-2 ok\npump-3 ok";
        assert!(orphans(child, "All of pump-1..3 are ok.").is_empty());
        assert_eq!(orphans(child, "All of pump-1..4 are ok."), ["pump-1..4"]);
    }

    #[test]
    fn digits_behind_the_same_word() {
        assert!(orphans("open /lines/pump/shards/06 now", "The lease of shard 06 is open.").is_empty());
        assert_eq!(orphans("open /lines/pump/shards/06 now", "The lease of shard 07 is open."), ["07"]);
    }
}

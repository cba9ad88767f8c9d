//! What a text states: exact tokens at byte spans.

mod address;
mod byte;
mod calendar;
#[cfg(test)]
mod cases;
mod class;
mod command;
mod date;
mod decimal;
mod digest;
mod email;
mod flag;
mod group;
mod hook;
mod identifier;
mod instant;
mod layout;
mod lexicon;
mod locale;
mod mark;
mod money;
mod name;
mod number;
mod path;
mod payload;
#[cfg(test)]
mod properties;
mod quantity;
mod quote;
mod range;
mod relative;
#[cfg(test)]
mod renderings;
mod run;
pub(crate) mod salience;
mod scan;
mod secret;
mod shape;
mod spoken;
pub(crate) mod statement;
mod symbol;
#[cfg(test)]
mod testing;
mod ticket;
mod time;
mod token;
mod unit;
mod url;
mod uuid;
mod value;
mod version;

pub use class::Class;
pub(crate) use decimal::Decimal;
pub(crate) use group::Group;
pub(crate) use secret::Known;
pub(crate) use spoken::amount_before_unit;
pub(crate) use unit::Measure;
pub(crate) use value::Value;

use crate::digest::{Digest, DigestError, Object, hash, length};
use crate::text::{Clause, Normal, Sentence, Span, split};
use std::borrow::Cow;

/// One exact thing that a text states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fact {
    /// The kind of value.
    pub class: Class,
    /// Where it stands, in bytes of the text as given.
    pub span: Span,
    /// Equal for equal values (30s and 30000ms), unequal for others; for matching only, never committed.
    pub key: u64,
    /// The composite that this is a part of (a command for its flags, an instant for its date), as an index into
    /// the reading's facts. A composite precedes its parts.
    pub whole: Option<usize>,
    /// A second key, where the text allows a second reading: a ratio that is a percentage, a number that is an epoch, a
    /// time without its zone. [`Fact::same`] compares by both.
    pub also: Option<u64>,
    /// Whether it stands in a source marker at the head of a line (`[m-101]`): it can be cited, and nobody loses it.
    pub marker: bool,
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// What it stands for.
    pub(crate) value: Value,
}

impl Fact {
    fn new(class: Class, at: Span, key: u64, value: Value) -> Self {
        Fact { class, span: at, key, whole: None, also: None, marker: false, at, value }
    }

    /// Whether the two state one value: their keys are equal, or the second key of one is the key of the other.
    pub fn same(&self, other: &Fact) -> bool {
        self.key == other.key || self.also == Some(other.key) || other.also == Some(self.key)
    }
}

/// The content address of a fact: its class and its canonical value, whatever text it stood in.
///
/// Written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct FactId(Digest);

impl FactId {
    /// The id of a canonical value of a class: BLAKE3 with the context `manifest 2026-11 v1 fact` over the length of the
    /// class (two bytes, big-endian), the class, and the value.
    pub fn of(class: Class, canonical: &str) -> Self {
        FactId::of_name(class.as_str(), canonical)
    }

    /// The same for a class by its name, which a later version may have added.
    pub(crate) fn of_name(class: &str, canonical: &str) -> Self {
        FactId(hash(Object::Fact, &[&length(class), class.as_bytes(), canonical.as_bytes()]))
    }

    /// The id with this digest, which is taken as it is.
    pub const fn from_digest(digest: Digest) -> Self {
        FactId(digest)
    }

    /// Its digest.
    pub const fn digest(&self) -> Digest {
        self.0
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; Digest::BYTES] {
        self.0.as_bytes()
    }
}

impl std::str::FromStr for FactId {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        text.parse().map(FactId)
    }
}

impl std::fmt::Display for FactId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl std::fmt::Debug for FactId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FactId({})", self.0)
    }
}

/// A text, read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading<'t> {
    /// The text as given.
    pub text: &'t str,
    /// Its facts, by start, a composite before its parts.
    pub facts: Vec<Fact>,
    /// The folded text with its map back.
    pub(crate) normal: Normal<'t>,
    /// Where its secrets stand in the text as given: in order, and apart from each other.
    pub(crate) secrets: Vec<Span>,
    /// Amounts as they are spoken (`twelve fifty`), each in every reading.
    pub(crate) spoken: Vec<Decimal>,
    /// Its sentences, in order.
    pub(crate) sentences: Vec<Sentence>,
    /// Their clauses, in order.
    pub(crate) clauses: Vec<Clause>,
}

impl Reading<'_> {
    /// Whether a credential stands in a span.
    pub(crate) fn hides(&self, span: Span) -> bool {
        let near = self.secrets.partition_point(|secret| secret.end <= span.start);
        self.secrets.get(near).is_some_and(|secret| secret.overlaps(span))
    }

    /// Hides what is known to be a credential from another text: it is masked wherever this text is shown. Gives where it
    /// stands.
    pub(crate) fn hide(&mut self, known: &Known) -> Vec<Span> {
        let mut bare = known.spans(self.text);
        bare.retain(|span| !self.secrets.iter().any(|secret| secret.overlaps(*span)));
        if !bare.is_empty() {
            let mut all: Vec<Span> = self.secrets.iter().chain(&bare).copied().collect();
            all.sort_unstable();
            self.secrets = united(all.into_iter());
        }
        bare
    }

    /// The value of a fact as canonical text: equal for equal values of a class. Empty for a secret.
    pub fn canonical(&self, fact: &Fact) -> Cow<'_, str> {
        if fact.class == Class::Secret {
            return Cow::Borrowed("");
        }
        let surface = fact.at.of(&self.normal.text);
        match fact.value {
            Value::Text => canonical_text(fact.class, surface),
            Value::Hex => Cow::Owned(uuid::canonical(surface)),
            Value::Range(..) => {
                let from = self.facts.partition_point(|f| f.at.start < fact.at.start);
                let here = self.facts.get(from..).unwrap_or_default().iter();
                let ends: Vec<_> = here
                    .take_while(|f| f.at.start < fact.at.end)
                    .filter(|f| f.whole.is_some_and(|w| self.facts.get(w) == Some(fact)))
                    .map(|f| self.canonical(f))
                    .collect();
                Cow::Owned(ends.join(".."))
            }
            other => Cow::Owned(other.canonical().unwrap_or_default()),
        }
    }

    /// The content address of a fact; `None` for a secret, of which no hash is kept.
    pub fn id(&self, fact: &Fact) -> Option<FactId> {
        (fact.class != Class::Secret).then(|| FactId::of(fact.class, &self.canonical(fact)))
    }
}

/// The canonical text of a token whose value is its text.
fn canonical_text(class: Class, surface: &str) -> Cow<'_, str> {
    match class {
        Class::Url => url::canonical(surface),
        Class::Email => email::canonical(surface),
        Class::Address => address::canonical(surface),
        Class::Path => path::canonical(surface),
        Class::Version => Cow::Borrowed(version::canonical(surface)),
        Class::Flag => flag::canonical(surface),
        Class::Command => command::canonical(surface),
        Class::ErrorCode => ticket::canonical(surface),
        Class::Quote => quote::canonical(surface),
        Class::Name => name::canonical(surface),
        Class::RelativeTime if surface.bytes().any(|b| b.is_ascii_uppercase()) => {
            Cow::Owned(surface.to_ascii_lowercase())
        }
        _ => Cow::Borrowed(surface),
    }
}

/// The text with each run of white space as one space.
fn single_spaced(text: &str) -> Cow<'_, str> {
    let mut spaced = true;
    let single = text.bytes().all(|b| {
        let ok = !b.is_ascii_whitespace() || b == b' ' && !spaced;
        spaced = b.is_ascii_whitespace();
        ok
    });
    if single && !spaced {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Reads the facts of a text.
pub fn read(text: &str) -> Reading<'_> {
    let normal = Normal::of(text);
    let (facts, spoken) = scan::scan(&normal);
    let facts = without_secrets_inside(facts);
    let (sentences, clauses) = split(&normal.text, |i| within(&facts, i));
    let secrets = united(facts.iter().filter(|f| f.class == Class::Secret).map(|f| f.span));
    Reading { text, facts, normal, secrets, spoken, sentences, clauses }
}

/// The facts without those that hold a secret (a command with a password, a quote around a token): what surrounds a
/// secret would print it. Their other parts stay, as facts of their own.
fn without_secrets_inside(facts: Vec<Fact>) -> Vec<Fact> {
    let secrets = united(facts.iter().filter(|f| f.class == Class::Secret).map(|f| f.at));
    if secrets.is_empty() {
        return facts;
    }
    let holds = |fact: &Fact| {
        let near = secrets.partition_point(|s| s.end <= fact.at.start);
        fact.class != Class::Secret && secrets.get(near).is_some_and(|s| s.overlaps(fact.at))
    };
    let mut moved: Vec<Option<usize>> = Vec::with_capacity(facts.len());
    let mut kept: Vec<Fact> = Vec::with_capacity(facts.len());
    for mut fact in facts {
        if holds(&fact) {
            moved.push(None);
            continue;
        }
        fact.whole = fact.whole.and_then(|w| moved.get(w).copied().flatten());
        moved.push(Some(kept.len()));
        kept.push(fact);
    }
    kept
}

/// Spans in the order of their starts, those that overlap made one.
fn united(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// Whether byte `i` is in the middle of a token.
fn within(facts: &[Fact], i: usize) -> bool {
    let k = facts.partition_point(|f| f.at.start < i);
    facts
        .iter()
        .take(k)
        .rev()
        .take(8)
        .any(|f| i < f.at.end && !matches!(f.class, Class::Quote | Class::Command))
}

//! Which facts are named first: those whose loss hurts most, by their class.

use manifest_core::{Class, read};

/// Classes in the order in which a loss of them hurts: what cannot be guessed, looked up by a name or measured again.
const CLASSES: [Class; 18] = [
    Class::ErrorCode,
    Class::Ticket,
    Class::Command,
    Class::Identifier,
    Class::Path,
    Class::Location,
    Class::Digest,
    Class::Uuid,
    Class::Address,
    Class::EnvVar,
    Class::Url,
    Class::Email,
    Class::Version,
    Class::Symbol,
    Class::Flag,
    Class::Instant,
    Class::Quantity,
    Class::Money,
];

/// The place of a class by its name; those that are not listed come last.
pub(crate) fn of_class(name: &str) -> usize {
    CLASSES.iter().position(|class| class.as_str() == name).unwrap_or(CLASSES.len())
}

/// The place of a text that holds one fact.
pub(crate) fn of_text(text: &str) -> usize {
    let reading = read(text);
    let whole = reading.facts.iter().find(|fact| fact.whole.is_none());
    whole.map_or(CLASSES.len(), |fact| of_class(fact.class.as_str()))
}

/// The texts, gravest first, else in their order.
pub(crate) fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_by_cached_key(|text| of_text(text));
    texts
}

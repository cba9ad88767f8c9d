//! Which facts are named first: those whose loss is gravest.

use manifest_core::{Class, read};
use std::cmp::Reverse;

/// What to sort by for a class by its name; a class that this version does not know comes last.
pub(crate) fn of_class(name: &str) -> Reverse<u8> {
    let class = Class::ALL.iter().find(|class| class.as_str() == name);
    Reverse(class.map_or(0, |class| class.gravity()))
}

/// What to sort by for a text that holds one fact.
fn of_text(text: &str) -> Reverse<u8> {
    let reading = read(text);
    let whole = reading.facts.iter().find(|fact| fact.whole.is_none());
    Reverse(whole.map_or(0, |fact| fact.class.gravity()))
}

/// The texts, gravest first, else in their order.
pub(crate) fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_by_cached_key(|text| of_text(text));
    texts
}

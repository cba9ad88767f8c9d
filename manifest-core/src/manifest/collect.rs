//! The facts of a reading as records: one a value, its surface and what it is bound to, with all its places.

use crate::fact::{Class, Reading};
use crate::text::Span;
use crate::trace::label_of;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::hash_map::Entry;

/// One record to be written.
#[derive(Clone, Debug)]
pub(super) struct Collected<'r> {
    pub(super) class: Class,
    /// The canonical value; empty for a secret.
    pub(super) value: Cow<'r, str>,
    /// The surface text. Of a secret only its length is ever written.
    pub(super) text: &'r str,
    pub(super) binding: Option<&'r str>,
    pub(super) marker: bool,
    /// Where it starts, ascending.
    pub(super) starts: Vec<usize>,
    /// The key of matching.
    pub(super) key: u64,
}

/// What makes two facts one record: of one class and text, their keys tell whether they have one value. Two secrets are
/// one where they have one length.
#[derive(PartialEq, Eq, Hash)]
enum Same<'r> {
    Value(Class, &'r str, u64, Option<&'r str>, bool),
    Secret(usize, Option<&'r str>),
}

/// The facts of a reading, by their first place, a composite before its parts.
pub(super) fn collect<'r>(reading: &'r Reading<'_>) -> Vec<Collected<'r>> {
    let mut number: FxHashMap<Same<'r>, usize> = FxHashMap::default();
    let mut out: Vec<Collected<'r>> = Vec::new();
    for fact in &reading.facts {
        let text = fact.span.of(reading.text);
        let binding = binding(reading, fact);
        let same = if fact.class == Class::Secret {
            Same::Secret(text.len(), binding)
        } else {
            Same::Value(fact.class, text, fact.key, binding, fact.marker)
        };
        match number.entry(same) {
            Entry::Occupied(place) => {
                if let Some(known) = out.get_mut(*place.get())
                    && known.starts.last().is_some_and(|last| *last < fact.span.start)
                {
                    known.starts.push(fact.span.start);
                }
            }
            Entry::Vacant(place) => {
                place.insert(out.len());
                out.push(Collected {
                    class: fact.class,
                    value: reading.canonical(fact),
                    text,
                    binding,
                    marker: fact.marker,
                    starts: vec![fact.span.start],
                    key: fact.key,
                });
            }
        }
    }
    out
}

/// What a fact is bound to, unless that is a credential or touches one.
fn binding<'r>(reading: &'r Reading<'_>, fact: &crate::fact::Fact) -> Option<&'r str> {
    let text = &*reading.normal.text;
    let label = label_of(text, fact)?;
    if reading.secrets.is_empty() {
        return Some(label);
    }
    let start = text.get(..fact.at.start)?.rfind(label)?;
    let span = reading.normal.source(Span::new(start, start + label.len()));
    let near = reading.secrets.partition_point(|secret| secret.end <= span.start);
    reading.secrets.get(near).is_none_or(|secret| !secret.overlaps(span)).then_some(label)
}

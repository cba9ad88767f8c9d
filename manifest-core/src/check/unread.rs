//! Pinned words that no reader takes for a fact where they stand: they are looked for as they are.

use super::Check;
use crate::fact::{Class, read};
use crate::report::LostRow;
use crate::text::Span;
use crate::trace::Trace;

impl Check<'_> {
    /// Pinned and declared texts of which no child holds a value, that stand in a child as they are, and neither in the
    /// parent nor in the ledger beside it.
    pub(super) fn unread(&self, trace: &Trace<'_>, ledger: &str) -> Vec<LostRow> {
        let mut rows = Vec::new();
        for text in self.pinned.iter().chain(&self.declared).copied() {
            let facts = read(text).facts;
            let known = facts.iter().any(|fact| trace.table.holds(fact.key));
            // A credential is never required.
            let secret = facts.iter().any(|fact| fact.class == Class::Secret);
            if facts.is_empty()
                || secret
                || known
                || stands(trace.parent.reading.text, text)
                || stands(ledger, text)
            {
                continue;
            }
            let mut children = self.children.iter().enumerate();
            let Some((child, start)) = children.find_map(|(n, child)| Some((n, place(&child.text, text)?)))
            else {
                continue;
            };
            let kind = facts.first().map_or("fact", |fact| fact.class.as_str());
            rows.push(LostRow {
                text: text.to_owned(),
                kind,
                child,
                span: Span::new(start, start + text.len()),
            });
        }
        rows
    }
}

fn stands(text: &str, words: &str) -> bool {
    place(text, words).is_some()
}

/// Where words stand in a text as they are, not as a part of longer ones.
fn place(text: &str, words: &str) -> Option<usize> {
    let bound = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut found = text.match_indices(words).filter(|_| !words.is_empty()).map(|(at, _)| at);
    found.find(|at| {
        let (before, after) = (text.get(..*at), text.get(at + words.len()..));
        bound(before.and_then(|t| t.chars().next_back())) && bound(after.and_then(|t| t.chars().next()))
    })
}

//! What a tree must keep from its leaves up to its root: told once, before anything is summarized.

use crate::check::{Check, ledger_of};
use crate::child::Child;
use crate::fact::read;
use crate::node::AsChild;
use crate::policy::Policy;
use crate::tree::Stored;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Bytes beside each value of a ledger: the comma, its share of the heading, the subject of some.
const APART: usize = 8;

/// One fact that must be at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    /// As it is required.
    pub(super) text: String,
    /// A leaf that states it, by its index.
    leaf: usize,
}

/// The facts that every node must keep of its children, and the root of all leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Required {
    pins: Vec<Pin>,
    /// What the caller pins and no leaf states.
    unheld: Vec<String>,
}

impl Required {
    /// The most salient facts of all leaves that fit `bytes`, and the pinned ones that a leaf states.
    pub(super) fn of(leaves: &[Stored], bytes: usize, pinned: &[String]) -> Self {
        let mut pins: Vec<Pin> = Vec::new();
        let mut unheld = Vec::new();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for (text, leaf) in pinned.iter().zip(first_leaves(leaves, pinned)) {
            match leaf {
                Some(leaf) if known.insert(text.clone()) => pins.push(Pin { text: text.clone(), leaf }),
                Some(_) => {}
                None => unheld.push(text.clone()),
            }
        }
        if bytes > 0 {
            let children: Vec<Child<'_>> = leaves.iter().map(AsChild::as_child).collect();
            let ledger = ledger_of(&children, "", bytes);
            // What a ledger does not give back as the same value cannot be carried from level to level.
            let carried = keys(&ledger.text);
            let mut entries = ledger.entries;
            entries.sort_by_key(|entry| entry.child);
            let mut of: Option<(usize, FxHashSet<u64>)> = None;
            for entry in entries {
                if of.as_ref().is_none_or(|(child, _)| *child != entry.child) {
                    of = children.get(entry.child).map(|child| (entry.child, keys(&child.text)));
                }
                // What is another value by itself than in its sentence cannot be asked for by itself.
                let same = of.as_ref().is_some_and(|(_, keys)| is_value_of(&entry.text, keys))
                    && is_value_of(&entry.text, &carried);
                if same && known.insert(entry.text.clone()) {
                    pins.push(Pin { text: entry.text, leaf: entry.child });
                }
            }
        }
        Required { pins, unheld }
    }

    /// What the caller pins and no leaf states: it cannot be kept.
    pub(super) fn unheld(&self) -> &[String] {
        &self.unheld
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.pins.iter().map(|pin| pin.text.as_str())
    }

    /// Bytes of a ledger that those of a range of leaves may take, with what sets them apart from each other.
    pub(super) fn bytes_of(&self, leaves: &Range<usize>) -> usize {
        self.of_leaves(leaves).map(|text| text.len() + APART).sum()
    }

    /// Those that a leaf of this range states.
    pub(super) fn of_leaves(&self, leaves: &Range<usize>) -> impl Iterator<Item = &str> {
        self.pins.iter().filter(|pin| leaves.contains(&pin.leaf)).map(|pin| pin.text.as_str())
    }
}

/// For each text, the first leaf that holds all it names. Each leaf is read once, however many texts there are.
fn first_leaves(leaves: &[Stored], texts: &[String]) -> Vec<Option<usize>> {
    let mut first = vec![None; texts.len()];
    let mut open = texts.len();
    for (number, leaf) in leaves.iter().enumerate() {
        if open == 0 {
            break;
        }
        let held = keys(leaf.body());
        for (text, first) in texts.iter().zip(&mut first).filter(|(_, first)| first.is_none()) {
            if is_value_of(text, &held) {
                *first = Some(number);
                open -= 1;
            }
        }
    }
    first
}

/// The keys of the facts of a text.
fn keys(text: &str) -> FxHashSet<u64> {
    read(text).facts.iter().flat_map(|fact| [Some(fact.key), fact.also]).flatten().collect()
}

/// Whether a text by itself is read as values that another one has.
fn is_value_of(text: &str, keys: &FxHashSet<u64>) -> bool {
    let facts = read(text).facts;
    let mut wholes = facts.iter().filter(|fact| fact.whole.is_none()).peekable();
    wholes.peek().is_some() && wholes.all(|fact| keys.contains(&fact.key))
}

/// Those of the required facts that neither the text nor the ledger beside it answers, by the measure of the gate.
pub(crate) fn unanswered<'r>(required: &[&'r str], text: &str, ledger: &str) -> Vec<&'r str> {
    let children: Vec<Child<'_>> = required.iter().map(|fact| Child::new(*fact)).collect();
    let check = Check::new(&children, text).ledger(ledger.lines()).pinned(required.iter().copied());
    let lost = check.run(&Policy::narrative()).lost;
    let gone: FxHashSet<usize> = lost.iter().map(|row| row.child).collect();
    required.iter().enumerate().filter(|(number, _)| gone.contains(number)).map(|(_, fact)| *fact).collect()
}

#[cfg(test)]
mod tests {
    use super::unanswered;

    #[test]
    fn a_fact_is_answered_by_its_value_in_the_text_or_beside_it() {
        let required = ["LDG-4417", "LDG-4471", "30000 ms", "/srv/a/b.csv"];
        let left = unanswered(
            &required,
            "It stopped with LDG-4417 after 30 s.",
            "ids: LDG-4470\npaths: /srv/a/b.csv",
        );
        assert_eq!(left, ["LDG-4471"]);
        assert_eq!(unanswered(&required, "It stopped.", ""), required);
        assert!(unanswered(&[], "", "").is_empty());
    }
}

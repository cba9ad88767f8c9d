//! What a tree must keep from its leaves up to its root: told once, before anything is summarized.

use crate::check::ledger_of;
use crate::child::Child;
use crate::fact::read;
use crate::node::AsChild;
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
}

impl Required {
    /// The most salient facts of all leaves that fit `bytes`, and the pinned ones that a leaf states.
    pub(super) fn of(leaves: &[Stored], bytes: usize, pinned: &[String]) -> Self {
        let mut pins: Vec<Pin> = Vec::new();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for (text, leaf) in pinned.iter().zip(first_leaves(leaves, pinned)) {
            if let Some(leaf) = leaf
                && known.insert(text.clone())
            {
                pins.push(Pin { text: text.clone(), leaf });
            }
        }
        if bytes > 0 {
            let children: Vec<Child<'_>> = leaves.iter().map(AsChild::as_child).collect();
            for entry in ledger_of(&children, "", bytes).entries {
                // A value that is none without its sentence (a name of one word) cannot be asked for by itself.
                if is_value(&entry.text) && known.insert(entry.text.clone()) {
                    pins.push(Pin { text: entry.text, leaf: entry.child });
                }
            }
        }
        Required { pins }
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
        let holds = held_in(leaf.body());
        for (text, first) in texts.iter().zip(&mut first).filter(|(_, first)| first.is_none()) {
            if holds(text) {
                *first = Some(number);
                open -= 1;
            }
        }
    }
    first
}

/// Whether a text by itself is read as a value.
fn is_value(text: &str) -> bool {
    read(text).facts.iter().any(|fact| fact.whole.is_none())
}

/// Whether a text holds all that another one names: each exact value by value, or, where it names none, the words. The text
/// is read once for many questions.
pub(crate) fn held_in(text: &str) -> impl Fn(&str) -> bool {
    let held: FxHashSet<u64> =
        read(text).facts.iter().flat_map(|fact| [Some(fact.key), fact.also]).flatten().collect();
    move |asked| {
        let asked_of = read(asked);
        let mut wholes = asked_of.facts.iter().filter(|fact| fact.whole.is_none()).peekable();
        if wholes.peek().is_none() {
            text.contains(asked)
        } else {
            wholes.all(|fact| held.contains(&fact.key))
        }
    }
}

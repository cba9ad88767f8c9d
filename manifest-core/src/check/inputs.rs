//! What a caller may say beside children and parent.

use super::Check;
use crate::account::Claims;
use crate::declare::{Cited, Drop, NamedChild};
use crate::fact::{Class, read};
use crate::policy::Order;
use crate::probe::{ProbeSet, StatedRecall};
use crate::signal::{Cycle, Level};
use crate::text::Span;

/// The last compaction of the same range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Previous {
    /// Its children.
    pub children: Vec<String>,
    /// Its parent.
    pub parent: String,
}

impl<'a> Check<'a> {
    /// How the children stand to each other; the policy's own order by default.
    pub fn order(mut self, order: Order) -> Self {
        self.order = Some(order);
        self
    }

    /// Bytes that ledger, text and handle may have together.
    pub fn budget_bytes(mut self, bytes: usize) -> Self {
        self.budget_bytes = Some(bytes);
        self
    }

    /// What stands beside the parent.
    pub fn ledger(mut self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        self.ledger = lines.into_iter().collect();
        self
    }

    /// The size of the ledger that is offered; the policy's own by default.
    pub fn ledger_bytes(mut self, bytes: usize) -> Self {
        self.ledger_bytes = Some(bytes);
        self
    }

    /// Judges the parent with the offered ledger beside it.
    pub fn mend(mut self, mend: bool) -> Self {
        self.mend = mend;
        self
    }

    /// Texts whose facts must survive, whatever the policy requires.
    pub fn pinned(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.pinned = texts.into_iter().collect();
        self
    }

    /// Pins every fact of the children.
    pub fn pin_all(mut self, all: bool) -> Self {
        self.all_pinned = all;
        self
    }

    /// Texts whose facts the caller declares required.
    pub fn declared(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.declared = texts.into_iter().collect();
        self
    }

    /// Facts that the caller gives up, each with its reason.
    pub fn drops(mut self, drops: &'a [Drop]) -> Self {
        self.drops = drops;
        self
    }

    /// Facts that the summary itself gives up, each with its reason. Pinned and declared ones stay required, and a
    /// share of them above the policy's is a warning.
    pub fn given_up(mut self, drops: &'a [Drop]) -> Self {
        self.given_up = drops;
        self
    }

    /// Where in the parent an exact fact is declared: each must be held by a child, whatever it looks like
    /// (a plain phrase by a child that is given here: a trace that was read one by one does not keep texts).
    pub fn facts(mut self, spans: &'a [Span]) -> Self {
        self.facts = spans;
        self
    }

    /// Classes of which every fact of the children is required.
    pub fn classes(mut self, classes: &'a [Class]) -> Self {
        self.classes = classes;
        self
    }

    /// Where in the parent a fact of a kind is declared: one that is read as another kind is told.
    pub fn kinds(mut self, kinds: &'a [(Span, Class)]) -> Self {
        self.kinds = kinds;
        self
    }

    /// Claims of the parent that cite their children: each is checked against those alone.
    pub fn cited(mut self, cited: &'a [Cited]) -> Self {
        self.cited = cited;
        self
    }

    /// The children that the parent says it was made from: what only another child says is cited wrongly.
    pub fn named(mut self, children: &'a [NamedChild]) -> Self {
        self.named = children;
        self
    }

    /// The last compaction of this range.
    pub fn previous(mut self, previous: &'a Previous) -> Self {
        self.previous = Some(previous);
        self
    }

    /// Critical sections of the children's manifests that this version does not know: none passes over them.
    pub fn unknown_critical(mut self, names: &'a [String]) -> Self {
        self.unknown_critical = names;
        self
    }

    /// Texts that the summarizer also saw (instructions): they excuse a mention and support no claim.
    pub fn context(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.context = texts.into_iter().collect();
        self
    }

    /// Stated recall of this level's first drafts, and the depth of the tree.
    pub fn recall(mut self, recall: StatedRecall, depth: u32) -> Self {
        self.recall = Some(recall);
        self.depth = depth;
        self
    }

    /// Stated recall of every level, where they differ: their product stands beside the estimate.
    pub fn level_recalls(mut self, levels: impl IntoIterator<Item = StatedRecall>) -> Self {
        self.level_recalls = levels.into_iter().collect();
        self
    }

    /// Direct recall of leaf facts at the root, once there is one: it decides instead of the estimate.
    pub fn root_recall(mut self, recall: StatedRecall) -> Self {
        self.root_recall = Some(recall);
        self
    }

    /// Past cycles of the same ref, oldest first: a fall against them is named.
    pub fn past(mut self, cycles: impl IntoIterator<Item = Cycle>) -> Self {
        self.past = cycles.into_iter().collect();
        self
    }

    /// The account of the parent's level: structure that outweighs facts is named.
    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// Facts that are probes: neither required nor offered for the ledger while they are asked, unless pinned or
    /// declared.
    pub fn probes(mut self, probes: &'a ProbeSet) -> Self {
        self.probes = Some(probes);
        self
    }

    /// Whether the children fit the context as they are.
    pub fn flatten(mut self, fits: bool) -> Self {
        self.flatten = fits;
        self
    }

    /// Whether the caller prefers to commit and keep the leaves until the root's probe.
    pub fn defer(mut self, defer: bool) -> Self {
        self.defer = defer;
        self
    }

    pub(super) fn claims(&self) -> Claims<'a> {
        let keys = |texts: &mut dyn Iterator<Item = &str>| {
            texts.flat_map(|t| read(t).facts.into_iter().map(|f| f.key).collect::<Vec<_>>()).collect()
        };
        Claims {
            pinned: keys(&mut self.pinned.iter().chain(&self.declared).copied()),
            all_pinned: self.all_pinned,
            dropped: keys(&mut self.drops.iter().map(|d| d.text.as_str())),
            dropped_texts: self.drops.iter().map(|d| d.text.as_str()).collect(),
            given_up: keys(&mut self.given_up.iter().map(|d| d.text.as_str())),
            classes: self.classes,
            probes: self.probes.map(ProbeSet::keys),
        }
    }

    /// Whether there is nothing new: the same children, or the last parent alone.
    pub(super) fn unchanged(&self, previous: &Previous) -> bool {
        let same = |texts: &[String]| {
            texts.len() == self.children.len()
                && texts.iter().zip(self.children).all(|(a, b)| a.trim() == b.text.trim())
        };
        same(&previous.children) || same(std::slice::from_ref(&previous.parent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Policy, Ppm};

    fn codes(check: &Check<'_>, policy: &Policy) -> Vec<Code> {
        check.run(policy).reasons.iter().map(|reason| reason.code).collect()
    }

    #[test]
    fn what_is_known_of_the_tree_reaches_the_gate() {
        let children = ["Node db-7 runs build 4171.".into()];
        let check = || Check::new(&children, "Node db-7 runs build 4171.");
        let policy = Policy::remediation();
        assert_eq!(codes(&check(), &policy), []);

        let recall = |hits, asked| StatedRecall::new(hits, asked).unwrap_or_default();
        let tree = check().recall(recall(54, 60), 3).level_recalls([recall(54, 60); 3]);
        assert_eq!(codes(&tree.clone().root_recall(recall(57, 60)), &policy), [Code::RetentionDiverges]);
        assert_eq!(
            codes(&tree.clone().root_recall(recall(497, 600)), &policy.clone().with_floor(0.7).unwrap()),
            []
        );
        assert_eq!(codes(&tree, &policy), []);

        let past = [Cycle::new(Ppm::ONE, Ppm::ZERO); 3];
        let fallen = Check::new(&children, "Node db-7 runs build 4171. Nobody was asked about the weather.");
        assert!(codes(&fallen.past(past), &policy).contains(&Code::TrendFalling));
        assert_eq!(codes(&check().past(past), &policy), []);

        let level = Level { scaffolding_bytes: 2, information_bytes: 1, ..Level::default() };
        assert_eq!(codes(&check().level(level), &policy), [Code::LevelPastBoundary]);
    }
}

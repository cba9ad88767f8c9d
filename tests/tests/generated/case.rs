//! One case: what a checker is given, and what it must find.

use manifest_core::Order;

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Identifier,
    Path,
    Number,
    Unit,
    Instant,
    Negation,
    Swap,
    Conflict,
    Change,
    Correction,
    Invention,
}

impl Kind {
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Identifier,
        Kind::Path,
        Kind::Number,
        Kind::Unit,
        Kind::Instant,
        Kind::Negation,
        Kind::Swap,
        Kind::Conflict,
        Kind::Change,
        Kind::Correction,
        Kind::Invention,
    ];
}

/// Children, a parent, and what holds of them under the policy `exact`.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) kind: Kind,
    /// How the parent was made from its children, in a word or two.
    pub(crate) by: &'static str,
    pub(crate) order: Order,
    pub(crate) children: Vec<String>,
    pub(crate) parent: String,
    /// What of the children the parent does not state.
    pub(crate) lost: Vec<String>,
    /// What of the parent no child states.
    pub(crate) orphans: Vec<String>,
    /// Values of siblings that disagree and are not told apart.
    pub(crate) contradictions: Vec<(String, String)>,
}

impl Case {
    /// A parent that keeps everything.
    pub(crate) fn kept(kind: Kind, by: &'static str, children: Vec<String>, parent: String) -> Self {
        let (lost, orphans, contradictions) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind, by, order: Order::Sequence, children, parent, lost, orphans, contradictions }
    }

    pub(crate) fn lost(mut self, text: impl Into<String>) -> Self {
        self.lost.push(text.into());
        self
    }

    pub(crate) fn orphan(mut self, text: impl Into<String>) -> Self {
        self.orphans.push(text.into());
        self
    }

    pub(crate) fn contradiction(mut self, a: impl Into<String>, b: impl Into<String>) -> Self {
        self.contradictions.push((a.into(), b.into()));
        self
    }

    pub(crate) fn parallel(mut self) -> Self {
        self.order = Order::Parallel;
        self
    }

    /// Whether the parent may be committed.
    pub(crate) fn good(&self) -> bool {
        self.lost.is_empty() && self.orphans.is_empty() && self.contradictions.is_empty()
    }

    /// The case as one line of a case file.
    pub(crate) fn row(&self, id: usize) -> serde_json::Value {
        let pairs: Vec<String> = self.contradictions.iter().map(|(a, b)| format!("{a} | {b}")).collect();
        let verdict = if self.good() { "commit" } else { "reject" };
        serde_json::json!({
            "id": format!("{id}"),
            "kind": format!("{:?}: {}", self.kind, self.by),
            "order": if self.order == Order::Parallel { "parallel" } else { "sequence" },
            "children": self.children,
            "parent": self.parent,
            "expect": { "lost": self.lost, "orphans": self.orphans, "contradictions": pairs, "verdict": verdict, "retry": !self.good() },
        })
    }
}

//! A summary over its children, typed by what has happened to it: traced, then gated. Only what has passed a gate can be
//! committed, and what is committed is the text that was audited.

mod audit;
mod settings;
mod source;
mod state;

use audit::Accounted;
pub use audit::Audit;
pub use source::AsChild;
pub use state::{Draft, Gated, NodeState, Passed, Ungated};

use crate::account::Fates;
use crate::child::Child;
use crate::declare::{Declaration, Drop, Kinds, Manifest};
use crate::gate::Cause;
use crate::manifest::{NodeId, NodeManifest, embedded};
use crate::policy::{Band, Policy};
use crate::probe::StatedRecall;
use crate::report::{Report, Verdict, VerdictKind};
use settings::Settings;
use std::fmt;

/// A summary over an ordered list of children.
///
/// ```
/// use manifest_core::{Draft, Policy};
///
/// let leaves = ["The importer crashed with E_QUOTA_4417 on node db-7.", "The quota was raised to 640 GiB."];
/// let policy = Policy::exact();
///
/// let draft = Draft::trace(&leaves, "The importer crashed on node db-7; the quota was raised.".to_owned());
/// let refused = draft.gate(&policy).unwrap_err();
/// assert!(refused.report.feedback().contains("E_QUOTA_4417"));
///
/// let mended = "The importer crashed with E_QUOTA_4417 on node db-7. The quota was raised to 640 GiB.";
/// let gated = refused.draft.amend(mended.to_owned()).gate(&policy)?;
/// let (summary, audit) = gated.release();
/// assert_eq!(summary, audit.text());
/// # Ok::<(), manifest_core::NotCommitted<String>>(())
/// ```
///
/// A draft cannot be committed,
///
/// ```compile_fail,E0277
/// use manifest_core::Draft;
/// Draft::trace(&["a leaf"], "a summary".to_owned()).release();
/// ```
///
/// and a node that has passed its gate cannot be gated again:
///
/// ```compile_fail,E0277
/// use manifest_core::{Draft, Policy};
/// let gated = Draft::trace(&["a leaf"], "a leaf".to_owned()).gate(&Policy::exact()).unwrap();
/// gated.gate(&Policy::narrative());
/// ```
#[must_use = "a node does nothing until it is gated and committed"]
pub struct Node<S, State: NodeState> {
    /// Boxed, so that a refused draft is a small error.
    body: Box<Body<S>>,
    state: State,
}

struct Body<S> {
    summary: S,
    settings: Settings,
}

impl<S: Manifest> Body<S> {
    /// What a summary declares, as one text, and what is said of it.
    fn judged(
        &self,
        declaration: &Declaration<'_>,
        given_up: &[Drop],
        policy: &Policy,
    ) -> (String, (Report, Fates)) {
        let rendered = declaration.render();
        // One that cannot be read is told when it would be carried along.
        let own = embedded(declaration).ok();
        let unknown = own.iter().flat_map(NodeManifest::unknown_critical_sections).map(str::to_owned);
        let judged = self.settings.check(&rendered, given_up, &Kinds::of::<S>(), unknown.collect(), policy);
        (rendered.text, judged)
    }
}

impl Draft {
    /// A draft of `summary` over `children`, in their order. The children's texts are kept until the node is released.
    pub fn trace<C: AsChild, S: Manifest>(children: &[C], summary: S) -> Node<S, Draft> {
        let required =
            children.iter().flat_map(AsChild::required).map(std::borrow::Cow::into_owned).collect();
        let ids = children.iter().map(AsChild::node_id).collect();
        let unknown = children.iter().flat_map(AsChild::unknown_critical).map(std::borrow::Cow::into_owned);
        let unknown = unknown.collect();
        let children = children.iter().map(|child| source::owned(child.as_child())).collect();
        Node {
            body: Box::new(Body { summary, settings: Settings::over(children, ids, required, unknown) }),
            state: Draft,
        }
    }
}

impl<S, State: NodeState> Node<S, State> {
    /// The summary.
    pub fn summary(&self) -> &S {
        &self.body.summary
    }

    /// The children, in order.
    pub fn children(&self) -> &[Child<'static>] {
        &self.body.settings.children
    }

    /// The stated recall that was measured or given.
    pub fn stated_recall(&self) -> Option<StatedRecall> {
        self.body.settings.recall
    }

    /// The ids of the children that stand in a store, in order; `None` for one that does not.
    pub fn child_ids(&self) -> &[Option<NodeId>] {
        &self.body.settings.ids
    }

    /// Judges the draft: it passes, or comes back in the error with the reasons and with feedback for another attempt.
    /// Under a policy that observes it always passes.
    ///
    /// # Errors
    /// [`NotCommitted`] with every verdict but `commit`.
    pub fn gate(self, policy: &Policy) -> Result<Node<S, Gated>, NotCommitted<S>>
    where
        S: Manifest,
        State: Ungated,
    {
        let Node { body, .. } = self;
        let (text, required, given_up, (report, fates)) = {
            let declaration = Declaration::of(&body.summary);
            let given_up = given_up(&declaration);
            let (text, judged) = body.judged(&declaration, &given_up, policy);
            let required = body.settings.required(&declaration, &judged.1);
            (text, required, given_up, judged)
        };
        if report.verdict.is_commit() || report.observed {
            let digest = *blake3::hash(text.as_bytes()).as_bytes();
            let ledger = body.settings.beside(&report);
            let account = Accounted { fates, given_up };
            let audit = Audit { text, digest, ledger, required, policy: policy.clone(), report, account };
            return Ok(Node { body, state: Gated { audit: Box::new(audit) } });
        }
        let verdict = report.verdict;
        // Every verdict but `commit` has a cause.
        let cause = report.cause.unwrap_or(Cause::FidelityBudgetExceeded { band: Band::Beyond });
        let draft = Node { body, state: Draft };
        Err(NotCommitted { draft, verdict, cause, report: Box::new(report) })
    }

    /// What the gate audited.
    pub fn audit(&self) -> &Audit
    where
        State: Passed,
    {
        self.state.audit()
    }

    /// What the gate said.
    pub fn report(&self) -> &Report
    where
        State: Passed,
    {
        self.state.audit().report()
    }

    /// What the caller gave up before the gate.
    pub(crate) fn caller_drops(&self) -> &[Drop] {
        self.body.settings.drops()
    }

    /// The summary, and the audit that says which text may be stored for it.
    pub fn release(self) -> (S, Audit)
    where
        State: Passed,
    {
        (self.body.summary, self.state.into_audit())
    }
}

impl<S> Node<S, Draft> {
    /// The node whose text is that of its children, one after the other: attached, not summarized. Nothing can be lost by
    /// it, so no figure refuses it; its verdict is `flatten`.
    pub(crate) fn attached(self, policy: &Policy) -> Node<S, Gated>
    where
        S: Manifest,
    {
        let Node { body, .. } = self;
        let declaration = Declaration::of(&body.summary);
        let (text, (mut report, fates)) = body.judged(&declaration, &[], policy);
        report.verdict = Verdict { kind: VerdictKind::Flatten, retry: false };
        let required = body.settings.required(&declaration, &fates);
        let digest = *blake3::hash(text.as_bytes()).as_bytes();
        let account = Accounted { fates, given_up: Vec::new() };
        let ledger = String::new();
        let audit = Audit { text, digest, ledger, required, policy: policy.clone(), report, account };
        Node { body, state: Gated { audit: Box::new(audit) } }
    }

    /// The same node with another attempt at its summary. What was measured on the first draft stays.
    pub fn amend(mut self, summary: S) -> Self {
        self.body.summary = summary;
        self
    }

    /// The summary back.
    pub fn into_summary(self) -> S {
        self.body.summary
    }

    /// The text that a gate would audit.
    pub fn text(&self) -> String
    where
        S: Manifest,
    {
        Declaration::of(&self.body.summary).render().text
    }

    /// What a gate would say, without passing it.
    pub fn check(&self, policy: &Policy) -> Report
    where
        S: Manifest,
    {
        let declaration = Declaration::of(&self.body.summary);
        self.body.judged(&declaration, &given_up(&declaration), policy).1.0
    }
}

/// The drops that a summary declares.
fn given_up(declaration: &Declaration<'_>) -> Vec<Drop> {
    declaration.drops().iter().copied().cloned().collect()
}

impl<S, State: NodeState + fmt::Debug> fmt::Debug for Node<S, State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let children = self.body.settings.children.len();
        f.debug_struct("Node")
            .field("children", &children)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// A draft that did not pass, with why, and what to tell the summarizer.
#[non_exhaustive]
pub struct NotCommitted<S> {
    /// The draft, for another attempt: [`Node::amend`] and gate again where `verdict.retry` is true.
    pub draft: Node<S, Draft>,
    /// What was decided.
    pub verdict: Verdict,
    /// The strongest reason, to match on.
    pub cause: Cause,
    /// All reasons, findings and figures, and the feedback.
    pub report: Box<Report>,
}

impl<S> fmt::Debug for NotCommitted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotCommitted")
            .field("verdict", &self.verdict)
            .field("cause", &self.cause)
            .field("reasons", &self.report.reasons)
            .finish_non_exhaustive()
    }
}

impl<S> fmt::Display for NotCommitted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let retry =
            if self.verdict.retry { "another attempt may pass" } else { "another attempt cannot pass" };
        write!(f, "{}, not committed ({retry})", self.verdict.kind.as_str())?;
        match self.report.reasons.first() {
            Some(reason) => write!(f, ": {}: {}", reason.code, reason.message),
            None => Ok(()),
        }
    }
}

impl<S> std::error::Error for NotCommitted<S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

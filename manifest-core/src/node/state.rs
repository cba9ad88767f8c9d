//! The states of a node, and what each allows.

use super::Audit;

mod sealed {
    pub trait Sealed {}
}

/// A node that was traced and not yet judged.
#[derive(Debug)]
#[non_exhaustive]
pub struct Draft;

/// A node that has passed its gate (or was only observed by one). Made by [`Node::gate`](super::Node::gate) and by
/// nothing else: it cannot be built, cloned, defaulted or deserialized.
#[derive(Debug)]
pub struct Gated {
    pub(super) audit: Box<Audit>,
}

/// A state of a node: [`Draft`] or [`Gated`]. No other type is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no state of a node",
    label = "neither `Draft` nor `Gated`",
    note = "a node is `Node<S, Draft>` until its gate gives a `Node<S, Gated>`"
)]
pub trait NodeState: sealed::Sealed {}

/// A state in which a node may still be gated.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` node cannot be gated again: it has passed its gate",
    label = "gated already",
    note = "go on with what `gate` gave: `tree.commit(gated)`, or `gated.release()` for the summary and its audit"
)]
pub trait Ungated: NodeState {}

/// A state in which a node may be committed.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` node cannot be committed: its gate has not passed",
    label = "call `.gate(&policy)?` first",
    note = "write `let gated = draft.gate(&policy)?;` and handle the `NotCommitted` that a refused draft comes back in"
)]
pub trait Passed: NodeState {
    /// What the gate audited.
    #[doc(hidden)]
    fn audit(&self) -> &Audit;

    /// What the gate audited, taken out.
    #[doc(hidden)]
    fn into_audit(self) -> Audit;
}

impl sealed::Sealed for Draft {}
impl sealed::Sealed for Gated {}
impl NodeState for Draft {}
impl NodeState for Gated {}
impl Ungated for Draft {}

impl Passed for Gated {
    fn audit(&self) -> &Audit {
        &self.audit
    }

    fn into_audit(self) -> Audit {
        *self.audit
    }
}

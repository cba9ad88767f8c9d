//! What can be a child of a node.

use super::{Node, Passed};
use crate::child::{Child, Role};
use crate::manifest::NodeId;
use std::borrow::Cow;

/// Something that a node can be made from: a text, a [`Child`], or a node below it that has passed its gate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a child of a node",
    label = "neither a text nor a gated node",
    note = "children are strings, `Child`s, or nodes that have passed their gate"
)]
pub trait AsChild {
    /// The child.
    fn as_child(&self) -> Child<'_>;

    /// Facts of it that must survive in every summary above.
    fn required(&self) -> Vec<Cow<'_, str>> {
        Vec::new()
    }

    /// The id of its manifest, where it stands in a store: what a committed parent names it by.
    fn node_id(&self) -> Option<NodeId> {
        None
    }

    /// Critical sections of its manifest that this version does not know: no gate passes what is made from it.
    fn unknown_critical(&self) -> Vec<Cow<'_, str>> {
        Vec::new()
    }
}

impl AsChild for Child<'_> {
    fn as_child(&self) -> Child<'_> {
        Child {
            id: self.id.as_deref().map(Cow::Borrowed),
            text: Cow::Borrowed(&self.text),
            role: self.role,
            at: self.at.as_deref().map(Cow::Borrowed),
            call: self.call,
        }
    }
}

impl AsChild for str {
    fn as_child(&self) -> Child<'_> {
        Child::new(self)
    }
}

impl AsChild for String {
    fn as_child(&self) -> Child<'_> {
        Child::new(self.as_str())
    }
}

impl<C: AsChild + ?Sized> AsChild for &C {
    fn as_child(&self) -> Child<'_> {
        (**self).as_child()
    }

    fn required(&self) -> Vec<Cow<'_, str>> {
        (**self).required()
    }

    fn node_id(&self) -> Option<NodeId> {
        (**self).node_id()
    }

    fn unknown_critical(&self) -> Vec<Cow<'_, str>> {
        (**self).unknown_critical()
    }
}

/// What is read in the place of the node's children, its ledger and the audited text, and the facts that its summary
/// declared required.
impl<S, State: Passed> AsChild for Node<S, State> {
    fn as_child(&self) -> Child<'_> {
        // A first line that looks like a speaker's name is a part of the summary.
        Child::new(self.audit().rendered()).with_role(Role::Assistant)
    }

    fn required(&self) -> Vec<Cow<'_, str>> {
        self.audit().required().iter().map(|fact| Cow::Borrowed(fact.as_str())).collect()
    }
}

/// A child that owns its text.
pub(super) fn owned(child: Child<'_>) -> Child<'static> {
    let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    Child {
        id: child.id.map(own),
        text: own(child.text),
        role: child.role,
        at: child.at.map(own),
        call: child.call,
    }
}

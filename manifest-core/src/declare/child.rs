//! The children that a summary says it was made from.

use super::Declaration;

/// A child, as a summary names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NamedChild {
    /// By its place among the children, from 0.
    Position(usize),
    /// By the caller's name for it, or by its id in a store.
    Name(String),
}

impl std::fmt::Display for NamedChild {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NamedChild::Position(position) => write!(f, "child {position}"),
            NamedChild::Name(name) => write!(f, "child `{name}`"),
        }
    }
}

impl From<usize> for NamedChild {
    fn from(position: usize) -> Self {
        NamedChild::Position(position)
    }
}

impl From<&str> for NamedChild {
    fn from(name: &str) -> Self {
        NamedChild::Name(name.to_owned())
    }
}

/// A field that can name children: their places from 0, their names or ids, and options and lists of them.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(children)]`",
    label = "names no children",
    note = "children are named by their place from 0 (`usize`), by their name (`String`) or by their `NodeId`, or by a list of these",
    note = "for summaries within this one use `#[manifest(nested)]`; to leave the field out use `#[manifest(skip)]`"
)]
pub trait ChildrenField {
    /// Hands over the children, in order.
    fn children<'s>(&'s self, to: &mut Declaration<'s>);
}

macro_rules! positions {
    ($($number:ty),*) => {$(
        impl ChildrenField for $number {
            fn children<'s>(&'s self, to: &mut Declaration<'s>) {
                // No list is longer than that.
                to.child(usize::try_from(*self).unwrap_or(usize::MAX));
            }
        }
    )*};
}

positions!(u8, u16, u32, u64, usize);

impl ChildrenField for str {
    fn children<'s>(&'s self, to: &mut Declaration<'s>) {
        to.child(self);
    }
}

impl ChildrenField for String {
    fn children<'s>(&'s self, to: &mut Declaration<'s>) {
        to.child(self.as_str());
    }
}

//! From children to parent: align claims, resolve facts and referents, find conflicts and altered statements.
//!
//! The parent is read first and indexed once; then each child is read once, in order, and dropped. What is kept grows
//! with the parent and with the number of distinct facts, not with the bytes of the children.

mod anaphor;
mod binding;
mod conflict;
mod consent;
mod derive;
mod form;
mod parent;
mod required;
mod resolve;
mod stated;
mod statement;
mod table;
mod tracer;
mod vocabulary;

pub use conflict::Order;
pub(crate) use anaphor::AnaphorKind;
pub(crate) use form::FormFault;
pub(crate) use parent::{Index, Text};
pub(crate) use required::Unstated;
pub(crate) use stated::Stater;
pub(crate) use table::{Entry, Seen, Table};
pub(crate) use tracer::{Altered, Orphan, Trace};
pub use tracer::Tracer;

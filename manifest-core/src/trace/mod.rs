//! From children to parent: align claims, resolve facts and referents, find conflicts and altered statements.
//!
//! The parent is read first and indexed once; then each child is read once, in order, and dropped. What is kept grows
//! with the parent and with the number of distinct facts, not with the bytes of the children.

mod align;
mod anaphor;
mod bare;
mod binding;
mod claim;
mod conflict;
mod consent;
mod copied;
mod denied;
mod derive;
mod entry;
mod form;
mod found;
mod interned;
mod keep;
mod likeness;
mod mandate;
mod modality;
mod operand;
mod order;
mod origin;
mod parent;
mod places;
mod polarity;
mod replaced;
mod required;
mod resolve;
mod rounded;
mod stated;
mod statement;
mod table;
mod terms;
mod traced;
mod tracer;
mod verbatim;
mod vocabulary;
mod weight;
mod wording;

pub(crate) use entry::{Entry, Seen};
pub(crate) use form::FormFault;
pub(crate) use mandate::{Mandate, Mandates};
pub(crate) use parent::{Index, MASK, Text, masked};
pub(crate) use required::Repeat;
pub(crate) use resolve::is_identifier;
pub(crate) use stated::Stater;
pub(crate) use table::{Table, label_of};
pub use traced::{TracedFact, TracedMandate};
pub use tracer::{Trace, Tracer};

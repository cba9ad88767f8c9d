//! Manifests: the content-hashed record of one leaf or node, as canonical bytes.

#![allow(dead_code, unused_imports, reason = "the document that uses the ids is on its way")]

mod canonical;
mod error;
mod id;
mod list;

pub use error::FormatError;
pub use id::{BodyId, DecisionId, NodeId, SectionDigest, TextDigest};

//! Manifests: the content-hashed record of one leaf or node, as canonical bytes.

#![allow(dead_code, reason = "the document that uses the ids is on its way")]

mod id;

pub use id::{BodyId, DecisionId, NodeId, SectionDigest, TextDigest};

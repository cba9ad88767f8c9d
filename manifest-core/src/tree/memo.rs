//! Which node stands for which children under which rules, so that nothing is summarized twice.

use super::Stored;
use crate::digest::Digest;
use crate::manifest::TextDigest;
use crate::policy::Policy;
use crate::store::{RefName, StoreError};
use std::fmt::Write;

/// What decides, beside its children, what a node is: the summarizer, the policy, the caller's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules(Vec<u8>);

impl Rules {
    /// Rules of a summarizer and a policy, with what else `more` adds.
    pub(crate) fn of(summarizer: &str, policy: &Policy, more: impl FnOnce(&mut Rules)) -> Self {
        let mut rules = Rules(Vec::new());
        rules.text(summarizer).text(&format!("{policy:?}"));
        more(&mut rules);
        rules
    }

    /// Adds a text; its length goes before it, so that no two lists of texts are one.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// The name of the ref that remembers the node over `children`.
    pub(crate) fn memo(&self, children: &[Stored]) -> Result<RefName, StoreError> {
        let mut bytes = self.0.clone();
        for child in children {
            bytes.extend_from_slice(child.id().as_bytes());
        }
        let digest: Digest = TextDigest::of(&bytes).digest();
        let mut name = String::from(MEMO);
        // Writing to a string does not fail.
        let _ = write!(name, "{digest}");
        Ok(RefName::new(&name)?)
    }
}

/// What the names of memo refs begin with: heads have other names.
pub(crate) const MEMO: &str = "memo/";

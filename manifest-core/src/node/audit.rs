//! What a gate audited: the only text that may be stored for the node.

use crate::account::Fates;
use crate::declare::Drop;
use crate::policy::Policy;
use crate::report::Report;
use std::borrow::Cow;

/// The text that a gate audited, what stood beside it, and what the gate said.
#[derive(PartialEq)]
pub struct Audit {
    pub(super) text: String,
    pub(super) digest: [u8; 32],
    pub(super) ledger: String,
    pub(super) required: Vec<String>,
    pub(super) policy: Policy,
    pub(super) report: Report,
    pub(super) account: Accounted,
}

/// What became of the children's facts, for the manifest.
#[derive(PartialEq)]
pub(crate) struct Accounted {
    pub(crate) fates: Fates,
    /// What the summary gave up, with its reasons.
    pub(crate) given_up: Vec<Drop>,
}

impl Audit {
    /// The audited text, byte for byte what may be stored.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// BLAKE3 of the audited text.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The ledger that stood beside the text when it was judged; empty if none did.
    pub fn ledger(&self) -> &str {
        &self.ledger
    }

    /// What is read in the place of the children: the ledger, an empty line, and the text.
    pub fn rendered(&self) -> Cow<'_, str> {
        if self.ledger.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        Cow::Owned(format!("{}\n\n{}", self.ledger, self.text))
    }

    /// Facts that must survive in every summary above: those that the summary declared, and those of its children.
    pub fn required(&self) -> &[String] {
        &self.required
    }

    /// The policy that judged.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What became of the children's facts.
    pub(crate) fn account(&self) -> &Accounted {
        &self.account
    }

    /// What the gate said. Under observation the verdict may be any.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Without the text, which may hold a secret where a gate only observed.
impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit")
            .field("bytes", &self.text.len())
            .field("verdict", &self.report.verdict)
            .field("observed", &self.report.observed)
            .finish_non_exhaustive()
    }
}

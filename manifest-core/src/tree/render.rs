//! What goes into a model's context.

use super::Stored;
use std::fmt::Write;

impl Stored {
    /// What goes into a model's context: the ledger, the text, and one line that tells the reader what is not here and how
    /// to ask for it. `facts` is the number of exact facts below that are neither stated nor carried, `store` what the
    /// program `manifest` finds the tree by.
    ///
    /// A leaf is its text.
    pub fn render(&self, facts: u64, store: &str) -> String {
        let mut out = self.body().to_owned();
        if self.level() == 0 || facts == 0 {
            return out;
        }
        let id = self.id().to_string();
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "\n\n[manifest: {facts} more exact facts of the sources are not in this text; \
             `manifest recover --store {store} {} WORDS` gives each with its place]",
            id.get(..SHOWN).unwrap_or(&id)
        );
        out
    }
}

/// Digits of an id that are enough to find it by.
const SHOWN: usize = 16;

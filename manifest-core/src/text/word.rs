//! Words of a folded text, with stems.

use super::Span;

/// A word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Where it stands in the folded text.
    pub(crate) at: Span,
    /// Hash of its case-folded stem.
    pub(crate) stem: u64,
    /// Whether it carries content (no article, preposition, auxiliary …).
    pub(crate) content: bool,
}

/// The words of `text` within `at`, in order.
pub(crate) fn words(text: &str, at: Span) -> Vec<Word> {
    let _ = (text, at);
    Vec::new()
}

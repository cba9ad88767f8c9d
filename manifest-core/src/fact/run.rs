//! The ends of long runs of one kind of bytes, each looked for once.
//!
//! Within a run of a megabyte the pass asks for its end at a thousand places; each answer is the same.

use std::cell::Cell;

/// A shorter run is read again sooner than it is remembered.
const SHORT: usize = 64;
/// How many runs are remembered: the one that the pass is in, and those that it looks ahead to.
const KEPT: usize = 4;

/// The long runs of one kind that were met last.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    kept: [Cell<(usize, usize)>; KEPT],
    next: Cell<usize>,
}

impl Runs {
    /// The end of the run at `i` of bytes that `belongs` takes, in `text` and not beyond `limit`.
    #[inline]
    pub(super) fn end(&self, text: &[u8], limit: usize, i: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = text.get(i..limit).unwrap_or_default();
        match rest.iter().take(SHORT).position(|&b| !belongs(b)) {
            Some(n) => i + n,
            None if rest.len() <= SHORT => i + rest.len(),
            None => self.long(text, i, belongs).min(limit),
        }
    }

    #[cold]
    fn long(&self, text: &[u8], i: usize, belongs: impl Fn(u8) -> bool) -> usize {
        if let Some((_, to)) = self.kept.iter().map(Cell::get).find(|(from, to)| (*from..*to).contains(&i)) {
            return to;
        }
        let rest = text.get(i..).unwrap_or_default();
        let to = i + rest.iter().position(|&b| !belongs(b)).unwrap_or(rest.len());
        let next = self.next.get();
        if let Some(slot) = self.kept.get(next) {
            slot.set((i, to));
        }
        self.next.set((next + 1) % KEPT);
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_from_every_place_of_a_run() {
        let text = format!("ab{}-{}", "7".repeat(300), "8".repeat(200));
        let bytes = text.as_bytes();
        let runs = Runs::default();
        let read = Cell::new(0);
        let digit = |b: u8| {
            read.set(read.get() + 1);
            b.is_ascii_digit()
        };
        for i in 2..302 {
            assert_eq!(runs.end(bytes, bytes.len(), i, digit), 302);
            assert_eq!(runs.end(bytes, 290, i.min(290), digit), 290);
            assert_eq!(runs.end(bytes, bytes.len(), 303, digit), bytes.len());
        }
        assert_eq!(runs.end(bytes, bytes.len(), 0, digit), 0);
        assert!(read.get() < 900 * (SHORT + 2) + 600, "{}", read.get());
    }
}

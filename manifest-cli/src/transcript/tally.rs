//! What a reading noticed besides the text: counts, each with a name and the first line.

use serde::Serialize;
use std::collections::BTreeMap;

/// Broken lines that are listed one by one; all are counted.
const LISTED: usize = 20;
/// Names that are kept apart in one table; hostile input gets no more.
const NAMES: usize = 200;

/// How often, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Seen {
    /// How often.
    pub(crate) count: u64,
    /// First line, from 1.
    pub(crate) line: u64,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BrokenLine {
    /// Its number, from 1.
    pub(crate) line: u64,
    /// What is wrong with it; never its text.
    pub(crate) reason: String,
}

/// What a reading noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    /// Lines read.
    pub(crate) lines: u64,
    /// Bytes read, unpacked.
    pub(crate) bytes: u64,
    /// Types that no reader knows; their text is kept.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) unknown: BTreeMap<String, Seen>,
    /// Types that are known to repeat what stands elsewhere, or to hold no text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) skipped: BTreeMap<String, Seen>,
    /// Parts that hold something other than text: images, encrypted reasoning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) opaque: BTreeMap<String, Seen>,
    /// Lines that could not be read.
    pub(crate) broken: u64,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) broken_lines: Vec<BrokenLine>,
    /// Lines over the limit, passed over; among the broken ones.
    pub(crate) long_lines: u64,
    /// The line in which the source ends before the record does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<u64>,
    /// Halves of surrogate pairs, kept as U+FFFD.
    pub(crate) lone_surrogates: u64,
    /// Stretches of invalid UTF-8, kept as U+FFFD.
    pub(crate) invalid_utf8: u64,
    /// NUL bytes.
    pub(crate) nul_bytes: u64,
    /// Records of side chains: sub-tasks, whose result stands in the main chain.
    pub(crate) side_chain: u64,
    /// Records that repeat one with the same id.
    pub(crate) repeated: u64,
    /// Calls whose result never came.
    pub(crate) calls_without_result: u64,
    /// Results whose call was not seen.
    pub(crate) results_without_call: u64,
    /// Records that were understood; 0 says that this is no transcript.
    #[serde(skip)]
    pub(crate) understood: u64,
}

impl Tally {
    /// A line that could not be read, and why.
    pub(crate) fn broken(&mut self, line: u64, reason: String) {
        self.broken += 1;
        if self.broken_lines.len() < LISTED {
            self.broken_lines.push(BrokenLine { line, reason });
        }
    }

    /// A line of `length` bytes, `nul` of them NUL, that is over the limit.
    pub(crate) fn too_long(&mut self, line: u64, length: u64, nul: u64) {
        self.long_lines += 1;
        let what = if nul == length { " of NUL" } else { "" };
        self.broken(line, format!("{}{what} in one line, over --max-line", super::error::bytes(length)));
    }

    /// A type that no reader knows.
    pub(crate) fn unknown(&mut self, name: &str, line: u64) {
        see(&mut self.unknown, name, line);
    }

    /// A type that is known and left out.
    pub(crate) fn skip(&mut self, name: &str, line: u64) {
        see(&mut self.skipped, name, line);
    }

    /// A part that is no text.
    pub(crate) fn opaque(&mut self, name: &str, line: u64) {
        see(&mut self.opaque, name, line);
    }
}

fn see(table: &mut BTreeMap<String, Seen>, name: &str, line: u64) {
    let name: String = name.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let known = table.contains_key(&name);
    let full = table.len() >= NAMES;
    let seen = match (known, full) {
        (false, true) => table.entry("(other)".to_owned()).or_default(),
        _ => table.entry(name).or_default(),
    };
    if seen.count == 0 {
        seen.line = line;
    }
    seen.count += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_the_first_line_and_stay_bounded() {
        let mut tally = Tally::default();
        for i in 0..5_000u64 {
            tally.unknown(&format!("type-{i}"), i + 1);
            tally.broken(i + 1, "no".to_owned());
        }
        tally.unknown("type-3", 9_999);
        assert_eq!(tally.unknown["type-3"], Seen { count: 2, line: 4 });
        assert!(tally.unknown.len() <= NAMES + 1);
        assert_eq!(tally.unknown.values().map(|s| s.count).sum::<u64>(), 5_001);
        assert_eq!((tally.broken, tally.broken_lines.len()), (5_000, LISTED));
    }
}

//! Which of two values took the other's place, and where the parent tells it the other way round: "from 49 to 53",
//! "53, not 49", "53 (corrected from 49)".

use super::binding::{Sort, family};
use super::parent::Text;
use super::statement::{Candidate, Difference};
use super::wording::core;
use crate::fact::{Class, Fact};
use crate::text::{Span, words};
use rustc_hash::FxHashMap;

/// Pairs of a parent that are watched.
const MOST: usize = 64;
/// Bytes between two values that one phrase can hold.
const PHRASE: usize = 48;
/// Words that may stand between two values of which one took the other's place.
const BETWEEN: &[&str] = &[
    "and",
    "as",
    "been",
    "but",
    "changed",
    "corrected",
    "decreased",
    "down",
    "first",
    "given",
    "has",
    "increased",
    "instead",
    "is",
    "it",
    "lowered",
    "raised",
    "rather",
    "read",
    "reduced",
    "reported",
    "set",
    "that",
    "the",
    "then",
    "up",
    "which",
];
/// Words right before a value that is given up for another one.
const GIVEN_UP: &[&str] =
    &["not", "was", "were", "previously", "formerly", "originally", "initially", "earlier", "from"];

/// Words before "from … to …" that make of two values the ends of a range.
const RANGES: &[&str] = &["range", "ranges", "ranged", "ranging", "vary", "varies", "anywhere", "is", "are"];

/// Two values of one sort in a sentence, by their facts: the second took the place of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Replacement {
    pub(super) old: usize,
    pub(super) new: usize,
}

/// What took the place of what in a text.
pub(super) fn replacements(text: &Text<'_>) -> Vec<Replacement> {
    let folded = &*text.reading.normal.text;
    let facts = &text.reading.facts;
    let valued = |f: &Fact| {
        let ranged = |whole: usize| facts.get(whole).is_some_and(|w| w.class == Class::Range);
        family(f.class).is_some() && f.whole.is_none_or(ranged)
    };
    let mut out = Vec::new();
    let mut before: Option<(usize, &Fact)> = None;
    for (j, y) in facts.iter().enumerate().filter(|(_, f)| valued(f)) {
        let Some((i, x)) = before.replace((j, y)) else { continue };
        let gap = Span::new(x.at.end, y.at.start.max(x.at.end));
        if gap.len() > PHRASE
            || x.key == y.key
            || x.at.overlaps(y.at)
            || !Sort::of(text, x).same(&Sort::of(text, y))
        {
            continue;
        }
        match forward(folded, x.at, gap) {
            Some(true) => out.push(Replacement { old: i, new: j }),
            Some(false) => out.push(Replacement { old: j, new: i }),
            None => {}
        }
    }
    out
}

/// Whether the first of two values was there before the second, if the words around them tell.
fn forward(text: &str, first: Span, gap: Span) -> Option<bool> {
    let between = gap.of(text);
    if between.contains(['\n', '|', ';']) || between.contains(". ") {
        return None;
    }
    if matches!(between.trim_matches([' ', '`', '*']), "→" | "->" | "=>" | "⟶") {
        return Some(true);
    }
    let lower: Vec<String> = words(text, gap).iter().map(|w| w.at.of(text).to_lowercase()).collect();
    let mut from = first.start.saturating_sub(PHRASE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let head = words(text, Span::new(from, first.start));
    let lead = head.last().map(|w| w.at.of(text).to_lowercase()).unwrap_or_default();
    let (last, rest) = lower.split_last()?;
    let plain = rest.iter().all(|w| BETWEEN.contains(&&**w));
    if !plain || lower.len() > 5 {
        return None;
    }
    match (&*lead, &**last) {
        ("from", "to") => {
            let verb = head.iter().rev().nth(1).map(|w| w.at.of(text).to_lowercase()).unwrap_or_default();
            (!RANGES.contains(&&*verb)).then_some(true)
        }
        ("was" | "were", "now") => Some(true),
        // "Not 49 from 53" tells nothing of the two.
        ("not" | "from" | "was" | "were", _) => None,
        (_, "of") => rest.last().is_some_and(|w| w == "instead").then_some(false),
        (_, "than") => rest.last().is_some_and(|w| w == "rather").then_some(false),
        (_, "as") => rest.iter().any(|w| w == "first").then_some(false),
        (_, last) => GIVEN_UP.contains(&last).then_some(false),
    }
}

/// A replacement that the parent tells.
#[derive(Clone, Debug)]
struct Told {
    at: Span,
    /// What else its sentence holds, sorted.
    items: Vec<u64>,
    agrees: bool,
    against: Option<Candidate>,
}

/// The replacements that a parent tells, watched while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replaced {
    told: FxHashMap<(u64, u64), Told>,
}

impl Replaced {
    /// Watches the sentences of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut told = FxHashMap::default();
        for replacement in replacements(parent).into_iter().take(MOST) {
            let Some((old, new, at, items)) = read(parent, replacement) else { continue };
            told.entry((old, new)).or_insert(Told { at, items, agrees: false, against: None });
        }
        Replaced { told }
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, child: usize, text: &Text<'_>) {
        if self.told.is_empty() {
            return;
        }
        for replacement in replacements(text) {
            let Some((old, new, at, items)) = read(text, replacement) else { continue };
            if let Some(told) = self.told.get_mut(&(old, new)) {
                told.agrees = true;
            }
            let Some(told) = self.told.get_mut(&(new, old)).filter(|told| told.against.is_none()) else {
                continue;
            };
            // Of one thing: half of the words of the one with fewer are the other's too.
            let common = items.iter().filter(|item| told.items.binary_search(item).is_ok()).count();
            if 2 * common >= items.len().min(told.items.len()) {
                told.against = Some(Candidate {
                    child,
                    span: text.reading.normal.source(at),
                    text: text.shown(at).into(),
                    likeness: 1.0,
                    difference: Some(Difference::Replaced),
                    here: Some(told.at),
                });
            }
        }
    }

    /// Whether the parent tells that `new` took the place of `old`, and nowhere the other way round.
    pub(super) fn tells(&self, old: u64, new: u64) -> bool {
        self.told.contains_key(&(old, new)) && !self.told.contains_key(&(new, old))
    }

    /// The stretches that tell a replacement the other way round than the children do, with what a child says.
    pub(crate) fn turned(&self) -> impl Iterator<Item = (Span, &Candidate)> {
        self.told
            .values()
            .filter(|told| !told.agrees)
            .filter_map(|told| Some((told.at, told.against.as_ref()?)))
    }
}

/// The keys of a replacement, the clause that it stands in, and what else stands there.
fn read(text: &Text<'_>, replacement: Replacement) -> Option<(u64, u64, Span, Vec<u64>)> {
    let (old, new) = (text.reading.facts.get(replacement.old)?, text.reading.facts.get(replacement.new)?);
    let both = Span::new(old.at.start.min(new.at.start), old.at.end.max(new.at.end));
    let all = &text.statements.all;
    let first = all.partition_point(|s| s.at.end <= both.start);
    let (mut at, mut items) = (both, Vec::new());
    for statement in all.iter().skip(first).take_while(|s| s.at.start < both.end) {
        at = Span::new(at.start.min(statement.at.start), at.end.max(statement.at.end));
        items.extend(text.statements.words_of(statement).iter().map(|w| w.stem));
    }
    items.sort_unstable();
    items.dedup();
    Some((old.key, new.key, core(&text.reading.normal.text, at), items))
}

#[cfg(test)]
mod tests {
    use super::super::statement::tests::altered;
    use crate::{ConflictState, Policy, check};

    #[test]
    fn a_correction_told_the_other_way_round() {
        for child in [
            "Correction: the seal gap is 53 mm, not 49 mm.",
            "The seal gap is 53 mm instead of 49 mm.",
            "The seal gap went from 49 mm to 53 mm.",
            "The seal gap was 49 mm and is now 53 mm.",
        ] {
            for turned in [
                "The seal gap is 49 mm, not 53 mm.",
                "The seal gap is 49 mm (corrected from 53 mm).",
                "The seal gap was corrected from 53 mm to 49 mm.",
                "Seal gap: 53 mm → 49 mm",
            ] {
                assert_eq!(altered(child, turned).len(), 1, "{child} {turned}");
            }
            for kept in [
                "The seal gap is 53 mm, not 49 mm.",
                "The seal gap is 53 mm (corrected from 49 mm).",
                "Seal gap: 49 mm → 53 mm",
                "The seal gap is now 53 mm (was 49 mm).",
            ] {
                assert!(altered(child, kept).is_empty(), "{child} {kept}");
            }
        }
    }

    #[test]
    fn there_and_back_is_told_either_way() {
        let child = "The seal gap went from 49 mm to 53 mm. Later the seal gap went from 53 mm to 49 mm.";
        assert!(altered(child, "The seal gap went from 53 mm to 49 mm.").is_empty());
        assert!(altered(child, "The seal gap went from 49 mm to 53 mm.").is_empty());
    }

    #[test]
    fn two_things_with_the_same_values_are_two() {
        let child = "The seal gap went from 49 mm to 53 mm.";
        assert!(altered(child, "The tank level went from 53 mm to 49 mm.").is_empty());
    }

    #[test]
    fn the_earlier_value_told_as_the_later_one_is_stale() {
        let children =
            ["The gap of the east seal is 49 mm.", "The gap of the east seal was raised to 53 mm."];
        let states = |parent: &str| -> Vec<ConflictState> {
            check(&children, parent, &Policy::exact()).conflicts.into_iter().map(|c| c.state).collect()
        };
        assert_eq!(states("The gap of the east seal went from 49 mm to 53 mm."), [ConflictState::Superseded]);
        assert_eq!(states("The gap of the east seal went from 53 mm to 49 mm."), [ConflictState::Stale]);
        assert_eq!(states("The gap of the east seal is now 49 mm (was 53 mm)."), [ConflictState::Stale]);
    }

    #[test]
    fn what_a_correction_gives_up_is_the_earlier_side() {
        let children =
            ["The gap of the east seal is 49 mm.", "No, the gap of the east seal is 53 mm, not 49 mm."];
        let report = check(&children, "The gap of the east seal is 49 mm.", &Policy::exact());
        assert_eq!(report.conflicts.first().map(|c| c.state), Some(ConflictState::Stale));
        let report =
            check(&children, "The gap of the east seal is 53 mm (corrected from 49 mm).", &Policy::exact());
        assert!(report.verdict.is_commit(), "{report:?}");
    }
}

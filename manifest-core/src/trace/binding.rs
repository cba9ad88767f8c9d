//! Which value stands with which subject: a value of the parent that the children bind elsewhere.

use super::parent::{Index, Text};
use super::statement::{Candidate, Difference};
use super::wording::core;
use crate::fact::{Class, Fact, Measure, Value};
use crate::text::Span;
use std::ops::Range;

/// How much of a value's surroundings a child's segment must hold to speak about the same thing.
const SAME_SUBJECT: f64 = 0.6;
/// What a binding across segments of one sentence counts against one within a segment.
const LOOSE: f64 = 0.7;
/// How much of a child's segment the parent's must tell to bind the same thing.
const BACK: f64 = 0.6;
/// By how much the other binding must fit better than the best one that agrees.
const MARGIN: f64 = 0.3;

/// A value of the parent with what stands around it.
#[derive(Clone, Debug)]
struct Slot {
    /// Index of the fact in the parent's reading.
    fact: usize,
    key: u64,
    family: Family,
    /// What stands in its segment beside it, weighted by rarity in the parent.
    anchors: Vec<(u64, f64)>,
    total: f64,
    sort: Sort,
    /// What stands next to it in its segment.
    near: Option<u64>,
    /// Whether its segment is said to hold up to a point only, and the word that bounds it by the value.
    until: bool,
    lead: Option<&'static str>,
    /// Keys that the parent tells in the same segment: what stands beside the value is not told in its place.
    told: Vec<u64>,
    /// The best share of anchors that a child's segment with this value holds.
    same: f64,
    /// The best share that a child's segment with another value of the family holds.
    other: f64,
    /// That segment.
    at: Option<Candidate>,
}

/// Values that can stand in each other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    Amount,
    Opaque,
    Place,
    Moment,
}

/// The family of a class, for classes whose values are bound to subjects.
pub(crate) fn family(class: Class) -> Option<Family> {
    Some(match class {
        Class::Quantity | Class::Number | Class::Percentage | Class::Money => Family::Amount,
        Class::Uuid
        | Class::Digest
        | Class::Identifier
        | Class::Ticket
        | Class::ErrorCode
        | Class::Version => Family::Opaque,
        Class::Address | Class::Path | Class::Url => Family::Place,
        Class::Date | Class::Time | Class::Instant => Family::Moment,
        _ => return None,
    })
}

impl Slot {
    /// Share of the anchors among some items, sorted.
    fn share(&self, items: &[u64]) -> f64 {
        let held = self.anchors.iter().filter(|(item, _)| items.binary_search(item).is_ok());
        held.map(|(_, w)| w).sum::<f64>() / self.total
    }

    /// Whether a child's segment holds enough of what stands around the value: what is next to it, and two things in
    /// all, or everything there is.
    fn is_framed(&self, items: &[u64]) -> bool {
        let held = self.anchors.iter().filter(|(item, _)| items.binary_search(item).is_ok()).count();
        self.near.is_none_or(|near| items.binary_search(&near).is_ok())
            && (held >= 2 || held == self.anchors.len())
    }

    /// Whether a child's segment speaks of another time than the parent's: it is bounded where that is not ("until the
    /// end"), or the value itself bounds it on another side ("since 2.4", "with 2.7").
    fn is_of_another_time(&self, text: &Text<'_>, segment: Span, rival: &Fact) -> bool {
        let folded = &*text.reading.normal.text;
        let bounded = matches!(rival.class, Class::Version | Class::Date | Class::Time | Class::Instant);
        self.until != ends(folded, segment) || bounded && self.lead != lead(folded, rival)
    }

    /// Share of a child's segment, without its rival value, that the parent's segment tells too.
    fn told_share(&self, items: &[u64], rival: u64) -> f64 {
        let rest = items.iter().filter(|i| **i != rival);
        let told = rest.clone().filter(|i| self.told.binary_search(i).is_ok()).count();
        told as f64 / rest.count().max(1) as f64
    }

    /// The value that stands in this one's place: of its kind, and not told beside it. A list of several binds none.
    fn rival<'f>(&self, text: &Text<'_>, facts: &'f [Fact]) -> Option<&'f Fact> {
        // Of its kind, told by the parent or not: where one that is told stands, it is the one that is bound.
        let mut rivals = facts.iter().filter(|f| {
            f.whole.is_none()
                && !f.marker
                && family(f.class) == Some(self.family)
                && self.sort.same(&Sort::of(text, f))
        });
        let rival = rivals.next()?;
        (rivals.next().is_none() && self.told.binary_search(&rival.key).is_err()).then_some(rival)
    }
}

/// The word or fact next to a value in its segment: the one before it, else the one after it.
fn nearest(text: &Text<'_>, fact: &Fact, words: Range<usize>, facts: Range<usize>) -> Option<u64> {
    let words = text.statements.words.get(words).unwrap_or_default();
    let facts = text.reading.facts.get(facts).unwrap_or_default();
    let around = words
        .iter()
        .map(|w| (w.at, w.stem))
        .chain(facts.iter().filter(|f| f.whole.is_none() && !f.at.overlaps(fact.at)).map(|f| (f.at, f.key)));
    let before = around.clone().filter(|(at, _)| at.end <= fact.at.start).max_by_key(|(at, _)| at.start);
    before
        .or_else(|| around.filter(|(at, _)| at.start >= fact.at.end).min_by_key(|(at, _)| at.start))
        .map(|(_, item)| item)
}

/// Whether a stretch is said to hold up to a point only.
fn ends(text: &str, at: Span) -> bool {
    let mut words = at.of(text).split(|c: char| !c.is_alphanumeric());
    words.any(|w| matches!(w.to_ascii_lowercase().as_str(), "until" | "till" | "bis" | "jusqu" | "hasta"))
}

/// The word before a value that puts it at one end of a time.
fn lead(text: &str, fact: &Fact) -> Option<&'static str> {
    let before = text.get(..fact.at.start)?.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    ["since", "until", "before", "after", "from", "seit", "bis", "depuis", "desde"]
        .into_iter()
        .find(|lead| word.eq_ignore_ascii_case(lead))
}

/// The kinds of characters of a token, in order: `pg-ledger-3` is `a-a-0`.
fn shape(token: &str) -> String {
    let mut out = String::new();
    for c in token.chars() {
        let kind = if c.is_ascii_digit() {
            '0'
        } else if c.is_alphabetic() {
            'a'
        } else {
            c
        };
        if !out.ends_with(kind) || !matches!(kind, '0' | 'a') {
            out.push(kind);
        }
    }
    out
}

/// What a value is of: its class, what it measures, and for identifiers its letters, digits and separators without
/// their lengths. Values of one sort can stand in each other's place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sort {
    class: Class,
    kind: Kind,
    shape: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Any,
    Measure(Measure),
    Currency([u8; 3]),
}

impl Sort {
    /// The sort of a fact.
    pub(crate) fn of(text: &Text<'_>, fact: &Fact) -> Self {
        let kind = match fact.value {
            Value::Quantity(_, measure) => Kind::Measure(measure),
            Value::Money(_, currency) => Kind::Currency(currency),
            _ => Kind::Any,
        };
        // Hexadecimal digits have no shape.
        let shaped = matches!(fact.class, Class::Identifier | Class::Ticket | Class::ErrorCode | Class::Path);
        let shape = if shaped { shape(fact.at.of(&text.reading.normal.text)) } else { String::new() };
        Sort { class: fact.class, kind, shape }
    }

    /// Whether two values can stand in each other's place.
    pub(crate) fn same(&self, other: &Sort) -> bool {
        self == other
    }
}

/// Whose value the one of two is, where one clause tells two owners and then their values.
#[derive(Clone, Copy, Debug)]
struct Owner {
    fact: usize,
    /// Where the owner stands.
    at: Span,
    /// The key of the other's value.
    other: u64,
}

/// The owners of two values in "the lag of the east pump and the west pump is 40 mm and 60 mm, respectively".
fn respective(text: &Text<'_>, at: Span, facts: Range<usize>) -> Option<[Owner; 2]> {
    let folded = &*text.reading.normal.text;
    let after = folded.get(at.end..)?.trim_start_matches([',', ' ']);
    let told = |text: &str| {
        ["respectively", "beziehungsweise", "respectivement", "respectivamente"]
            .iter()
            .any(|w| text.starts_with(w))
    };
    let own = at.of(folded).trim_end_matches(['.', ' ']);
    if !told(after) && !own.rsplit(' ').next().is_some_and(told) {
        return None;
    }
    let here = text.reading.facts.get(facts.clone())?;
    let mut values =
        (facts.start..).zip(here).filter(|(_, f)| f.whole.is_none() && family(f.class).is_some());
    let ((i, first), (j, second)) = (values.next()?, values.next()?);
    if values.next().is_some() || family(first.class) != family(second.class) {
        return None;
    }
    let owners = folded.get(at.start..first.at.start)?;
    let (split, _) =
        [" and ", " und ", " et ", " y "].into_iter().find_map(|w| Some((owners.find(w)?, w)))?;
    let middle = at.start + split;
    Some([
        Owner { fact: i, at: Span::new(at.start, middle), other: second.key },
        Owner { fact: j, at: Span::new(middle, first.at.start), other: first.key },
    ])
}

/// Keys of a fact and of those that overlap it.
fn overlapping(facts: &[Fact], i: usize) -> Vec<u64> {
    let Some(fact) = facts.get(i) else { return Vec::new() };
    facts.iter().skip(i).take_while(|f| f.at.start < fact.at.end).map(|f| f.key).collect()
}

/// The items of all statements of one sentence, sorted.
fn sentence_items(text: &Text<'_>, sentence: usize) -> Vec<u64> {
    let first = text.statements.all.partition_point(|s| s.sentence < sentence);
    let mut items: Vec<u64> = Vec::new();
    for statement in text.statements.all.iter().skip(first).take_while(|s| s.sentence == sentence) {
        items.extend(text.items_of(statement));
    }
    items.sort_unstable();
    items.dedup();
    items
}

/// The values of the parent, watched while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    slots: Vec<Slot>,
    /// One a segment of the parent.
    frames: Vec<Frame>,
}

/// A segment of the parent.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// Its values.
    slots: Range<usize>,
    /// All that stands in it, weighted by rarity in the parent, where it has values.
    items: Vec<(u64, f64)>,
}

impl Frame {
    /// What it has in common with other items, sorted: none of its values has more around it.
    fn common(&self, items: &[u64]) -> f64 {
        self.items
            .iter()
            .filter(|(item, _)| items.binary_search(item).is_ok())
            .map(|(_, weight)| weight)
            .sum()
    }
}

impl Bindings {
    /// Watches the values of a parent.
    pub(crate) fn of(parent: &Text<'_>, index: &Index) -> Self {
        let mut out = Bindings::default();
        for segment in &parent.segments {
            let first = out.slots.len();
            let items = parent.items(segment.words.clone(), segment.facts.clone());
            let weigh = |item: &u64| {
                let n = index.segments.get(item).map_or(1, Vec::len).max(1);
                (*item, 1.0 / n as f64)
            };
            let owners = respective(parent, segment.at, segment.facts.clone());
            for i in segment.facts.clone() {
                let Some(fact) = parent.reading.facts.get(i).filter(|f| f.whole.is_none()) else { continue };
                let Some(family) = family(fact.class) else { continue };
                // "A two", "one of them": a number in letters alone is hardly ever what a sentence is about.
                if !fact.at.of(&parent.reading.normal.text).bytes().any(|b| b.is_ascii_digit())
                    && family == Family::Amount
                {
                    continue;
                }
                let own = overlapping(&parent.reading.facts, i);
                let owner = owners.as_ref().and_then(|both| both.iter().find(|owner| owner.fact == i));
                let (anchors, near, told): (Vec<(u64, f64)>, _, _) = if let Some(owner) = owner {
                    let told: Vec<u64> = items.iter().copied().filter(|item| *item != owner.other).collect();
                    let words = parent.statements.words.get(segment.words.clone()).unwrap_or_default();
                    let mut words = words.iter().filter(|w| owner.at.contains(w.at)).map(|w| w.stem);
                    let mut here: Vec<u64> = words.clone().collect();
                    here.sort_unstable();
                    here.dedup();
                    (here.iter().map(weigh).collect(), words.next_back(), told)
                } else {
                    let anchors = items.iter().filter(|item| !own.contains(item)).map(weigh).collect();
                    let near = nearest(parent, fact, segment.words.clone(), segment.facts.clone());
                    (anchors, near, items.clone())
                };
                let total = anchors.iter().map(|(_, w)| w).sum();
                if anchors.is_empty() || anchors.len() > 40 {
                    continue;
                }
                out.slots.push(Slot {
                    fact: i,
                    key: fact.key,
                    family,
                    sort: Sort::of(parent, fact),
                    near,
                    until: ends(&parent.reading.normal.text, segment.at),
                    lead: lead(&parent.reading.normal.text, fact),
                    told,
                    anchors,
                    total,
                    same: 0.0,
                    other: 0.0,
                    at: None,
                });
            }
            let slots = first..out.slots.len();
            let items = if slots.is_empty() { Vec::new() } else { items.iter().map(weigh).collect() };
            out.frames.push(Frame { slots, items });
        }
        out
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, child: usize, text: &Text<'_>, index: &Index) {
        let mut touched: Vec<u32> = Vec::new();
        let mut sentence: (usize, Vec<u64>) = (usize::MAX, Vec::new());
        for segment in &text.segments {
            let items = text.items(segment.words.clone(), segment.facts.clone());
            Index::nearest(&index.segments, &items, &mut touched);
            let near = touched.iter().filter_map(|t| self.frames.get(*t as usize));
            let near = near.filter(|frame| !frame.slots.is_empty()).flat_map(|frame| {
                let common = frame.common(&items);
                frame.slots.clone().map(move |slot| (slot, common))
            });
            for (slot, common) in near {
                let Some(slot) = self.slots.get_mut(slot) else { continue };
                if items.binary_search(&slot.key).is_ok() {
                    // In its own segment the value is bound; elsewhere in the sentence it is bound more loosely.
                    if sentence.0 != segment.sentence {
                        sentence = (segment.sentence, sentence_items(text, segment.sentence));
                    }
                    let (close, loose) = (slot.share(&items), LOOSE * slot.share(&sentence.1));
                    slot.same = slot.same.max(close).max(loose);
                    continue;
                }
                if common + 1e-9 < SAME_SUBJECT * slot.total {
                    continue;
                }
                let share = slot.share(&items);
                if share <= slot.other {
                    continue;
                }
                let facts = text.reading.facts.get(segment.facts.clone()).unwrap_or_default();
                let Some(rival) = slot.rival(text, facts) else { continue };
                if slot.is_of_another_time(text, segment.at, rival) {
                    continue;
                }
                // Both ways: the child's segment must be about little else.
                if slot.told_share(&items, rival.key) < BACK || !slot.is_framed(&items) {
                    continue;
                }
                slot.other = share;
                slot.at = Some(Candidate {
                    child,
                    span: text.reading.normal.source(core(&text.reading.normal.text, segment.at)),
                    text: text.shown(core(&text.reading.normal.text, segment.at)).into(),
                    likeness: share,
                    difference: Some(Difference::Binding(
                        format!("it to `{}`", rival.span.of(text.reading.text)).into(),
                    )),
                    here: None,
                });
            }
        }
    }

    /// The values that the children bind to something else: index of the fact in the parent, and what they say.
    pub(crate) fn swapped(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        self.slots.iter().filter_map(|slot| {
            let at = slot.at.as_ref()?;
            (slot.other >= SAME_SUBJECT && slot.same <= slot.other - MARGIN).then_some((slot.fact, at))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Code, Policy, check};

    fn altered(child: &str, parent: &str) -> usize {
        let report = check(&[child], parent, &Policy::remediation());
        report.orphans.iter().filter(|o| o.code == Code::StatementAltered).count()
    }

    #[test]
    fn another_time_is_another_statement() {
        let child = "On pump-1 cooling worked until the end.\npump-2: cooling ok, 4 of 4 rows";
        assert_eq!(altered(child, "Cooling works on pump-2."), 0);
        let child = "2.4.0  a seal set by hand is overwritten\nWith 2.7.1 a seal set by hand is overwritten at the next loop.";
        assert_eq!(altered(child, "Since 2.4.0 a seal set by hand is overwritten at the next loop."), 0);
    }

    #[test]
    fn a_value_bound_to_another_subject() {
        let child = "The gate cooling of pump-1 worked well.\nThe seal of pump-2 is new.";
        assert_eq!(altered(child, "The gate cooling of pump-2 worked well."), 1);
    }
    #[test]
    fn two_owners_and_their_values_respectively() {
        let child = "The lag of the east pump is 40 mm. The lag of the west pump is 60 mm.";
        let told = |a: &str, b: &str| {
            format!("The lag of the east pump and the west pump is {a} and {b}, respectively.")
        };
        assert_eq!(altered(child, &told("60 mm", "40 mm")), 1);
        assert_eq!(altered(child, &told("40 mm", "60 mm")), 0);
    }

    #[test]
    fn two_values_each_with_its_owner_in_one_clause() {
        let child = "The lag of the east pump is 40 mm. The lag of the west pump is 60 mm.";
        assert_eq!(altered(child, "The lag is 60 mm for the east pump and 40 mm for the west pump."), 2);
        assert_eq!(altered(child, "The lag is 40 mm for the east pump and 60 mm for the west pump."), 0);
        assert_eq!(altered(child, "The lag is 60 mm for the west pump and 40 mm for the east pump."), 0);
    }
}

//! Whether two clauses speak about the same thing and say something different of it.

use super::super::binding::Family;
use super::super::parent::Index;
use super::said::{Marks, Said, Slot, Told};
use crate::fact::statement::{Cues, negates_by_prefix, opposed};

/// Share of the frame that two clauses must have in common to speak about the same thing.
const SAME_FRAME: f64 = 0.6;
/// How many words one value weighs in what two clauses have in common.
pub(super) const VALUE: usize = 2;

/// In what two clauses differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Two values of one slot.
    Value(u64, u64),
    /// Two opposite words.
    Word(u64, u64),
    /// One negated.
    Polarity,
}

impl Kind {
    /// Whether the parent may tell it one-sidedly: it holds a side, or speaks of what the two have in common.
    pub(super) fn concerns(&self, a: &Said, b: &Said, index: &Index) -> bool {
        let told = |item: u64| index.statements.contains_key(&item);
        if let Kind::Value(x, y) | Kind::Word(x, y) = *self
            && (told(x) || told(y))
        {
            return true;
        }
        let mut words = (0, 0);
        for word in a.words.iter().filter(|w| b.words.binary_search(w).is_ok()) {
            words = (words.0 + 1, words.1 + usize::from(told(*word)));
        }
        for value in a.values.iter().filter(|v| b.values.iter().any(|w| w.key == v.key)) {
            words = (words.0 + VALUE, words.1 + VALUE * usize::from(told(value.key)));
        }
        2 * words.1 >= words.0
    }

    /// The same with its sides exchanged.
    pub(super) fn turned(&self) -> Kind {
        match self {
            Kind::Value(a, b) => Kind::Value(*b, *a),
            Kind::Word(a, b) => Kind::Word(*b, *a),
            Kind::Polarity => Kind::Polarity,
        }
    }
}

pub(super) fn differ(a: &Said, b: &Said) -> Option<Kind> {
    // "shard-06 stopped; 17 entries wait", "shard-11 stopped; 22 entries wait": each is about its own.
    let apart = !a.about.is_empty() && !b.about.is_empty() && in_common(&a.about, &b.about) == 0;
    if apart {
        return None;
    }
    let told_apart = Cues::CORRECTION.with(Cues::CONTRAST);
    let shared_words = in_common(&a.words, &b.words);
    let shared_values = a.values.iter().filter(|v| b.values.iter().any(|w| w.key == v.key)).count();
    // No kind of difference is looked for in clauses that have less in common.
    if 10 * (shared_words + 2 * shared_values) + 12 < 6 * a.words.len().max(b.words.len()) {
        return None;
    }
    let not_time = |v: &&Told| !matches!(v.slot, Slot::Of(Family::Moment, _));
    let (mut lv, mut rv): (Vec<&Told>, Vec<&Told>) =
        (only(a, b).filter(not_time).collect(), only(b, a).filter(not_time).collect());
    let mut exchanged = false;
    // Scripts without spaces give a word for every two characters.
    let least = if a.text.is_ascii() && b.text.is_ascii() { 0.5 } else { 0.2 };
    if lv.len() == 2 && rv.len() == 2 {
        if with_number(&lv) && with_number(&rv) {
            exchanged = b.cues.any(Cues::CHANGE);
            // A name with its number ("Falcon 9") is one value where both differ.
            lv.truncate(1);
            rv.truncate(1);
        } else if lv.iter().chain(&rv).filter(|v| v.slot == Slot::Name).count() == 2 {
            // Else the name says whose value it is.
            lv.retain(|v| v.slot != Slot::Name);
            rv.retain(|v| v.slot != Slot::Name);
        }
    }
    let many = several(a, b, &lv, &rv, shared_words);
    if many.is_some() {
        return many;
    }
    // Two values of one setting, in the same place.
    let bound = match (lv.as_slice(), rv.as_slice()) {
        ([x], [y]) => x.slot == y.slot && x.label.is_some() && x.label == y.label,
        _ => false,
    };
    let longest = a.words.len().max(b.words.len());
    let base = longest + 2 * shared_values;
    let frame = (shared_words + 2 * shared_values) as f64 / base.max(1) as f64;
    if shared_words + shared_values == 0 {
        return None;
    }
    // One slot differs and the rest is the same. One word in common is a frame only where there is nothing else.
    let framed = if a.marks.has(Marks::SPOKEN) || b.marks.has(Marks::SPOKEN) {
        // In a conversation most sentences share a few words; only a near repetition speaks of the same thing.
        shared_words >= 4 && frame >= 0.75
    } else {
        let alone = shared_words == longest && a.marks.has(Marks::TOLD) && b.marks.has(Marks::TOLD);
        (shared_words + shared_values >= 2 || alone) && frame >= SAME_FRAME
    };
    // Two log lines of two moments are two events; a name is a value only in a sentence that is else the same.
    let events = a.marks.has(Marks::LOGGED) && b.marks.has(Marks::LOGGED) && a.times != b.times;
    let named = lv.iter().any(|v| v.slot == Slot::Name) && (shared_words < 2 || frame < 0.7);
    if let ([x], [y]) = (lv.as_slice(), rv.as_slice())
        && !events
        && ((framed && !named || exchanged && frame >= least) && x.slot == y.slot && shared_words >= 1
            || bound && shared_words >= 1 && shared_words + shared_values >= 2)
    {
        return Some(Kind::Value(x.key, y.key));
    }
    let spoken = a.marks.has(Marks::SPOKEN) || b.marks.has(Marks::SPOKEN);
    let alike = shared_words + shared_values >= if spoken { 4 } else { 1 };
    let rest = longest - shared_words.min(longest);
    let one_polarity = a.marks.has(Marks::NEGATED) == b.marks.has(Marks::NEGATED);
    let mostly = (shared_words + shared_values) as f64
        >= 0.6 * (base.saturating_sub(1 + shared_values)) as f64
        || longest <= REST && named_alike(a, b);
    if alike
        && one_polarity
        && mostly
        && lv.is_empty()
        && rv.is_empty()
        && rest <= REST
        && (shared_words > 0 || named_alike(a, b))
    {
        for (x, xt) in a.surface.iter().filter(|(s, _)| b.words.binary_search(s).is_err()) {
            for (y, yt) in b.surface.iter().filter(|(s, _)| a.words.binary_search(s).is_err()) {
                if opposed(*x, *y) || negates_by_prefix(xt, yt) {
                    return Some(Kind::Word(*x, *y));
                }
            }
        }
    }
    if a.marks.has(Marks::NEGATED) != b.marks.has(Marks::NEGATED)
        && !a.marks.has(Marks::AROUND)
        && !b.marks.has(Marks::AROUND)
        && !a.cues.any(told_apart)
        && !b.cues.any(told_apart)
        && lv.is_empty()
        && rv.is_empty()
        && frame >= 0.8
        && shared_words >= if spoken { 4 } else { 2 }
        && !by_prefix(a, b)
    {
        return Some(Kind::Polarity);
    }
    // Only a time differs, and the sentence is about that time.
    if frame < 0.75 || shared_words < 2 || !lv.is_empty() || !rv.is_empty() {
        return None;
    }
    let (x, y) = (only_moment(a, b)?, only_moment(b, a)?);
    (x.slot == y.slot).then_some(Kind::Value(x.key, y.key))
}

/// Whether two clauses name one thing by its identifier.
fn named_alike(a: &Said, b: &Said) -> bool {
    let opaque = |v: &&Told| matches!(v.slot, Slot::Of(Family::Opaque, _));
    a.values.iter().filter(opaque).any(|v| b.values.iter().any(|w| w.key == v.key))
}

/// How many items two sorted lists without doubles share.
fn in_common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        n += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    n
}

/// The values of one clause that the other does not hold.
fn only<'s>(x: &'s Said, y: &'s Said) -> impl Iterator<Item = &'s Told> {
    x.values.iter().filter(|v| !y.values.iter().any(|w| w.key == v.key))
}

/// The moment that one clause alone names, if it is one.
fn only_moment<'s>(x: &'s Said, y: &'s Said) -> Option<&'s Told> {
    let mut moments = only(x, y).filter(|v| matches!(v.slot, Slot::Of(Family::Moment, _)));
    moments.next().filter(|_| moments.next().is_none())
}

/// Whether a word of one is a word of the other with a negating prefix ("not insured", "uninsured").
fn by_prefix(a: &Said, b: &Said) -> bool {
    let other = |x: &Said, y: &Said| {
        let mut unshared = x.surface.iter().filter(|(stem, _)| y.words.binary_search(stem).is_err());
        unshared.any(|(_, w)| y.surface.iter().any(|(_, v)| negates_by_prefix(w, v)))
    };
    other(a, b) || other(b, a)
}

/// Whether two clauses share so much that they tell one thing in two versions.
fn is_version(a: &Said, b: &Said, shared: usize) -> bool {
    shared >= ALIKE && 3 * shared >= 2 * a.words.len().max(b.words.len())
}

/// The words of a clause that may say whose value one of them is. In two versions of one long clause these are its
/// first words and those beside the value: another word elsewhere in it is only worded differently.
pub(super) fn scoping<'s>(of: &'s Said, other: &Said, value: u64) -> impl Iterator<Item = u64> + 's {
    let versions = is_version(of, other, in_common(&of.words, &other.words));
    let member = of.values.iter().find(|v| v.key == value).map_or(0..0, |v| v.member.clone());
    let words = of.surface.iter().enumerate();
    words
        .filter(move |(place, _)| !versions || *place < SUBJECT || member.contains(place))
        .map(|(_, (stem, _))| *stem)
}

/// In two clauses that are else the same, the first of several values that differ, each in its place.
fn several(a: &Said, b: &Said, left: &[&Told], right: &[&Told], shared: usize) -> Option<Kind> {
    if !is_version(a, b, shared) || a.marks.has(Marks::SPOKEN) || b.marks.has(Marks::SPOKEN) {
        return None;
    }
    let same_place = |x: &Told, y: &Told| {
        let one = |x: Option<u64>, y: Option<u64>| x.is_some() && x == y;
        let (before, after) = (one(x.beside.0, y.beside.0), one(x.beside.1, y.beside.1));
        let amount = matches!(x.slot, Slot::Of(Family::Amount, _));
        x.slot == y.slot && if amount { before || after } else { before && after }
    };
    left.iter().find_map(|x| {
        let mut placed = right.iter().filter(|y| same_place(x, y));
        let y = placed.next()?;
        placed.next().is_none().then_some(Kind::Value(x.key, y.key))
    })
}

/// Words that two clauses with opposite words may each have for themselves.
const REST: usize = 2;

/// Words at the head of a clause that say what it is about.
const SUBJECT: usize = 2;

/// Words in common of two clauses that tell one thing in two versions.
const ALIKE: usize = 6;

/// Whether two values are a name and the number right after it.
fn with_number(values: &[&Told]) -> bool {
    matches!(values, [name, number] if name.slot == Slot::Name
        && matches!(number.slot, Slot::Of(Family::Amount | Family::Opaque, _))
        && (name.at.end..=name.at.end + 1).contains(&number.at.start))
}

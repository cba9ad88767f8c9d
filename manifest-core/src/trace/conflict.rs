//! Children that state different values for one subject, attribute and scope.

use super::binding::{Family, family};
use super::parent::{Index, Text};
use crate::child::Role;
use crate::fact::Class;
use crate::fact::statement::{Cues, Statement, negates_by_prefix, opposed};
use crate::policy::Order;
use crate::report::{ConflictRow, ConflictState, Side};
use crate::text::{Sentence, Span};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Share of the frame that two clauses must have in common to speak about the same thing.
const SAME_FRAME: f64 = 0.6;
/// A word that stands in more clauses than this says nothing about which of them belong together.
const COMMON: usize = 64;
/// A clause of more items than this is a record, not a statement.
const LONGEST: usize = 24;

#[derive(Clone, Debug)]
struct Said {
    child: usize,
    /// The child that says the same last.
    last: usize,
    span: Span,
    text: Box<str>,
    /// Content words outside of asides, sorted; with the words themselves for opposites.
    words: Vec<u64>,
    surface: Vec<(u64, Box<str>)>,
    /// Values that may differ.
    values: Vec<(Slot, u64, Box<str>)>,
    /// Facts that belong to the frame: those that are no values of a family that differs.
    times: Vec<u64>,
    cues: Cues,
    negated: bool,
    aside: bool,
    /// Whether its first value is what something *is*: a copula, `=` or `:` stands before it.
    told: bool,
    /// Whether a moment to the second stands in it, as in a log.
    logged: bool,
    /// Whether it opens with the name of who speaks it.
    spoken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Of(Family, Class),
    Name,
}

/// The children's clauses, compared with each other as they go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflicts {
    said: Vec<Said>,
    by_item: FxHashMap<u64, Vec<u32>>,
    /// What was said word for word before, by its items.
    known: FxHashMap<u64, u32>,
    pairs: Vec<(u32, u32, Kind)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Two values of one slot.
    Value(u64, u64),
    /// Two opposite words.
    Word(u64, u64),
    /// One negated.
    Polarity,
}

/// Whether a clause has anything in common with the parent: a fact, or two words, or its only word.
fn shares(text: &Text<'_>, statement: &Statement, index: &Index) -> bool {
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let words = text.statements.words_of(statement);
    if words.len() + facts.len() > 2 * LONGEST {
        return false;
    }
    let held = words.iter().filter(|w| index.statements.contains_key(&w.stem)).take(2).count();
    held == 2 || held == 1 && words.len() < 3 || facts.iter().any(|f| index.statements.contains_key(&f.key))
}

impl Kind {
    /// Whether the parent may tell it one-sidedly: it holds a side, or speaks of what the two have in common.
    fn concerns(&self, a: &[u64], b: &[u64], index: &Index) -> bool {
        let told = |item: u64| index.statements.contains_key(&item);
        if let Kind::Value(x, y) | Kind::Word(x, y) = *self
            && (told(x) || told(y))
        {
            return true;
        }
        let shared = a.iter().filter(|w| b.binary_search(w).is_ok());
        let held = shared.clone().filter(|w| told(**w)).count();
        2 * held >= shared.count()
    }

    /// The same with its sides exchanged.
    fn turned(&self) -> Kind {
        match self {
            Kind::Value(a, b) => Kind::Value(*b, *a),
            Kind::Word(a, b) => Kind::Word(*b, *a),
            Kind::Polarity => Kind::Polarity,
        }
    }
}

/// Equal for clauses that say the same.
fn fingerprint(said: &Said) -> u64 {
    let mut hasher = FxHasher::default();
    said.words.hash(&mut hasher);
    for (_, key, _) in &said.values {
        key.hash(&mut hasher);
    }
    said.negated.hash(&mut hasher);
    hasher.finish()
}

impl Conflicts {
    /// Looks at one child. Clauses that share nothing with the parent are passed over: what the parent does not
    /// speak of it cannot tell one-sidedly.
    pub(crate) fn child(&mut self, child: usize, role: Role, text: &Text<'_>, index: &Index) {
        let dialogue = is_dialogue(text);
        for statement in &text.statements.all {
            if !shares(text, statement, index) {
                continue;
            }
            let Some(mut said) = said(child, text, statement) else { continue };
            // A log of a tool tells events: what a later line says differently has changed.
            if said.logged && role == Role::Tool {
                continue;
            }
            said.spoken |= dialogue;
            let items: Vec<u64> = said.words.iter().copied().chain(said.values.iter().map(|v| v.1)).collect();
            let words = said.words.iter().filter(|w| index.statements.contains_key(w)).count();
            let values = said.values.iter().filter(|v| index.statements.contains_key(&v.1)).count();
            // One word in common is chance in a long clause, and half of a short one.
            if values == 0 && words < 2 && 2 * words < said.words.len() {
                continue;
            }
            let same = fingerprint(&said);
            if let Some(before) = self.known.get(&same).and_then(|n| self.said.get_mut(*n as usize)) {
                before.last = child;
                continue;
            }
            let number = u32::try_from(self.said.len()).unwrap_or(u32::MAX);
            let mut near: Vec<u32> = Vec::new();
            for item in &items {
                if let Some(list) = self.by_item.get(item).filter(|l| l.len() <= COMMON) {
                    near.extend_from_slice(list);
                }
            }
            near.sort_unstable();
            // What shares one of many items is not about the same thing.
            let least = if items.len() > 4 { 2 } else { 1 };
            for run in near.chunk_by(|a, b| a == b).filter(|run| run.len() >= least) {
                let Some(other) = run.first() else { continue };
                let Some(earlier) = self.said.get(*other as usize).filter(|s| s.child != child) else {
                    continue;
                };
                if let Some(kind) = differ(earlier, &said)
                    && kind.concerns(&earlier.words, &said.words, index)
                {
                    self.pairs.push((*other, number, kind));
                }
            }
            for item in items {
                let list = self.by_item.entry(item).or_default();
                if list.len() <= COMMON {
                    list.push(number);
                }
            }
            self.known.insert(same, number);
            self.said.push(said);
        }
    }

    /// What became of each conflict in the parent.
    pub(crate) fn finish(&self, parent: &Text<'_>, order: Order) -> Vec<ConflictRow> {
        let mut rows = Vec::new();
        let mut told: FxHashSet<(u64, u64)> = FxHashSet::default();
        for (a, b, kind) in &self.pairs {
            let (Some(a), Some(b)) = (self.said.get(*a as usize), self.said.get(*b as usize)) else {
                continue;
            };
            // What was said last is what holds now, even if it was said before.
            let turned = a.last > b.last && order == Order::Sequence;
            let (a, b, kind) = if turned { (b, a, kind.turned()) } else { (a, b, kind.clone()) };
            if let Some(state) = state(a, b, &kind, parent, order) {
                let key = match &kind {
                    Kind::Value(x, y) | Kind::Word(x, y) => (*x, *y),
                    Kind::Polarity => (a.words.first().copied().unwrap_or(0), 0),
                };
                if told.insert(key) {
                    rows.push(row(a, b, state));
                }
            }
        }
        rows
    }
}

fn said(child: usize, text: &Text<'_>, statement: &Statement) -> Option<Said> {
    let folded = &*text.reading.normal.text;
    let asides = asides(folded, statement.at);
    let body = after_speaker(folded, statement.at);
    let outside = |at: Span| at.start >= body && !asides.iter().any(|a| a.contains(at));
    let mut words = Vec::new();
    let mut surface = Vec::new();
    for word in text.statements.words_of(statement).iter().filter(|w| outside(w.at)) {
        words.push(word.stem);
        surface.push((word.stem, word.at.of(folded).to_lowercase().into()));
    }
    let mut values = Vec::new();
    let mut times = Vec::new();
    let (mut logged, mut told) = (false, false);
    for fact in text.reading.facts.get(statement.facts.clone()).unwrap_or_default() {
        if !outside(fact.at) {
            continue;
        }
        if fact.whole.is_some() && !matches!(fact.class, Class::Number | Class::Version | Class::Quantity) {
            continue;
        }
        let slot = match fact.class {
            Class::Date | Class::Time | Class::Instant => {
                times.push(fact.key);
                logged |= fact.class != Class::Date && fact.at.len() >= 8;
                Slot::Of(Family::Moment, fact.class)
            }
            Class::Name => Slot::Name,
            class => match family(class) {
                Some(family) => Slot::Of(family, class),
                None => continue,
            },
        };
        told |= slot != Slot::Name && follows_copula(folded, fact.at);
        values.push((slot, fact.key, fact.span.of(text.reading.text).into()));
    }
    words.sort_unstable();
    words.dedup();
    let items = words.len() + values.len();
    if !(1..=LONGEST).contains(&items) {
        return None;
    }
    Some(Said {
        child,
        last: child,
        span: text.reading.normal.source(trimmed(folded, statement.at)),
        text: text.shown(trimmed(folded, statement.at)).into(),
        words,
        surface,
        values,
        times,
        cues: statement.cues,
        negated: statement.negated,
        aside: !asides.is_empty(),
        told,
        logged,
        spoken: body > statement.at.start,
    })
}

fn trimmed(text: &str, at: Span) -> Span {
    let body = at.of(text);
    let start = at.start + (body.len() - body.trim_start().len());
    let end = start + body.trim().trim_end_matches(['.', '。', ';', ',']).len();
    Span::new(start, end)
}

/// Whether a copula or a sign of assignment stands right before a value.
fn follows_copula(text: &str, at: Span) -> bool {
    let before = text.get(..at.start).unwrap_or_default().trim_end_matches([' ', '`', '*', '"', '\'', '$']);
    if before.ends_with(['=', ':', '：', '是', '为']) {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(
        word.to_ascii_lowercase().as_str(),
        "is" | "are" | "was" | "were" | "be" | "now" | "equals" | "became" | "becomes" | "to" | "at"
    )
}

/// Whether a text is a conversation: several of its sentences open with the name of who speaks them.
fn is_dialogue(text: &Text<'_>) -> bool {
    let folded = &*text.reading.normal.text;
    let spoken = |s: &&Sentence| after_speaker(folded, s.at) > s.at.start;
    text.reading.sentences.iter().filter(spoken).take(3).count() == 3
}

/// Where a clause begins after the name of who speaks it (`Grad E: …`, `Turn 4 Sales Agent: …`).
fn after_speaker(text: &str, at: Span) -> usize {
    let body = at.of(text);
    let Some(colon) = body.find(": ") else { return at.start };
    let name = &body[..colon];
    let capital =
        name.split_whitespace().all(|w| w.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    let known = matches!(name.to_ascii_lowercase().as_str(), "user" | "assistant" | "tool" | "system");
    if name.len() <= 40
        && !name.contains(['=', '/', '_'])
        && (capital && name.split_whitespace().count() >= 2 || known)
    {
        at.start + colon + 2
    } else {
        at.start
    }
}

/// Parenthesised stretches: they say where a statement is from, not what it says.
fn asides(text: &str, at: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut open = None;
    for (i, c) in at.of(text).char_indices() {
        match c {
            '(' | '（' | '[' => open = open.or(Some(at.start + i)),
            ')' | '）' | ']' => {
                if let Some(start) = open.take() {
                    out.push(Span::new(start, at.start + i + c.len_utf8()));
                }
            }
            _ => {}
        }
    }
    out
}

fn differ(a: &Said, b: &Said) -> Option<Kind> {
    let told_apart = Cues::CORRECTION.with(Cues::CONTRAST);
    let shared_words = a.words.iter().filter(|w| b.words.binary_search(w).is_ok()).count();
    let shared_values = a.values.iter().filter(|v| b.values.iter().any(|w| w.1 == v.1)).count();
    // No kind of difference is looked for in clauses that have less in common.
    if 10 * (shared_words + 2 * shared_values) + 12 < 6 * a.words.len().max(b.words.len()) {
        return None;
    }
    let only = |x: &Said, y: &Said| -> Vec<(Slot, u64)> {
        x.values.iter().filter(|v| !y.values.iter().any(|w| w.1 == v.1)).map(|v| (v.0, v.1)).collect()
    };
    let (left, right) = (only(a, b), only(b, a));
    let not_time = |v: &&(Slot, u64)| !matches!(v.0, Slot::Of(Family::Moment, _));
    let (lv, rv): (Vec<_>, Vec<_>) =
        (left.iter().filter(not_time).collect(), right.iter().filter(not_time).collect());
    let longest = a.words.len().max(b.words.len());
    let base = longest + 2 * shared_values;
    let frame = (shared_words + 2 * shared_values) as f64 / base.max(1) as f64;
    if shared_words + shared_values == 0 {
        return None;
    }
    // One slot differs and the rest is the same. One word in common is a frame only where there is nothing else.
    let framed = if a.spoken || b.spoken {
        // In a conversation most sentences share a few words; only a near repetition speaks of the same thing.
        shared_words >= 4 && frame >= 0.75
    } else {
        let alone = shared_words == longest && a.told && b.told;
        (shared_words + shared_values >= 2 || alone) && frame >= SAME_FRAME
    };
    // Two log lines of two moments are two events; a name is a value only in a sentence that is else the same.
    let events = a.logged && b.logged && a.times != b.times;
    let named = lv.iter().any(|v| v.0 == Slot::Name) && (shared_words < 2 || frame < 0.7);
    if framed
        && !events
        && !named
        && lv.len() == 1
        && rv.len() == 1
        && lv[0].0 == rv[0].0
        && shared_words >= 1
    {
        return Some(Kind::Value(lv[0].1, rv[0].1));
    }
    let spoken = a.spoken || b.spoken;
    let alike = shared_words + shared_values >= if spoken { 4 } else { 1 };
    if alike && (lv.is_empty() && rv.is_empty() || (frame >= SAME_FRAME && lv.len() == rv.len())) {
        for (x, xt) in a.surface.iter().filter(|(s, _)| b.words.binary_search(s).is_err()) {
            for (y, yt) in b.surface.iter().filter(|(s, _)| a.words.binary_search(s).is_err()) {
                if (opposed(*x, *y) || negates_by_prefix(xt, yt))
                    && a.negated == b.negated
                    && (shared_words + shared_values) as f64
                        >= 0.6 * (base.saturating_sub(1 + shared_values)) as f64
                {
                    return Some(Kind::Word(*x, *y));
                }
            }
        }
    }
    if a.negated != b.negated
        && !a.cues.any(told_apart)
        && !b.cues.any(told_apart)
        && lv.is_empty()
        && rv.is_empty()
        && frame >= 0.8
        && shared_words >= if spoken { 4 } else { 2 }
    {
        return Some(Kind::Polarity);
    }
    // Only a time differs, and the sentence is about that time.
    let (lt, rt): (Vec<_>, Vec<_>) = (
        left.iter().filter(|v| matches!(v.0, Slot::Of(Family::Moment, _))).collect(),
        right.iter().filter(|v| matches!(v.0, Slot::Of(Family::Moment, _))).collect(),
    );
    if frame >= 0.75
        && lv.is_empty()
        && rv.is_empty()
        && lt.len() == 1
        && rt.len() == 1
        && lt[0].0 == rt[0].0
        && shared_words >= 2
    {
        return Some(Kind::Value(lt[0].1, rt[0].1));
    }
    None
}

fn state(a: &Said, b: &Said, kind: &Kind, parent: &Text<'_>, order: Order) -> Option<ConflictState> {
    let frame: Vec<u64> = a.words.iter().copied().filter(|w| b.words.binary_search(w).is_ok()).collect();
    let about = |statement: &Statement| {
        let items = parent.items_of(statement);
        let held = frame.iter().filter(|w| items.binary_search(w).is_ok()).count();
        (held, items)
    };
    // Does the parent speak of it at all, and on which side?
    let mut speaks = false;
    let (mut says_a, mut says_b, mut past_a, mut marked, mut scoped) = (false, false, false, false, false);
    let mut third = false;
    let slot = match kind {
        Kind::Value(x, _) => a.values.iter().find(|v| v.1 == *x).map(|v| v.0),
        _ => None,
    };
    let scope: Vec<u64> = {
        let only = |x: &Said, y: &Said| {
            x.words.iter().filter(|w| y.words.binary_search(w).is_err()).copied().collect::<Vec<_>>()
        };
        let (mut sa, sb) = (only(a, b), only(b, a));
        let both = !sa.is_empty() && !sb.is_empty() && matches!(kind, Kind::Value(..));
        sa.extend(sb);
        if both { sa } else { Vec::new() }
    };
    for statement in &parent.statements.all {
        let (held, items) = about(statement);
        let has = |key: u64| items.binary_search(&key).is_ok();
        let enough = held as f64 >= 0.5 * frame.len() as f64;
        let close = held as f64 >= 0.75 * frame.len() as f64;
        let (here_a, here_b) = match kind {
            Kind::Value(x, y) | Kind::Word(x, y) => (has(*x), has(*y)),
            Kind::Polarity => {
                (enough && statement.negated == a.negated, enough && statement.negated == b.negated)
            }
        };
        if !enough && !here_a && !here_b {
            continue;
        }
        speaks |= enough;
        third |= close
            && parent.reading.facts.get(statement.facts.clone()).unwrap_or_default().iter().any(|f| {
                slot == family(f.class).map(|family| Slot::Of(family, f.class)) && f.whole.is_none()
            });
        let beside = frame.is_empty() || held >= 1 && 3 * held >= frame.len();
        if enough || beside && matches!(kind, Kind::Value(..)) {
            says_a |= here_a;
            says_b |= here_b;
        }
        past_a |= here_a && statement.cues.any(Cues::PAST.with(Cues::CHANGE));
        marked |= enough && statement.cues.any(Cues::CONTRAST);
        scoped |= (here_a || here_b) && scope.iter().any(|w| has(*w));
    }
    if !speaks && !(says_a || says_b) {
        return None;
    }
    let ranged = match kind {
        Kind::Value(x, y) => parent.reading.facts.iter().enumerate().any(|(i, f)| {
            f.class == Class::Range && {
                let ends: Vec<u64> =
                    parent.reading.facts.iter().filter(|p| p.whole == Some(i)).map(|p| p.key).collect();
                ends.contains(x) && ends.contains(y)
            }
        }),
        _ => false,
    };
    let two_sources = a.cues.any(Cues::SOURCE) && b.cues.any(Cues::SOURCE)
        || a.aside && b.aside
        || !a.times.is_empty() && a.times == b.times
        || (a.times.is_empty() != b.times.is_empty() && (a.aside || b.aside));
    let change = order == Order::Sequence && !two_sources;
    if says_a && says_b {
        if ranged && !marked {
            return Some(ConflictState::Collapsed);
        }
        return Some(if change { ConflictState::Superseded } else { ConflictState::Kept });
    }
    if marked && *kind == Kind::Polarity {
        return Some(ConflictState::Kept);
    }
    if scoped && (says_a || says_b) {
        return None;
    }
    if !scope.is_empty() && change && !(says_a || says_b) && !speaks {
        return None;
    }
    match (says_a, says_b) {
        (false, true) if change => Some(ConflictState::Superseded),
        (true, false) if change && past_a => None,
        (true, false) if change && !speaks => None,
        (true, false) if change => Some(ConflictState::Stale),
        (false, false) if !speaks => None,
        // Neither value of a change is told: both are lost, unless the parent tells a third one in their place.
        (false, false) if change && matches!(kind, Kind::Value(..)) && !third => None,
        _ => Some(ConflictState::Collapsed),
    }
}

fn row(a: &Said, b: &Said, state: ConflictState) -> ConflictRow {
    let side = |s: &Said| Side { child: s.child, text: s.text.to_string(), span: s.span };
    let subject = a
        .surface
        .iter()
        .filter(|(stem, _)| b.words.binary_search(stem).is_ok())
        .map(|(_, word)| &**word)
        .take(6)
        .collect::<Vec<_>>()
        .join(" ");
    ConflictRow { subject, attribute: None, state, sides: vec![side(a), side(b)] }
}

//! Children that state different values for one subject, attribute and scope.

use super::binding::{Family, family};
use super::parent::{Index, Text};
use super::required::Unstated;
use super::wording::{core, short};
use crate::child::Role;
use crate::fact::Class;
use crate::fact::statement::{Cues, Statement, cue_of, negates_by_prefix, opposed};
use crate::policy::Order;
use crate::report::{ConflictRow, ConflictState, Side};
use crate::text::{Sentence, Span, words};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Share of the frame that two clauses must have in common to speak about the same thing.
const SAME_FRAME: f64 = 0.6;
/// A word that stands in more clauses than this says nothing about which of them belong together.
const COMMON: usize = 64;
/// A clause of more items than this is a record, not a statement.
const LONGEST: usize = 24;

#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each tells one thing of a clause, and none follows from another"
)]
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
    values: Vec<Told>,
    /// Facts that belong to the frame: those that are no values of a family that differs.
    times: Vec<u64>,
    cues: Cues,
    negated: bool,
    /// Whether something around it negates or forbids.
    turned_around: bool,
    aside: bool,
    /// Whether its first value is what something *is*: a copula, `=` or `:` stands before it.
    told: bool,
    /// Whether a moment to the second stands in it, as in a log.
    logged: bool,
    /// Whether it opens with the name of who speaks it.
    spoken: bool,
}

/// One value of a clause.
#[derive(Clone, Debug)]
struct Told {
    slot: Slot,
    key: u64,
    /// The key that it is bound to by a sign (`timeout = 30`).
    label: Option<u64>,
    /// Where it stands in the clause's text.
    at: Span,
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
    for value in &said.values {
        value.key.hash(&mut hasher);
    }
    said.negated.hash(&mut hasher);
    hasher.finish()
}

impl Conflicts {
    /// Looks at one child. Clauses that share nothing with the parent are passed over: what the parent does not
    /// speak of it cannot tell one-sidedly.
    pub(crate) fn child(&mut self, child: usize, role: Role, text: &Text<'_>, index: &Index) {
        let dialogue = is_dialogue(text);
        let negating = text.negating();
        for (statement, negating) in text.statements.all.iter().zip(negating) {
            if !shares(text, statement, index) {
                continue;
            }
            let Some(mut said) = said(child, text, statement) else { continue };
            // A log of a tool tells events: what a later line says differently has changed.
            if said.logged && role == Role::Tool {
                continue;
            }
            said.spoken |= dialogue;
            said.turned_around = negating;
            // What stands nowhere in the parent joins no two clauses: the parent could not tell them one-sidedly.
            let mut items: Vec<u64> =
                said.words.iter().copied().chain(said.values.iter().map(|v| v.key)).collect();
            items.retain(|item| index.statements.contains_key(item));
            let values = said.values.iter().filter(|v| index.statements.contains_key(&v.key)).count();
            let words = items.len() - values;
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
            let mut reachable = false;
            for item in items {
                let list = self.by_item.entry(item).or_default();
                if list.len() <= COMMON {
                    list.push(number);
                    reachable = true;
                }
            }
            if reachable {
                self.known.insert(same, number);
                self.said.push(said);
            }
        }
    }

    /// What became of each conflict in the parent, and the sides that it does not tell where no value of theirs is lost.
    pub(crate) fn finish(
        &self,
        parent: &Text<'_>,
        index: &Index,
        order: Order,
    ) -> (Vec<ConflictRow>, Vec<Unstated>) {
        let mut rows = Vec::new();
        let mut gone = Vec::new();
        let mut told: FxHashSet<(u64, u64)> = FxHashSet::default();
        for (a, b, kind) in &self.pairs {
            let (Some(a), Some(b)) = (self.said.get(*a as usize), self.said.get(*b as usize)) else {
                continue;
            };
            // What was said last is what holds now, even if it was said before.
            let turned = a.last > b.last && order == Order::Sequence;
            let (a, b, kind) = if turned { (b, a, kind.turned()) } else { (a, b, kind.clone()) };
            if let Some((state, says_a, says_b)) = state(a, b, &kind, parent, index, order) {
                let key = match &kind {
                    Kind::Value(x, y) | Kind::Word(x, y) => (*x, *y),
                    Kind::Polarity => (a.words.first().copied().unwrap_or(0), 0),
                };
                if told.insert(key) {
                    rows.push(row(a, b, &kind, state));
                    let hidden = matches!(state, ConflictState::Collapsed | ConflictState::Stale)
                        && !matches!(kind, Kind::Value(..));
                    for (side, says) in [(a, says_a), (b, says_b)] {
                        if hidden && !says {
                            gone.push(Unstated {
                                child: side.child,
                                span: side.span,
                                text: side.text.clone(),
                            });
                        }
                    }
                }
            }
        }
        (rows, gone)
    }
}

fn said(child: usize, text: &Text<'_>, statement: &Statement) -> Option<Said> {
    // A clause this long is a record; reading it would cost more than it tells.
    if statement.words.len() + statement.facts.len() > 4 * LONGEST {
        return None;
    }
    let folded = &*text.reading.normal.text;
    let asides = asides(folded, statement.at);
    let body = after_speaker(folded, statement.at);
    // A record of fields is compared with no other: whose fields they are stands elsewhere.
    if statement.at.of(folded).contains("\":") {
        return None;
    }
    let told_by = source_end(folded, Span::new(body, statement.at.end));
    let outside = |at: Span| at.start >= body && !asides.iter().any(|a| a.contains(at));
    let mut words = Vec::new();
    let mut surface = Vec::new();
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    // A name is a value of its own, not two things in common.
    let named = |at: Span| facts.iter().any(|f| f.class == Class::Name && f.at.contains(at));
    for word in text.statements.words_of(statement).iter().filter(|w| outside(w.at) && !named(w.at)) {
        // Who says it is no part of what is said.
        if word.at.end <= told_by {
            continue;
        }
        words.push(word.stem);
        surface.push((word.stem, word.at.of(folded).to_lowercase().into()));
    }
    let mut values = Vec::new();
    let mut times = Vec::new();
    let (mut logged, mut told) = (false, false);
    for fact in facts {
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
            // The name of a setting is what a value is of.
            Class::Symbol | Class::EnvVar | Class::Flag => {
                words.push(fact.key);
                surface.push((fact.key, fact.at.of(folded).into()));
                continue;
            }
            class => match family(class) {
                Some(family) => Slot::Of(family, class),
                None => continue,
            },
        };
        told |= slot != Slot::Name && follows_copula(folded, fact.at);
        let label = super::table::label_of(folded, fact).map(|label| {
            let mut hasher = FxHasher::default();
            label.to_lowercase().hash(&mut hasher);
            hasher.finish()
        });
        values.push(Told { slot, key: fact.key, label, at: fact.span });
    }
    words.sort_unstable();
    words.dedup();
    let items = words.len() + values.len();
    if !(1..=LONGEST).contains(&items) {
        return None;
    }
    let told_at = core(folded, statement.at);
    let span = text.reading.normal.source(told_at);
    for value in &mut values {
        value.at =
            Span::new(value.at.start.saturating_sub(span.start), value.at.end.saturating_sub(span.start));
    }
    Some(Said {
        child,
        last: child,
        span,
        text: text.shown(told_at).into(),
        words,
        surface,
        values,
        times,
        cues: statement.cues,
        negated: statement.negated,
        turned_around: false,
        aside: !asides.is_empty(),
        told,
        logged,
        spoken: body > statement.at.start,
    })
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
    // "Ana Ruiz (Head of Sales): …": an office in brackets belongs to the name.
    let name =
        name.split_once(" (").filter(|(_, office)| office.ends_with(')')).map_or(name, |(name, _)| name);
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

/// Where the words end that name who says a clause ("the vendor says that", "according to the page,").
fn source_end(text: &str, at: Span) -> usize {
    for word in words(text, at).iter().take(6) {
        let here = word.at.of(text).to_lowercase();
        if here != "according" && here != "per" && cue_of(&here).any(Cues::SOURCE) {
            return word.at.end;
        }
        if opens_by_source(text, at) && text.get(word.at.end..).is_some_and(|rest| rest.starts_with(',')) {
            return word.at.end;
        }
    }
    at.start
}

fn opens_by_source(text: &str, at: Span) -> bool {
    let body = at.of(text).trim_start().to_lowercase();
    body.starts_with("according to ") || body.starts_with("per ")
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
    let shared_values = a.values.iter().filter(|v| b.values.iter().any(|w| w.key == v.key)).count();
    // No kind of difference is looked for in clauses that have less in common.
    if 10 * (shared_words + 2 * shared_values) + 12 < 6 * a.words.len().max(b.words.len()) {
        return None;
    }
    let only = |x: &Said, y: &Said| -> Vec<Told> {
        x.values.iter().filter(|v| !y.values.iter().any(|w| w.key == v.key)).cloned().collect()
    };
    let (left, right) = (only(a, b), only(b, a));
    let not_time = |v: &&Told| !matches!(v.slot, Slot::Of(Family::Moment, _));
    let (mut lv, mut rv): (Vec<_>, Vec<_>) =
        (left.iter().filter(not_time).collect(), right.iter().filter(not_time).collect());
    if lv.len() == 2 && rv.len() == 2 {
        if with_number(&lv) && with_number(&rv) {
            // A name with its number ("Falcon 9") is one value where both differ.
            lv.truncate(1);
            rv.truncate(1);
        } else if lv.iter().chain(&rv).filter(|v| v.slot == Slot::Name).count() == 2 {
            // Else the name says whose value it is.
            lv.retain(|v| v.slot != Slot::Name);
            rv.retain(|v| v.slot != Slot::Name);
        }
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
    let framed = if a.spoken || b.spoken {
        // In a conversation most sentences share a few words; only a near repetition speaks of the same thing.
        shared_words >= 4 && frame >= 0.75
    } else {
        let alone = shared_words == longest && a.told && b.told;
        (shared_words + shared_values >= 2 || alone) && frame >= SAME_FRAME
    };
    // Two log lines of two moments are two events; a name is a value only in a sentence that is else the same.
    let events = a.logged && b.logged && a.times != b.times;
    let named = lv.iter().any(|v| v.slot == Slot::Name) && (shared_words < 2 || frame < 0.7);
    if let ([x], [y]) = (lv.as_slice(), rv.as_slice())
        && !events
        && (framed && !named && x.slot == y.slot && shared_words >= 1
            || bound && shared_words >= 1 && shared_words + shared_values >= 2)
    {
        return Some(Kind::Value(x.key, y.key));
    }
    let spoken = a.spoken || b.spoken;
    let alike = shared_words + shared_values >= if spoken { 4 } else { 1 };
    if alike && lv.is_empty() && rv.is_empty() {
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
        && !a.turned_around
        && !b.turned_around
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
    let moment = |v: &&Told| matches!(v.slot, Slot::Of(Family::Moment, _));
    let (lt, rt): (Vec<_>, Vec<_>) =
        (left.iter().filter(moment).collect(), right.iter().filter(moment).collect());
    if let ([x], [y]) = (lt.as_slice(), rt.as_slice())
        && frame >= 0.75
        && lv.is_empty()
        && rv.is_empty()
        && x.slot == y.slot
        && shared_words >= 2
    {
        return Some(Kind::Value(x.key, y.key));
    }
    None
}

/// Whether two values are a name and the number right after it.
fn with_number(values: &[&Told]) -> bool {
    matches!(values, [name, number] if name.slot == Slot::Name
        && matches!(number.slot, Slot::Of(Family::Amount | Family::Opaque, _))
        && (name.at.end..=name.at.end + 1).contains(&number.at.start))
}

/// What became of a conflict, and which sides the parent tells.
#[expect(clippy::too_many_lines, reason = "one decision table, read from top to bottom")]
fn state(
    a: &Said,
    b: &Said,
    kind: &Kind,
    parent: &Text<'_>,
    index: &Index,
    order: Order,
) -> Option<(ConflictState, bool, bool)> {
    let mut frame: Vec<u64> = a.words.iter().copied().filter(|w| b.words.binary_search(w).is_ok()).collect();
    frame.extend(a.values.iter().map(|v| v.key).filter(|key| b.values.iter().any(|w| w.key == *key)));
    let about = |statement: &Statement| {
        let items = parent.items_of(statement);
        let held = frame.iter().filter(|w| items.binary_search(w).is_ok()).count();
        (held, items)
    };
    // Does the parent speak of it at all, and on which side?
    let mut speaks = false;
    let (mut says_a, mut says_b, mut past_a, mut marked, mut scoped) = (false, false, false, false, false);
    let (mut third, mut changed) = (false, false);
    let slot = match kind {
        Kind::Value(x, _) => a.values.iter().find(|v| v.key == *x).map(|v| v.slot),
        _ => None,
    };
    let sides: &[u64] = match kind {
        Kind::Value(x, y) | Kind::Word(x, y) => &[*x, *y],
        Kind::Polarity => &[],
    };
    let scope: Vec<u64> = {
        let only = |x: &Said, y: &Said| -> Vec<u64> {
            let words = x.words.iter().filter(|w| y.words.binary_search(w).is_err()).copied();
            let names = x.values.iter().filter(|v| v.slot == Slot::Name && !sides.contains(&v.key));
            let names = names.map(|v| v.key).filter(|key| !y.values.iter().any(|w| w.key == *key));
            words.chain(names).collect()
        };
        let (mut sa, sb) = (only(a, b), only(b, a));
        let both = !sa.is_empty() && !sb.is_empty() && matches!(kind, Kind::Value(..));
        sa.extend(sb);
        if both { sa } else { Vec::new() }
    };
    let mut near: Vec<u32> = frame
        .iter()
        .chain(sides)
        .filter_map(|item| index.statements.get(item))
        .flat_map(|list| list.iter().take(COMMON).copied())
        .collect();
    near.sort_unstable();
    near.dedup();
    for statement in near.iter().filter_map(|n| parent.statements.all.get(*n as usize)) {
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
        changed |= here_a && here_b && statement.cues.any(Cues::PAST.with(Cues::CHANGE));
        past_a |= here_a && statement.cues.any(Cues::PAST.with(Cues::CHANGE));
        marked |= enough && statement.cues.any(Cues::CONTRAST);
        scoped |= (here_a || here_b) && scope.iter().any(|w| has(*w));
    }
    if !(speaks || says_a || says_b) {
        return None;
    }
    let ranged = match kind {
        Kind::Value(x, y) => index.facts.get(x).is_some_and(|ends| {
            let facts = &parent.reading.facts;
            let range = |i: &usize| {
                facts.get(*i)?.whole.filter(|w| facts.get(*w).is_some_and(|f| f.class == Class::Range))
            };
            let other =
                |w: usize| index.facts.get(y).is_some_and(|ys| ys.iter().any(|j| range(j) == Some(w)));
            ends.iter().filter_map(range).any(other)
        }),
        _ => false,
    };
    let two_sources = a.cues.any(Cues::SOURCE) && b.cues.any(Cues::SOURCE)
        || a.aside && b.aside
        || !a.times.is_empty() && a.times == b.times
        || (a.times.is_empty() != b.times.is_empty() && (a.aside || b.aside));
    let change = order == Order::Sequence && !two_sources;
    if says_a && says_b {
        if ranged && !marked && !changed {
            return Some((ConflictState::Collapsed, says_a, says_b));
        }
        let state = if change { ConflictState::Superseded } else { ConflictState::Kept };
        return Some((state, says_a, says_b));
    }
    if marked && *kind == Kind::Polarity {
        return Some((ConflictState::Kept, says_a, says_b));
    }
    if scoped && (says_a || says_b) {
        return None;
    }
    let state = match (says_a, says_b) {
        (false, true) if change => Some(ConflictState::Superseded),
        (true, false) if change && past_a => None,
        (true, false) if change && !speaks => None,
        (true, false) if change => Some(ConflictState::Stale),
        (false, false) if !speaks => None,
        // Neither value of a change is told: both are lost, unless the parent tells a third one in their place.
        (false, false) if change && matches!(kind, Kind::Value(..)) && !third => None,
        _ => Some(ConflictState::Collapsed),
    };
    state.map(|state| (state, says_a, says_b))
}

fn row(a: &Said, b: &Said, kind: &Kind, state: ConflictState) -> ConflictRow {
    let (x, y) = match kind {
        Kind::Value(x, y) => (Some(*x), Some(*y)),
        _ => (None, None),
    };
    let side = |s: &Said, key: Option<u64>| {
        let at = key.and_then(|key| s.values.iter().find(|v| v.key == key)).map(|v| v.at);
        let cut = short(&s.text, at);
        Side {
            child: s.child,
            text: cut.of(&s.text).to_owned(),
            span: Span::new(s.span.start + cut.start, (s.span.start + cut.end).min(s.span.end)),
        }
    };
    let subject = a
        .surface
        .iter()
        .filter(|(stem, _)| b.words.binary_search(stem).is_ok())
        .map(|(_, word)| &**word)
        .take(6)
        .collect::<Vec<_>>()
        .join(" ");
    ConflictRow { subject, attribute: None, state, sides: vec![side(a, x), side(b, y)] }
}

#[cfg(test)]
mod tests {
    use crate::{Check, Child, ConflictState, Order, Policy};

    fn states(children: &[&str], parent: &str, order: Order) -> Vec<(ConflictState, Vec<String>)> {
        let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(*c)).collect();
        let report = Check::new(&children, parent).order(order).run(&Policy::remediation());
        let sides = |row: &crate::ConflictRow| row.sides.iter().map(|s| s.text.clone()).collect();
        report.conflicts.iter().map(|row| (row.state, sides(row))).collect()
    }

    #[test]
    fn a_setting_told_with_its_old_value_is_stale() {
        let children = ["tank.conf has max_fill = 60.", "Edited tank.conf: max_fill = 75, then reloaded it."];
        let rows = states(&children, "tank.conf has max_fill = 60; it was reloaded.", Order::Sequence);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].0, ConflictState::Stale);
        let told = states(&children, "max_fill in tank.conf was raised from 60 to 75.", Order::Sequence);
        assert!(told.iter().all(|(state, _)| *state == ConflictState::Superseded), "{told:?}");
    }

    #[test]
    fn who_says_it_is_no_part_of_what_is_said() {
        let children = ["The maker says the cap is 30 bar.", "The data sheet says the cap is 55 bar."];
        let rows = states(&children, "The cap is 30-55 bar.", Order::Sequence);
        assert_eq!(rows.first().map(|r| r.0), Some(ConflictState::Collapsed), "{rows:?}");
        let kept =
            states(&children, "The cap is 30 bar by the maker, 55 bar by the data sheet.", Order::Sequence);
        assert!(kept.iter().all(|(state, _)| *state == ConflictState::Kept), "{kept:?}");
    }

    #[test]
    fn sides_are_short() {
        let long = "for the old steel tank beside the north quay of the port and its new pump house";
        let children = [format!("The cap is 30 bar {long}."), format!("The cap is 55 bar {long}.")];
        let children: Vec<&str> = children.iter().map(String::as_str).collect();
        let rows = states(&children, children[0], Order::Parallel);
        assert_eq!(rows.len(), 1);
        assert!(
            rows[0].1.iter().all(|side| side.split(' ').count() <= 16 && side.contains("bar")),
            "{rows:?}"
        );
    }

    #[test]
    fn members_names_and_speakers_make_no_conflict() {
        let negated =
            ["Nobody drains the tank, nobody flushes it by hand.", "No drain of the tank, no flush by hand."];
        assert!(states(&negated, "Forbidden: draining the tank by hand.", Order::Sequence).is_empty());
        let owners =
            ["The hose becomes a task for next week, TASK-776, Bo.", "Yes, CASE-55, owner Bo, due soon."];
        assert!(states(&owners, "Open: the hose (TASK-776), Bo.", Order::Sequence).is_empty());
        let spoken = [
            "Ms. Ann Roe (Minister of Ports): Thank you very much, Mr. Speaker.",
            "Ms. Eva Lund (Minister of Roads): Thank you, Mr. Speaker.",
        ];
        assert!(states(&spoken, "The ministers thanked Mr. Speaker.", Order::Sequence).is_empty());
        let records =
            [r#"{"seat": "4A", "paid": 58, "meal": "yes"}"#, r#"{"seat": "4A", "paid": 91, "meal": "no"}"#];
        assert!(states(&records, r#"{"seat": "4A", "paid": 58, "meal": "yes"}"#, Order::Sequence).is_empty());
    }
}

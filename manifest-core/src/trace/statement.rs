//! What a parent's clause says against what its source says: polarity, opposites, comparators, modality, speaker.

use super::parent::{Index, Text};
use crate::child::Role;
use crate::fact::statement::{Comparator, Cues, Statement, comparator_of, negates_by_prefix, opposed};
use crate::text::Span;

/// How a clause of the parent differs from a clause of a child that it otherwise repeats.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Difference {
    /// One is negated, the other is not.
    Polarity,
    /// Two words are opposites.
    Opposite(Box<str>, Box<str>),
    /// The same value with another comparator (child's, parent's).
    Comparator(Option<Comparator>, Option<Comparator>),
    /// Tried, planned or possible in the child; done or certain in the parent.
    Modality(&'static str),
    /// Somebody else said or did it (child's, parent's).
    Speaker(Role, Role),
    /// A value bound to something else.
    Binding(Box<str>),
}

impl Difference {
    /// The difference in words, for a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            Difference::Polarity => "one is negated, the other is not".to_owned(),
            Difference::Opposite(child, parent) => format!("`{child}` became `{parent}`"),
            Difference::Comparator(child, parent) => format!(
                "`{}` became `{}`",
                child.map_or("no bound", Comparator::as_str),
                parent.map_or("no bound", Comparator::as_str)
            ),
            Difference::Modality(what) => (*what).to_owned(),
            Difference::Speaker(child, parent) => {
                format!("said or done by the {}, told of the {}", role_name(*child), role_name(*parent))
            }
            Difference::Binding(what) => format!("the children bind {what}"),
        }
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    }
}

/// A clause of a child that a clause of the parent may come from.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Index of the child.
    pub(crate) child: usize,
    /// Where the clause stands in the child as given.
    pub(crate) span: Span,
    /// Its text.
    pub(crate) text: Box<str>,
    /// How alike the two are, 0 to 1.
    pub(crate) likeness: f64,
    /// How they differ, if they do.
    pub(crate) difference: Option<Difference>,
}

/// How many candidates are kept for one clause of the parent. More cannot change the outcome: only the best and those
/// about as good are compared.
const KEPT: usize = 8;
/// Two candidates within this likeness of each other count as equally good sources.
const TIE: f64 = 0.08;

/// The candidates of one clause of the parent, best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Whether a candidate of this likeness would be kept.
    pub(crate) fn wants(&self, likeness: f64) -> bool {
        self.0.len() < KEPT || self.0.last().is_some_and(|worst| worst.likeness < likeness)
    }

    /// Keeps a candidate, if it is among the best.
    pub(crate) fn keep(&mut self, candidate: Candidate) {
        let at = self.0.partition_point(|c| {
            // Among equals a clean source stands before a differing one.
            (c.likeness, c.difference.is_none()) >= (candidate.likeness, candidate.difference.is_none())
        });
        self.0.insert(at, candidate);
        self.0.truncate(KEPT);
    }

    /// The best source, if any says something like it.
    pub(crate) fn best(&self) -> Option<&Candidate> {
        self.0.first()
    }

    /// The source that the clause alters: its best source differs, and none about as good agrees.
    pub(crate) fn altered(&self) -> Option<&Candidate> {
        let best = self.0.first()?;
        best.difference.as_ref()?;
        let agrees = self.0.iter().any(|c| c.difference.is_none() && c.likeness >= best.likeness - TIE);
        (!agrees).then_some(best)
    }
}

/// One clause of a child beside one of the parent.
pub(crate) struct Pair<'a, 't> {
    /// The child.
    pub(crate) child: &'a Text<'t>,
    /// Who says the child's text, and whether that was told (not a default).
    pub(crate) role: (Role, bool),
    /// Its clause.
    pub(crate) source: &'a Statement,
    /// The items of the child's clause, sorted.
    pub(crate) source_items: &'a [u64],
    /// The parent.
    pub(crate) parent: &'a Text<'t>,
    /// Its clause.
    pub(crate) claim: &'a Statement,
    /// The items of the parent's clause, sorted.
    pub(crate) claim_items: &'a [u64],
    /// Whether something around the parent's clause (its sentence, the heading above) negates or forbids.
    pub(crate) context_negates: bool,
    /// Share of the parent's items that the child's clause holds, weighted by rarity.
    pub(crate) cover: f64,
    /// Share of the child's items that the parent's clause holds.
    pub(crate) back: f64,
}

impl Pair<'_, '_> {
    /// How alike the two clauses are.
    pub(crate) fn likeness(&self) -> f64 {
        0.65 * self.cover + 0.35 * self.back
    }

    /// What the parent's clause turned, if it did.
    pub(crate) fn difference(&self) -> Option<Difference> {
        self.comparator()
            .or_else(|| self.opposite())
            .or_else(|| self.polarity())
            .or_else(|| self.modality())
            .or_else(|| self.speaker())
    }

    /// Words of a clause that the other does not hold.
    fn unmatched<'a>(text: &'a Text<'_>, of: &Statement, other: &[u64]) -> Vec<(u64, &'a str)> {
        text.statements
            .words_of(of)
            .iter()
            .filter(|w| other.binary_search(&w.stem).is_err())
            .map(|w| (w.stem, w.at.of(&text.reading.normal.text)))
            .collect()
    }

    /// Whether one of the two is negated over what both speak of, and the other is not.
    fn turned(&self) -> bool {
        self.claim.negated_over(self.source_items) != self.source.negated_over(self.claim_items)
    }

    fn opposites(&self) -> Option<(Box<str>, Box<str>)> {
        let ours = Self::unmatched(self.parent, self.claim, self.source_items);
        let theirs = Self::unmatched(self.child, self.source, self.claim_items);
        for (p, p_text) in ours.iter().take(24) {
            for (c, c_text) in theirs.iter().take(24) {
                if opposed(*p, *c) || negates_by_prefix(&p_text.to_lowercase(), &c_text.to_lowercase()) {
                    return Some(((*c_text).into(), (*p_text).into()));
                }
            }
        }
        None
    }

    fn opposite(&self) -> Option<Difference> {
        let rest = self.claim_items.len().saturating_sub(1).max(1);
        let shared = self.claim_items.iter().filter(|i| self.source_items.binary_search(i).is_ok()).count();
        if shared == 0 || (shared as f64) < 0.6 * rest as f64 || self.back < 0.4 || self.turned() {
            return None;
        }
        self.opposites().map(|(child, parent)| Difference::Opposite(child, parent))
    }

    fn polarity(&self) -> Option<Difference> {
        let turned = self.turned();
        let told_apart = Cues::CONTRAST.with(Cues::CORRECTION);
        // Where both negate something, what is turned is a matter of wording.
        let both = !self.claim.turns.is_empty() && !self.source.turns.is_empty();
        if !turned
            || both
            || self.context_negates
            || self.claim_items.len() < 2
            || self.cover < 0.7
            || self.back < 0.5
            || self.claim.cues.any(told_apart)
            || self.source.cues.any(told_apart)
        {
            return None;
        }
        // A denial, a ban or a failure negates without a "not".
        let negative = Cues::DENIAL.with(Cues::PROHIBITION).with(Cues::FAILED).with(Cues::ALTERNATIVE);
        let other = if self.claim.turns.is_empty() { self.claim } else { self.source };
        if other.cues.any(negative) {
            return None;
        }
        // A question, direct or not, states nothing that could be turned.
        if self.source.cues.any(Cues::ASK)
            || self.source.at.of(&self.child.reading.normal.text).trim_end().ends_with(['?', '？'])
        {
            return None;
        }
        // "not disabled" and "enabled" are the same.
        self.opposites().is_none().then_some(Difference::Polarity)
    }

    fn comparator(&self) -> Option<Difference> {
        let claim_facts = self.parent.reading.facts.get(self.claim.facts.clone())?;
        let source_facts = self.child.reading.facts.get(self.source.facts.clone())?;
        if self.cover < 0.4 {
            return None;
        }
        for fact in claim_facts {
            let mut said = source_facts.iter().filter(|f| f.key == fact.key).peekable();
            if said.peek().is_none() {
                continue;
            }
            let here = comparator_of(&self.parent.reading.normal.text, self.claim, fact);
            let there: Vec<Option<Comparator>> =
                said.map(|f| comparator_of(&self.child.reading.normal.text, self.source, f)).collect();
            let turned = match here {
                Some(here) => there.iter().all(|t| t.is_some_and(|t| t.differs(here))),
                None => false,
            };
            if turned && !self.turned() {
                return Some(Difference::Comparator(there.first().copied().flatten(), here));
            }
        }
        None
    }

    fn modality(&self) -> Option<Difference> {
        if self.cover < 0.6 || self.claim.negated {
            return None;
        }
        let (ours, theirs) = (self.claim.cues, self.source.cues);
        let open = Cues::ATTEMPT
            .with(Cues::FUTURE)
            .with(Cues::UNKNOWN)
            .with(Cues::FAILED)
            .with(Cues::OPEN)
            .with(Cues::MAY);
        if theirs.any(Cues::ATTEMPT) && !ours.any(open.with(Cues::ASK)) {
            return Some(Difference::Modality("tried in the source, done in the summary"));
        }
        if theirs.any(Cues::MAY) && !theirs.any(Cues::MUST) && ours.any(Cues::MUST) && !ours.any(Cues::MAY) {
            return Some(Difference::Modality("possible in the source, required in the summary"));
        }
        if theirs.any(Cues::MUST) && !theirs.any(Cues::MAY) && ours.any(Cues::MAY) && !ours.any(Cues::MUST) {
            return Some(Difference::Modality("required in the source, optional in the summary"));
        }
        None
    }

    fn speaker(&self) -> Option<Difference> {
        let told = self.claim.actor?;
        let (role, known) = self.source.speaker.map_or(self.role, |said| (said, true));
        if !known
            || self.cover < 0.5
            || role == told
            || self.source.actor == Some(told)
            || role == Role::System
        {
            return None;
        }
        let body = self.source.at.of(&self.child.reading.normal.text).to_lowercase();
        let own = body.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|w| {
            matches!(
                w,
                "i" | "i'm"
                    | "i've"
                    | "i'll"
                    | "i'd"
                    | "my"
                    | "me"
                    | "mine"
                    | "we"
                    | "our"
                    | "please"
                    | "ich"
                    | "je"
                    | "yo"
            )
        });
        (own || self.source.cues.any(Cues::ASK)).then_some(Difference::Speaker(role, told))
    }
}

/// Weighted share of the parent's clause that a child's clause holds, and the share the other way round.
pub(crate) fn cover(index: &Index, claim: &[u64], source: &[u64]) -> (f64, f64) {
    let (mut shared, mut all, mut matched) = (0.0, 0.0, 0usize);
    for item in claim {
        let exact = if index.facts.contains_key(item) { 2.0 } else { 1.0 };
        let weight = exact * (0.5 + 0.5 * index.weight(*item));
        all += weight;
        if source.binary_search(item).is_ok() {
            shared += weight;
            matched += 1;
        }
    }
    if all == 0.0 || source.is_empty() {
        return (0.0, 0.0);
    }
    (shared / all, matched as f64 / source.len() as f64)
}

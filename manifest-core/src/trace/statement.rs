//! What a parent's clause says against what its source says: polarity, opposites, comparators, modality, speaker.

use super::parent::{Index, Text};
use super::wording::core;
use crate::child::Role;
use crate::fact::statement::{Comparator, Cues, Statement, comparator_of};
use crate::text::{Span, Word};

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
    /// A step told in another place of its order.
    Order,
    /// The value given up told as the one in force.
    Replaced,
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
            Difference::Order => "the children tell it before the others".to_owned(),
            Difference::Replaced => "the children tell it the other way round".to_owned(),
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
    /// Where in the parent's folded text it is told otherwise, where that is less than the clause.
    pub(crate) here: Option<Span>,
}

impl Candidate {
    /// Whether the source is a tool's output that the parent tells of somebody else.
    pub(crate) fn is_only_quoted(&self) -> bool {
        matches!(self.difference, Some(Difference::Speaker(Role::Tool | Role::System, _)))
    }
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

    /// The source as a candidate, worded as short as says it.
    pub(crate) fn candidate(&self, child: usize, likeness: f64) -> Candidate {
        let folded = &*self.child.reading.normal.text;
        let (difference, there, here) = match self.comparator() {
            Some((difference, there, here)) => (Some(difference), there, Some(here)),
            None => (self.difference(), core(folded, self.source.at), None),
        };
        Candidate {
            child,
            span: self.child.reading.normal.source(there),
            text: self.child.shown(there).into(),
            likeness,
            difference,
            here,
        }
    }

    /// What the parent's clause turned, if it did, but for comparators.
    fn difference(&self) -> Option<Difference> {
        self.opposite().or_else(|| self.polarity()).or_else(|| self.modality()).or_else(|| self.speaker())
    }

    /// A value on another side of its bound, with where each text says so.
    fn comparator(&self) -> Option<(Difference, Span, Span)> {
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
            let Some((here, at)) = comparator_of(&self.parent.reading.normal.text, self.claim, fact) else {
                continue;
            };
            let there: Vec<Option<(Comparator, Span)>> =
                said.map(|f| comparator_of(&self.child.reading.normal.text, self.source, f)).collect();
            let turned = there.iter().all(|t| t.is_some_and(|(t, _)| t.differs(here)));
            if let Some((first, source)) = there.first().copied().flatten()
                && turned
                && !self.turned()
            {
                return Some((Difference::Comparator(Some(first), Some(here)), source, at));
            }
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

/// The words of a stretch of a text.
pub(super) fn words_in<'t>(text: &'t Text<'_>, at: Span) -> &'t [Word] {
    let from = text.words.partition_point(|w| w.at.start < at.start);
    let to = text.words.partition_point(|w| w.at.start < at.end);
    text.words.get(from..to).unwrap_or_default()
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

#[cfg(test)]
pub(super) mod tests {
    use crate::{Code, Policy, check};

    /// The altered statements of a parent.
    pub(in super::super) fn altered(child: &str, parent: &str) -> Vec<String> {
        let report = check(&[child], parent, &Policy::remediation());
        let rows = report.orphans.into_iter().filter(|o| o.code == Code::StatementAltered);
        rows.map(|o| o.text).collect()
    }

    #[test]
    fn a_flipped_clause_is_named_whole_and_a_flipped_bound_alone() {
        assert_eq!(altered("The valve was not sealed.", "The valve was sealed."), ["The valve was sealed"]);
        assert_eq!(
            altered("The pump is no longer leaking.", "The pump is leaking."),
            ["The pump is leaking"]
        );
        assert_eq!(
            altered("Warn when pressure falls below 40 kPa.", "Warn when pressure exceeds 40 kPa."),
            ["exceeds 40 kPa"]
        );
    }
}

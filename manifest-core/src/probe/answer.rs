//! Who answers probes: a model, or the reader that is built in.

use super::Question;
use crate::fact::{Fact, read};
use crate::trace::{Index, Text};
use rustc_hash::FxHashMap;

/// Answers questions from one text alone.
///
/// A model takes the text and the questions in one prompt and gives one value for each:
///
/// ```
/// use manifest_core::{Answerer, Question};
///
/// struct Model;
///
/// impl Answerer for Model {
///     fn answer(&self, text: &str, questions: &[Question]) -> Vec<Option<String>> {
///         let ask = |question: &Question| format!("{text}\n\nFill the gap with one {}: {}", question.class, question.text);
///         questions.iter().map(ask).map(|prompt| complete(&prompt)).collect()
///     }
/// }
/// # fn complete(_: &str) -> Option<String> { None }
/// ```
pub trait Answerer {
    /// One answer for each question, in order; `None`, or an answer that is missing at the end, is a miss.
    fn answer(&self, text: &str, questions: &[Question]) -> Vec<Option<String>>;
}

/// The built-in answerer: reads the text, finds the clause that shares most with the question, and gives the value of
/// the asked class that stands nearest to what they share. It guesses nothing: without a word in common, or with two
/// values that fit as well, it does not answer. So it never overstates, and it understates a text that says the same in
/// other words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader;

/// Words that stand in more clauses than this tell none from another.
const COMMON: usize = 64;

impl Answerer for Reader {
    fn answer(&self, text: &str, questions: &[Question]) -> Vec<Option<String>> {
        let text = Text::of(read(text));
        let index = Index::of(&text);
        questions.iter().map(|question| answer(&text, &index, question)).collect()
    }
}

fn answer(text: &Text<'_>, index: &Index, question: &Question) -> Option<String> {
    let mut shared: FxHashMap<u32, u64> = FxHashMap::default();
    for item in &question.context {
        let places = index.statements.get(item).map(Vec::as_slice).unwrap_or_default();
        if places.len() <= COMMON {
            for place in places {
                *shared.entry(*place).or_default() += 1_000_000 / places.len().max(1) as u64;
            }
        }
    }
    // The value of the best clause; none where clauses with other values are as good.
    let mut best: Option<(u64, Option<&Fact>)> = None;
    for (place, share) in shared {
        let Some(fact) = nearest(text, place as usize, question) else { continue };
        best = match best {
            Some((most, found)) if share == most => Some((most, found.filter(|found| found.same(fact)))),
            Some((most, _)) if share < most => best,
            _ => Some((share, Some(fact))),
        };
    }
    let fact = best.and_then(|(_, fact)| fact)?;
    Some(fact.span.of(text.reading.text).to_owned())
}

/// The value of the asked class in one clause that stands nearest to anything of the question.
fn nearest<'a>(text: &'a Text<'_>, place: usize, question: &Question) -> Option<&'a Fact> {
    let statement =
        text.statements.all.get(place).filter(|statement| statement.negated == question.negated)?;
    let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
    let asked = |item: u64| question.context.binary_search(&item).is_ok();
    let words =
        text.statements.words_of(statement).iter().filter(|word| asked(word.stem)).map(|word| word.at);
    let mut shared: Vec<_> =
        words.chain(facts.iter().filter(|fact| asked(fact.key)).map(|fact| fact.at)).collect();
    shared.sort_unstable();
    let distance = |fact: &Fact| {
        let after = shared.partition_point(|at| at.start < fact.at.end);
        let ahead = shared.get(after).map(|at| at.start.saturating_sub(fact.at.end));
        let behind = shared.get(..after)?.last().map(|at| fact.at.start.saturating_sub(at.end));
        ahead.into_iter().chain(behind).min()
    };
    let mut best: Option<(usize, Option<&Fact>)> = None;
    for fact in facts.iter().filter(|fact| fact.class == question.class && !asked(fact.key)) {
        let Some(distance) = distance(fact) else { continue };
        best = match best {
            Some((least, found)) if distance == least => {
                Some((least, found.filter(|found| found.same(fact))))
            }
            Some((least, _)) if distance > least => best,
            _ => Some((distance, Some(fact))),
        };
    }
    best?.1
}

//! Which facts of a tree are probes: asked of every draft, and never fed back.

use super::question::{askable, asked_as};
use super::{Answerer, Question, Reader, StatedRecall};
use crate::account::salient;
use crate::child::Child;
use crate::fact::salience::odds;
use crate::fact::{Class, Fact, read};
use crate::ledger::{self, carriable};
use crate::policy::{Policy, Required};
use crate::text::Span;
use crate::trace::{Seen, Table, Text};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// What decides which facts are probes. A summarizer that knew it could learn the answers: keep it from the prompt. One for each
/// store ([`Tree::probe_key`](crate::tree::Tree::probe_key)): with another one the same leaves are asked otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ProbeKey([u8; 32]);

impl ProbeKey {
    /// A key of these bytes, which should be random.
    pub const fn new(bytes: [u8; 32]) -> Self {
        ProbeKey(bytes)
    }

    pub(crate) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Without the bytes.
impl fmt::Debug for ProbeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProbeKey(…)")
    }
}

/// What an answer may hold beside its value, in bytes: a sentence around it, no list of guesses.
const SENTENCE: usize = 200;

/// One fact that is asked.
#[derive(Clone, Debug)]
pub struct Probe {
    question: Question,
    fact: Fact,
    surface: String,
    child: usize,
}

impl Probe {
    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The class of the answer.
    pub fn class(&self) -> Class {
        self.fact.class
    }

    /// Index of the child that states it, and where.
    pub fn place(&self) -> (usize, Span) {
        (self.child, self.fact.span)
    }

    /// Whether an answer is this value, and no other beside it.
    pub fn accepts(&self, answer: &str) -> bool {
        let answer = answer.trim().trim_matches(['"', '\'', '`', '*', '.', ',', ';']);
        if answer == self.surface {
            return true;
        }
        if answer.len() > self.surface.len() + SENTENCE {
            return false;
        }
        let reading = read(answer);
        let mut wholes = reading.facts.iter().filter(|fact| fact.whole.is_none()).peekable();
        wholes.peek().is_some() && wholes.all(|fact| fact.same(&self.fact))
    }
}

/// The probes of some children.
///
/// Facts around the cut of the ledger – of like salience, some required and some not – become probes by a keyed hash of
/// their value. A value that is a probe is not required and not offered for the ledger, so that no feedback can help a
/// later draft to its answer; a pinned or declared one is never a probe.
///
/// ```
/// use manifest_core::{Child, Policy, ProbeKey, ProbeSet, Reader};
///
/// let leaf: String = (0..400).map(|i| format!("The pod web-{i}-{:x} was moved to rack r{i}.\n", i * 7919)).collect();
/// let set = ProbeSet::draw(&[Child::new(&*leaf)], &Policy::remediation(), &ProbeKey::new([7; 32]), &[]);
/// assert!(!set.probes().is_empty());
/// assert_eq!(set.ask(&leaf, &Reader).hits(), set.probes().len() as u64);
/// assert_eq!(set.ask("Pods were moved between racks.", &Reader).hits(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProbeSet {
    probes: Vec<Probe>,
    keys: FxHashSet<u64>,
}

impl ProbeSet {
    /// The probes of `children` under a policy; none where the policy requires every fact. `pinned` texts hold facts that
    /// are never probes.
    pub fn draw(children: &[Child<'_>], policy: &Policy, key: &ProbeKey, pinned: &[&str]) -> Self {
        if policy.required() == Required::Every {
            return ProbeSet::default();
        }
        let survey = Survey::of(children);
        let pinned: FxHashSet<u64> =
            pinned.iter().flat_map(|text| read(text).facts.into_iter().map(|fact| fact.key)).collect();
        let near = survey.near_the_cut(policy, children.len());
        let mut of_child: FxHashMap<usize, Vec<(u64, usize)>> = FxHashMap::default();
        for fact in near.into_iter().filter(|fact| !pinned.contains(fact)) {
            if let Some(&(child, statement)) = survey.askable.get(&fact) {
                of_child.entry(child).or_default().push((fact, statement));
            }
        }
        let mut set = ProbeSet::default();
        for (number, child) in children.iter().enumerate() {
            let Some(wanted) = of_child.remove(&number) else { continue };
            let text = Text::of(read(&child.text));
            for (fact, statement) in wanted {
                set.probes.extend(draw(&text, number, fact, statement, key));
            }
        }
        set.answerable(children);
        set.keys = set.probes.iter().map(|probe| probe.fact.key).collect();
        set
    }

    /// Keeps the probes that the children themselves answer: one that two clauses answer alike measures the question, and a copy of all
    /// that was said would not reach 1.
    fn answerable(&mut self, children: &[Child<'_>]) {
        if self.probes.is_empty() {
            return;
        }
        let said = children.iter().map(|child| child.text.as_ref()).collect::<Vec<&str>>().join("\n\n");
        let questions: Vec<Question> = self.probes.iter().map(|probe| probe.question.clone()).collect();
        let mut answers = Reader.answer(&said, &questions).into_iter();
        self.probes.retain(|probe| answers.next().flatten().is_some_and(|answer| probe.accepts(&answer)));
    }

    /// Both sets as one: the probes of one level, or of a tree.
    pub fn join(&mut self, other: ProbeSet) {
        for probe in other.probes {
            if self.keys.insert(probe.fact.key) {
                self.probes.push(probe);
            }
        }
    }

    /// The probes, by child and place.
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// Asks every probe of `text` alone.
    pub fn ask(&self, text: &str, answerer: &(impl Answerer + ?Sized)) -> StatedRecall {
        let questions: Vec<Question> = self.probes.iter().map(|probe| probe.question.clone()).collect();
        let answers = if questions.is_empty() { Vec::new() } else { answerer.answer(text, &questions) };
        let right = |(probe, answer): &(&Probe, Option<String>)| {
            answer.as_deref().is_some_and(|answer| probe.accepts(answer))
        };
        let hits = self.probes.iter().zip(answers).filter(right).count();
        // Never more hits than probes.
        StatedRecall::new(hits as u64, self.probes.len() as u64).unwrap_or_default()
    }

    /// Keys of the values that are probes.
    pub(crate) fn keys(&self) -> &FxHashSet<u64> {
        &self.keys
    }
}

/// The probe after one fact, if the key chooses it.
fn draw(text: &Text<'_>, child: usize, fact: u64, statement: usize, key: &ProbeKey) -> Option<Probe> {
    let statement = text.statements.all.get(statement)?;
    let facts = text.reading.facts.get(statement.facts.clone())?;
    let fact = facts.iter().find(|candidate| candidate.key == fact)?;
    let id = text.reading.id(fact)?;
    let chosen = blake3::keyed_hash(&key.0, id.as_bytes());
    if chosen.as_bytes().first().is_none_or(|byte| byte & 1 == 1) {
        return None;
    }
    let question = Question::after(fact, statement, text)?;
    let surface = fact.span.of(text.reading.text).to_owned();
    Some(Probe { question, fact: fact.clone(), surface, child })
}

/// The children's facts, and which of them a question can be asked after.
struct Survey {
    table: Table,
    bytes: usize,
    /// Child and statement of the first question after a fact that no other fact answers too.
    askable: FxHashMap<u64, (usize, usize)>,
}

impl Survey {
    fn of(children: &[Child<'_>]) -> Self {
        let mut table = Table::default();
        let mut bytes = 0;
        let mut places: Vec<(u64, u64, usize, usize)> = Vec::new();
        let mut answers: FxHashMap<u64, Option<u64>> = FxHashMap::default();
        for (number, child) in children.iter().enumerate() {
            bytes += child.text.len();
            let text = Text::of(read(&child.text));
            table.add(number, Seen::of(child), &text.reading, &text.statements.all);
            for (i, statement) in text.statements.all.iter().enumerate().filter(|(_, s)| askable(s)) {
                let facts = text.reading.facts.get(statement.facts.clone()).unwrap_or_default();
                for fact in facts.iter().filter(|fact| fact.whole.is_none() && fact.class != Class::Secret) {
                    let question = asked_as(fact, statement, &text);
                    let known = answers.entry(question).or_insert(Some(fact.key));
                    if *known != Some(fact.key) {
                        *known = None;
                    }
                    places.push((question, fact.key, number, i));
                }
            }
        }
        let mut askable = FxHashMap::default();
        for (question, fact, child, statement) in places {
            if answers.get(&question).is_some_and(Option::is_some) {
                askable.entry(fact).or_insert((child, statement));
            }
        }
        Survey { table, bytes, askable }
    }

    /// Facts that rank from three quarters of the ledger's cut to twice the cut.
    fn near_the_cut(&self, policy: &Policy, children: usize) -> Vec<u64> {
        let budget = policy.ledger().bytes(self.bytes);
        let wanted = |_: u64, entry: &crate::trace::Entry<'_>| carriable(entry) && salient(entry);
        let odds = odds(&self.table, children);
        let cut = ledger::compose_keys(&self.table, &odds, budget, wanted).len();
        let ranked = ledger::ranked_keys(&self.table, &odds, wanted);
        ranked.into_iter().take(cut.saturating_mul(2)).skip(cut - cut / 4).collect()
    }
}

//! Probes: which facts are asked, of whom, and what their answers are worth.

use manifest_core::{Answerer, Check, Child, Draft, Policy, ProbeKey, ProbeSet, Question, Reader, Required};
use std::collections::BTreeSet;

const VERBS: [&str; 5] = ["drained", "restarted", "patched", "moved", "evicted"];

/// The identifier of one event, which no other event shares.
fn pod(i: usize) -> String {
    format!("web-{i}-{:05x}", (i + 1) * 104_729 % 0xF_FFFF)
}

/// Events about pods, each in words of its own.
fn event(i: usize) -> String {
    format!("At step {i} of the rollout the operator {} pod {} on rack r{i}.", VERBS[i % VERBS.len()], pod(i))
}

fn children(events: usize) -> Vec<Child<'static>> {
    let lines: Vec<String> = (0..events).map(event).collect();
    lines.chunks(50).map(|chunk| Child::new(chunk.join("\n"))).collect()
}

fn key(seed: u8) -> ProbeKey {
    ProbeKey::new([seed; 32])
}

fn surfaces(set: &ProbeSet, children: &[Child<'_>]) -> BTreeSet<String> {
    let surface = |(child, span): (usize, manifest_core::Span)| span.of(&children[child].text).to_owned();
    set.probes().iter().map(|probe| surface(probe.place())).collect()
}

#[test]
fn required_and_probes_are_disjoint_and_feedback_names_no_probe() {
    let children = children(400);
    let policy = Policy::remediation();
    let set = ProbeSet::draw(&children, &policy, &key(1), &[]);
    let probes = surfaces(&set, &children);
    assert!(set.probes().len() >= 60, "{}", set.probes().len());

    let report = Check::new(&children, "Pods were moved about in the rollout.").probes(&set).run(&policy);
    assert!(report.lost.len() > 20);
    assert!(report.lost.iter().all(|row| !probes.contains(&row.text)));
    assert!(report.ledger.entries.iter().all(|entry| !probes.contains(&entry.text)));
    assert!(probes.iter().all(|probe| !report.feedback().contains(probe.as_str())));

    let without = Check::new(&children, "Pods were moved about in the rollout.").run(&policy);
    let lost = without.lost.iter().filter(|row| probes.contains(&row.text)).count();
    assert!(lost > 0, "some of them would be required");
}

#[test]
fn pinned_and_declared_facts_stay_required() {
    let children = children(400);
    let policy = Policy::remediation();
    let set = ProbeSet::draw(&children, &policy, &key(1), &[]);
    let pinned = surfaces(&set, &children).into_iter().next().unwrap();
    let other = ProbeSet::draw(&children, &policy, &key(1), &[&pinned]);
    assert!(!surfaces(&other, &children).contains(&pinned));
    // Even where the set was drawn without knowing of it.
    for check in [
        Check::new(&children, "Pods were moved about.").pinned([pinned.as_str()]),
        Check::new(&children, "Pods were moved about.").declared([pinned.as_str()]),
    ] {
        assert!(check.probes(&set).run(&policy).lost.iter().any(|row| row.text == pinned));
    }
}

#[test]
fn membership_is_by_key_and_value() {
    let children = children(400);
    let draw =
        |seed| surfaces(&ProbeSet::draw(&children, &Policy::remediation(), &key(seed), &[]), &children);
    assert_eq!(draw(1), draw(1));
    let (one, two) = (draw(1), draw(2));
    let both = one.intersection(&two).count();
    assert!(both > 0 && both < one.len().min(two.len()), "{both} of {} and {}", one.len(), two.len());
}

#[test]
fn where_every_fact_is_required_there_are_no_probes() {
    let policy = Policy::remediation().with_required(Required::Every);
    assert!(ProbeSet::draw(&children(400), &policy, &key(1), &[]).probes().is_empty());
    assert!(ProbeSet::draw(&[], &Policy::remediation(), &key(1), &[]).probes().is_empty());
    assert!(ProbeSet::draw(&[Child::new("")], &Policy::remediation(), &key(1), &[]).probes().is_empty());
}

#[test]
fn a_question_masks_the_value_and_every_secret() {
    let children = children(400);
    let set = ProbeSet::draw(&children, &Policy::remediation(), &key(1), &[]);
    for probe in set.probes() {
        let (child, span) = probe.place();
        let surface = span.of(&children[child].text);
        let question = &probe.question().text;
        assert!(question.contains("____") && !question.contains(surface), "{question}");
    }
}

#[test]
fn a_question_shows_no_secret() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let leaf: Vec<String> = (0..400)
        .map(|i| format!("{} The token of rack r{i} is {secret}, pod {}.", event(i), pod(i)))
        .collect();
    let leaf = leaf.join("\n");
    let read = manifest_core::read(&leaf);
    assert!(read.facts.iter().any(|fact| fact.class == manifest_core::Class::Secret));
    let set = ProbeSet::draw(&[Child::new(&*leaf)], &Policy::remediation(), &key(1), &[]);
    assert!(!set.probes().is_empty());
    assert!(set.probes().iter().all(|probe| !probe.question().text.contains("ghp_")));
    assert!(set.probes().iter().all(|probe| probe.class() != manifest_core::Class::Secret));
}

#[test]
fn the_reader_answers_what_a_text_states() {
    let children = children(400);
    let set = ProbeSet::draw(&children, &Policy::remediation(), &key(1), &[]);
    let asked = set.probes().len() as u64;
    let all: String = (0..400).map(|i| event(i) + "\n").collect();
    assert_eq!((set.ask(&all, &Reader).hits(), set.ask(&all, &Reader).asked()), (asked, asked));
    assert_eq!(set.ask("", &Reader).hits(), 0);

    // Said in other words, half of them.
    let told = |i: usize| format!("Rack r{i} lost pod {} ({}, step {i}).", pod(i), VERBS[i % 5]);
    let told = (0..400).step_by(2).map(told).collect::<Vec<_>>().join("\n");
    let half = set
        .probes()
        .iter()
        .filter(|probe| told.contains(probe.place().1.of(&children[probe.place().0].text)));
    assert_eq!(set.ask(&told, &Reader).hits(), half.count() as u64);
}

#[test]
fn values_that_changed_places_are_no_answers() {
    let children = children(400);
    let set = ProbeSet::draw(&children, &Policy::remediation(), &key(1), &[]);
    let swapped: String = (0..400).map(|i| event(i).replace(&pod(i), &pod((i + 1) % 400)) + "\n").collect();
    assert_eq!(set.ask(&swapped, &Reader).hits(), 0);
}

/// Answers everything with every value of the text.
struct Hedger;

impl Answerer for Hedger {
    fn answer(&self, text: &str, questions: &[Question]) -> Vec<Option<String>> {
        questions.iter().map(|_| Some(text.to_owned())).collect()
    }
}

/// Answers the first question only.
struct Tired;

impl Answerer for Tired {
    fn answer(&self, text: &str, questions: &[Question]) -> Vec<Option<String>> {
        Reader.answer(text, questions).into_iter().take(1).collect()
    }
}

#[test]
fn hedging_and_silence_are_misses() {
    let children = children(400);
    let set = ProbeSet::draw(&children, &Policy::remediation(), &key(1), &[]);
    let all: String = (0..400).map(|i| event(i) + "\n").collect();
    assert_eq!(set.ask(&all, &Hedger).hits(), 0);
    let tired = set.ask(&all, &Tired);
    assert_eq!((tired.hits(), tired.asked()), (1, set.probes().len() as u64));
    let probe = &set.probes()[0];
    let surface = probe.place().1.of(&children[probe.place().0].text);
    assert!(probe.accepts(&format!("  `{surface}`. ")));
    assert!(probe.accepts(&format!("It was pod {surface}.")));
    assert!(!probe.accepts("") && !probe.accepts("I do not know"));
    assert!(!probe.accepts(&format!("{surface} or web-9-00000")));
}

#[test]
fn two_facts_with_one_question_are_not_asked() {
    let lines: Vec<String> = (0..400).map(|i| format!("Pod {} restarted.", pod(i))).collect();
    assert!(
        ProbeSet::draw(&[Child::new(lines.join("\n"))], &Policy::remediation(), &key(1), &[])
            .probes()
            .is_empty()
    );
}

#[test]
fn the_first_draft_is_the_one_that_is_measured() {
    let children = children(400);
    let policy = Policy::remediation();
    let set = ProbeSet::draw(&children, &policy, &key(1), &[]);
    let draft = Draft::trace(&children, "Pods were moved about.".to_owned()).measure(set.clone(), &Reader, 1);
    let first = draft.stated_recall().unwrap();
    assert_eq!((first.hits(), first.asked()), (0, set.probes().len() as u64));
    let all: String = (0..400).map(|i| event(i) + "\n").collect();
    let second = draft.amend(all).measure(set, &Reader, 1);
    assert_eq!(second.stated_recall(), Some(first));
}

#[test]
fn sets_join_without_asking_twice() {
    let children = children(400);
    let mut set = ProbeSet::draw(&children, &Policy::remediation(), &key(1), &[]);
    let count = set.probes().len();
    set.join(set.clone());
    assert_eq!(set.probes().len(), count);
    set.join(ProbeSet::draw(&children, &Policy::remediation(), &key(2), &[]));
    assert!(set.probes().len() > count);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn any_texts_can_be_asked(
        leaves in proptest::collection::vec("(\\PC|[a-z]{1,6}-[0-9]{2}|[ \n.=_`\"]){0,120}", 0..4),
        parent in "(\\PC|[a-z]{1,6}-[0-9]{2}|[ \n.]){0,200}",
        seed: u8,
    ) {
        let children: Vec<Child<'_>> = leaves.iter().map(Child::from).collect();
        let set = ProbeSet::draw(&children, &Policy::narrative(), &key(seed), &[]);
        let recall = set.ask(&parent, &Reader);
        proptest::prop_assert!(recall.hits() <= recall.asked());
        for probe in set.probes() {
            proptest::prop_assert!(probe.question().text.contains("____"));
        }
    }
}

//! Which clear form a statement has: closed classes of words and their order, no topics.

use crate::child::Role;
use crate::fact::Class;
use crate::fact::statement::{Cues, Statement};
use crate::text::{Span, words};
use crate::trace::parent::Text;
use crate::trace::wording::core;

/// What opens and closes direct speech.
pub(super) const QUOTES: &[char] = &['"', '\'', '“', '”', '„', '«', '»', '‘', '’'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Forbids,
    Allows,
}

/// Which clear form a statement has.
pub(super) fn form(text: &Text<'_>, statement: &Statement, role: Role, told: bool) -> Option<Form> {
    let folded = &*text.reading.normal.text;
    let cues = statement.cues;
    let may = Cues::NEGATION.with(Cues::PROHIBITION).with(Cues::DENIAL).with(Cues::CONSENT);
    if role == Role::Tool
        || !cues.any(may)
        || statement
            .at
            .of(folded)
            .trim_end_matches(|c: char| c.is_whitespace() || QUOTES.contains(&c))
            .ends_with('?')
    {
        return None;
    }
    let at = core(folded, statement.at);
    let said: Vec<String> =
        words(folded, at).iter().map(|w| w.at.of(folded).to_lowercase().replace('’', "'")).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    // Who gives orders may speak as they like; in a document or a report only what is written as a rule counts, for
    // people in it say "don't" to each other.
    let orders = told && matches!(role, Role::User | Role::System);
    let spoken = !orders && folded.get(..at.start).is_some_and(|head| head.ends_with(QUOTES))
        || at.of(folded).starts_with(QUOTES);
    if spoken {
        return None;
    }
    let user = statement.actor == Some(Role::User);
    let undone = cues.any(Cues::OPEN.with(Cues::FUTURE).with(Cues::ASK).with(Cues::MUST));
    let refuses_consent = statement.turns.iter().any(|t| t.stem.is_some_and(approves));
    if imperative(&said, orders, told) || deontic(&said, orders) {
        return Some(Form::Forbids);
    }
    let named = |word: usize| {
        let at = words(folded, at).get(word).map(|w| w.at);
        at.is_some_and(|at| {
            let first = text.reading.facts.partition_point(|f| f.at.end <= at.start);
            text.reading.facts.get(first).is_some_and(|f| f.class == Class::Name && f.at.contains(at))
        })
    };
    if nominal(&said, named) {
        return Some(Form::Forbids);
    }
    if refuses_consent
        && (user || said.iter().any(|w| matches!(*w, "been" | "be")) || said.first() == Some(&"not"))
    {
        return Some(Form::Forbids);
    }
    if user && cues.any(Cues::DENIAL) && !undone
        || role != Role::System && said.first().is_some_and(|w| *w == "denied" || *w == "vetoed")
    {
        return Some(Form::Forbids);
    }
    let consents = said.iter().any(|w| APPROVES.contains(w));
    (user && consents && !statement.negated && !undone && !cues.any(Cues::CONDITION)).then_some(Form::Allows)
}

/// Words by which somebody gives leave; "confirmed" and "accepted" as often only report.
const APPROVES: &[&str] = &[
    "approve",
    "approves",
    "approved",
    "authorise",
    "authorised",
    "authorize",
    "authorized",
    "consented",
    "permitted",
];

fn approves(stem: u64) -> bool {
    APPROVES.iter().any(|word| words(word, Span::new(0, word.len())).first().is_some_and(|w| w.stem == stem))
}

/// Words before an imperative that say nothing of their own, the heading of these in a ledger among them.
const LEADS: &[&str] = &[
    "rules", "please", "and", "but", "also", "so", "then", "again", "ok", "okay", "yes", "no", "still",
    "just",
];

/// Verbs of thinking and courtesy: "don't worry" forbids nothing, "don't know" has lost its subject.
const IDLE: &[&str] = &[
    "worry",
    "hesitate",
    "forget",
    "mind",
    "know",
    "think",
    "believe",
    "see",
    "have",
    "need",
    "want",
    "understand",
    "remember",
    "care",
    "feel",
    "get",
    "recall",
    "expect",
    "like",
    "seem",
    "panic",
    "even",
    "really",
    "you",
    "we",
    "they",
    "he",
    "she",
    "it",
    "this",
    "that",
    "there",
];

/// Past forms that no ending tells: "never saw one" orders nothing.
const PAST: &[&str] = &[
    "seen", "been", "had", "got", "done", "found", "saw", "was", "were", "did", "went", "came", "gave",
    "took", "made", "knew", "known", "read", "ran", "sent", "told", "said", "thought", "meant", "heard",
    "left", "lost", "became", "again", "before", "more", "less", "really", "quite", "mind", "once", "a",
    "an", "the", "in", "on", "at", "to",
];

/// "Never replay it", "do not touch it": a negated verb without a subject. Of those who give no orders the uncontracted
/// form alone, at the head of its clause; and of a speaker none but "never".
fn imperative(said: &[&str], orders: bool, told: bool) -> bool {
    let lead = if orders {
        said.iter().take(3).take_while(|w| LEADS.contains(*w)).count()
    } else {
        usize::from(said.first() == Some(&"rules"))
    };
    let Some([first, rest @ ..]) = said.get(lead..) else { return false };
    let bare = |verb: &str| {
        verb.len() > 1
            && verb.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
            && !verb.ends_with("ed")
            && !verb.ends_with("ing")
            && !PAST.contains(&verb)
            && !IDLE.contains(&verb)
    };
    match (*first, rest) {
        ("never", ["ever", verb, ..] | [verb, ..]) => bare(verb),
        ("do", ["not", verb, ..]) => (orders || !told) && bare(verb),
        ("don't" | "dont", [verb, ..]) => orders && bare(verb),
        _ => false,
    }
}

/// "Must not be restarted", "is forbidden"; and of those who give orders "must not", "may not", "should not" and "is not
/// allowed" with any verb.
fn deontic(said: &[&str], orders: bool) -> bool {
    let be = |w: &str| matches!(w, "is" | "are" | "be" | "stays" | "stay" | "remains" | "remain");
    // "Write what is forbidden" forbids nothing.
    let asks =
        said.windows(2).any(|w| matches!(w[0], "what" | "which" | "whatever" | "whether" | "if") && be(w[1]));
    said.windows(3).any(|w| match (w[0], w[1]) {
        ("must" | "shall", "not" | "never") => w[2] == "be" || orders && w[2] != "have",
        ("may" | "should", "not" | "never") => orders && w[2] != "have",
        (verb, "not" | "never") => orders && be(verb) && matches!(w[2], "allowed" | "permitted"),
        _ => false,
    }) || said.windows(2).any(|w| {
        be(w[0]) && matches!(w[1], "forbidden" | "prohibited") && !asks
            || w[0] == "mustn't" && (w[1] == "be" || orders && w[1] != "have")
            || orders && matches!(w[0], "isn't" | "aren't") && matches!(w[1], "allowed" | "permitted")
    })
}

/// "No reversal without her": a noun that nobody may have without somebody or their yes.
fn nominal(said: &[&str], named: impl Fn(usize) -> bool) -> bool {
    if said.first() != Some(&"no") {
        return false;
    }
    let Some(without) = said.iter().position(|w| *w == "without") else { return false };
    let verb = |w: &&str| {
        matches!(
            *w,
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "have"
                | "had"
                | "does"
                | "did"
                | "can"
                | "could"
                | "will"
                | "would"
        )
    };
    let leave = |w: &&str| {
        matches!(
            *w,
            "me" | "her"
                | "him"
                | "them"
                | "us"
                | "approval"
                | "consent"
                | "permission"
                | "yes"
                | "ok"
                | "okay"
                | "sign-off"
                | "review"
                | "asking"
                | "confirmation"
                | "go-ahead"
                | "agreement"
        )
    };
    without >= 2
        && !said.iter().take(without).any(verb)
        && (said.iter().skip(without + 1).take(4).any(leave) || named(without + 1))
}

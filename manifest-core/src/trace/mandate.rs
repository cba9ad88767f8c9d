//! Statements that forbid, refuse or allow, where the grammar leaves no doubt: nobody but the caller can give them up.
//!
//! Only clear forms count: a negated imperative, a modal or a predicate that forbids, "no … without somebody's yes", and
//! what the user is told to have refused or approved. What a tool prints binds nobody.

use super::parent::{MASK, Text};
use super::required::Repeat;
use super::wording::core;
use crate::child::Role;
use crate::fact::statement::{Cues, Statement};
use crate::fact::{Class, Known};
use crate::text::{Span, words};
use rustc_hash::FxHashMap;

/// One statement that forbids, refuses or allows.
#[derive(Clone, Debug)]
pub(crate) struct Mandate {
    /// Index of the child that says it first.
    pub(crate) child: usize,
    /// Where it stands in the child as given.
    pub(crate) span: Span,
    /// Its text at that span, secrets masked.
    pub(crate) text: Box<str>,
    /// Whether the user says it.
    pub(crate) by_user: bool,
    /// Whether one sentence of the parent repeats it.
    pub(crate) stated: bool,
    /// How often it was said.
    pub(crate) count: usize,
}

impl Mandate {
    /// Its text on one line, without marks of emphasis.
    pub(crate) fn written(&self) -> String {
        self.text.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The longest clause that is kept; a longer one is cut at a word.
const LONGEST: usize = 160;
/// A clause of more bytes than this goes without what a colon in it explains.
const EXPLAINED: usize = 100;
/// How many of one table are kept: text that holds more of them is a list of rules, and stands in a document.
const MOST: usize = 4096;

/// The mandates of the children, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mandates {
    all: Vec<Mandate>,
    number: FxHashMap<Vec<u64>, usize>,
}

impl Mandates {
    /// Reads one child; `told` says whether its role is known, `negating` which clauses of the parent stand under a
    /// negation that is not their own.
    pub(crate) fn child(
        &mut self,
        child: usize,
        (role, told): (Role, bool),
        text: &Text<'_>,
        repeat: &Repeat<'_, '_>,
        negating: &[bool],
    ) {
        for statement in &text.statements.all {
            let role = statement.speaker.unwrap_or(role);
            let told = told || statement.speaker.is_some();
            let Some(form) = form(text, statement, role, told) else { continue };
            let items = text.said_items(statement);
            if items.len() < 2 || self.all.len() >= MOST {
                continue;
            }
            if let Some(known) = self.number.get(&items).and_then(|n| self.all.get_mut(*n)) {
                known.count += 1;
                known.by_user |= role == Role::User;
                continue;
            }
            let folded = &*text.reading.normal.text;
            let at = shortened(folded, core(folded, statement.at));
            let stated = repeat.keeps(&items, form, negating);
            self.number.insert(items, self.all.len());
            self.all.push(Mandate {
                child,
                span: text.reading.normal.source(at),
                text: text.shown(at).into(),
                by_user: role == Role::User,
                stated,
                count: 1,
            });
        }
    }

    /// All of them, in the order of the text, without the credentials that are known by the end.
    pub(crate) fn into_all(mut self, known: &Known) -> Vec<Mandate> {
        for mandate in &mut self.all {
            if let Some(hidden) = known.mask(&mandate.text, MASK) {
                mandate.text = hidden.into();
            }
        }
        self.all
    }
}

/// A clause without what a colon explains and cut at a word, where it is long.
fn shortened(folded: &str, at: Span) -> Span {
    // The end of somebody's speech that began in another clause.
    let at = Span::new(
        at.start,
        at.start + at.of(folded).trim_end_matches(|c| c == '.' || QUOTES.contains(&c)).len(),
    );
    let colon = at.of(folded).find(": ").map(|colon| Span::new(at.start, at.start + colon));
    let at = colon.filter(|head| at.len() > EXPLAINED && words(folded, *head).len() >= 4).unwrap_or(at);
    if at.len() <= LONGEST {
        return at;
    }
    let ends = words(folded, at).into_iter().map(|word| word.at.end);
    Span::new(at.start, ends.take_while(|end| end - at.start <= LONGEST).last().unwrap_or(at.start))
}

/// What opens and closes direct speech.
const QUOTES: &[char] = &['"', '\'', '“', '”', '„', '«', '»', '‘', '’'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Forbids,
    Allows,
}

/// Which clear form a statement has.
fn form(text: &Text<'_>, statement: &Statement, role: Role, told: bool) -> Option<Form> {
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

impl Repeat<'_, '_> {
    /// Whether one sentence of the parent repeats a mandate, and forbids or allows as it does. `negating` says which
    /// clauses stand under a heading, or beside a clause, that forbids.
    fn keeps(&self, statement: &[u64], form: Form, negating: &[bool]) -> bool {
        let forbids = Cues::NEGATION
            .with(Cues::PROHIBITION)
            .with(Cues::DENIAL)
            .with(Cues::EXCEPTION)
            .with(Cues::ALTERNATIVE)
            .with(Cues::OPEN);
        let allows = Cues::CONSENT.with(Cues::DECISION).with(Cues::ASK);
        self.near(statement).into_iter().any(|sentence| {
            let (mut here, mut kept) = (Vec::new(), false);
            for (number, claim) in self.clauses(sentence) {
                here.extend(self.parent.items_of(claim));
                kept |= match form {
                    Form::Forbids => claim.cues.any(forbids) || negating.get(number) == Some(&true),
                    Form::Allows => claim.cues.any(allows) || claim.actor == Some(Role::User),
                };
            }
            here.sort_unstable();
            kept && self.enough(statement, &here)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Check, Child, Drop, Policy, Report, Role};

    fn said(role: Option<Role>, text: &str) -> Report {
        let child = Child::new(text);
        let child = match role {
            Some(role) => child.with_role(role),
            None => child,
        };
        Check::new(&[child], "The relays were looked at in the evening.").run(&Policy::remediation())
    }

    fn lost(report: &Report) -> Vec<&str> {
        report.lost.iter().filter(|row| row.kind == "statement").map(|row| row.text.as_str()).collect()
    }

    #[test]
    fn clear_prohibitions_denials_and_consents_are_required() {
        for (role, text, clause) in [
            (Some(Role::User), "Never drain eu-4 by hand.", "Never drain eu-4 by hand"),
            (Some(Role::User), "Please do not touch the blue relay.", "Please do not touch the blue relay"),
            (None, "NEVER drain a held relay: it loses its queue.", "NEVER drain a held relay"),
            (
                Some(Role::System),
                "Don't restart the broker without asking.",
                "Don't restart the broker without asking",
            ),
            (
                Some(Role::Assistant),
                "The broker must not be restarted by day.",
                "The broker must not be restarted by day",
            ),
            (
                None,
                "No reversal of payments without her approval.",
                "No reversal of payments without her approval",
            ),
            (None, "The user denied the drain of eu-4.", "The user denied the drain of eu-4"),
            (None, "The user has not approved the failover.", "The user has not approved the failover"),
            (None, "The user approved the restart of relay-3.", "The user approved the restart of relay-3"),
            (None, "Draining by hand is forbidden.", "Draining by hand is forbidden"),
        ] {
            let report = said(role, text);
            let rows = lost(&report);
            assert!(
                rows.iter().any(|row| clause.starts_with(row) || row.starts_with(clause)),
                "{text}: {rows:?}"
            );
            assert!(!report.verdict.is_commit(), "{text}");
            assert!(report.ledger.text.contains(rows[0]), "{text}: {}", report.ledger.text);
        }
    }

    #[test]
    fn what_forbids_nothing_is_not_required() {
        for (role, text) in [
            (Some(Role::User), "Don't worry about the relay."),
            (Some(Role::User), "Don't you see the relay blink?"),
            (None, "\"Don't touch the relay\", he said to the other."),
            (None, "Don't touch the relay."),
            (None, "I must not forget the relay."),
            (Some(Role::User), "Write down what is forbidden around the relay."),
            (Some(Role::User), "I don't know the relay of zone four."),
            (Some(Role::User), "Should we not restart the broker?"),
            (Some(Role::Tool), "Never drain a held relay by hand."),
            (Some(Role::Assistant), "Do not hesitate to ask about the relay."),
            (None, "The relay never answered in zone four."),
            (None, "Never saw a relay like that."),
            (None, "The relay must not have been drained."),
            (None, "The relay does not accept an old key."),
            (None, "The drain may not be finished by then."),
            (None, "No relay was drained without a hold."),
            (None, "The user confirmed that the relay is red."),
        ] {
            let report = said(role, text);
            assert_eq!(lost(&report), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_credential_that_is_known_by_the_end_is_masked() {
        let key = "sk-proj-Zt81mQv0aXw93LkRbY72hGdE";
        let children = [
            Child::new(format!("user: Never hand {key} to the relay.")),
            Child::new(format!("API_KEY={key}")),
        ];
        let report = Check::new(&children, "The relay ran.").run(&Policy::remediation());
        let shown = format!("{report:?}");
        assert!(lost(&report).len() == 1 && !shown.contains("Zt81mQv0"), "{shown}");
    }

    #[test]
    fn a_parent_that_forbids_the_same_states_it_and_one_that_allows_it_does_not() {
        let children = ["user: Never drain a held relay by hand.".into()];
        let verdict =
            |parent: &str| Check::new(&children, parent).run(&Policy::remediation()).lost.is_empty();
        assert!(verdict("A held relay must never be drained by hand."));
        assert!(verdict("## Forbidden\n- Draining a held relay by hand."));
        assert!(!verdict("A held relay can be drained by hand."));
    }

    #[test]
    fn a_ledger_carries_them_with_their_leaf_and_only_the_caller_drops_them() {
        let children = ["The drain began at noon.".into(), "user: Never drain a held relay by hand.".into()];
        let check = || Check::new(&children, "The drain began at noon.");
        let policy = Policy::remediation();
        let offered = check().run(&policy).ledger;
        assert_eq!(offered.text, "rules: \"Never drain a held relay by hand\" [1]");
        assert_eq!((offered.entries[0].kind, offered.entries[0].child), ("statement", 1));
        let mended = check().mend(true).run(&policy);
        assert!(mended.verdict.is_commit() && mended.signals.facts.carried == 1, "{mended:?}");
        assert!(check().ledger([&*offered.text]).run(&policy).verdict.is_commit());
        let drops = [Drop::new("Never drain a held relay by hand", "lifted at noon")];
        assert!(check().drops(&drops).run(&policy).verdict.is_commit());
        assert!(!check().given_up(&drops).run(&policy).verdict.is_commit());
        assert!(check().run(&Policy::narrative()).verdict.is_commit());
    }
}

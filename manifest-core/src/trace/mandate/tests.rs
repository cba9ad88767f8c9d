//! What is a mandate, what states it, and who drops it.

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
    let children =
        [Child::new(format!("user: Never hand {key} to the relay.")), Child::new(format!("API_KEY={key}"))];
    let report = Check::new(&children, "The relay ran.").run(&Policy::remediation());
    let shown = format!("{report:?}");
    assert!(lost(&report).len() == 1 && !shown.contains("Zt81mQv0"), "{shown}");
}

#[test]
fn a_parent_that_forbids_the_same_states_it_and_one_that_allows_it_does_not() {
    let children = ["user: Never drain a held relay by hand.".into()];
    let verdict = |parent: &str| Check::new(&children, parent).run(&Policy::remediation()).lost.is_empty();
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

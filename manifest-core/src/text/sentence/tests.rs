use super::*;

fn cut(text: &str) -> Vec<(&str, SentenceKind)> {
    split(text, |_| false).0.iter().map(|s| (s.at.of(text), s.kind)).collect()
}

fn prose(text: &str) -> Vec<&str> {
    cut(text).into_iter().map(|(s, _)| s).collect()
}

fn clauses(text: &str) -> Vec<&str> {
    split(text, |_| false).1.iter().map(|c| c.at.of(text)).collect()
}

#[test]
fn full_stops_that_end_nothing() {
    for whole in [
        "Dr. Smith met J. Doe at 5 p.m. in St. Louis.",
        "See e.g. the file, i.e. config.toml, or Fig. 2 and No. 5.",
        "Version 1.2.3 costs $3.50 at https://a.example/x.y?z=1. ",
        "It took approx. five minutes vs. ten before.",
        "The U.S. team at Acme Inc. agreed.",
        "He waited... and then left.",
        "\"What now?\" he asked.",
        "It failed (see the log. It is long.) twice.",
        "Das gilt z.B. für Nr. 5 bzw. Abb. 3.",
    ] {
        assert_eq!(prose(whole), [whole.trim()], "{whole}");
    }
}

#[test]
fn full_stops_that_end_a_sentence() {
    for (text, parts) in [
        ("It failed. We retried.", vec!["It failed.", "We retried."]),
        ("ok. i want a refund. thanks", vec!["ok. i want a refund.", "thanks"]),
        ("Plan B. The end.", vec!["Plan B.", "The end."]),
        ("He said \"no.\" She left.", vec!["He said \"no.\"", "She left."]),
        ("Is it? Yes! Good.", vec!["Is it?", "Yes!", "Good."]),
        ("OK , we 're on . So go .", vec!["OK , we 're on .", "So go ."]),
        ("It closed at 5 p.m. The rest waited.", vec!["It closed at 5 p.m.", "The rest waited."]),
        ("失败了。我们重试！好吗？", vec!["失败了。", "我们重试！", "好吗？"]),
        ("यह ठीक है। वह गया।", vec!["यह ठीक है।", "वह गया।"]),
        (
            "Three plans: 1. Basic: $300. 2. Premium: $600.",
            vec!["Three plans:", "Basic: $300.", "Premium: $600."],
        ),
    ] {
        assert_eq!(prose(text), parts, "{text}");
    }
}

#[test]
fn layout() {
    use SentenceKind::{Heading, Item, Line, Prose};
    let text = "# Title\n\nDecisions:\n- keep Redis\n* [x] drop Kafka. It was slow.\n1. first\n2) second\n\n**Open**\n\
                | a | b |\n|---|---|\n| 1 | 2 |\n```rust\nlet x = 1;\n// Done. Next.\n```\nSummary\n=======\nuser: hi there\n\
                {\"a\": 1, \"b\": 2}\n2024-05-01 10:00:00 ERROR failed. Retrying.\n---\nThe end";
    assert_eq!(
        cut(text),
        [
            ("Title", Heading),
            ("Decisions:", Heading),
            ("keep Redis", Item),
            ("drop Kafka.", Item),
            ("It was slow.", Item),
            ("first", Item),
            ("second", Item),
            ("**Open**", Heading),
            ("| a | b |", Heading),
            ("| 1 | 2 |", Line),
            ("let x = 1;", Line),
            ("// Done. Next.", Line),
            ("Summary", Heading),
            ("user: hi there", Prose),
            ("{\"a\": 1, \"b\": 2}", Line),
            ("2024-05-01 10:00:00 ERROR failed. Retrying.", Line),
            ("The end", Prose),
        ]
    );
}

#[test]
fn wrapped_lines_are_one_sentence_and_others_are_not() {
    let wrapped = "The deploy of the payment service was stopped by hand at\nnoon since the queue had grown beyond what the workers of\nFrankfurt could drain.";
    assert_eq!(prose(wrapped).len(), 1);
    let chat = "user: where is my order\nassistant: it left today\nok";
    assert_eq!(prose(chat).len(), 3);
    let log =
        "Add support for streaming\nFix the parser\nUpdate dependencies of the web client and its examples";
    assert_eq!(prose(log).len(), 3);
}

#[test]
fn clauses_that_stand_alone() {
    for (text, parts) in [
        ("Build A failed, and build B passed.", vec!["Build A failed", "build B passed."]),
        ("We kept Redis; Kafka was dropped.", vec!["We kept Redis", "Kafka was dropped."]),
        ("The tests were slow but the deploy was fast.", vec!["The tests were slow", "the deploy was fast."]),
        ("He left and she stayed.", vec!["He left", "she stayed."]),
        ("The cache was full — the worker crashed.", vec!["The cache was full", "the worker crashed."]),
        ("超时了；重试成功。", vec!["超时了", "重试成功。"]),
        (
            "The deploy failed on node 3, and the service crashed at 10:42.",
            vec!["The deploy failed on node 3", "the service crashed at 10:42."],
        ),
        ("We were warned, and now it is too late.", vec!["We were warned", "now it is too late."]),
        ("Sand had blown in and the doors were shut.", vec!["Sand had blown in", "the doors were shut."]),
        (
            "It timed out twice, but Lena's retry was accepted.",
            vec!["It timed out twice", "Lena's retry was accepted."],
        ),
    ] {
        assert_eq!(clauses(text), parts, "{text}");
    }
}

#[test]
fn clauses_that_do_not() {
    for whole in [
        "The tests, the docs and the code were updated.",
        "He said that the tests and the docs were updated.",
        "The service (it was new; nobody knew it) crashed.",
        "He wrote \"stop; we wait\" on the board.",
        "Bread and butter.",
        "The required files and the needed options are listed.",
        "It reads and writes files.",
        "The timeout is 30s, not 60s.",
        "Kevin has no powers and feels disconnected from the others.",
        "He works hard and is soon called again, but now believes that he was wrong.",
        "Members get 1 free checked bag, and 3 free checked bags in business class.",
        "They have heard of it and Ann and Jeff.",
        "She was told that a node was gone and that a man named Denton had left.",
        "The user has insurance or flies business and complains about cancelled flights.",
    ] {
        assert_eq!(clauses(whole), [whole], "{whole}");
    }
}

#[test]
fn a_token_is_never_cut() {
    let text = "Run a. B now";
    assert_eq!(split(text, |i| (4..9).contains(&i)).0.len(), 1);
}

#[test]
fn a_long_line_is_cut_at_spaces() {
    let text = "word ".repeat(10_000);
    let (sentences, _) = split(&text, |_| false);
    assert!(sentences.iter().all(|s| s.at.len() <= CUT.end && !s.at.of(&text).starts_with("ord")));
    let solid = "x".repeat(10_000);
    assert_eq!(split(&solid, |i| i > 0 && i < 10_000).0.len(), 1);
    assert!(split(&solid, |_| false).0.len() > 10);
}

mod any_text {
    use super::super::*;
    use proptest::prelude::*;

    fn check(text: &str, inside: impl Fn(usize) -> bool) {
        let (sentences, clauses) = split(text, inside);
        let (mut end, mut next) = (0, 0);
        for (n, s) in sentences.iter().enumerate() {
            assert!(s.at.start >= end && !s.at.is_empty() && text.get(s.at.start..s.at.end).is_some());
            assert_eq!(s.at.of(text).trim(), s.at.of(text));
            assert_eq!((s.clauses.start, s.clauses.is_empty()), (next, false));
            let mut from = s.at.start;
            for c in clauses.get(s.clauses.clone()).unwrap_or_default() {
                assert!(s.at.contains(c.at) && c.at.start >= from && !c.at.is_empty() && c.sentence == n);
                assert!(text.get(c.at.start..c.at.end).is_some());
                from = c.at.end;
            }
            (end, next) = (s.at.end, s.clauses.end);
        }
        assert_eq!(next, clauses.len());
    }

    /// Text of the parts that boundaries hang on.
    fn parts() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            " ",
            " ",
            "\n",
            "\n\n",
            ". ",
            ".",
            "! ",
            "? ",
            "… ",
            "; ",
            ", and ",
            " but ",
            " — ",
            " - ",
            ": ",
            "(",
            ")",
            "\"",
            "“",
            "”",
            "`",
            "- ",
            "* ",
            "1. ",
            "2) ",
            "> ",
            "# ",
            "```\n",
            "| ",
            "---\n",
            "user: ",
            "e.g. ",
            "Dr. ",
            "p.m. ",
            "he left",
            "the build failed",
            "it was",
            "1.2.3",
            "$5",
            "a",
            "X",
            "漢字",
            "。",
            "，但",
            "；",
            "é",
            "\u{301}",
            "\r\n",
            "\t",
            "{\"a\": 1}",
            "=",
            "==\n",
            "https://a.b/c?d",
            "\u{0}",
            "\u{200b}",
            "🙂",
        ]);
        prop::collection::vec(part, 0..60).prop_map(|v| v.concat())
    }

    proptest! {
        #[test]
        fn is_cut_in_order_without_panic(text in any::<String>(), bits in any::<u64>()) {
            check(&text, |i| bits >> (i % 64) & 1 == 1);
        }

        #[test]
        fn of_telling_parts_is_cut_in_order(text in parts(), bits in any::<u64>()) {
            check(&text, |_| false);
            check(&text, |i| bits >> (i % 64) & 1 == 1);
        }

        #[test]
        fn loses_no_word_and_cuts_none(text in "([a-z]{1,9}[.,;!?]{0,2}[ \n]){0,200}") {
            let bytes = text.as_bytes();
            let letter = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphabetic);
            let (sentences, _) = split(&text, |i| i > 0 && letter(i) && letter(i - 1));
            let all: String = sentences.iter().map(|s| s.at.of(&text)).collect();
            let letters = |s: &str| s.bytes().filter(u8::is_ascii_alphabetic).count();
            prop_assert_eq!(letters(&all), letters(&text));
            for s in &sentences {
                prop_assert!(!(letter(s.at.end) && letter(s.at.end - 1)));
            }
        }
    }

    #[test]
    fn of_one_hostile_line_is_cut_in_linear_time() {
        for part in [
            "a. ",
            "a.",
            ". ",
            "(",
            ") ",
            "\"",
            ", and it was ",
            "; x ",
            "> ",
            "- ",
            "x",
            " ",
            "漢",
            "。",
            "and ",
            "A. The ",
            ":",
            "1. A ",
            "…",
            "—",
        ] {
            let text = part.repeat(60_000 / part.len());
            check(&text, |_| false);
            let n = text.len();
            check(&text, |i| i > 0 && i < n);
        }
    }
}

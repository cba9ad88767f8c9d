use super::*;
use crate::fact::read;
use crate::text::words;

/// Streams a child as it comes from the tracer.
fn stream(a: &mut Aligner, index: usize, child: &str) {
    let r = read(child);
    let all = words(&r.normal.text, Span::new(0, r.normal.text.len()));
    a.child(index, &r, &all);
}

fn trace(parent: &str, children: &[&str]) -> Vec<Aligned> {
    let mut a = Aligner::new(&read(parent));
    for (i, c) in children.iter().enumerate() {
        stream(&mut a, i, c);
    }
    a.finish()
}

const PARENT: &str = "The payment service was rolled back by Lena after the queue in Frankfurt overflowed.";

#[test]
fn a_copy_is_covered_whole_and_a_stranger_not() {
    let own = trace(PARENT, &["Nothing here.", PARENT]);
    let t = own.first().unwrap();
    assert!((t.coverage - 1.0).abs() < 1e-9 && t.score > 0.95, "{t:?}");
    assert!(t.covered());
    assert_eq!(t.sources.iter().map(|s| s.child).collect::<Vec<_>>(), [1]);
    let other = trace(PARENT, &["Bread is baked at dawn. The baker sleeps at noon."]);
    let t = other.first().unwrap();
    assert!(t.coverage < 0.1 && !t.covered() && t.score < 0.1, "{t:?}");
}

#[test]
fn two_windows_are_counted_and_three_are_not() {
    let far = "One. Two dogs bark. Three cats sleep. Four birds sing. Five fish swim. Six mice run. Seven cows eat. ";
    let at = |parts: &[&str]| parts.join(&far.repeat(2));
    let two = at(&["The payment service was rolled back.", "The queue in Frankfurt overflowed."]);
    let three = at(&["The payment service.", "Rolled back by Lena.", "The queue in Frankfurt overflowed."]);
    let of = |child: &str| trace(PARENT, &[child]).first().map_or(0.0, |t| t.coverage);
    // Seven words (payment, service, rolled, back, Lena, queue, Frankfurt, overflowed): all but Lena; then without
    // the smallest of three.
    assert!((of(&two) - 7.0 / 8.0).abs() < 1e-9, "{}", of(&two));
    assert!((of(&three) - 6.0 / 8.0).abs() < 1e-9, "{}", of(&three));
}

#[test]
fn a_window_ends_with_its_child() {
    let apart = trace(
        PARENT,
        &["The payment service was rolled back.", "Lena watched.", "The queue in Frankfurt overflowed."],
    );
    assert!((apart.first().unwrap().coverage - 7.0 / 8.0).abs() < 1e-9);
}

#[test]
fn unrelated_children_between_change_no_coverage_and_no_order_of_sources() {
    let children = [
        "Lena rolled the payment service back.",
        "In Frankfurt the queue overflowed again.",
        "The queue grew.",
    ];
    let noise = "Bread is baked at dawn. Bakers sleep at noon.";
    let mixed: Vec<&str> = children.iter().flat_map(|c| [noise, c, noise]).collect();
    let (a, b) = (trace(PARENT, &children), trace(PARENT, &mixed));
    for (a, b) in a.iter().zip(&b) {
        assert!((a.coverage - b.coverage).abs() < 1e-9);
        let order = |t: &Aligned, step: usize| t.sources.iter().map(|s| s.child / step).collect::<Vec<_>>();
        assert_eq!(order(a, 1).first(), order(b, 3).first());
    }
}

#[test]
fn a_source_names_its_sentences() {
    let child = "Bread is baked. Lena rolled the payment service back. Bakers sleep.";
    let t = trace(PARENT, &[child]);
    assert_eq!(
        t.first().unwrap().sources.first().unwrap().span.of(child),
        "Lena rolled the payment service back."
    );
}

#[test]
fn what_is_kept_does_not_grow_with_the_children() {
    let mut a = Aligner::new(&read(PARENT));
    for i in 0..2_000 {
        let child = format!(
            "Payment {i}. The service of Lena {i} rolled. Queue {i}, back in Frankfurt, overflowed {i}."
        );
        stream(&mut a, i, &child);
    }
    assert!(a.open.iter().all(|o| o.hits.len() < 128));
    assert!(a.active.len() <= a.open.len());
    assert!(a.finish().iter().all(|t| t.sources.len() <= super::super::origin::SOURCES));
}

#[test]
fn words_of_telling_weigh_less_than_what_is_told() {
    let parent = "Lena mentioned a suggestion about the turbine blades.";
    let t = trace(parent, &["Mentioned is a suggestion. Lena nods.", "The turbine needs new blades."]);
    assert_eq!(t.first().unwrap().sources.first().unwrap().child, 1);
}

#[test]
fn a_figure_weighs_more_than_a_word() {
    let parent = "The boiler holds 420 litres of water.";
    let t = trace(
        parent,
        &["The boiler has water in litres.", "Nothing.", "The boiler holds 420 gallons.", "Nothing."],
    );
    assert_eq!(t.first().unwrap().sources.first().unwrap().child, 2);
}

#[test]
fn words_side_by_side_weigh_more_than_words_apart() {
    let parent = "The cooling pump of the northern plant leaks hydraulic oil.";
    let apart = "The plant has a pump. Hydraulic doors open northern halls. Cooling is slow. Oil is cheap.";
    let beside = "The cooling pump leaks. Hydraulic oil is on the floor of the northern plant.";
    let t = trace(parent, &[apart, "Nothing at all.", "Bread and dawn.", beside]);
    assert_eq!(t.first().unwrap().sources.first().unwrap().child, 3);
}

#[test]
fn thousands_of_claims_that_share_their_words_are_each_found() {
    let line = |i: usize| format!("The pump of unit {i} leaked oil.\n");
    let parent: String = (0..3_000).map(line).chain([line(7), "The pump leaked oil.\n".to_owned()]).collect();
    let t = trace(&parent, &[&parent]);
    assert_eq!(t.len(), 3_002);
    assert!(t.iter().all(|t| (t.coverage - 1.0).abs() < 1e-9));
    assert_ne!(t.get(7).map(|t| t.span), t.get(3_000).map(|t| t.span));
    assert_eq!(t.get(7).map(|t| &t.sources), t.get(3_000).map(|t| &t.sources));
}

#[test]
fn other_scripts_and_languages_are_aligned() {
    for (parent, own, other) in [
        (
            "缓存节点在凌晨崩溃，导致支付队列积压。",
            "凌晨缓存节点崩溃了。支付队列因此积压。",
            "面包师傅每天清晨烤面包。",
        ),
        (
            "Die Warteschlange in Frankfurt wurde geleert.",
            "Wir leerten in Frankfurt die Warteschlangen.",
            "Der Bäcker backt Brot.",
        ),
        (
            "Очередь платежей переполнилась ночью.",
            "Ночью переполнилась очередь платежей.",
            "Пекарь печёт хлеб утром.",
        ),
    ] {
        let t = trace(parent, &[other, "1.", own]);
        assert!(t.iter().all(Aligned::covered), "{t:?}");
        assert_eq!(t.first().unwrap().sources.first().unwrap().child, 2, "{parent}");
        assert!(trace(parent, &[other]).iter().all(|t| !t.covered()), "{parent}");
    }
}

#[test]
fn nothing_to_align() {
    assert!(trace("", &["a"]).is_empty());
    assert!(trace("# Title", &[]).is_empty());
    let alone = trace(PARENT, &[]);
    assert!(alone.iter().all(|t| !t.covered() && t.sources.is_empty() && t.score.abs() < 1e-9));
    assert!(trace(PARENT, &["", "\n", "…"]).iter().all(|t| t.sources.is_empty()));
}

mod any_text {
    use super::super::*;
    use super::stream;
    use crate::fact::read;
    use proptest::prelude::*;

    fn words() -> impl Strategy<Value = String> {
        "((the|pump|leaked|oil|Lena|42|E_QX|漢字|plant|was|ran|and|in|north)[ .;,\n-]{1,2}){0,60}"
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn is_aligned_within_bounds(parent in words(), children in prop::collection::vec(words(), 0..6), odd in any::<String>()) {
            let reading = read(&parent);
            let mut a = Aligner::new(&reading);
            let texts: Vec<&str> = children.iter().map(String::as_str).chain([odd.as_str()]).collect();
            for (i, c) in texts.iter().enumerate() {
                stream(&mut a, i, c);
            }
            let mut end = 0;
            for t in a.finish() {
                prop_assert!(t.span.start >= end && parent.get(t.span.start..t.span.end).is_some());
                end = t.span.end;
                prop_assert!((0.0..=1.0 + 1e-9).contains(&t.coverage) && (0.0..=1.0 + 1e-9).contains(&t.score));
                prop_assert!(t.sources.is_sorted_by(|a, b| a.score >= b.score));
                for s in &t.sources {
                    prop_assert!(s.score > 0.0 && s.score <= 1.0 + 1e-9);
                    prop_assert!(texts.get(s.child).is_some_and(|c| c.get(s.span.start..s.span.end).is_some()));
                }
            }
        }

        #[test]
        fn gives_the_same_coverage_whatever_unrelated_stands_between(parent in words(), children in prop::collection::vec(words(), 1..5)) {
            let of = |noise: bool| {
                let reading = read(&parent);
                let mut a = Aligner::new(&reading);
                for (i, c) in children.iter().enumerate() {
                    stream(&mut a, 2 * i, c);
                    if noise {
                        stream(&mut a, 2 * i + 1, "Bread is baked at dawn. Bakers sleep.");
                    }
                }
                a.finish()
            };
            for (a, b) in of(false).iter().zip(&of(true)) {
                prop_assert!((a.coverage - b.coverage).abs() < 1e-9);
            }
        }

        #[test]
        fn of_itself_is_covered_whole(text in words()) {
            let reading = read(&text);
            let mut a = Aligner::new(&reading);
            stream(&mut a, 0, &text);
            for t in a.finish() {
                let empty = crate::text::words(&reading.normal.text, t.at).iter().all(|w| !w.content);
                prop_assert!(empty || (t.coverage - 1.0).abs() < 1e-9);
            }
        }
    }
}

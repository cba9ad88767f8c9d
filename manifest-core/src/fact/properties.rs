//! What must hold for every text.

use super::testing::all;
use super::{Class, read};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that scanners trip over.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        2 => "[ -~]{1,6}",
        6 => select(vec![
            "\n", "\n\n", "  ", "```", "```bash\n", "$ ", "\"", "'", "`", "{\"", "\":", "\\", "\\\\", "\\n", "(", ")", "[", "]", "/", "//", "./", "../",
            "~", "C:\\", "\\\\srv\\x", "://", "https://", "@", "-", "--", "---", "–", "#", "%", "€", "$", ".", "..", ",", ":", "::", "=", "+", "*", "**",
            "_", "__", "1", "12", "1,234", "0042", "3.5", "16:9", "2026-03-04", "T05:06:07Z", "30s", "ms", "KiB", "per", "to", "between", "and",
            "git", "make", "--flag", "-x", "password", "token", "Bearer", "AKIAEXAMPLE00000000", "-----BEGIN PRIVATE KEY-----", "a81f0c27d4",
            "3f9a1c20-7b44-4e0d-9d1e-55aa10c7e8b2", "deadbeef", "0x", "fe80::1%eth0", "10.0.0.1", "/24", "March", "Tuesday", "PostgreSQL", "exit",
            "line", "年", "月", "日", "。", "，", "é", "\u{308}", "🦊", "\u{200d}", "\u{1b}[31m", "x", "A", "Kim", "I", "e5", "x86_64", "a_b", "f()",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|p| p.concat())
}

/// Tokens of classes that no context is needed for.
fn token() -> impl Strategy<Value = (Class, String)> {
    prop_oneof![
        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}".prop_map(|t| (Class::Uuid, t)),
        "[0-9a-f]{3}[a-d][0-9][a-f]{2}[0-9a-f]{4,20}[0-9][a-d]".prop_map(|t| (Class::Digest, t)),
        "0x[0-9a-f]{4,8}".prop_map(|t| (Class::Digest, t)),
        "https://[a-z]{3,8}\\.example/[a-z]{1,6}/[0-9]{1,5}".prop_map(|t| (Class::Url, t)),
        "[a-z]{3,8}\\.[a-z]{3,8}[0-9]{1,3}@[a-z]{3,8}\\.example".prop_map(|t| (Class::Email, t)),
        "10\\.[1-9][0-9]\\.[1-9][0-9]\\.[1-9][0-9]".prop_map(|t| (Class::Address, t)),
        "/(srv|etc|opt)/[a-z]{2,8}/[a-z_]{2,8}[a-z]\\.(rs|toml|log)".prop_map(|t| (Class::Path, t)),
        "(src|crates)/[a-z]{2,8}/[a-z]{2,8}\\.rs".prop_map(|t| (Class::Path, t)),
        "[1-9]\\.[0-9]{1,2}\\.[1-9]{1,2}".prop_map(|t| (Class::Version, t)),
        "20[0-9]{2}-0[1-9]-[12][0-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z".prop_map(|t| (Class::Instant, t)),
        "20[0-9]{2}-0[1-9]-[12][0-9]".prop_map(|t| (Class::Date, t)),
        "[1-9][0-9]{0,4}(ms|KiB|GB)".prop_map(|t| (Class::Quantity, t)),
        "[1-9][0-9]?(\\.[1-9])?%".prop_map(|t| (Class::Percentage, t)),
        "\\$[1-9][0-9]{1,2}\\.[0-9][1-9]".prop_map(|t| (Class::Money, t)),
        "[B-DF-Z][A-Z]{2}-[1-9][0-9]{1,4}".prop_map(|t| (Class::Ticket, format!("Q{t}"))),
        "E_[A-Z]{3,8}_[1-9][0-9]{2}".prop_map(|t| (Class::ErrorCode, t)),
        "[a-z]{3,8}_[a-z]{3,8}".prop_map(|t| (Class::Symbol, t)),
        "[g-z]{2,6}-[0-9]{1,4}-[g-z]{2,4}".prop_map(|t| (Class::Identifier, t)),
        "[g-z]{2,6}_[0-9]{3,7}".prop_map(|t| (Class::Identifier, t)),
    ]
}

fn context() -> impl Strategy<Value = (&'static str, &'static str)> {
    select(vec![
        ("", ""),
        ("see ", " now"),
        ("(", ")"),
        ("see `", "`."),
        ("**", "**"),
        ("the value ", ", and"),
        ("the value ", "."),
        ("the value ", ";"),
        ("{\"k\":\"", "\"}"),
        ("{\"a\":\"{\\\"k\\\":\\\"", "\\\"}\"}"),
        ("| ", " |"),
        ("- ", "\n- next"),
        ("已写入 ", "，共"),
        ("值为", "。"),
        ("“", "”"),
        ("x = ", "\n"),
        ("\u{1b}[1m", "\u{1b}[0m"),
        ("[", "]"),
        ("<", ">"),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn facts_are_well_formed(text in hostile()) {
        let r = read(&text);
        for (i, f) in r.facts.iter().enumerate() {
            prop_assert!(!f.span.is_empty() && f.span.end <= text.len());
            prop_assert!(text.is_char_boundary(f.span.start) && text.is_char_boundary(f.span.end));
            prop_assert!(!f.at.of(&r.normal.text).is_empty());
            if let Some(w) = f.whole {
                prop_assert!(w < i && r.facts[w].at.contains(f.at), "{:?}", all(&text));
            }
            let _ = r.canonical(f);
        }
        for pair in r.facts.windows(2) {
            prop_assert!(pair[0].at.start <= pair[1].at.start, "in order: {:?}", all(&text));
            let nested = pair[0].at.contains(pair[1].at) && pair[1].whole.is_some();
            prop_assert!(nested || pair[0].at.end <= pair[1].at.start, "apart: {:?} in {:?}", all(&text), text);
        }
        // Facts that are no parts never overlap.
        let tops: Vec<_> = r.facts.iter().filter(|f| f.whole.is_none()).collect();
        let apart = tops.windows(2).all(|p| p[0].at.end <= p[1].at.start);
        prop_assert!(apart, "{:?}", all(&text));
    }

    #[test]
    fn a_token_is_read_in_every_context((class, token) in token(), (before, after) in context()) {
        let alone = read(&token);
        prop_assert_eq!(alone.facts.first().map(|f| (f.class, f.span.of(&token))), Some((class, &*token)), "{:?}", all(&token));
        let text = format!("{before}{token}{after}");
        let r = read(&text);
        let here = r.facts.iter().find(|f| f.span.of(&text) == token);
        prop_assert!(here.is_some_and(|f| f.class == class && f.key == alone.facts[0].key), "{:?} in {:?}", all(&text), text);
        let outer = r.facts.iter().filter(|f| f.whole.is_none()).count();
        prop_assert!(outer <= 2, "{:?} in {:?}", all(&text), text);
    }

    #[test]
    fn an_altered_token_is_another_value((_, token) in token(), at in any::<prop::sample::Index>(), by in 1u8..9) {
        let digits: Vec<usize> = token.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
        prop_assume!(!digits.is_empty());
        let i = digits[at.index(digits.len())];
        let mut altered = token.clone().into_bytes();
        altered[i] = b'0' + (altered[i] - b'0' + by) % 10;
        let altered = String::from_utf8(altered).unwrap();
        let (a, b) = (read(&token), read(&altered));
        prop_assert!(!b.facts.is_empty(), "{altered}");
        prop_assert!(!a.facts[0].same(&b.facts[0]), "{token} {altered}");
    }

    #[test]
    fn one_duration_in_many_units(s in 1u64..100_000) {
        let base = super::testing::only(&format!("{s} s"));
        let mut forms = vec![format!("{s}s"), format!("{}ms", s * 1000), format!("{} milliseconds", s * 1000), format!("{s} seconds"), format!("{}.000 s", s)];
        if s.is_multiple_of(60) {
            forms.extend([format!("{} min", s / 60), format!("{}m", s / 60)]);
        }
        if s > 60 {
            forms.push(format!("{}m{}s", s / 60, s % 60));
        }
        for form in forms {
            prop_assert!(super::testing::only(&form).same(&base), "{form}");
        }
        let longer = super::testing::only(&format!("{} s", s + 1));
        prop_assert!(!longer.same(&base));
    }

    #[test]
    fn one_number_in_many_writings(n in 1000u32..99_999_999) {
        let base = super::testing::only(&format!("n {n}"));
        let grouped = |by: &str| {
            let d = n.to_string();
            let head = d.len() % 3;
            let mut parts: Vec<&str> = if head > 0 { vec![&d[..head]] } else { Vec::new() };
            parts.extend((head..d.len()).step_by(3).map(|i| &d[i..i + 3]));
            parts.join(by)
        };
        for form in [grouped(","), grouped("_"), grouped("'"), grouped("\u{202f}"), grouped("\u{a0}"), format!("{n}.0"), format!("{n}e0")] {
            prop_assert!(super::testing::only(&format!("the {form} is")).same(&base), "{form}");
        }
    }

    #[test]
    fn one_instant_in_every_zone(day in 0i32..30_000, seconds in 0u32..86_400, quarter in -48i32..56) {
        let local = i64::from(day) * 86_400 + i64::from(seconds);
        let at = |shift: i64| super::calendar::render(i128::from(local + shift) * 1_000_000_000);
        let zone = super::calendar::render_offset(quarter * 900);
        let utc = super::testing::only(&format!("{}Z", at(0)));
        let other = super::testing::only(&format!("{}{zone}", at(i64::from(quarter) * 900)));
        prop_assert_eq!(utc.key, other.key);
        let later = super::testing::only(&format!("{}Z", at(1)));
        prop_assert!(!later.same(&utc));
    }
}

/// No input of a megabyte takes longer than one in proportion: each of these has a tempting way to be read in quadratic
/// time, and would not end.
#[test]
fn hostile_inputs_end() {
    const SIZE: usize = 100_000;
    for piece in [
        "a",
        "a-",
        "a.",
        "a:",
        "a/",
        "a_",
        "1",
        "1,",
        "1,111,",
        "1.1.",
        "1-",
        "-",
        "--a ",
        "\"",
        "\"a ",
        "'a ",
        "`",
        "```\n",
        "`git ",
        "git ",
        "git -x ",
        "(",
        "[",
        "{\"",
        "\\",
        "\\\\",
        "\\n\"",
        "$",
        "$ ",
        "#",
        "@a",
        "~/",
        "C:\\ ",
        "a\\1 ",
        "\n",
        "1:\n",
        "1. ",
        "Aa ",
        "AA ",
        "A_B ",
        "Aa. ",
        "one ",
        "hundred ",
        "12 to ",
        "1h",
        "1 h ",
        "://",
        "a://",
        "-----BEGIN PRIVATE KEY-----\n\n",
        "password=\"$",
        "password=",
        "token: ",
        "_a ",
        "_",
        "\u{308}",
        "a\u{308}",
        "\u{202f}",
        "\u{1b}[",
        "\u{1b}]",
        "日",
        "é",
        "é-",
        "deadbeef\n  ",
        "**",
        "[a",
        "2026-",
        "2026-03-04 ",
        "12:30 ",
        "fe80:",
        "https://a.example/?token=",
        "/a b",
        "/A B/",
        "line 1, ",
        "exit ",
        "{\"a\":",
        "a@",
        "%",
    ] {
        let text = piece.repeat(SIZE / piece.len());
        let r = read(&text);
        assert!(r.facts.len() <= text.len());
    }
}

//! For each class: a value in any accepted form is one value, and another value is not.

use super::testing::all;
use super::{Class, Fact, calendar, read};
use proptest::prelude::*;

/// Texts that state one value of a class, and texts that state others.
#[derive(Clone, Debug)]
struct Renderings {
    same: Vec<String>,
    others: Vec<String>,
}

fn renderings(same: impl Into<Vec<String>>, others: impl Into<Vec<String>>) -> Renderings {
    Renderings { same: same.into(), others: others.into() }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Some value of a class in its forms.
#[expect(clippy::too_many_lines, reason = "one row a class")]
fn of(class: Class) -> BoxedStrategy<Renderings> {
    let n = || 2u32..90;
    match class {
        Class::Uuid => "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-e]{11}"
            .prop_map(|t| {
                renderings(
                    [format!("{t}a"), format!("{t}A").to_uppercase(), format!("`{t}a`")],
                    [format!("{t}b")],
                )
            })
            .boxed(),
        Class::Digest => "[0-9]{2}[a-f]{2}[0-9a-f]{35}"
            .prop_map(|t| {
                renderings(
                    [format!("{t}a"), format!("{t}a").to_uppercase(), format!("(`{t}a`)")],
                    [format!("{t}b")],
                )
            })
            .boxed(),
        Class::Url => ("[a-z]{3,8}", "[a-z]{2,6}", n())
            .prop_map(|(host, path, n)| {
                let host_up = host.to_uppercase();
                renderings(
                    [
                        format!("https://{host}.example/{path}/{n}"),
                        format!("https://{host_up}.example/{path}/{n}"),
                        format!("<https://{host}.example/{path}/{n}>"),
                    ],
                    [
                        format!("https://{host}.example/{path}/{}", n + 1),
                        format!("https://{host}.example/{}/{n}", path.to_uppercase()),
                    ],
                )
            })
            .boxed(),
        Class::Email => ("[a-z]{3,8}", n())
            .prop_map(|(name, n)| {
                renderings(
                    [format!("{name}.x{n}@mill.example"), format!("<{name}.x{n}@mill.example>")],
                    [format!("{name}.x{}@mill.example", n + 1)],
                )
            })
            .boxed(),
        Class::Address => (0x10u32..0xffe, 0x10u32..0xffe, n())
            .prop_map(|(a, b, n)| {
                renderings(
                    [
                        format!("fd{n:02}::{a:x}:{b:x}"),
                        format!("FD{n:02}::{a:X}:{b:X}"),
                        format!("fd{n:02}:0:0:0:0:0:{a:x}:{b:x}"),
                        format!("fd{n:02}:0000:0000:0000:0000:0000:{a:04x}:{b:04x}"),
                    ],
                    [format!("fd{n:02}::{a:x}:{:x}", b + 1), format!("10.9.{n}.7")],
                )
            })
            .boxed(),
        Class::Path => ("[a-z]{3,8}", "[a-z]{3,8}")
            .prop_map(|(a, b)| {
                renderings(
                    [
                        format!("/srv/{a}/{b}.toml"),
                        format!("/srv//{a}/{b}.toml"),
                        format!("`/srv/{a}/{b}.toml`"),
                    ],
                    [format!("/srv/{a}/{b}q.toml"), format!("/srv/{}/{b}.toml", a.to_uppercase())],
                )
            })
            .boxed(),
        Class::Location => ("[a-z]{3,8}", n(), n())
            .prop_map(|(a, line, column)| {
                renderings(
                    [
                        format!("src/{a}.rs:{line}:{column}"),
                        format!("src/{a}.rs line {line}, column {column}"),
                    ],
                    [
                        format!("src/{a}.rs:{}:{column}", line + 1),
                        format!("src/{a}.rs:{line}:{}", column + 1),
                    ],
                )
            })
            .boxed(),
        Class::Version => (1u32..9, n(), 1u32..9)
            .prop_map(|(a, b, c)| {
                renderings(
                    [format!("{a}.{b}.{c}"), format!("v{a}.{b}.{c}"), format!("version {a}.{b}.{c}")],
                    [format!("{a}.{b}.{}", c + 1), format!("{a}.{}.{c}", b + 1), format!("{a}.{b}.{c}-rc.1")],
                )
            })
            .boxed(),
        Class::Instant => (11_000i64..25_000, 0i64..86_400, 1i64..12)
            .prop_map(|(day, second, hours)| {
                let at = day * 86_400 + second;
                let local = |at: i64| calendar::render(i128::from(at) * 1_000_000_000);
                renderings(
                    [
                        format!("{}Z", local(at)),
                        format!("{}+{hours:02}:00", local(at + hours * 3600)),
                        format!("{}-{hours:02}00", local(at - hours * 3600)),
                        format!("{} UTC", local(at).replace('T', " ")),
                    ],
                    [format!("{}Z", local(at + 1)), format!("{}+{hours:02}:00", local(at))],
                )
            })
            .boxed(),
        Class::Date => (2001u32..2099, 1usize..13, 13u32..28)
            .prop_map(|(year, month, day)| {
                let name = MONTHS[month - 1];
                let short = &name[..3];
                renderings(
                    [
                        format!("{year}-{month:02}-{day}"),
                        format!("{day} {name} {year}"),
                        format!("{name} {day}, {year}"),
                        format!("{short} {day}, {year}"),
                        format!("{year}/{month:02}/{day}"),
                    ],
                    [format!("{year}-{month:02}-{}", day + 1), format!("{day} {name} {}", year + 1)],
                )
            })
            .boxed(),
        Class::Time => (1u32..12, 10u32..58)
            .prop_map(|(hour, minute)| {
                renderings(
                    [
                        format!("at {}:{minute}", hour + 12),
                        format!("at {hour}:{minute} pm"),
                        format!("at {hour}:{minute}pm"),
                    ],
                    [format!("at {}:{}", hour + 12, minute + 1), format!("at {hour}:{minute} am")],
                )
            })
            .boxed(),
        Class::RelativeTime => Just(renderings(
            ["yesterday", "Yesterday", "*yesterday*"].map(str::to_owned),
            ["tomorrow", "today"].map(str::to_owned),
        ))
        .boxed(),
        Class::Flag => ("[a-z]{3,8}", n())
            .prop_map(|(flag, n)| {
                renderings(
                    [
                        format!("with --{flag}-max={n}"),
                        format!("with --{flag}-max {n}"),
                        format!("with `--{flag}-max={n}`"),
                    ],
                    [format!("with --{flag}-max={}", n + 1), format!("with --{flag}-min={n}")],
                )
            })
            .boxed(),
        Class::Command => ("[a-z]{3,8}", n())
            .prop_map(|(name, n)| {
                renderings(
                    [
                        format!("$ cargo test -p {name} --jobs {n}"),
                        format!("`cargo test -p {name} --jobs {n}`"),
                        format!("```sh\ncargo test -p {name} --jobs {n}\n```"),
                    ],
                    [
                        format!("`cargo test -p {name} --jobs {}`", n + 1),
                        format!("`cargo bench -p {name} --jobs {n}`"),
                    ],
                )
            })
            .boxed(),
        Class::EnvVar => "[B-DF-Z]{3,6}_[B-DF-Z]{3,6}_DIR"
            .prop_map(|name| {
                renderings(
                    [format!("${name}"), format!("${{{name}}}"), format!("`${name}`")],
                    [format!("$Q{name}")],
                )
            })
            .boxed(),
        Class::Ticket => ("Q[B-DF-Z]{2,3}", 100u32..9_000)
            .prop_map(|(key, n)| {
                renderings(
                    [
                        format!("{key}-{n}"),
                        format!("[{key}-{n}]"),
                        format!("`{key}-{n}`"),
                        format!("**{key}-{n}**"),
                    ],
                    [format!("{key}-{}", n + 1), format!("Q{key}-{n}")],
                )
            })
            .boxed(),
        Class::ErrorCode => ("[B-DF-Z]{3,6}", 100u32..900)
            .prop_map(|(name, n)| {
                renderings(
                    [format!("E_{name}_{n}"), format!("`E_{name}_{n}`")],
                    [format!("E_{name}_{}", n + 1)],
                )
            })
            .boxed(),
        Class::Symbol => ("[a-z]{3,8}", "[a-z]{3,8}")
            .prop_map(|(a, b)| {
                renderings(
                    [format!("{a}_{b}"), format!("`{a}_{b}`"), format!("({a}_{b})")],
                    [format!("{a}_{b}q"), format!("q{a}_{b}")],
                )
            })
            .boxed(),
        Class::Identifier => ("[g-z]{2,4}", n(), "[g-z]{2,4}")
            .prop_map(|(a, n, b)| {
                renderings(
                    [format!("{a}-{n}-{b}"), format!("`{a}-{n}-{b}`")],
                    [format!("{a}-{}-{b}", n + 1), format!("{a}-0{n}-{b}")],
                )
            })
            .boxed(),
        Class::Quantity => (2u64..90)
            .prop_map(|n| {
                renderings(
                    [
                        format!("{n} GiB"),
                        format!("{n}GiB"),
                        format!("{} MiB", n * 1024),
                        format!("{} bytes", n << 30),
                    ],
                    [format!("{n} GB"), format!("{n} Gib"), format!("{} GiB", n + 1), format!("{n} MiB")],
                )
            })
            .boxed(),
        Class::Percentage => (n(), 1u32..9)
            .prop_map(|(n, tenth)| {
                renderings(
                    [
                        format!("{n}.{tenth}%"),
                        format!("{n}.{tenth} %"),
                        format!("{n}.{tenth} percent"),
                        format!("{n}.{tenth}0 per cent"),
                    ],
                    [format!("{n}.{}%", tenth + 1), format!("{n}{tenth}%")],
                )
            })
            .boxed(),
        Class::Range => (n(), n())
            .prop_map(|(a, step)| {
                let b = a + step;
                renderings(
                    [
                        format!("{a}–{b} ms"),
                        format!("{a} to {b} ms"),
                        format!("{a} ms to {b} ms"),
                        format!("between {a} and {b} ms"),
                        format!("from {a} to {b} ms"),
                    ],
                    [format!("{a}–{} ms", b + 1), format!("{}–{b} ms", a - 1), format!("{a}–{b} s")],
                )
            })
            .boxed(),
        Class::Money => (n(), 10u32..98)
            .prop_map(|(a, c)| {
                renderings(
                    [
                        format!("${a}.{c}"),
                        format!("USD {a}.{c}"),
                        format!("{a}.{c} USD"),
                        format!("US${a}.{c}"),
                    ],
                    [format!("€{a}.{c}"), format!("${a}.{}", c + 1), format!("${a}{c}")],
                )
            })
            .boxed(),
        Class::Number => (1u32..999, 100u32..999)
            .prop_map(|(a, b)| {
                renderings(
                    [
                        format!("the {a}{b} is"),
                        format!("the {a},{b} is"),
                        format!("the {a}\u{202f}{b} is"),
                        format!("the {a}_{b} is"),
                        format!("the {a}{b}.0 is"),
                    ],
                    [format!("the {a}.{b} is"), format!("the {a}{b}0 is"), format!("the -{a}{b} is")],
                )
            })
            .boxed(),
        Class::Quote => ("[a-z]{3,8} [a-z]{3,8} [a-z]{3,8}", "[a-z]{3,8}")
            .prop_map(|(text, more)| {
                renderings(
                    [format!("said \"{text}\""), format!("said “{text}”"), format!("said ‘{text}’")],
                    [format!("said \"{text} {more}\"")],
                )
            })
            .boxed(),
        Class::Name => ("[B-Z][a-z]{4,8}ov", "[B-Z][a-z]{4,8}ez")
            .prop_map(|(a, b)| {
                renderings(
                    [format!("met {a} {b} there"), format!("met **{a} {b}** there")],
                    [format!("met {a} Q{b} there")],
                )
            })
            .boxed(),
        // What stands at the head of a body is one token: no marks.
        Class::Payload => (Just("Zq7").prop_perturb(|head, mut random| {
            let digits: String = (0..120)
                .map(|i| char::from(BASE64.as_bytes()[random.random_range(0..if i < 80 { 62 } else { 64 })]))
                .collect();
            format!("{head}{digits}")
        }))
        .prop_map(|body| {
            renderings([format!("blob: {body}w"), format!("blob: `{body}w`")], [format!("blob: {body}y")])
        })
        .boxed(),
        Class::Secret => ("[a-km-z2-9]{9}")
            .prop_map(|t| {
                renderings(
                    [
                        format!("password=h7K{t}"),
                        format!("password: h7K{t}"),
                        format!("\"password\": \"h7K{t}\""),
                    ],
                    [format!("password=h7K{t}Q")],
                )
            })
            .boxed(),
    }
}

/// The first fact of a class.
fn fact(class: Class, text: &str) -> Option<Fact> {
    read(text).facts.into_iter().find(|f| f.class == class)
}

fn holds(class: Class, renderings: &Renderings) -> Result<(), TestCaseError> {
    let first = &renderings.same[0];
    let base = fact(class, first);
    prop_assert!(base.is_some(), "{class} in {first:?}: {:?}", all(first));
    let base = base.unwrap();
    for form in &renderings.same {
        let same = fact(class, form).is_some_and(|f| f.same(&base));
        prop_assert!(same, "{class}: {first:?} and {form:?} are one value: {:?} {:?}", all(first), all(form));
    }
    for other in &renderings.others {
        let facts = read(other).facts;
        prop_assert!(!facts.is_empty(), "{class}: {other:?} states nothing");
        let states = facts.iter().any(|f| f.class == class && f.same(&base));
        prop_assert!(!states, "{class}: {first:?} and {other:?} are two values: {:?}", all(other));
    }
    Ok(())
}

/// One property a class.
macro_rules! a_value_is_one_in_every_form {
    ($($class:ident: $name:ident),* $(,)?) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(renderings in of(Class::$class)) {
                    holds(Class::$class, &renderings)?;
                }
            )*
        }

        #[test]
        fn every_class_has_its_property() {
            assert_eq!([$(Class::$class),*], Class::ALL);
        }
    };
}

a_value_is_one_in_every_form! {
    Uuid: uuid,
    Digest: digest,
    Url: url,
    Email: email,
    Address: address,
    Path: path,
    Location: location,
    Version: version,
    Instant: instant,
    Date: date,
    Time: time,
    RelativeTime: relative_time,
    Flag: flag,
    Command: command,
    EnvVar: env_var,
    Ticket: ticket,
    ErrorCode: error_code,
    Symbol: symbol,
    Identifier: identifier,
    Quantity: quantity,
    Percentage: percentage,
    Range: range,
    Money: money,
    Number: number,
    Quote: quote,
    Name: name,
    Payload: payload,
    Secret: secret,
}

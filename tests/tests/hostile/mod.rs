//! Texts made to be slow: each shape grows with a number.

/// Children and a parent of a size.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    /// The size of the smallest, so chosen that it takes some milliseconds and lies above every bound of the code.
    pub(crate) size: usize,
    pub(crate) make: fn(usize) -> (Vec<String>, String),
}

fn one(child: String, parent: impl Into<String>) -> (Vec<String>, String) {
    (vec![child], parent.into())
}

/// `n` lines or sentences, each made from its number.
fn each(n: usize, with: impl Fn(usize) -> String) -> String {
    (0..n).map(with).collect()
}

/// A word that tells one number from another without a digit.
fn word(mut n: usize) -> String {
    let mut out = String::from("q");
    for _ in 0..4 {
        out.push(char::from(b"bcdfghjklmnprstv"[n % 16]));
        out.push(char::from(b"aeiou"[n / 16 % 5]));
        n /= 7;
    }
    out
}

fn sentence(i: usize) -> String {
    format!("The {} of host-{i} was moved to rack {} by Orla and took {} ms. ", word(i), i % 97, i * 3)
}

fn incident(i: usize) -> String {
    format!(
        "At 10:{:02} the {} worker w-{i} failed with E_{}{i} in src/{}/mod.rs, retried {} times and was not restarted. ",
        i % 60,
        word(i),
        word(i * 31).to_uppercase(),
        word(i * 17),
        i % 9
    )
}

pub(crate) const INPUTS: &[Input] = &[
    // One run without a blank.
    Input { name: "a- in a row", size: 6_200, make: |n| one("a-".repeat(n), "x") },
    Input { name: "a: in a row", size: 6_200, make: |n| one("a:".repeat(n), "x") },
    Input { name: "a@ in a row", size: 10_000, make: |n| one("a@".repeat(n), "x") },
    Input { name: "a. in a row", size: 10_000, make: |n| one("a.".repeat(n), "x") },
    Input { name: "a/ in a row", size: 10_000, make: |n| one("a/".repeat(n), "x") },
    Input { name: "a_ in a row", size: 10_000, make: |n| one("a_".repeat(n), "x") },
    Input { name: "a\\ in a row", size: 5_000, make: |n| one("a\\".repeat(n), "x") },
    Input { name: "a1 in a row", size: 10_000, make: |n| one("a1".repeat(n), "x") },
    Input { name: "1- in a row", size: 10_000, make: |n| one("1-".repeat(n), "x") },
    Input { name: "1. in a row", size: 10_000, make: |n| one("1.".repeat(n), "x") },
    Input { name: "1: in a row", size: 10_000, make: |n| one("1:".repeat(n), "x") },
    Input { name: "1/ in a row", size: 10_000, make: |n| one("1/".repeat(n), "x") },
    Input { name: "A- in a row", size: 10_000, make: |n| one("A-".repeat(n), "x") },
    Input { name: "Aa in a row", size: 10_000, make: |n| one("Aa".repeat(n), "x") },
    Input { name: "a= in a row", size: 10_000, make: |n| one("a=".repeat(n), "x") },
    Input { name: "a=b& in a row", size: 5_000, make: |n| one("a=b&".repeat(n), "x") },
    Input { name: "f( in a row", size: 10_000, make: |n| one("f(".repeat(n), "x") },
    Input { name: "x::y in a row", size: 5_000, make: |n| one("x::".repeat(n), "x") },
    Input { name: "http:// in a row", size: 6_000, make: |n| one("http://".repeat(n), "x") },
    Input { name: "ab:cd: in a row", size: 5_000, make: |n| one("ab:cd:".repeat(n), "x") },
    Input { name: "a-, both sides", size: 1_700, make: |n| one("a-".repeat(n), "a-".repeat(n)) },
    Input { name: "a:, both sides", size: 1_700, make: |n| one("a:".repeat(n), "a:".repeat(n)) },
    Input { name: "a/, both sides", size: 670, make: |n| one("a/".repeat(n), "a/".repeat(n)) },
    // Characters, marks, nesting.
    Input { name: "one letter", size: 62_000, make: |n| one("a".repeat(n), "x") },
    Input { name: "one capital", size: 100_000, make: |n| one("A".repeat(n), "x") },
    Input { name: "one digit", size: 41_000, make: |n| one("7".repeat(n), "x") },
    Input { name: "one blank", size: 100_000, make: |n| one(" ".repeat(n), "x") },
    Input {
        name: "blanks, then facts",
        size: 120,
        make: |n| one(" ".repeat(n * 10) + &each(n, |i| format!("v{i}=a{i} ")), "x"),
    },
    Input { name: "one line feed", size: 4_600, make: |n| one("\n".repeat(n), "x") },
    Input { name: "one point", size: 50_000, make: |n| one(".".repeat(n), "x") },
    Input { name: "one hyphen", size: 50_000, make: |n| one("-".repeat(n), "x") },
    Input { name: "one underscore", size: 50_000, make: |n| one("_".repeat(n), "x") },
    Input { name: "one star", size: 50_000, make: |n| one("*".repeat(n), "x") },
    Input { name: "one backslash", size: 50_000, make: |n| one("\\".repeat(n), "x") },
    Input {
        name: "backslashes in a record",
        size: 25_000,
        make: |n| one(format!("{{\"a\": \"{}\"}}", "\\".repeat(n)), "x"),
    },
    Input { name: "one bar", size: 25_000, make: |n| one("|".repeat(n), "x") },
    Input { name: "one hash", size: 25_000, make: |n| one("#".repeat(n), "x") },
    Input { name: "one dollar", size: 25_000, make: |n| one("$".repeat(n), "x") },
    Input { name: "one colon", size: 25_000, make: |n| one(":".repeat(n), "x") },
    Input { name: "one bracket", size: 25_000, make: |n| one("(".repeat(n), "x") },
    Input { name: "open brackets", size: 25_000, make: |n| one("[".repeat(n), "x") },
    Input { name: "brackets closed", size: 25_000, make: |n| one("[".repeat(n) + &"]".repeat(n), "x") },
    Input {
        name: "braces as JSON",
        size: 4_500,
        make: |n| one("{\"a\":".repeat(n) + "1" + &"}".repeat(n), "x"),
    },
    Input {
        name: "arrays as JSON",
        size: 13_000,
        make: |n| one("[".repeat(n) + "1" + &"]".repeat(n), "[".repeat(n) + "1" + &"]".repeat(n)),
    },
    Input { name: "double quotes", size: 25_000, make: |n| one("\"".repeat(n), "x") },
    Input { name: "single quotes", size: 25_000, make: |n| one("'".repeat(n), "x") },
    Input { name: "ticks", size: 25_000, make: |n| one("`".repeat(n), "x") },
    Input { name: "opening quotes", size: 530, make: |n| one(" \"a".repeat(n), "x") },
    Input { name: "opening ticks", size: 6_200, make: |n| one(" `a".repeat(n), "x") },
    Input { name: "opening single quotes", size: 390, make: |n| one(" 'a".repeat(n), "x") },
    Input { name: "opening curly quotes", size: 530, make: |n| one(" “a".repeat(n), "x") },
    Input { name: "opening emphasis", size: 3_800, make: |n| one(" _a".repeat(n), "x") },
    Input { name: "quote marks", size: 25_000, make: |n| one(">".repeat(n) + " a", "x") },
    Input { name: "quote marks with blanks", size: 13_000, make: |n| one("> ".repeat(n) + " a", "x") },
    Input { name: "list marks", size: 1_200, make: |n| one("- ".repeat(n) + " a", "x") },
    Input { name: "fences", size: 1_200, make: |n| one("```\nx\n".repeat(n), "x") },
    Input { name: "fences of both kinds", size: 2_700, make: |n| one("```\n~~~\n".repeat(n), "x") },
    Input {
        name: "one long fence",
        size: 310,
        make: |n| one(format!("```sh\n{}", "ls -l\n".repeat(n)), "x"),
    },
    Input {
        name: "indentation that grows",
        size: 200,
        make: |n| one(each(n, |i| format!("{}item {i}\n", " ".repeat(i))), "x"),
    },
    Input {
        name: "combining characters",
        size: 5_000,
        make: |n| one(format!("a{}", "\u{301}".repeat(n)), "x"),
    },
    Input { name: "combining characters in a token", size: 1_200, make: |n| one("a\u{301}".repeat(n), "x") },
    Input { name: "zero-width characters", size: 25_000, make: |n| one("\u{200b}".repeat(n), "x") },
    Input { name: "one Chinese letter", size: 520, make: |n| one("字".repeat(n), "字".repeat(n)) },
    Input { name: "full stops of China", size: 310, make: |n| one("字。".repeat(n), "x") },
    Input { name: "full-width digits", size: 10_000, make: |n| one("１".repeat(n), "x") },
    Input { name: "escape bytes", size: 25_000, make: |n| one("\u{1b}[".repeat(n), "x") },
    Input { name: "open operating-system commands", size: 15_000, make: |n| one("\u{1b}]".repeat(n), "x") },
    Input { name: "hexadecimal", size: 15_000, make: |n| one("0a1b".repeat(n), "x") },
    Input {
        name: "hexadecimal lines",
        size: 450,
        make: |n| one("0a1b2c3d4e5f0a1b2c3d4e5f0a1b2c3d\n".repeat(n), "x"),
    },
    Input {
        name: "base64 lines",
        size: 500,
        make: |n| one("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2\n".repeat(n), "x"),
    },
    Input {
        name: "opening private keys",
        size: 500,
        make: |n| one("-----BEGIN RSA PRIVATE KEY-----\n".repeat(n), "x"),
    },
    Input { name: "words for a password", size: 2_500, make: |n| one("password ".repeat(n), "x") },
    Input { name: "opening tags of a password", size: 2_500, make: |n| one("<password>".repeat(n), "x") },
    Input { name: "opening options", size: 2_500, make: |n| one("--password 'a ".repeat(n), "x") },
    Input { name: "passwords without blanks", size: 2_500, make: |n| one("密码是".repeat(n), "x") },
    Input {
        name: "passwords before their word",
        size: 600,
        make: |n| one("use a1b2c3d4 as the password ".repeat(n), "x"),
    },
    Input {
        name: "a password on the line below",
        size: 2_500,
        make: |n| one("password:\n```\n".repeat(n), "x"),
    },
    Input { name: "heredocs", size: 660, make: |n| one("cat <<EOF\n".repeat(n), "x") },
    Input { name: "tool calls", size: 1_600, make: |n| one("[tool_call ".repeat(n), "x") },
    Input {
        name: "headings",
        size: 190,
        make: |n| one(each(n, |i| format!("# Part {i}\n")), each(n, |i| format!("# Part {i}\n"))),
    },
    Input {
        name: "underlined headings",
        size: 290,
        make: |n| one("Part\n====\n".repeat(n), "Part\n====\n".repeat(n)),
    },
    Input {
        name: "rows of a table",
        size: 100,
        make: |n| {
            let rows = each(n, |i| format!("| host-{i} | {i} ms | {} |\n", word(i)));
            one(rows.clone(), rows)
        },
    },
    Input {
        name: "one row of many columns",
        size: 100,
        make: |n| one(each(n, |i| format!("| {i} ")), each(n, |i| format!("| {i} "))),
    },
    Input { name: "numbers in words", size: 1_400, make: |n| one("twenty ".repeat(n), "x") },
    Input { name: "hundreds in words", size: 100, make: |n| one("one hundred and ".repeat(n), "x") },
    Input { name: "months", size: 3_100, make: |n| one("May ".repeat(n), "x") },
    Input { name: "names in a row", size: 1_100, make: |n| one("Orla Ruben ".repeat(n), "x") },
    Input { name: "commands in a row", size: 1_000, make: |n| one("git -c ".repeat(n), "x") },
    Input {
        name: "one command of many flags",
        size: 400,
        make: |n| one(format!("$ git{}", each(n, |i| format!(" --f{i}"))), "x"),
    },
    Input { name: "paths with blanks", size: 2_500, make: |n| one("C:\\a b".repeat(n), "x") },
    Input { name: "durations in a row", size: 8_000, make: |n| one("1h".repeat(n), "x") },
    Input { name: "ranges in a row", size: 510, make: |n| one("1 to ".repeat(n), "x") },
    Input { name: "ellipses in ranges", size: 100, make: |n| one("1..".repeat(n), "x") },
    Input { name: "commas and digits", size: 250, make: |n| one("1,".repeat(n), "x") },
    Input { name: "and, in a row", size: 750, make: |n| one("it is and ".repeat(n), "x") },
    Input { name: "abbreviations", size: 1_100, make: |n| one("e.g. ".repeat(n), "x") },
    // Facts of the parent.
    Input { name: "parent of $1", size: 130, make: |n| one("It cost $1.".into(), "$1 ".repeat(n)) },
    Input {
        name: "parent of amounts",
        size: 170,
        make: |n| one("It cost $1.".into(), each(n, |i| format!("${i} "))),
    },
    Input { name: "parent of 5 km", size: 270, make: |n| one("It was 5 km.".into(), "5 km ".repeat(n)) },
    Input {
        name: "parent of lengths",
        size: 100,
        make: |n| one("It was 5 km.".into(), each(n, |i| format!("{i} km "))),
    },
    Input { name: "parent of 1,", size: 230, make: |n| one("1".into(), "1,".repeat(n)) },
    Input {
        name: "parent of numbers",
        size: 100,
        make: |n| one(each(n, |i| format!("{i}, ")), each(n, |i| format!("{}, ", i + n / 2))),
    },
    Input {
        name: "parent of percentages",
        size: 200,
        make: |n| one("5 of 7".into(), each(n, |i| format!("{i} % "))),
    },
    Input { name: "parent of flags", size: 900, make: |n| one("git --a".into(), " --a".repeat(n)) },
    Input {
        name: "parent of many flags",
        size: 410,
        make: |n| one("git --a".into(), each(n, |i| format!(" --a{i}"))),
    },
    Input {
        name: "parent of pairs",
        size: 130,
        make: |n| one("k1=1".into(), each(n, |i| format!("k{i}={i} "))),
    },
    Input {
        name: "pairs, both sides",
        size: 100,
        make: |n| one(each(n, |i| format!("k{i}={i} ")), each(n, |i| format!("k{i}={i} "))),
    },
    Input {
        name: "pairs, other values",
        size: 100,
        make: |n| one(each(n, |i| format!("k{i}={i} ")), each(n, |i| format!("k{i}={} ", i + 1))),
    },
    Input {
        name: "names, both sides apart",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("It was Ab{} who came. ", word(i))),
                each(n, |i| format!("It was Zo{} who came. ", word(i * 5))),
            )
        },
    },
    Input {
        name: "digests, both sides apart",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("commit {:040x} ", i * 7_919 + 0xabc_def0)),
                each(n, |i| format!("commit {:07x} ", i * 7_907 + 0xabc_def0)),
            )
        },
    },
    Input {
        name: "heads of digests",
        size: 100,
        make: |n| {
            let digest = |i: usize| format!("{:08x}{:032x}", i.wrapping_mul(2_654_435_761) & 0xffff_ffff, i);
            one(
                each(n, |i| format!("commit {}\n", digest(i))),
                each(n, |i| format!("commit {:.8}\n", digest(i))),
            )
        },
    },
    Input {
        name: "quotes, both sides apart",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("They said \"the {} of it was {}\". ", word(i), word(i + 1))),
                each(n, |i| format!("They said \"of the {} it {} was\". ", word(i), word(i + 1))),
            )
        },
    },
    Input {
        name: "symbols told in prose",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("call {}_{}() now\n", word(i), word(i + 1))),
                each(n, |i| format!("The {} came. A {} went.\n", word(i), word(i))),
            )
        },
    },
    Input {
        name: "errors by description",
        size: 100,
        make: |n| one("The error was 5.".into(), "5 had the same error. ".repeat(n)),
    },
    Input {
        name: "dates and days",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("2026-01-{:02} it was seen yesterday.\n", i % 28 + 1)),
                each(n, |_| "It was seen yesterday.\n".into()),
            )
        },
    },
    Input {
        name: "prohibitions",
        size: 100,
        make: |n| one(each(n, |i| format!("You must not touch host-{i} before {}.\n", word(i))), "Ready."),
    },
    Input {
        name: "names in other forms",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("We asked Go{}xy today.\n", word(i))),
                each(n, |i| format!("We asked Go{} today.\n", word(i))),
            )
        },
    },
    Input {
        name: "identifiers within others",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("It ran on ab-{i}-x now.\n")),
                each(n, |i| format!("It ran on ab-{i}-x-2 now, x.\n")),
            )
        },
    },
    Input {
        name: "facts alone, other words",
        size: 100,
        make: |n| one(each(n, |i| format!("{} is w-{i}.\n", word(i))), each(n, |i| format!("Saw w-{i}.\n"))),
    },
    // Text on both sides.
    Input {
        name: "items that are nearly equal",
        size: 100,
        make: |n| {
            let of =
                |tail: &str| each(n, |i| format!("- The pump {i} was moved to rack {} {tail}\n", i % 50));
            one(of("by Orla"), of("today"))
        },
    },
    Input {
        name: "items that are equal",
        size: 100,
        make: |n| {
            one(
                "- The pump was moved to the east rack\n".repeat(n),
                "- The pump was moved to the east rack\n".repeat(n),
            )
        },
    },
    Input {
        name: "items of common words, other values",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("- The limit of the pump is {i} bar\n")),
                each(n, |i| format!("- The limit of the pump is {} bar\n", i + n)),
            )
        },
    },
    Input { name: "one line of sentences", size: 100, make: |n| one(each(n, sentence), "x") },
    Input {
        name: "parent of sentences",
        size: 100,
        make: |n| one("The pump failed.".into(), each(n, sentence)),
    },
    Input { name: "the same text", size: 100, make: |n| one(each(n, incident), each(n, incident)) },
    Input {
        name: "the same line",
        size: 100,
        make: |n| one(each(n, sentence).replace('\n', " "), each(n, sentence)),
    },
    Input {
        name: "texts of other things",
        size: 100,
        make: |n| one(each(n, incident), each(n, |i| incident(i + 100_000))),
    },
    Input {
        name: "values turned",
        size: 100,
        make: |n| one(each(n, sentence), each(n, |i| sentence(i).replace("rack ", "rack 9"))),
    },
    Input {
        name: "sentences negated",
        size: 100,
        make: |n| one(each(n, sentence), each(n, |i| sentence(i).replace("was", "was not"))),
    },
    Input {
        name: "one long list in a sentence",
        size: 250,
        make: |n| {
            one(
                format!("We saw {}.", each(n, |i| format!("{}, ", word(i)))),
                format!("We saw {}.", each(n, |i| format!("{}, ", word(i)))),
            )
        },
    },
    Input {
        name: "steps in order",
        size: 100,
        make: |n| {
            one(
                each(n, |i| format!("{}. Open valve-{i}\n", i + 1)),
                each(n, |i| format!("Open valve-{i}, then close valve-{}.\n", i + 1)),
            )
        },
    },
    // Many children.
    Input {
        name: "the children side by side",
        size: 100,
        make: |n| {
            let children: Vec<String> = (0..8).map(|k| each(n / 8, |i| incident(k * n + i))).collect();
            let parent = children.join("\n");
            (children, parent)
        },
    },
    Input {
        name: "tiny children",
        size: 100,
        make: |n| ((0..n).map(sentence).collect(), each(60, |i| sentence(i * 7))),
    },
    Input {
        name: "tiny children, equal",
        size: 100,
        make: |n| ((0..n).map(|_| sentence(7)).collect(), sentence(7)),
    },
    Input {
        name: "tiny children that disagree",
        size: 100,
        make: |n| {
            (
                (0..n).map(|i| format!("The pump limit is {i} bar.")).collect(),
                "The pump limit is 7 bar.".into(),
            )
        },
    },
    Input {
        name: "a child of one letter each",
        size: 680,
        make: |n| ((0..n).map(|_| "a".to_owned()).collect(), "a".into()),
    },
];

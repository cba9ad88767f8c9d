//! What a line reads as: a record with keys, code, or running text. Asked for only where a capital or a quote needs it,
//! and known from then on.

use super::scan::Scan;

/// What is known of a line's shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    record: Option<bool>,
    code: Option<bool>,
}

impl Scan<'_> {
    /// Whether the line holds a record with quoted keys or an array of strings (JSON and its like).
    pub(super) fn line_is_record(&mut self) -> bool {
        let start = self.line.start;
        let line = self.text.as_bytes().get(start..).unwrap_or_default();
        *self.line.shape.record.get_or_insert_with(|| {
            let end = line.iter().position(|&b| b == b'\n').unwrap_or(line.len());
            let mut pairs = line.get(..end).unwrap_or_default().windows(2);
            pairs.any(|w| matches!(w, b"\":" | b"{\"" | b"[\"" | b"':" | b"{'" | b"['"))
        })
    }

    /// Whether the line is code: it shows two signs of it outside of ticks.
    pub(super) fn line_is_code(&mut self) -> bool {
        let start = self.line.start;
        let line = self.text.as_bytes().get(start..).unwrap_or_default();
        *self.line.shape.code.get_or_insert_with(|| {
            let end = line.iter().position(|&b| b == b'\n').unwrap_or(line.len());
            is_code(line.get(..end).unwrap_or_default())
        })
    }
}

/// Words that begin a line of code.
const HEADS: [&str; 16] = [
    "fn ", "pub ", "let ", "const ", "use ", "impl ", "def ", "return ", "import ", "from ", "class ",
    "func ", "var ", "#include", "#define", "if (",
];

fn is_code(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // A table, a list item or a heading is text, whatever it quotes.
    if matches!(line, [b'|' | b'-' | b'*' | b'#' | b'>', b' ', ..]) {
        return false;
    }
    let mut signs = usize::from(matches!(line.last(), Some(b';' | b'{' | b'}' | b'(')));
    signs += usize::from(HEADS.iter().any(|h| line.starts_with(h.as_bytes())));
    // Each kind counts once.
    let mut kinds = 0u8;
    let mut ticked = false;
    for w in line.windows(2) {
        ticked ^= w.first() == Some(&b'`');
        if !ticked {
            kinds |= match w {
                b"::" => 1,
                b"()" | b"[]" => 2,
                b");" | b"};" | b"))" => 4,
                b"->" | b"=>" => 8,
                b"==" | b"!=" | b"&&" | b"||" | b"+=" | b":=" => 16,
                b"!(" | b"${" | b"\\n" | b"&[" => 32,
                b"{}" | b"\")" | b"(\"" | b"('" | b"')" => 64,
                _ => 0,
            };
        }
    }
    signs + usize::try_from(kinds.count_ones()).unwrap_or(0) >= 2
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn code_and_text() {
        for line in [
            "    let x = Vec::new();",
            "assert_eq!((run.status, run.out.as_str()), (2, \"\"));",
            "def handle(self) -> Response:",
            "import { readFile } from \"node:fs\";",
            "if (a == b && c) {",
            "for (const k of Object.keys(x)) { n += 1; }",
        ] {
            assert!(is_code(line.as_bytes()), "{line}");
        }
        for line in [
            "The node `a::b()` was restarted; see `x == y`.",
            "He said \"ship it\" (twice).",
            "- call `f()` -> then `g()`",
            "max_open = 50",
            "{\"a\": 1, \"b\": \"c\"}",
            "A -> B in 3 s",
            "",
        ] {
            assert!(!is_code(line.as_bytes()), "{line}");
        }
    }
}

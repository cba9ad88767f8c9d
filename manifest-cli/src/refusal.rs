//! What a reader refused, in plain words: no types of the program, no value at length, no credential.

use manifest_core::{Class, read};

/// Characters of a refused value that are shown.
const SHOWN: usize = 40;

/// A value as a message may show it: its credentials masked, on one line, clipped.
pub(crate) fn quoted(value: &str) -> String {
    // A long value is read as far as it may be shown, and a word more.
    let head: String = value.chars().take(8 * SHOWN).collect();
    let text = crate::visible::plain(&masked(&head));
    let mut shown: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() || head.len() < value.len() {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    shown
}

/// A text with its credentials masked.
pub(crate) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fact in read(text).facts.iter().filter(|f| f.class == Class::Secret && f.span.of(text) != "[secret]")
    {
        if fact.span.start >= at {
            out.push_str(text.get(at..fact.span.start).unwrap_or_default());
            out.push_str("[secret]");
            at = fact.span.end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// What a reader of JSON or TOML says, in plain words.
pub(crate) fn plainly(message: &str) -> String {
    for head in ["invalid type: ", "invalid value: "] {
        if let Some(rest) = message.strip_prefix(head)
            && let Some((found, expected)) = rest.rsplit_once(", expected ")
        {
            return format!("{} is expected, not {}", wanted(expected), given(found));
        }
    }
    for (head, what) in [("unknown variant `", "unknown name"), ("unknown field `", "unknown key")] {
        if let Some(rest) = message.strip_prefix(head)
            && let Some((found, expected)) = rest.rsplit_once("`, expected ")
        {
            return format!("{what} `{}`; expected {expected}", quoted(found));
        }
    }
    if let Some(rest) = message.strip_prefix("invalid length ") {
        return format!("wrong number of values: {}", quoted(rest));
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("the key {name} is missing");
    }
    if let Some(name) = message.strip_prefix("duplicate field ") {
        return format!("the key {name} stands twice");
    }
    let plain = match message {
        "expected ident" | "expected value" => "no JSON value",
        "trailing characters" => "more text after the end of the JSON value",
        "EOF while parsing a string" => "the line ends within a text",
        "EOF while parsing a list" => "the line ends within a list",
        "EOF while parsing an object" => "the line ends within an object",
        "EOF while parsing a value" => "the line ends where a value is expected",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a control character in a text; write it as an escape"
        }
        "recursion limit exceeded" => "more levels within each other than are read",
        _ => return message_of(message),
    };
    plain.to_owned()
}

/// Any other message: short ones as they are, masked.
fn message_of(message: &str) -> String {
    let text = crate::visible::plain(&masked(message));
    let mut out: String = text.chars().take(4 * SHOWN).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// What stood there.
fn given(found: &str) -> String {
    if let Some(text) = found.strip_prefix("string \"") {
        return format!("the text \"{}\"", quoted(text.strip_suffix('"').unwrap_or(text)));
    }
    for head in ["integer `", "floating point `"] {
        if let Some(number) = found.strip_prefix(head) {
            return quoted(number.trim_end_matches('`'));
        }
    }
    if let Some(word) = found.strip_prefix("boolean `") {
        return word.trim_end_matches('`').to_owned();
    }
    match found {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit value" | "Option value" => "null".to_owned(),
        "floating point" => "a number".to_owned(),
        other => quoted(other),
    }
}

/// What was expected.
fn wanted(expected: &str) -> String {
    match expected {
        "a sequence" => "a list".to_owned(),
        "a string" | "string" | "str" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "usize" | "u64" | "u32" | "u16" | "u8" => "a whole number, 0 or more".to_owned(),
        "i64" | "i32" | "i128" => "a whole number".to_owned(),
        "f64" | "f32" => "a number".to_owned(),
        "a map" | "map" => "an object".to_owned(),
        other if other.starts_with("struct ") || other.starts_with("internally tagged") => {
            "an object".to_owned()
        }
        other if other.starts_with("a nonzero") => "a whole number, 1 or more".to_owned(),
        other => message_of(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_program_are_told_in_words() {
        for (message, told) in [
            ("invalid type: map, expected a sequence", "a list is expected, not an object"),
            ("invalid type: integer `5`, expected a string", "a text is expected, not 5"),
            ("invalid value: integer `-1`, expected u32", "a whole number, 0 or more is expected, not -1"),
            (
                "invalid type: string \"a, expected b\", expected usize",
                "a whole number, 0 or more is expected, not the text \"a, expected b\"",
            ),
            (
                "unknown variant `x`, expected `sequence` or `parallel`",
                "unknown name `x`; expected `sequence` or `parallel`",
            ),
            ("missing field `children`", "the key `children` is missing"),
            ("EOF while parsing a string", "the line ends within a text"),
        ] {
            assert_eq!(plainly(message), told);
        }
    }

    #[test]
    fn a_refused_value_is_short_and_masked() {
        assert_eq!(quoted("password=Tr0ub4dor3xyz"), "password=[secret]");
        let long = quoted(&"word ".repeat(100_000));
        assert!(long.chars().count() <= SHOWN + 1 && long.ends_with('…'), "{long}");
        assert_eq!(quoted("a\u{1b}[31mb\nc"), "a [31mb c");
    }
}

//! One record of JSON, read so that as little as possible is lost.

use super::tally::Tally;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Deepest nesting that is rendered; the parser refuses more than 128 levels itself.
const DEPTH: usize = 128;

/// What a record turned out to be.
#[derive(Debug)]
pub(crate) enum Parsed<'a> {
    /// JSON.
    Value(Value),
    /// JSON in form, but beyond what a parser takes (nesting, a number out of range): its text, and the name under
    /// which to count it.
    Raw(Cow<'a, str>, &'static str),
    /// No JSON; why.
    Broken(String),
}

/// Reads one record. Half surrogates and invalid UTF-8 become U+FFFD and are counted; they never cost the record.
pub(crate) fn parse<'a>(bytes: &'a [u8], tally: &mut Tally) -> Parsed<'a> {
    let bytes = trim_nul(bytes);
    let text = decode(bytes, tally);
    if is_heavy(&text) {
        return Parsed::Raw(text, "json.too_many_values");
    }
    match serde_json::from_str(&text) {
        Ok(value) => Parsed::Value(value),
        Err(error) => {
            if let Some((mended, count)) = mend_surrogates(&text)
                && let Ok(value) = serde_json::from_str(&mended)
            {
                tally.lone_surrogates += count;
                return Parsed::Value(value);
            }
            if Shape::of(&text).depth >= DEPTH {
                return Parsed::Raw(text, "json.nested_too_deep");
            }
            if error.to_string().starts_with("number out of range") {
                return Parsed::Raw(text, "json.number_out_of_range");
            }
            let what = if error.is_eof() { "ends inside of its JSON" } else { "no JSON" };
            Parsed::Broken(format!("{what} (column {})", error.column()))
        }
    }
}

/// The value that a text stands for, if it stands for one; half surrogates are mended.
pub(crate) fn inner(text: &str) -> Option<Value> {
    if is_heavy(text) {
        return None;
    }
    serde_json::from_str(text)
        .ok()
        .or_else(|| mend_surrogates(text).and_then(|(mended, _)| serde_json::from_str(&mended).ok()))
}

/// Values of one record that are held at most: each costs some seventy bytes, whatever it costs in the text.
const VALUES: usize = 1 << 20;

/// Whether a text holds more values than memory should be spent on.
fn is_heavy(text: &str) -> bool {
    text.len() > 2 * VALUES && Shape::of(text).values > VALUES
}

/// Whether the record ends before its JSON does.
pub(crate) fn is_cut(reason: &str) -> bool {
    reason.starts_with("ends inside")
}

/// Text of `bytes`; what is no UTF-8 is replaced and counted.
pub(crate) fn decode<'a>(bytes: &'a [u8], tally: &mut Tally) -> Cow<'a, str> {
    // Almost every record is sound, and this way of saying so is the fast one.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    tally.invalid_utf8 += bytes.utf8_chunks().filter(|c| !c.invalid().is_empty()).count() as u64;
    String::from_utf8_lossy(bytes)
}

/// Without the NUL bytes that a crash left around a record.
fn trim_nul(mut bytes: &[u8]) -> &[u8] {
    while let [0, rest @ ..] | [rest @ .., 0] = bytes {
        bytes = rest;
    }
    bytes
}

/// `text` with every half surrogate (`\ud83d` without its partner) as `\ufffd`, and how many there were.
fn mend_surrogates(text: &str) -> Option<(String, u64)> {
    let bytes = text.as_bytes();
    let unit = |at: usize| -> Option<u32> {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        if hex.bytes().all(|b| b.is_ascii_hexdigit()) { u32::from_str_radix(hex, 16).ok() } else { None }
    };
    let mut out = String::new();
    let mut done = 0;
    let mut count = 0;
    let mut i = 0;
    while let Some(step) = bytes.get(i..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        i += step;
        match unit(i) {
            Some(0xd800..=0xdbff) if matches!(unit(i + 6), Some(0xdc00..=0xdfff)) => i += 12,
            Some(0xd800..=0xdfff) => {
                out.push_str(text.get(done..i).unwrap_or_default());
                out.push_str("\\ufffd");
                i += 6;
                done = i;
                count += 1;
            }
            // Another escape: two bytes at least, so that `\\u` is none.
            _ => i += 2,
        }
    }
    if count == 0 {
        return None;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some((out, count))
}

/// How deep the brackets outside of strings nest, and how many values there are about.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    depth: usize,
    values: usize,
}

impl Shape {
    fn of(text: &str) -> Shape {
        let mut shape = Shape::default();
        let (mut depth, mut string, mut escape) = (0usize, false, false);
        for byte in text.bytes() {
            match byte {
                _ if escape => escape = false,
                b'\\' if string => escape = true,
                b'"' => string = !string,
                _ if string => {}
                b'[' | b'{' => {
                    depth += 1;
                    shape.depth = shape.depth.max(depth);
                    shape.values += 1;
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' => shape.values += 1,
                _ => {}
            }
        }
        shape
    }
}

/// The string under `key`, if it is one.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// Whether `key` is `true`.
pub(crate) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// A value as lines that a person (and a fact reader) can read: `key: value`, strings without their escapes.
/// A string that holds JSON is rendered as the JSON that it holds.
pub(crate) fn render(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, 0, &mut out);
    while out.ends_with('\n') {
        out.pop();
    }
    out
}

/// [`render`] for a call's arguments. The names of the parameters are the tool's schema, no facts of the session:
/// they are written as words (`file path: …`).
pub(crate) fn render_arguments(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, 0, SCHEMA, &mut out);
    while out.ends_with('\n') {
        out.pop();
    }
    out
}

/// [`render_arguments`] for arguments that stand as the text of JSON; other text stays as it is.
pub(crate) fn render_argument_text(text: &str) -> String {
    match text.trim_start().as_bytes().first() {
        Some(b'{' | b'[') => inner(text).map_or_else(|| text.to_owned(), |value| render_arguments(&value)),
        _ => text.to_owned(),
    }
}

/// A tool's output that stands wrapped in JSON, `{"output": "…", "metadata": {…}}`: the output, then the rest. Other
/// output stays as it is, JSON or not.
pub(crate) fn unwrap_output(text: &str) -> String {
    if !text.trim_start().starts_with("{\"output\"") {
        return text.to_owned();
    }
    match inner(text) {
        Some(Value::Object(mut map)) if map.get("output").is_some_and(Value::is_string) => {
            let output = map.shift_remove("output");
            let mut out = output.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
            if !map.is_empty() {
                out.push('\n');
                out.push_str(&render(&Value::Object(map)));
            }
            out
        }
        _ => text.to_owned(),
    }
}

/// Levels on which keys are parameters of a tool, and not data: the arguments, and the objects of a list in them.
const SCHEMA: usize = 3;

/// A key: a parameter's name as words, any other as it is.
fn key_text(key: &str, schema: usize) -> std::borrow::Cow<'_, str> {
    let is_name = key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if schema > 0 && is_name { key.replace('_', " ").into() } else { key.into() }
}

fn write(value: &Value, indent: usize, depth: usize, schema: usize, out: &mut String) {
    let pad = |out: &mut String| out.extend(std::iter::repeat_n(' ', indent));
    match value {
        Value::Object(map) if depth < DEPTH => {
            for (key, value) in map {
                pad(out);
                out.push_str(&key_text(key, schema));
                out.push(':');
                nested(
                    value,
                    indent,
                    depth,
                    schema.saturating_sub(if value.is_array() { 1 } else { SCHEMA }),
                    out,
                );
            }
        }
        Value::Array(list) if depth < DEPTH => {
            for value in list {
                pad(out);
                out.push('-');
                nested(value, indent, depth, schema.saturating_sub(1), out);
            }
        }
        other => {
            pad(out);
            scalar(other, out);
            out.push('\n');
        }
    }
}

/// A value behind its key or dash: on the same line where it has one, below it where it has more.
fn nested(value: &Value, indent: usize, depth: usize, schema: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push('\n');
            write(value, indent + 2, depth + 1, schema, out);
        }
        Value::Array(list) if list.iter().all(|v| !v.is_object() && !v.is_array()) && short(list) => {
            for (i, v) in list.iter().enumerate() {
                out.push_str(if i == 0 { " " } else { ", " });
                scalar(v, out);
            }
            out.push('\n');
        }
        Value::Array(_) => {
            out.push('\n');
            write(value, indent + 2, depth + 1, schema, out);
        }
        Value::String(text) if text.contains('\n') => {
            out.push('\n');
            out.push_str(text);
            out.push('\n');
        }
        other => {
            out.push(' ');
            scalar(other, out);
            out.push('\n');
        }
    }
}

/// Whether a list of scalars fits on one line.
fn short(list: &[Value]) -> bool {
    let mut bytes = 0;
    list.iter().all(|v| {
        let text = v.as_str().unwrap_or_default();
        bytes += text.len().max(8);
        bytes < 200 && !text.contains('\n')
    })
}

fn scalar(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => out.push_str(text),
        Value::Object(_) | Value::Array(_) => out.push_str(if value.is_object() { "{}" } else { "[]" }),
        other => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{other}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(bytes: &[u8]) -> (Value, Tally) {
        let mut tally = Tally::default();
        match parse(bytes, &mut tally) {
            Parsed::Value(v) => (v, tally),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn half_surrogates_become_the_replacement_character() {
        let (v, tally) =
            value(br#"{"a":"x\ud83d y","b":"\udc00","c":"\ud83d\ude00","d":"\\ud83d","\ud800":1}"#);
        assert_eq!(v["a"], "x\u{fffd} y");
        assert_eq!(v["b"], "\u{fffd}");
        assert_eq!(v["c"], "\u{1f600}");
        assert_eq!(v["d"], "\\ud83d");
        assert_eq!(tally.lone_surrogates, 3);
        let (v, tally) = value(br#"["\ud83d\ud83d\ude00"]"#);
        assert_eq!(v[0], "\u{fffd}\u{1f600}");
        assert_eq!(tally.lone_surrogates, 1);
    }

    #[test]
    fn invalid_utf8_and_nul_cost_no_record() {
        let (v, tally) = value(b"\0\0{\"a\":\"x\xff\xfey\"}\0");
        assert_eq!(v["a"], "x\u{fffd}\u{fffd}y");
        assert_eq!(tally.invalid_utf8, 2);
    }

    #[test]
    fn what_a_parser_refuses_is_kept_as_text() {
        let mut tally = Tally::default();
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(parse(deep.as_bytes(), &mut tally), Parsed::Raw(_, "json.nested_too_deep")));
        assert!(matches!(parse(b"{\"n\":1e999}", &mut tally), Parsed::Raw(_, "json.number_out_of_range")));
        let many = format!("{{\"a\":[1{}]}}", ",1".repeat(3 << 20));
        assert!(matches!(parse(many.as_bytes(), &mut tally), Parsed::Raw(_, "json.too_many_values")));
        let prose = format!("{{\"a\":\"{}\"}}", "one, two, ".repeat(1 << 20));
        assert!(matches!(parse(prose.as_bytes(), &mut tally), Parsed::Value(_)));
        let unclosed = "[".repeat(100_000);
        assert!(matches!(parse(unclosed.as_bytes(), &mut tally), Parsed::Raw(..)));
    }

    #[test]
    fn a_cut_record_is_told_from_a_wrong_one() {
        let mut tally = Tally::default();
        let reason = |bytes: &[u8], tally: &mut Tally| match parse(bytes, tally) {
            Parsed::Broken(reason) => reason,
            other => panic!("{other:?}"),
        };
        assert!(is_cut(&reason(b"{\"a\": \"unfin", &mut tally)));
        let wrong = reason(b"{\"token\": sk-123}", &mut tally);
        assert!(!is_cut(&wrong));
        assert!(!wrong.contains("sk-"), "a reason never quotes the line: {wrong}");
    }

    #[test]
    fn arguments_are_lines_in_their_order() {
        let args = json!({"command": "git commit -m \"x\"", "timeout": 30.0, "edits": [{"old": "a\nb", "new": "c"}], "tags": ["p", 2], "none": {}});
        assert_eq!(
            render(&args),
            "command: git commit -m \"x\"\ntimeout: 30.0\nedits:\n  -\n    old:\na\nb\n    new: c\ntags: p, 2\nnone: {}"
        );
        assert_eq!(render_argument_text("{\"b\":1,\"a\":\"\\ud83d\"}"), "b: 1\na: \u{fffd}");
        assert_eq!(render_argument_text("{not json"), "{not json");
        assert_eq!(render_argument_text("plain"), "plain");
    }

    #[test]
    fn names_of_parameters_are_words_and_keys_of_data_stay() {
        let args = json!({
            "file_path": "/srv/a.rs",
            "edits": [{"old_string": "a", "new_string": "b"}],
            "env": {"retry_after": "30", "DATABASE_URL": "x"},
            "DATABASE_URL": "y"
        });
        assert_eq!(
            render_arguments(&args),
            "file path: /srv/a.rs\nedits:\n  -\n    old string: a\n    new string: b\nenv:\n  retry_after: 30\n  DATABASE_URL: x\nDATABASE_URL: y"
        );
    }

    #[test]
    fn wrapped_output_is_unwrapped_and_other_json_stays() {
        let wrapped = r#"{"output":"a\nb","metadata":{"exit_code":3}}"#;
        assert_eq!(unwrap_output(wrapped), "a\nb\nmetadata:\n  exit_code: 3");
        assert_eq!(unwrap_output(r#"{"user_id": "omar_1"}"#), r#"{"user_id": "omar_1"}"#);
        assert_eq!(unwrap_output("{\"output\": 3"), "{\"output\": 3");
    }
}

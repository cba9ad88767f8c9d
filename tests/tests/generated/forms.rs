//! How a fact is written: in prose, in a chat, in a log, as JSON, in a table.

use crate::numbers::Numbers;
use crate::words::capital;

/// A value of an attribute of a thing.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) thing: &'static str,
    pub(crate) attribute: &'static str,
    pub(crate) value: String,
}

impl Item {
    pub(crate) fn new(thing: &'static str, attribute: &'static str, value: impl Into<String>) -> Self {
        Self { thing, attribute, value: value.into() }
    }

    pub(crate) fn with(&self, value: impl Into<String>) -> Self {
        Self::new(self.thing, self.attribute, value)
    }
}

/// One text for one item, as a source writes it.
pub(crate) fn source(n: &mut Numbers, item: &Item) -> String {
    let Item { thing, attribute, value } = item;
    match n.index(9) {
        0 => format!("The {attribute} of the {thing} is {value}."),
        1 => format!("The {thing} has a {attribute} of {value}."),
        2 => format!("{}: {attribute} {value}", capital(thing)),
        3 => format!("assistant: I checked the {thing}. Its {attribute} is {value}."),
        4 => format!("[info] {thing}: {attribute} = {value}"),
        5 => serde_json::json!({ "item": thing, *attribute: value }).to_string(),
        6 => format!("| item | {attribute} |\n|---|---|\n| {thing} | {value} |"),
        7 => format!("tool inspect: {{\"{thing}\": {{\"{attribute}\": \"{value}\"}}}}"),
        _ => format!("For the {thing}, the {attribute} is {value}."),
    }
}

/// One text for several items of one attribute, or one text each.
pub(crate) fn sources(n: &mut Numbers, items: &[Item]) -> Vec<String> {
    match n.index(4) {
        0 => {
            let head = items[0].attribute;
            let rows: Vec<String> = items.iter().map(|i| format!("| {} | {} |", i.thing, i.value)).collect();
            vec![format!("| item | {head} |\n|---|---|\n{}", rows.join("\n"))]
        }
        1 => vec![
            items
                .iter()
                .map(|i| format!("The {} of the {} is {}.", i.attribute, i.thing, i.value))
                .collect::<Vec<_>>()
                .join(" "),
        ],
        _ => items.iter().map(|i| source(n, i)).collect(),
    }
}

/// One sentence or line for an item, as a summary writes it.
pub(crate) fn summary(n: &mut Numbers, item: &Item) -> String {
    let Item { thing, attribute, value } = item;
    match n.index(6) {
        0 => format!("The {attribute} of the {thing} is {value}."),
        1 => format!("The {thing} has a {attribute} of {value}."),
        2 => format!("- {}: {attribute} {value}", capital(thing)),
        3 => format!("{}: {attribute} = {value}", capital(thing)),
        4 => format!("The {thing}'s {attribute} is {value}."),
        _ => format!("{} ({attribute} {value}).", capital(thing)),
    }
}

/// A summary of several items of one attribute.
pub(crate) fn summaries(n: &mut Numbers, items: &[Item]) -> String {
    let attribute = items[0].attribute;
    match n.index(4) {
        0 => format!(
            "The {attribute} is {}.",
            items
                .iter()
                .map(|i| format!("{} for the {}", i.value, i.thing))
                .collect::<Vec<_>>()
                .join(" and ")
        ),
        1 => format!(
            "| item | {attribute} |\n|---|---|\n{}",
            items.iter().map(|i| format!("| {} | {} |", i.thing, i.value)).collect::<Vec<_>>().join("\n")
        ),
        2 => items
            .iter()
            .map(|i| format!("- {}: {attribute} {}", capital(i.thing), i.value))
            .collect::<Vec<_>>()
            .join("\n"),
        _ => items.iter().map(|i| summary(n, i)).collect::<Vec<_>>().join("\n"),
    }
}

/// A value as an author marks it up.
pub(crate) fn marked(n: &mut Numbers, value: &str) -> String {
    match n.index(5) {
        0 => format!("`{value}`"),
        1 => format!("**{value}**"),
        _ => value.to_owned(),
    }
}

/// A text with its first ASCII digit from `at` on (or else a letter) made another.
pub(crate) fn altered(n: &mut Numbers, value: &str) -> String {
    let mut bytes = value.as_bytes().to_vec();
    let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
    if let Some(&last) = digits.last() {
        // The last digit or one before it, never a leading one that may be a zero.
        let at = if n.coin() { last } else { digits[digits.len() / 2] };
        let by = u8::try_from(n.within(1, 9)).unwrap();
        bytes[at] = b'1' + (bytes[at].saturating_sub(b'1') + by) % 9;
        if bytes == value.as_bytes() {
            bytes[at] = if bytes[at] == b'9' { b'4' } else { bytes[at] + 1 };
        }
    } else {
        let letters: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_alphabetic()).collect();
        let at = letters[letters.len() / 2];
        bytes[at] =
            if bytes[at].eq_ignore_ascii_case(&b'k') { bytes[at] - 1 } else { bytes[at] & 0x20 | b'K' };
    }
    String::from_utf8(bytes).unwrap()
}

//! Names of refs.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::is_nfc;

/// Longest name, bytes: it fits a file name on every system and an object's key with room for a prefix.
const LONGEST: usize = 200;

/// Names that Windows keeps for devices, whatever extension follows.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The name of a ref: one or more segments between slashes, such as `main` or `team/session-17`.
///
/// A name is a path in every store, so a segment is what every file system takes and shows as it is: not empty, not `.` or
/// `..`, no dot or space at either end, no control, invisible or bidi character, none of `\ : * ? " < > |`, in Unicode's form NFC,
/// no device of Windows, not `hint`, and not starting with ten zeros, as the numbers of generations do. At most 200 bytes in all.
/// Names that differ only in case are different names, but a file system that ignores case has room for one of them.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RefName(Box<str>);

impl RefName {
    /// Checks a name.
    ///
    /// # Errors
    /// Why it is no name of a ref.
    pub fn new(name: &str) -> Result<Self, NameError> {
        let fault = |fault| NameError { name: name.escape_debug().take(80).collect(), fault };
        if name.is_empty() {
            return Err(fault(NameFault::Empty));
        }
        if name.len() > LONGEST {
            return Err(fault(NameFault::TooLong));
        }
        name.split('/').try_for_each(segment).map_err(fault)?;
        if !is_nfc(name) {
            return Err(fault(NameFault::NotComposed));
        }
        Ok(RefName(name.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn segment(segment: &str) -> Result<(), NameFault> {
    let stem = segment.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = |kind: &str| {
        stem.strip_prefix(kind).is_some_and(|n| {
            let mut n = n.chars();
            matches!((n.next(), n.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    };
    if segment.is_empty() {
        return Err(NameFault::Slashes);
    }
    if let Some(c) = segment.chars().find(|c| c.is_control() || unseen(*c)) {
        return Err(NameFault::Invisible(c));
    }
    if let Some(c) = segment.chars().find(|c| matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')) {
        return Err(NameFault::Reserved(c));
    }
    if segment == "." || segment == ".." {
        return Err(NameFault::Dots);
    }
    let edge = |c: char| c == '.' || c.is_whitespace();
    if segment.starts_with(edge) || segment.ends_with(edge) {
        return Err(NameFault::Edge);
    }
    if DEVICES.contains(&stem.as_str()) || port("com") || port("lpt") {
        return Err(NameFault::Device);
    }
    if segment == "hint" || segment.starts_with("0000000000") {
        return Err(NameFault::Ours);
    }
    Ok(())
}

/// Characters that are not seen, or that change how others are seen: format, bidi, joiners, selectors, tags, line separators.
fn unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffd}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

impl FromStr for RefName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        RefName::new(name)
    }
}

impl fmt::Display for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RefName({:?})", self.0)
    }
}

/// A text that is no name of a ref.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{name}\" is no name of a ref: {fault}; expected segments of visible characters between slashes, such as `team/session-17`"
)]
#[non_exhaustive]
pub struct NameError {
    /// The text, escaped and cut.
    pub name: String,
    /// What is wrong with it.
    pub fault: NameFault,
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// Nothing there.
    #[error("it is empty")]
    Empty,
    /// More than 200 bytes.
    #[error("it has more than 200 bytes")]
    TooLong,
    /// A slash at either end, or two in a row.
    #[error("a segment between its slashes is empty")]
    Slashes,
    /// `.` or `..`.
    #[error("`.` and `..` lead elsewhere")]
    Dots,
    /// A dot or a space at an end of a segment.
    #[error("a segment starts or ends with a dot or a space")]
    Edge,
    /// A control, invisible or bidi character.
    #[error("it holds U+{:04X}, which is not seen", u32::from(*.0))]
    Invisible(char),
    /// A character that some file system takes for something else.
    #[error("it holds `{0}`, which file systems keep for themselves")]
    Reserved(char),
    /// A device of Windows.
    #[error("a segment names a device of Windows")]
    Device,
    /// `hint`, or ten zeros at the start.
    #[error("a segment is `hint` or starts with ten zeros, as what the store writes itself")]
    Ours,
    /// Not in Unicode's form NFC.
    #[error("it is not in Unicode's composed form NFC")]
    NotComposed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_names() {
        for name in [
            "main",
            "team/session-17",
            "2026-11-30",
            "Сессия",
            "会话/一",
            "a b",
            "user@host+x=1",
            "hints",
            "000",
            "com",
            "com10",
        ] {
            assert_eq!(RefName::new(name).map(|n| n.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn each_fault_is_told() {
        use NameFault as F;
        let long = "x".repeat(201);
        for (name, fault) in [
            ("", F::Empty),
            (long.as_str(), F::TooLong),
            ("/a", F::Slashes),
            ("a/", F::Slashes),
            ("a//b", F::Slashes),
            ("..", F::Dots),
            ("a/../b", F::Dots),
            (".", F::Dots),
            (".git", F::Edge),
            ("a.", F::Edge),
            ("a /b", F::Edge),
            ("a\0", F::Invisible('\0')),
            ("a\nb", F::Invisible('\n')),
            ("a\u{202e}b", F::Invisible('\u{202e}')),
            ("a\u{200b}", F::Invisible('\u{200b}')),
            ("a\\b", F::Reserved('\\')),
            ("c:", F::Reserved(':')),
            ("NUL", F::Device),
            ("a/Com1.txt", F::Device),
            ("lpt¹", F::Device),
            ("aux .x", F::Device),
            ("hint", F::Ours),
            ("a/00000000000000000001", F::Ours),
            ("e\u{301}", F::NotComposed),
        ] {
            assert_eq!(RefName::new(name).map_err(|e| e.fault), Err(fault), "{name:?}");
        }
    }

    #[test]
    fn the_error_prints_no_hidden_character() {
        let error = RefName::new("a\u{202e}b\u{7}").unwrap_err().to_string();
        assert!(!error.contains(['\u{202e}', '\u{7}']), "{error:?}");
    }
}

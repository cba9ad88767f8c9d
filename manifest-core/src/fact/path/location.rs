//! Lines and columns of a file. The path and the place in it are two facts: a text may keep one and lose the other.

use super::super::Class;
use super::super::scan::Scan;
use super::super::token::Token;
use super::super::value::Value;
use crate::text::Span;

/// `:218`, `:218:9`, `:10-20`, `(218,9)` right after a path that ends at `i`; adds it and returns where to go on.
pub(super) fn after_path(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let open = s.at(i);
    if !matches!(open, b':' | b'(') {
        return None;
    }
    let (line, mut end) = whole(s, i + 1)?;
    let (mut last, mut column) = (0, 0);
    let separator = s.at(end);
    if s.at(end + 1).is_ascii_digit() {
        let (n, e) = whole(s, end + 1)?;
        match (open, separator) {
            (b':', b':') | (b'(', b',' | b':') => (column, end) = (n, e),
            (_, b'-') => (last, end) = (n, e),
            // `app:1.2` is a tag.
            (_, b'.') => return None,
            _ => {}
        }
    }
    if open == b'(' && s.at(end) != b')' || !s.ends(end) {
        return None;
    }
    s.push_value(Class::Location, Span::new(i + 1, end), Value::Lines(line, last, column));
    Some(end + usize::from(open == b'('))
}

/// The lines that a fragment `#L10-L20` of a path names: where it begins, and the value.
pub(super) fn fragment(s: &Scan<'_>, start: usize, end: usize) -> Option<(usize, Value)> {
    let hash = start + s.slice(start, end).rfind("#L")?;
    let (line, mut e) = whole(s, hash + 2)?;
    let mut last = 0;
    if s.at(e) == b'-' {
        (last, e) = whole(s, e + 1 + usize::from(s.at(e + 1) == b'L'))?;
    }
    (e == end).then_some((hash, Value::Lines(line, last, 0)))
}

/// `line 218`, `line 218, column 9`, `lines 10-20`.
pub(in super::super) fn reference(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let plural = t.len() == 5;
    let start = s.skip_spaces(t.end);
    let (line, mut end) = whole(s, start).filter(|_| start > t.end)?;
    let (mut last, mut column) = (0, 0);
    if plural
        && let Some(j) = past_one(s, end, &["-", "–", " to ", " - ", " – ", " through ", " and "])
        && let Some((n, e)) = whole(s, j)
    {
        (last, end) = (n, e);
    }
    if let Some(j) =
        past_one(s, end, &[", column ", " column ", ", col ", " col ", ", col. ", ", char ", ":"])
        && let Some((n, e)) = whole(s, j)
    {
        (column, end) = (n, e);
    }
    if !s.ends(end) || matches!(s.at(end), b'.' | b'%') && s.at(end + 1).is_ascii_digit() {
        return None;
    }
    s.push_value(Class::Location, Span::new(t.start, end), Value::Lines(line, last, column));
    Some(end)
}

/// Where one of these texts ends that stands at `i`.
fn past_one(s: &Scan<'_>, i: usize, texts: &[&str]) -> Option<usize> {
    texts.iter().find(|t| s.is(i, t)).map(|t| i + t.len())
}

fn whole(s: &Scan<'_>, i: usize) -> Option<(u64, usize)> {
    let end = s.digits(i);
    if end == i || end - i > 9 {
        return None;
    }
    Some((s.slice(i, end).parse().ok()?, end))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{all, of};
    use crate::{Class, read};

    fn place(text: &str) -> u64 {
        let places: Vec<u64> =
            read(text).facts.iter().filter(|f| f.class == Class::Location).map(|f| f.key).collect();
        assert_eq!(places.len(), 1, "{text:?}: {:?}", all(text));
        places[0]
    }

    #[test]
    fn a_place_is_a_fact_beside_its_path() {
        assert_eq!(all("at src/post.rs:218:9."), [(Class::Path, "src/post.rs"), (Class::Location, "218:9")]);
        assert_eq!(all("(/srv/app/x.js:10:5)"), [(Class::Path, "/srv/app/x.js"), (Class::Location, "10:5")]);
        assert_eq!(all("Program.cs(12,7): error"), [(Class::Path, "Program.cs"), (Class::Location, "12,7")]);
        assert_eq!(of(Class::Location, "src/a.rs#L10-L20"), ["L10-L20"]);
    }

    #[test]
    fn writings_of_one_place() {
        let place_of = place("src/post.rs:218:9");
        for text in [
            "src/post.rs line 218, column 9",
            "`src/post.rs` line 218 col 9",
            "x.cs(218,9)",
            "File \"x.py\", line 218:9",
        ] {
            assert_eq!(place(text), place_of, "{text}");
        }
        assert_ne!(place("x.rs:218"), place_of);
        assert_eq!(place("lines 10 to 20 of x.rs"), place("x.rs:10-20"));
        assert_eq!(place("x.rs#L10-L20"), place("x.rs:10-20"));
    }

    #[test]
    fn what_is_no_place() {
        for text in ["the line was long", "line 3.5", "acme/app:1.2.3", "lines of 80", "deadline 5"] {
            assert_eq!(of(Class::Location, text), Vec::<&str>::new(), "{text}");
        }
    }
}

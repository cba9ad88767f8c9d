//! Times that hang on an anchor.

use super::Class;
use super::scan::{Scan, Token};
use crate::text::Span;

/// `yesterday`, `last week`, `3 days ago` (the last is found from its unit).
pub(super) fn relative(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    let single = ["yesterday", "today", "tomorrow", "tonight"].iter().any(|w| w.eq_ignore_ascii_case(word));
    if single {
        s.push_text(Class::RelativeTime, t.span());
        return Some(t.end);
    }
    let leads = ["last", "next", "this", "previous"].iter().any(|w| w.eq_ignore_ascii_case(word));
    if !leads || s.at(t.end) != b' ' {
        return None;
    }
    let noun = s.word_at(t.end + 1);
    let named = matches!(
        noun,
        "week"
            | "month"
            | "year"
            | "quarter"
            | "night"
            | "morning"
            | "evening"
            | "afternoon"
            | "weekend"
            | "Monday"
            | "Tuesday"
            | "Wednesday"
            | "Thursday"
            | "Friday"
            | "Saturday"
            | "Sunday"
    );
    let end = t.end + 1 + noun.len();
    if !named || !s.ends(end) {
        return None;
    }
    s.push_text(Class::RelativeTime, Span::new(t.start, end));
    Some(end)
}

//! Times that hang on an anchor.

use super::scan::Scan;
use super::token::Token;
use super::{Class, Fact, lexicon::Words, quantity::Measured, value::Value};
use crate::text::Span;

/// What `last`, `next` and `this` stand before.
static PERIODS: Words<32> =
    Words::new("week month year quarter night morning evening afternoon weekend sprint");
static DAYS: Words<32> = Words::new("monday tuesday wednesday thursday friday saturday sunday");

/// `yesterday`.
pub(super) fn anchored(s: &mut Scan<'_>, t: Token) -> usize {
    s.push_text(Class::RelativeTime, t.span());
    t.end
}

/// `last week`, `next Friday`, `this morning`.
pub(super) fn anchoring(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if s.at(t.end) != b' ' {
        return None;
    }
    let noun = s.word_at(t.end + 1);
    let end = t.end + 1 + noun.len();
    if !s.ends(end) || !(PERIODS.has(noun) || DAYS.has_folded(noun)) {
        return None;
    }
    s.push_text(Class::RelativeTime, Span::new(t.start, end));
    Some(end)
}

/// `3 days ago`, `5 minutes from now`: the quantity is its part.
pub(super) fn ago(s: &mut Scan<'_>, m: Measured) -> Option<usize> {
    let Value::Quantity(_, measure) = m.value else { return None };
    if !measure.is_time() && measure.dimension != super::unit::Dimension::Month {
        return None;
    }
    let end = [" ago", " from now"].iter().find(|w| s.is(m.at.end, w) && s.ends(m.at.end + w.len()))?.len()
        + m.at.end;
    let whole = s.push_text(Class::RelativeTime, Span::new(m.at.start, end));
    let mut part: Fact = m.fact();
    part.whole = Some(whole);
    s.push(part);
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads};
    use crate::Class;

    #[test]
    fn times_that_hang_on_an_anchor() {
        reads(
            Class::RelativeTime,
            &[
                ("renewed yesterday.", &["yesterday"]),
                ("It broke last week and again this morning", &["last week", "this morning"]),
                ("due next Friday", &["next Friday"]),
                ("restarted 3 days ago", &["3 days ago"]),
                ("expires 5 minutes from now", &["5 minutes from now"]),
            ],
        );
        none(
            Class::RelativeTime,
            &["the last test", "this value", "3 days later", "yesterdays", "next_week"],
        );
        equal(&["Yesterday", "yesterday"]);
    }
}

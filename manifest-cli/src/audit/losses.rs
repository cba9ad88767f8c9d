//! Which losses matter most, and the clause around each.

use manifest_core::{Class, TracedFact};

/// Whether a fact counts among the exact ones: no secret, no body, nothing relative, not a part of another.
pub(crate) fn is_exact(fact: &TracedFact<'_>) -> bool {
    !fact.part && !matches!(fact.class, Class::Secret | Class::Payload | Class::RelativeTime)
}

/// Whether meeting a value again says that it was used again: a small number or a common name comes back by chance.
pub(crate) fn is_telling(fact: &TracedFact<'_>) -> bool {
    match fact.class {
        Class::Number => fact.text.bytes().filter(u8::is_ascii_digit).count() >= 3,
        Class::Name => false,
        Class::Quote => fact.text.len() >= 8,
        Class::Symbol | Class::Identifier => fact.text.len() >= 4,
        _ => true,
    }
}

/// How grave a loss is: by its kind, then by how often it was used again and how likely it is needed. Twice the uses, or
/// a third of the scale of salience, are worth one kind.
pub(crate) fn grade(fact: &TracedFact<'_>, times: u64) -> f64 {
    f64::from(fact.gravity) + (times.max(1) as f64).log2() + 3.0 * fact.salience
}

/// The line around `start..end` of `text`, with the value itself as `____`, at most about `width` characters.
pub(crate) fn clause(text: &str, start: usize, end: usize, width: usize) -> String {
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return String::new() };
    let head = before.rfind('\n').map_or(0, |at| at + 1);
    let tail = after.find('\n').unwrap_or(after.len());
    let before = before.get(head..).unwrap_or_default().trim_start();
    let after = after.get(..tail).unwrap_or_default().trim_end();
    // Two thirds for what leads to the value; what is left over goes to the other side.
    let (b, a) = (before.chars().count(), after.chars().count());
    let room = width.saturating_sub(4);
    let for_before = b.min((room * 2 / 3).max(room.saturating_sub(a)));
    let for_after = a.min(room.saturating_sub(for_before));
    let mut out = String::new();
    if for_before < b {
        out.push('…');
    }
    out.extend(before.chars().skip(b - for_before + usize::from(for_before < b && for_before > 0)));
    out.push_str("____");
    if for_after < a {
        out.extend(after.chars().take(for_after.saturating_sub(1)));
        out.push('…');
    } else {
        out.push_str(after);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_shows_what_stands_around_the_value() {
        let text = "first line\nthe deploy aborted with E2107 on node db-7, see the log for more of it\nlast";
        let start = text.find("E2107").unwrap();
        assert_eq!(
            clause(text, start, start + 5, 80),
            "the deploy aborted with ____ on node db-7, see the log for more of it"
        );
        let short = clause(text, start, start + 5, 30);
        assert!(short.chars().count() <= 30, "{short}");
        assert!(short.contains("aborted with ____ on"), "{short}");
        assert_eq!(clause(text, 7, 9999, 30), "");
        assert_eq!(clause("é", 1, 2, 30), "");
        assert_eq!(clause("x", 0, 1, 30), "____");
    }
}

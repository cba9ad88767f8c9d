//! On which side of a value a clause stands: below, at most, at least, above.

/// The comparator that a clause puts before (or right after) a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparator {
    /// Strictly less.
    Below,
    /// Less or equal.
    AtMost,
    /// Greater or equal.
    AtLeast,
    /// Strictly greater.
    Above,
}

impl Comparator {
    /// Whether the two stand on different sides, or differ in whether the bound itself belongs.
    pub(crate) fn differs(self, other: Comparator) -> bool {
        self != other
    }

    /// The side that is left where the clause denies this one: what is not above is at most.
    fn denied(self) -> Comparator {
        match self {
            Comparator::Above => Comparator::AtMost,
            Comparator::Below => Comparator::AtLeast,
            other => other,
        }
    }

    /// The comparator in words, for messages.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Comparator::Below => "below",
            Comparator::AtMost => "at most",
            Comparator::AtLeast => "at least",
            Comparator::Above => "above",
        }
    }
}

/// Signs and words that end just before the value, longest first.
const BEFORE: &[(&str, Comparator)] = &[
    ("no more than", Comparator::AtMost),
    ("not more than", Comparator::AtMost),
    ("no greater than", Comparator::AtMost),
    ("no larger than", Comparator::AtMost),
    ("no longer than", Comparator::AtMost),
    ("not exceed", Comparator::AtMost),
    ("not to exceed", Comparator::AtMost),
    ("never exceed", Comparator::AtMost),
    ("never exceeds", Comparator::AtMost),
    ("no less than", Comparator::AtLeast),
    ("not less than", Comparator::AtLeast),
    ("no fewer than", Comparator::AtLeast),
    ("greater than or equal to", Comparator::AtLeast),
    ("less than or equal to", Comparator::AtMost),
    ("at least", Comparator::AtLeast),
    ("minimum of", Comparator::AtLeast),
    ("minimum", Comparator::AtLeast),
    ("at most", Comparator::AtMost),
    ("maximum of", Comparator::AtMost),
    ("maximum", Comparator::AtMost),
    ("up to", Comparator::AtMost),
    ("within", Comparator::AtMost),
    ("less than", Comparator::Below),
    ("fewer than", Comparator::Below),
    ("lower than", Comparator::Below),
    ("smaller than", Comparator::Below),
    ("shorter than", Comparator::Below),
    ("younger than", Comparator::Below),
    ("newer than", Comparator::Above),
    ("older than", Comparator::Above),
    ("below", Comparator::Below),
    ("beneath", Comparator::Below),
    ("under", Comparator::Below),
    ("more than", Comparator::Above),
    ("greater than", Comparator::Above),
    ("larger than", Comparator::Above),
    ("longer than", Comparator::Above),
    ("higher than", Comparator::Above),
    ("bigger than", Comparator::Above),
    ("exceeds", Comparator::Above),
    ("exceed", Comparator::Above),
    ("exceeded", Comparator::Above),
    ("exceeding", Comparator::Above),
    ("above", Comparator::Above),
    ("over", Comparator::Above),
    ("beyond", Comparator::Above),
    ("mindestens", Comparator::AtLeast),
    ("höchstens", Comparator::AtMost),
    ("au moins", Comparator::AtLeast),
    ("au plus", Comparator::AtMost),
    ("至少", Comparator::AtLeast),
    ("最多", Comparator::AtMost),
    ("超过", Comparator::Above),
    ("低于", Comparator::Below),
    ("高于", Comparator::Above),
    ("<=", Comparator::AtMost),
    (">=", Comparator::AtLeast),
    ("≤", Comparator::AtMost),
    ("≥", Comparator::AtLeast),
    ("<", Comparator::Below),
    (">", Comparator::Above),
];

/// Words that start just after the value.
const AFTER: &[(&str, Comparator)] = &[
    ("or more", Comparator::AtLeast),
    ("or higher", Comparator::AtLeast),
    ("or above", Comparator::AtLeast),
    ("or later", Comparator::AtLeast),
    ("or newer", Comparator::AtLeast),
    ("or less", Comparator::AtMost),
    ("or lower", Comparator::AtMost),
    ("or fewer", Comparator::AtMost),
    ("or below", Comparator::AtMost),
    ("or earlier", Comparator::AtMost),
    ("minimum", Comparator::AtLeast),
    ("maximum", Comparator::AtMost),
    ("以上", Comparator::AtLeast),
    ("以下", Comparator::AtMost),
];

/// The comparator of a value, from the text of its clause before and after it, both lower-case; with how many bytes
/// before the value it begins and how many after it ends.
pub(crate) fn of_value(before: &str, after: &str) -> Option<(Comparator, usize, usize)> {
    let head = before.trim_end_matches([' ', '\t', '\n', '*', '`', '_', '"', '\'', '(', '~', '$', '€', '£']);
    let found = BEFORE.iter().find(|(text, _)| {
        head.strip_suffix(text).is_some_and(|rest| {
            // A sign binds tightly ("->" is an arrow, not "greater"); a word must be a whole word.
            match text.as_bytes().first() {
                Some(b'<' | b'>') => !rest.ends_with(['-', '=', '<', '>']),
                _ if text.is_ascii() => !rest.ends_with(char::is_alphanumeric),
                _ => true,
            }
        })
    });
    if let Some((text, comparator)) = found {
        let rest = head.strip_suffix(text).unwrap_or_default();
        let comparator = if is_denied(rest) { comparator.denied() } else { *comparator };
        return Some((comparator, before.len() - head.len() + text.len(), 0));
    }
    let tail = after.trim_start_matches([' ', '\t', '*', '`', '_', '"', '\'', ')']);
    AFTER
        .iter()
        .find(|(text, _)| {
            tail.strip_prefix(text).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
        .map(|(text, comparator)| (*comparator, 0, after.len() - tail.len() + text.len()))
}

/// Words between a negator and the comparator that it denies, at most ("must not be", "don't ever offer").
const BETWEEN: usize = 3;

/// Whether what stands before a comparator denies it: a negator a few words before, and nothing between that begins
/// something new.
fn is_denied(before: &str) -> bool {
    let mut words =
        before.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).filter(|w| !w.is_empty());
    for word in words.by_ref().take(BETWEEN + 1) {
        if matches!(word, "not" | "never" | "cannot") || word.ends_with("n't") || word.ends_with("n’t") {
            return !before
                .rsplit(word)
                .next()
                .is_some_and(|between| between.contains([',', ';', ':', '.', '(']));
        }
        let begins = matches!(
            word,
            "when"
                | "if"
                | "unless"
                | "because"
                | "but"
                | "and"
                | "or"
                | "while"
                | "that"
                | "which"
                | "since"
                | "after"
                | "before"
                | "until"
                | "for"
                | "with"
                | "only"
                | "just"
        );
        if begins {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> Option<Comparator> {
        of_value(before, after).map(|(comparator, ..)| comparator)
    }

    #[test]
    fn words_signs_and_negated_words() {
        assert_eq!(told("queue depth exceeds ", ""), Some(Comparator::Above));
        assert_eq!(told("must be no more than ", ""), Some(Comparator::AtMost));
        assert_eq!(told("id>", ""), Some(Comparator::Above));
        assert_eq!(told("x -> ", ""), None);
        assert_eq!(told("", " or more"), Some(Comparator::AtLeast));
        assert_eq!(told("plunder ", ""), None);
        assert_eq!(told("tokens must be at least ", " bytes"), Some(Comparator::AtLeast));
    }

    #[test]
    fn a_denied_bound_is_the_other_side() {
        for before in [
            "don't offer more than ",
            "it must not be above ",
            "it did not take longer than ",
            "never give more than ",
        ] {
            assert_eq!(told(before, ""), Some(Comparator::AtMost), "{before}");
        }
        assert_eq!(told("the dose must not be less than ", " mg"), Some(Comparator::AtLeast));
        for before in [
            "it does not retry when more than ",
            "not five but more than ",
            "it is not ready, more than ",
            "do not wait if more than ",
        ] {
            assert_eq!(told(before, ""), Some(Comparator::Above), "{before}");
        }
    }

    #[test]
    fn where_it_stands() {
        assert_eq!(of_value("drops below ", "%"), Some((Comparator::Below, 6, 0)));
        assert_eq!(of_value("", " or later"), Some((Comparator::AtLeast, 0, 9)));
    }

    #[test]
    fn directions() {
        assert!(!Comparator::AtLeast.differs(Comparator::AtLeast));
        assert!(Comparator::AtLeast.differs(Comparator::Above));
    }
}

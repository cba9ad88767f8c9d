//! Numbers as they are written: grouping, decimal points and commas, exponents, words.

use super::byte::is_word;
use super::decimal::Decimal;
use super::hook::{HOOKS, Hook};
use super::locale::{self, Locale};
use super::scan::Scan;
use super::token::FARTHEST;

/// A number without sign and unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) value: Decimal,
    pub(super) end: usize,
    /// The other reading of `1,826` where nothing tells which.
    pub(super) other: Option<Decimal>,
    /// Has a fraction.
    pub(super) fraction: bool,
}

/// The number at `i`, which is a digit, or a point before a digit. `None` for what only looks like a number (`1.2.3`).
pub(super) fn literal(s: &mut Scan<'_>, i: usize) -> Option<Literal> {
    let int = s.digits(i);
    if int - i > FARTHEST {
        return None;
    }
    let separator = s.at(int);
    let separated = matches!(separator, b',' | b'.' | b'_' | b'\'' | b' ') && s.at(int + 1).is_ascii_digit();
    if let Some((value, end)) = vulgar(s, i, int) {
        return Some(Literal { value, end, other: None, fraction: true });
    }
    if int == i && !(separated && separator == b'.') {
        return None;
    }
    if !separated {
        return exponent(s, plain(s, i, int)?);
    }
    let (groups, end) = groups(s, int, separator);
    if int - i <= 3 && int > i && groups > 0 && s.at(i) != b'0' {
        // Three digits after the separator: a group, or decimals.
        match separator {
            b'_' | b'\'' => return fraction(s, i, end, b'.'),
            // A plain space groups where a comma is the decimal mark, and where no list of numbers is told.
            b' ' if groups < 4
                && locale_of(s) == Locale::Comma
                && !s.before(i.saturating_sub(1)).is_ascii_digit() =>
            {
                return fraction(s, i, end, b',');
            }
            b' ' => {}
            b',' if groups > 1 || s.at(end) == b'.' && s.at(end + 1).is_ascii_digit() => {
                return fraction(s, i, end, b'.');
            }
            b',' => return ambiguous(s, i, int, end),
            _ if groups > 1 && locale_of(s) != Locale::Point => return fraction(s, i, end, b','),
            _ if groups == 1
                && s.at(end) == b','
                && s.at(end + 1).is_ascii_digit()
                && locale_of(s) == Locale::Comma =>
            {
                return fraction(s, i, end, b',');
            }
            _ if groups == 1 && locale_of(s) == Locale::Comma && !s.is(end, "%") => {
                return fraction(s, i, end, b',');
            }
            _ => {}
        }
    }
    match separator {
        b'.' => fraction(s, i, int, b'.'),
        b',' if is_decimal_comma(s, i, int) => fraction(s, i, int, b','),
        _ => exponent(s, plain(s, i, int)?),
    }
}

/// `1½`, `¾`: a number whose fraction is one character.
fn vulgar(s: &Scan<'_>, i: usize, int: usize) -> Option<(Decimal, usize)> {
    let hundredths = match s.char_at(int)? {
        '½' => 50,
        '¼' => 25,
        '¾' => 75,
        '⅕' => 20,
        '⅖' => 40,
        '⅗' => 60,
        '⅘' => 80,
        _ => return None,
    };
    let whole = if int > i { digits(s.slice(i, int), b'\0')? } else { Decimal::ZERO };
    Some((whole.add(Decimal::new(hundredths, -2))?, int + s.char_at(int)?.len_utf8()))
}

fn plain(s: &Scan<'_>, i: usize, end: usize) -> Option<Literal> {
    Some(Literal { value: digits(s.slice(i, end), b'\0')?, end, other: None, fraction: false })
}

/// `1,826`: a thousand and more, or one and a bit.
fn ambiguous(s: &mut Scan<'_>, i: usize, int: usize, end: usize) -> Option<Literal> {
    let grouped = digits(s.slice(i, end), b'\0')?;
    let decimal = digits(s.slice(i, end), b',')?;
    let _ = int;
    let l = match locale_of(s) {
        Locale::Point => Literal { value: grouped, end, other: None, fraction: false },
        Locale::Comma => Literal { value: decimal, end, other: None, fraction: true },
        Locale::Unknown => Literal { value: grouped, end, other: Some(decimal), fraction: false },
    };
    exponent(s, l)
}

/// Whether a comma before one, two, four or more digits is a decimal comma rather than the comma of a list.
fn is_decimal_comma(s: &mut Scan<'_>, i: usize, int: usize) -> bool {
    let stop = s.digits(int + 1);
    let listed = s.at(stop) == b',' && s.at(stop + 1).is_ascii_digit()
        || s.before(i) == b',' && i > 1 && s.before(i - 1).is_ascii_digit()
        || matches!(s.before(i), b'(' | b'[');
    int > i && !listed && locale_of(s) != Locale::Point
}

/// The number whose whole part ends at `end`, with its decimals if `point` begins them.
fn fraction(s: &Scan<'_>, i: usize, end: usize, point: u8) -> Option<Literal> {
    if s.at(end) != point || !s.at(end + 1).is_ascii_digit() {
        return exponent(s, plain(s, i, end)?);
    }
    let stop = s.digits(end + 1);
    if s.at(stop) == point && s.at(stop + 1).is_ascii_digit() {
        return None;
    }
    let whole = digits(s.slice(i, end), b'\0').or((end == i).then_some(Decimal::ZERO))?;
    let part = s.slice(end + 1, stop);
    let value = whole.add(Decimal::parse(part)?.shifted(-i32::try_from(part.len()).ok()?)?)?;
    exponent(s, Literal { value, end: stop, other: None, fraction: true })
}

/// The value of digits with separators, `point` among them beginning the decimals.
fn digits(text: &str, point: u8) -> Option<Decimal> {
    let mut plain = String::new();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return Decimal::parse(text);
    }
    for b in text.bytes() {
        match b {
            b'0'..=b'9' => plain.push(char::from(b)),
            _ if b == point => plain.push('.'),
            _ => {}
        }
    }
    Decimal::parse(&plain)
}

/// More digits fit into no number.
const MOST_GROUPS: usize = 12;

/// How many groups of exactly three digits follow, and where they end; none where the last group is none.
fn groups(s: &Scan<'_>, int: usize, separator: u8) -> (usize, usize) {
    let mut n = 0;
    let mut i = int;
    while s.at(i) == separator && s.digits(i + 1) == i + 4 && n < MOST_GROUPS {
        n += 1;
        i += 4;
    }
    if s.at(i) == separator && s.at(i + 1).is_ascii_digit() { (0, int) } else { (n, i) }
}

/// Takes in an exponent: `e-3`, `E+10`.
fn exponent(s: &Scan<'_>, l: Literal) -> Option<Literal> {
    if !matches!(s.at(l.end), b'e' | b'E') {
        return Some(l);
    }
    let sign = s.at(l.end + 1);
    let start = if matches!(sign, b'+' | b'-') { l.end + 2 } else { l.end + 1 };
    let end = s.digits(start);
    if end == start || end - start > 4 || is_word(s.at(end)) {
        return Some(l);
    }
    let e: i32 = s.slice(start, end).parse().ok()?;
    let value = l.value.shifted(if sign == b'-' { -e } else { e })?;
    Some(Literal { value, end, other: None, fraction: l.fraction })
}

/// How this text writes its decimals; looked for once, when a number asks.
fn locale_of(s: &mut Scan<'_>) -> Locale {
    *s.locale.get_or_insert_with(|| locale::of(s.text, s.grouped))
}

/// The value of a number word, and whether it multiplies (`hundred`, `thousand`).
fn word_value(w: &str) -> Option<(i128, bool)> {
    match HOOKS.get_folded(w.as_bytes())? {
        Hook::Number(n) => Some((n.into(), false)),
        Hook::Power(n) => Some((n.into(), true)),
        _ => None,
    }
}

/// The power of a word after digits: `3 million`.
pub(super) fn scale_word(w: &str) -> Option<i128> {
    word_value(w).filter(|(_, multiplies)| *multiplies).map(|(n, _)| n)
}

/// A number in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelled {
    pub(super) value: Decimal,
    pub(super) end: usize,
    /// A lone word that is a number only with a unit: `one`, `hundred`.
    pub(super) weak: bool,
}

/// The number in words at `start`.
pub(super) fn in_words(s: &Scan<'_>, start: usize) -> Option<Spelled> {
    let first_word = s.word_at(start);
    let (first, multiplies) = word_value(first_word)?;
    let mut end = start + first_word.len();
    if !s.ends(end) {
        return None;
    }
    let (mut total, mut part, mut last) = (0i128, first, first);
    let mut words = 1;
    while matches!(s.at(end), b' ' | b'-') {
        let mut j = end + 1;
        if s.is(j, "and ") && last >= 100 {
            j += 4;
        }
        let w = s.word_at(j);
        let Some((n, multiplies)) = word_value(w).filter(|_| s.ends(j + w.len())) else { break };
        if multiplies && n < 1000 {
            part = part.checked_mul(n)?;
        } else if multiplies {
            total = total.checked_add(part.checked_mul(n)?)?;
            part = 0;
        } else if (20..100).contains(&last) && (1..10).contains(&n) || last >= 100 && n < 100 {
            part = part.checked_add(n)?;
        } else {
            break;
        }
        last = n;
        end = j + w.len();
        words += 1;
    }
    let weak = words == 1 && (first == 1 || multiplies && first != 12);
    Some(Spelled { value: Decimal::whole(total.checked_add(part)?), end, weak })
}

/// The digit that a word names.
pub(super) fn digit_word(w: &str) -> Option<i128> {
    word_value(w).filter(|(n, multiplies)| *n < 10 && !multiplies).map(|(n, _)| n)
}

/// The value of a text that begins with a number in words.
pub(super) fn words_alone(text: &str) -> Option<Decimal> {
    in_words(&Scan::over(text), 0).map(|spelled| spelled.value)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, of, reads, unequal};
    use crate::Class;

    #[test]
    fn writings_of_one_number() {
        equal(&[
            "1200",
            "1,200",
            "1_200",
            "1'200",
            "1\u{202f}200",
            "1\u{a0}200",
            "1.2e3",
            "1.2k",
            "１２００",
        ]);
        equal(&["3200000", "3,200,000", "3.2M", "3.2 million"]);
        equal(&["0.5", ".5", "0.50", "5e-1"]);
        equal(&["7", "seven", "Seven"]);
        equal(&["21", "twenty-one", "twenty one"]);
        equal(&["342", "three hundred and forty-two"]);
        equal(&["12", "twelve", "a dozen"]);
        unequal(&["1200", "12000", "1.2", "120", "1201"]);
    }

    #[test]
    fn decimal_commas_by_the_text() {
        equal(&["moyenne 1,8260", "1.826"]);
        equal(&["durée 1,826 (locale fr)", "1.826"]);
        equal(&["it took 1,826", "1826"]);
        equal(&["dauer ist 1.234,5 und", "1234.5"]);
        equal(&["un délai de 1 250 dans les", "1250"]);
        // Nothing tells: both readings are allowed, and no third.
        equal(&["1,826", "1826"]);
        equal(&["1,826", "1.826"]);
        unequal(&["1826", "1.826"]);
    }

    #[test]
    fn lists_are_no_numbers() {
        reads(
            Class::Number,
            &[
                ("the rows 3,5,7", &["3", "5", "7"]),
                ("f(1,2)", &["1", "2"]),
                ("of 12, 30 and 4", &["12", "30", "4"]),
            ],
        );
    }

    #[test]
    fn words_that_are_no_numbers() {
        none(
            Class::Number,
            &[
                "no one saw it",
                "one of the jobs failed",
                "the first",
                "tens of them",
                "a three-phase plan",
                "hundreds",
            ],
        );
        assert_eq!(of(Class::Number, "one of twelve"), ["one", "twelve"]);
        assert_eq!(of(Class::Number, "seven of twelve checks"), ["seven", "twelve"]);
    }

    #[test]
    fn digits_in_other_tokens_are_no_numbers() {
        none(
            Class::Number,
            &["x86_64", "utf-8", "v2.1", "10.0.0.1", "1.2.3.4.5", "a1b2c3d", "node-4", "0042", "16:9"],
        );
    }
}

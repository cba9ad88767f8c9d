//! Numbers as they are written: grouping, decimal points and commas, exponents, words.

use super::byte::is_word;
use super::decimal::Decimal;
use super::scan::{Scan, Token};

/// How a text writes its decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Locale {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
    /// Nothing tells.
    Unknown,
}

/// A number without sign and unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) value: Decimal,
    pub(super) end: usize,
    /// The other reading of `1,826` where nothing tells which.
    pub(super) other: Option<Decimal>,
    /// Digits alone: no grouping, no fraction, no exponent.
    pub(super) plain: bool,
    /// Has a fraction.
    pub(super) fraction: bool,
}

/// The number at `i`, which is a digit, or a point before a digit.
pub(super) fn literal(s: &mut Scan<'_>, i: usize) -> Option<Literal> {
    let int = s.digits(i);
    if int == i && !(s.at(i) == b'.' && s.at(i + 1).is_ascii_digit()) {
        return None;
    }
    let mut digits = String::new();
    let mut end = int;
    digits.push_str(s.slice(i, int));
    let (mut other, mut plain, mut fraction) = (None, true, false);
    let separator = s.at(int);
    if matches!(separator, b',' | b'.' | b'_' | b'\'') && s.at(int + 1).is_ascii_digit() {
        let (groups, after) = groups(s, int, separator);
        let can_group = int - i <= 3 && groups > 0 && (int > i && s.at(i) != b'0');
        let next = s.at(after);
        match separator {
            b'_' | b'\'' if can_group => {
                end = after;
                plain = false;
            }
            b',' if can_group && (groups > 1 || next == b'.' && s.at(after + 1).is_ascii_digit()) => {
                end = after;
                plain = false;
            }
            b',' if can_group => {
                plain = false;
                end = after;
                let decimal = Decimal::parse(&format!("{}.{}", s.slice(i, int), s.slice(int + 1, after)));
                match locale(s) {
                    Locale::Point => {}
                    Locale::Unknown => other = decimal,
                    Locale::Comma => {
                        return exponent(
                            s,
                            Literal { value: decimal?, end, other: None, plain, fraction: true },
                        );
                    }
                }
            }
            b',' => {
                let stop = s.digits(int + 1);
                let list = s.at(stop) == b',' || s.before(i) == b',' && s.before(i - 1).is_ascii_digit();
                let decimal = int > i
                    && !list
                    && (locale(s) == Locale::Comma || locale(s) == Locale::Unknown && stop - int != 4);
                if decimal {
                    let value = Decimal::parse(&format!("{}.{}", s.slice(i, int), s.slice(int + 1, stop)))?;
                    return exponent(
                        s,
                        Literal { value, end: stop, other: None, plain: false, fraction: true },
                    );
                }
            }
            b'.' if can_group && groups > 1 && s.at(after) != b'.' && locale(s) != Locale::Point => {
                end = after;
                plain = false;
            }
            b'.' if can_group
                && groups == 1
                && (next == b','
                    && s.at(after + 1).is_ascii_digit()
                    && s.at(s.digits(after + 1)) != b','
                    || locale(s) == Locale::Comma) =>
            {
                end = after;
                plain = false;
            }
            _ => {}
        }
        if end > int {
            digits = s.slice(i, end).bytes().filter(u8::is_ascii_digit).map(char::from).collect();
        }
    }
    let grouped_by_point = end > int && separator == b'.';
    let point = if grouped_by_point { b',' } else { b'.' };
    if s.at(end) == point && s.at(end + 1).is_ascii_digit() && (end == int || separator != point) {
        let stop = s.digits(end + 1);
        // `1.2.3` is no number.
        if s.at(stop) == point && s.at(stop + 1).is_ascii_digit() {
            return None;
        }
        digits.push('.');
        digits.push_str(s.slice(end + 1, stop));
        end = stop;
        plain = false;
        fraction = true;
    }
    let value = Decimal::parse(&digits)?;
    exponent(s, Literal { value, end, other, plain, fraction })
}

/// How many groups of exactly three digits follow, and where they end.
fn groups(s: &Scan<'_>, int: usize, separator: u8) -> (usize, usize) {
    let mut n = 0;
    let mut i = int;
    while s.at(i) == separator && s.digits(i + 1) == i + 4 {
        n += 1;
        i += 4;
    }
    // `1,200,30` is a list, not a grouped number.
    if s.at(i) == separator && s.at(i + 1).is_ascii_digit() {
        return (0, int);
    }
    (n, i)
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
    let (m, x) = l.value.parts();
    let value = Decimal::new(m, x.checked_add(if sign == b'-' { -e } else { e })?);
    Some(Literal { value, end, other: None, plain: false, fraction: l.fraction })
}

/// How this text writes its decimals, by its own numbers, what it says of its locale, and its language.
pub(super) fn locale(s: &mut Scan<'_>) -> Locale {
    if let Some(l) = s.locale {
        return l;
    }
    let l = find_locale(s.text, s.grouped);
    s.locale = Some(l);
    l
}

fn find_locale(text: &str, grouped: bool) -> Locale {
    let b = text.as_bytes();
    let digit = |i: usize| b.get(i).is_some_and(u8::is_ascii_digit);
    let run = |mut i: usize| {
        let start = i;
        while digit(i) {
            i += 1;
        }
        i - start
    };
    let (mut comma, mut point) = (usize::from(grouped), 0usize);
    for (i, &c) in b.iter().enumerate() {
        if c != b',' || i == 0 || !digit(i - 1) || !digit(i + 1) {
            continue;
        }
        let after = run(i + 1);
        let mut int = 0;
        while int < i && digit(i - 1 - int) {
            int += 1;
        }
        let before = i.checked_sub(int + 1).and_then(|k| b.get(k)).copied().unwrap_or(b' ');
        let next = b.get(i + 1 + after).copied().unwrap_or(b' ');
        if before == b'.' && int == 3 {
            comma += 2; // 1.234,5
        } else if after == 3 && next == b'.' && digit(i + 5) {
            point += 2; // 1,234.5
        } else if after == 3 && (next == b',' || before == b',') {
            point += 1;
        } else if before != b',' && next != b',' && int <= 3 && after != 3 {
            comma += 1;
        } else if after == 3 && int > 3 || after == 3 && b.get(i - int) == Some(&b'0') {
            comma += 1; // 1234,567 or 0,826
        }
    }
    match comma.cmp(&point) {
        std::cmp::Ordering::Greater => return Locale::Comma,
        std::cmp::Ordering::Less => return Locale::Point,
        std::cmp::Ordering::Equal => {}
    }
    if let Some(i) = text.find("locale") {
        let tag = text.get(i + 6..).unwrap_or_default().trim_start_matches([' ', '=', ':', '"', '-']);
        if let Some(tag) = tag.get(..2) {
            if matches!(
                tag,
                "fr" | "de"
                    | "es"
                    | "it"
                    | "pt"
                    | "nl"
                    | "pl"
                    | "ru"
                    | "sv"
                    | "da"
                    | "nb"
                    | "fi"
                    | "cs"
                    | "tr"
            ) {
                return Locale::Comma;
            }
            if matches!(tag, "en" | "ja" | "zh" | "ko") {
                return Locale::Point;
            }
        }
    }
    language(text)
}

/// The locale by the commonest words of the text.
fn language(text: &str) -> Locale {
    let (mut comma, mut point) = (0usize, 0usize);
    for w in text.split(|c: char| !c.is_alphanumeric()).filter(|w| (2..=5).contains(&w.len())).take(400) {
        match w {
            "the" | "The" | "and" | "of" | "is" | "was" | "with" | "to" | "for" | "took" | "are" | "on"
            | "at" | "has" | "by" => point += 1,
            "les" | "des" | "une" | "est" | "und" | "der" | "das" | "ist" | "mit" | "von" | "el" | "los"
            | "las" | "una" | "il" | "della" | "het" | "een" | "dos" | "para" | "pour" | "dans" | "nicht"
            | "Les" | "Der" | "Das" | "par" => comma += 1,
            _ => {}
        }
    }
    match comma.cmp(&point) {
        std::cmp::Ordering::Greater => Locale::Comma,
        std::cmp::Ordering::Less => Locale::Point,
        std::cmp::Ordering::Equal => Locale::Unknown,
    }
}

/// The value of a number word, and whether it multiplies (`hundred`, `thousand`).
fn word_value(w: &str) -> Option<(i128, bool)> {
    if !(3..=9).contains(&w.len()) {
        return None;
    }
    let lower = w.to_ascii_lowercase();
    Some(match lower.as_str() {
        "zero" => (0, false),
        "one" => (1, false),
        "two" => (2, false),
        "three" => (3, false),
        "four" => (4, false),
        "five" => (5, false),
        "six" => (6, false),
        "seven" => (7, false),
        "eight" => (8, false),
        "nine" => (9, false),
        "ten" => (10, false),
        "eleven" => (11, false),
        "twelve" => (12, false),
        "thirteen" => (13, false),
        "fourteen" => (14, false),
        "fifteen" => (15, false),
        "sixteen" => (16, false),
        "seventeen" => (17, false),
        "eighteen" => (18, false),
        "nineteen" => (19, false),
        "twenty" => (20, false),
        "thirty" => (30, false),
        "forty" => (40, false),
        "fifty" => (50, false),
        "sixty" => (60, false),
        "seventy" => (70, false),
        "eighty" => (80, false),
        "ninety" => (90, false),
        "dozen" => (12, true),
        "hundred" => (100, true),
        "thousand" => (1_000, true),
        "million" => (1_000_000, true),
        "billion" => (1_000_000_000, true),
        _ => return None,
    })
}

/// The power of a word after digits: `3 million`.
pub(super) fn scale_word(w: &str) -> Option<i128> {
    match w {
        "hundred" | "thousand" | "million" | "billion" | "dozen" => word_value(w).map(|(n, _)| n),
        "trillion" => Some(1_000_000_000_000),
        "Mio" => Some(1_000_000),
        _ => None,
    }
}

/// The number in words that begins at the token: its value, where it ends, and whether it is the lone word `one`.
pub(super) fn in_words(s: &Scan<'_>, t: Token) -> Option<(Decimal, usize, bool)> {
    let (first, multiplies) = word_value(s.word_at(t.start))?;
    if multiplies && first != 12 {
        return None;
    }
    let mut end = t.start + s.word_at(t.start).len();
    if !s.ends(end) {
        return None;
    }
    let (mut total, mut part, mut last) = (0i128, first, first);
    let mut words = 1;
    loop {
        let j = if matches!(s.at(end), b' ' | b'-') { end + 1 } else { break };
        let j = if s.is(j, "and ") && part % 100 == 0 && part > 0 { j + 4 } else { j };
        let w = s.word_at(j);
        let Some((n, multiplies)) = word_value(w).filter(|_| s.ends(j + w.len())) else { break };
        if multiplies {
            if n == 100 {
                part = part.checked_mul(100)?;
            } else if n == 12 {
                part = part.checked_mul(12)?;
            } else {
                total = total.checked_add(part.checked_mul(n)?)?;
                part = 0;
            }
        } else if (20..100).contains(&last) && n < 10 && n > 0 || last >= 100 && n < 100 {
            part = part.checked_add(n)?;
        } else {
            break;
        }
        last = n;
        end = j + w.len();
        words += 1;
    }
    Some((Decimal::whole(total.checked_add(part)?), end, words == 1 && first == 1))
}

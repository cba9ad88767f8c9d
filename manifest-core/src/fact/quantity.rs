//! Numbers and what is measured with them: quantities, percentages; sums of money are read in their own file.

use super::byte::{DIGIT, HYPHEN, LETTER, LOWER, class, is_word};
use super::decimal::Decimal;
use super::lexicon::Words;
use super::mark::{self, Mark};
use super::number::{self, Literal};
use super::scan::Scan;
use super::token::Token;
use super::unit;
use super::value::Value;
use super::{Class, Fact, identifier, instant, money, range, relative, spoken};
use crate::text::Span;

/// A number with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) at: Span,
    pub(super) class: Class,
    pub(super) value: Value,
    pub(super) also: Option<u64>,
    /// The number before its mark.
    pub(super) count: Decimal,
    pub(super) mark: Mark,
}

impl Measured {
    pub(super) fn new(at: Span, count: Decimal, mark: Mark) -> Option<Self> {
        let (class, value) = match mark {
            Mark::None => (Class::Number, Value::Number(count)),
            Mark::Unit(u) => {
                let (amount, measure) = u.measure(count)?;
                (Class::Quantity, Value::Quantity(amount, measure))
            }
            Mark::Percent => (Class::Percentage, Value::Percentage(count)),
            Mark::Money(c) => (Class::Money, Value::Money(count, c)),
        };
        // A bare amount is often given its currency later.
        let also = matches!(mark, Mark::Money(_)).then(|| Value::Number(count).key());
        Some(Measured { at, class, value, also, count, mark })
    }

    /// The same number with another mark.
    pub(super) fn marked(self, mark: Mark) -> Option<Self> {
        Measured::new(self.at, self.count, mark)
    }

    pub(super) fn fact(self) -> Fact {
        let mut f = Fact::new(self.class, self.at, self.value.key(), self.value);
        f.also = self.also;
        f
    }
}

/// Adds what was measured: a range if a second end follows, a relative time if `ago` does. Returns where to go on.
pub(super) fn push(s: &mut Scan<'_>, m: Measured) -> usize {
    if let Some(end) = range::measured(s, m).or_else(|| relative::ago(s, m)) {
        return end;
    }
    s.push(m.fact());
    m.at.end
}

/// What a number with a letter names: a place, not an amount.
static PLACES: Words<32> =
    Words::new("seat seats gate room suite apt apartment unit terminal flight bay aisle");

/// A number at a digit, with its mark.
pub(super) fn digit(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    // `seat 14B` is no size.
    if t.has(LETTER) && PLACES.has_folded(s.word_before(t.start)) {
        return None;
    }
    let mut m = measure(s, t.start)?;
    if m.mark == Mark::None && m.at.end == t.end && t.only(DIGIT) {
        // A leading zero makes a name of digits: nothing about it is a value.
        if t.len() > 1 && s.at(t.start) == b'0' {
            s.push_text(Class::Identifier, t.span());
            return Some(t.end);
        }
        if let Some(ns) = instant::epoch(s.slice(t.start, t.end)) {
            let instant = Value::Instant(ns);
            m.also = Some(instant.key());
            if names_time(s.word_before(t.start)) {
                m = Measured { class: Class::Instant, value: instant, also: Some(m.value.key()), ..m };
            }
            s.push(m.fact());
            return Some(t.end);
        }
    }
    Some(push(s, m))
}

/// Whether a key says that its value is a point in time.
fn names_time(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.ends_with("_at")
        || key.ends_with("time")
        || key.ends_with("stamp")
        || matches!(
            key.as_str(),
            "ts" | "exp"
                | "iat"
                | "nbf"
                | "epoch"
                | "expires"
                | "created"
                | "updated"
                | "since"
                | "until"
                | "date"
                | "at"
        )
}

/// A number with a sign: `-1.8 s`, `+3`.
pub(super) fn signed(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.begins(i) || matches!(s.before(i), b'-' | b'+' | b'.' | b')' | b']' | b'%' | b'"') {
        return None;
    }
    let mut m = measure(s, i + 1)?;
    if s.at(i) == b'-' {
        m = Measured::new(m.at, m.count.neg(), m.mark)?;
    }
    m.at = Span::new(i, m.at.end);
    s.push(m.fact());
    Some(m.at.end)
}

/// `.5`.
pub(super) fn fraction(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.at(i + 1).is_ascii_digit() || !s.begins(i) || matches!(s.before(i), b'.' | b')' | b']' | b'"') {
        return None;
    }
    let m = measure(s, i)?;
    Some(push(s, m))
}

/// A number in words, with its mark.
pub(super) fn word(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    spoken::hear(s, t.start);
    let m = spelled(s, t.start)?;
    Some(push(s, m))
}

fn spelled(s: &Scan<'_>, i: usize) -> Option<Measured> {
    let number = number::in_words(s, i)?;
    if s.before(i) == b'-' {
        return None;
    }
    let (mark, stop) = mark::after(s, number.end, true);
    if mark == Mark::None {
        // `one` is a pronoun more often than a count; a hyphen makes an adjective of the rest.
        let of = number.end + 4;
        let counted =
            s.is(number.end, " of ") && (s.at(of).is_ascii_digit() || number::in_words(s, of).is_some());
        if number.weak && !counted || s.at(number.end) == b'-' {
            return None;
        }
    }
    Measured::new(Span::new(i, stop), number.value, mark).map(|m| money::with_cents(s, m))
}

/// `½ h`.
pub(super) fn vulgar(s: &mut Scan<'_>, i: usize, c: char) -> Option<usize> {
    if !matches!(c, '¼'..='¾' | '⅕'..='⅘') || !s.begins(i) {
        return None;
    }
    let m = measure(s, i)?;
    Some(push(s, m))
}

/// `half an hour`.
pub(super) fn half(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let article = [" an ", " a "].iter().find(|a| s.is(t.end, a))?;
    let (mark, end) = mark::after(s, t.end + article.len() - 1, true);
    let Mark::Unit(_) = mark else { return None };
    let m = Measured::new(Span::new(t.start, end), Decimal::new(5, -1), mark)?;
    Some(push(s, m))
}

/// The number at `i` with all that belongs to it; `None` where what follows makes it part of another token.
pub(super) fn measure(s: &mut Scan<'_>, i: usize) -> Option<Measured> {
    if class(s.at(i)) & LETTER != 0 {
        return spelled(s, i);
    }
    if s.char_at(i).is_some_and(|c| mark::sign(c).is_some()) {
        return money::amount(s, i);
    }
    let l = number::literal(s, i)?;
    let (count, end) = scaled(s, &l);
    let (found, stop) = mark::after(s, end, false);
    if found == Mark::None && !is_boundary(s, end) {
        return None;
    }
    let mut m = money::with_cents(s, Measured::new(Span::new(i, stop), count, found)?);
    if let Some(other) = l.other.and_then(|o| Measured::new(m.at, o, found)) {
        m.also = Some(other.value.key());
    }
    if let Value::Quantity(_, measure) = m.value
        && measure.is_time()
    {
        return compound(s, m).filter(|m| s.ends(m.at.end));
    }
    if found == Mark::None && m.also.is_none() {
        m.also = by_key(s, i, count).or_else(|| l.fraction.then(|| as_ratio(s, i, count)).flatten());
    }
    Some(m)
}

/// The number with the power that a suffix gives it: `41k`, `3M`, `2 million`.
pub(super) fn scaled(s: &Scan<'_>, l: &Literal) -> (Decimal, usize) {
    let glued = s.word_at(l.end);
    if glued.len() > 4
        && let Some(v) = number::scale_word(glued).and_then(|n| l.value.mul(Decimal::whole(n)))
    {
        return (v, l.end + glued.len());
    }
    let (power, len) = match s.at(l.end) {
        b'k' | b'K' => (3, 1),
        b'M' => (6, 1),
        b'b' if s.at(l.end + 1) == b'n' => (9, 2),
        b' ' => {
            let word = s.word_at(l.end + 1);
            let lifted = number::scale_word(word).and_then(|n| l.value.mul(Decimal::whole(n)));
            return lifted.map_or((l.value, l.end), |v| (v, l.end + 1 + word.len()));
        }
        _ => return (l.value, l.end),
    };
    match l.value.shifted(power) {
        Some(v) if s.ends(l.end + len) => (v, l.end + len),
        _ => (l.value, l.end),
    }
}

/// Whether a number without a mark can end at `i`.
fn is_boundary(s: &Scan<'_>, i: usize) -> bool {
    if !s.ends(i) {
        return is_glued(s, i);
    }
    let next = s.at(i + 1);
    match s.at(i) {
        b'.' | b'@' => !is_word(next),
        b':' => !next.is_ascii_digit(),
        // `7/12` is two numbers, `7/12/x` and `7/a` are names.
        b'/' => {
            !is_word(next)
                || next.is_ascii_digit() && s.at(s.digits(i + 1)) != b'/' && s.ends(s.digits(i + 1))
        }
        // `41-60` may be a range, `10-4-7` is a name.
        b'-' if next == b'0' && s.at(i + 2).is_ascii_digit() => false,
        b'-' if next.is_ascii_digit() => {
            let mut end = i + 1;
            while s.at(end).is_ascii_digit()
                || matches!(s.at(end), b'.' | b',') && s.at(end + 1).is_ascii_digit()
            {
                end += 1;
            }
            s.at(end) != b'-'
                && (s.ends(end) || s.digits(i + 1) > i + 1 && mark::after(s, end, false).0 != Mark::None)
        }
        b'-' if is_word(next) => {
            // `3-phase`: letters only, to the end of the token.
            let t = s.token(i + 1);
            t.only(LOWER | HYPHEN) && t.len() > 1
        }
        _ => true,
    }
}

/// Whether a word was glued to a number that ends at `i`: `2,000people`. Four small letters and more are no code.
fn is_glued(s: &Scan<'_>, i: usize) -> bool {
    let word = s.word_at(i);
    word.len() > 3
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && s.ends(i + word.len())
        && !matches!(s.at(i + word.len()), b'-' | b'.' | b'/' | b':' | b'@')
        && !word.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A duration of several units: `1h30m`, `2 min 30 s`, `1 hour and 5 minutes`.
fn compound(s: &mut Scan<'_>, mut m: Measured) -> Option<Measured> {
    let Mark::Unit(mut last) = m.mark else { return Some(m) };
    loop {
        let end = m.at.end;
        let j = match s.at(end) {
            b' ' if s.is(end, " and ") => end + 5,
            b' ' => end + 1,
            _ => end,
        };
        if !s.at(j).is_ascii_digit() {
            return Some(m);
        }
        let Some(l) = number::literal(s, j) else { return Some(m) };
        let (Mark::Unit(u), stop) = mark::after(s, l.end, false) else { return Some(m) };
        let one = |u: unit::Unit| u.measure(Decimal::whole(1)).map(|(amount, _)| amount);
        let (Value::Quantity(sum, of), Some((more, measure))) = (m.value, u.measure(l.value)) else {
            return Some(m);
        };
        if measure != of || one(u) >= one(last) {
            return Some(m);
        }
        let Some(sum) = sum.add(more) else { return Some(m) };
        m.value = Value::Quantity(sum, of);
        m.at = Span::new(m.at.start, stop);
        last = u;
    }
}

/// The key of the quantity that a number is under a key that names its unit: `timeout_ms: 30000`.
fn by_key(s: &Scan<'_>, i: usize, count: Decimal) -> Option<u64> {
    if !matches!(s.before(i), b'=' | b':' | b' ' | b'"') {
        return None;
    }
    let key = s.word_before(i);
    if key.len() < 4 {
        return None;
    }
    let (amount, measure) = unit::of_key(key)?.measure(count)?;
    Some(Value::Quantity(amount, measure).key())
}

/// Words that call a number a ratio.
const RATIOS: [&[u8]; 12] = [
    b"ratio",
    b"rate",
    b"share",
    b"fraction",
    b"proportion",
    b"probab",
    b"recall",
    b"precision",
    b"accuracy",
    b"coverage",
    b"utiliz",
    b"utilis",
];

/// The key of the percentage that a number from 0 to 1 is, where the text calls it a ratio.
fn as_ratio(s: &Scan<'_>, i: usize, count: Decimal) -> Option<u64> {
    if count > Decimal::whole(1) || count.is_negative() {
        return None;
    }
    let low = s.line.start.max(i.saturating_sub(48));
    let before = s.bytes.get(low..i)?;
    let says = |word: &&[u8]| before.windows(word.len()).any(|x| x.eq_ignore_ascii_case(word));
    if !RATIOS.iter().any(says) {
        return None;
    }
    Some(Value::Percentage(count.shifted(2)?).key())
}

/// What is left of a token that begins with a digit and that no class took: digits alone are a number, the rest is a
/// name.
pub(super) fn rest(s: &mut Scan<'_>, t: Token) -> usize {
    let digits = s.digits(t.start);
    if digits == t.word
        && let Some(d) = Decimal::parse(s.slice(t.start, digits))
    {
        s.push_value(Class::Number, Span::new(t.start, digits), Value::Number(d));
        return digits;
    }
    let at = Span::new(t.start, t.word.max(t.start + 1));
    if identifier::is_opaque(at.of(s.text)) {
        s.push_text(Class::Identifier, at);
    }
    at.end
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, of, reads, unequal};
    use crate::{Class, read};

    #[test]
    fn one_duration() {
        equal(&[
            "30s",
            "30 s",
            "30000ms",
            "30 seconds",
            "0.5 min",
            "thirty seconds",
            "30-second",
            "30000 毫秒",
        ]);
        equal(&["1.5 hours", "90 minutes", "1h30m", "1 h 30 min", "1 hour and 30 minutes", "5400 s"]);
        equal(&["5m", "5 min", "300s"]);
        equal(&["30 d", "30 days", "720 h"]);
        equal(&["250 µs", "0.25 ms", "250us"]);
        unequal(&["5 m", "5m", "5 months", "5 ms", "5"]);
    }

    #[test]
    fn one_size() {
        equal(&["1 KiB", "1024 bytes", "1024 B", "1Ki"]);
        equal(&["38.6 GB", "38600 MB", "38,600 MB"]);
        unequal(&["1 GB", "1 GiB", "1 Gb", "1 Gbps"]);
        equal(&["100 Mb/s", "100 Mbps", "100 Mbit/s"]);
        unequal(&["100 Mb/s", "100 MB/s"]);
    }

    #[test]
    fn one_rate() {
        equal(&["900 rps", "900 req/s", "900 requests per second", "54000 requests per minute", "0.9 krps"]);
        equal(&["100 requests per minute", "100 requests/min", "6000 requests per hour"]);
        equal(&["40/s", "2400/min"]);
        reads(Class::Number, &[("100 requests", &["100"]), ("214 rows, 3 events", &["214", "3"])]);
    }

    #[test]
    fn other_units() {
        unequal(&["21 °C", "21 meters", "21 °F", "21", "21%", "21 percentage points"]);
        equal(&["21 °C", "21°C", "21℃"]);
        equal(&["62%", "62 %", "62 percent", "62 per cent", "６２％"]);
        equal(&["2 percentage points", "2 pp"]);
        equal(&["3x", "3×"]);
        equal(&["-1.8 s", "−1.8 s", "-1800 ms"]);
        unequal(&["-1.8 s", "1.8 s"]);
    }

    #[test]
    fn amounts_in_words() {
        equal(&["twelve Euros and fifty cent", "12.50 euros", "€12.5", "12 euros 50 cents", "12.5-Euro"]);
        equal(&["thirty-six gigabytes", "36 GB", "thirty six gigabyte"]);
        equal(&["a hundred percent", "100%", "one hundred per cent"]);
        equal(&["a 30-Day one", "30 days"]);
        equal(&["half an hour", "30 minutes", "0.5 h", "½ h"]);
        equal(&["1½ hours", "90 minutes", "1.5 h"]);
        equal(&["1.7billion", "1,700,000,000"]);
        reads(
            Class::Number,
            &[
                ("2,000people and 10times", &["2,000", "10"]),
                ("two um things", &["two"]),
                ("a hundred people", &[]),
            ],
        );
    }

    #[test]
    fn ratios_and_keys_allow_a_second_reading() {
        equal(&["hit ratio 0.62", "62%"]);
        equal(&["hit ratio 0.62", "0.62"]);
        unequal(&["0.62", "62%"]);
        unequal(&["hit ratio 0.62%", "62%"]);
        let same = |a: &str, b: &str| {
            let (a, b) = (read(a), read(b));
            a.facts.iter().any(|x| b.facts.iter().any(|y| x.same(y)))
        };
        assert!(same("timeout_ms: 30000", "30 s"));
        assert!(same("{\"maxBytes\": 1024}", "1 KiB"));
        assert!(!same("timeout_ms: 30000", "30000 s"));
        assert!(same("expires_at=1767225600", "2026-01-01T00:00:00Z"));
        assert!(same("1767225600000", "2026-01-01T00:00:00Z"));
    }

    #[test]
    fn a_unit_across_emphasis_and_a_wrapped_line() {
        reads(
            Class::Quantity,
            &[
                ("took **64** ms", &["64** ms"]),
                ("took `64` ms", &["64` ms"]),
                ("it took 64\nms more", &["64\nms"]),
            ],
        );
        equal(&["**64** ms", "64 ms"]);
    }

    #[test]
    fn words_that_are_no_units() {
        none(
            Class::Quantity,
            &[
                "3 A users",
                "5 d-day",
                "seat 14 C",
                "2 x 4",
                "version 3 s3",
                "5 in a row",
                "4 g'day",
                "the 1960s",
            ],
        );
        reads(
            Class::Number,
            &[("3-phase", &["3"]), ("7/12", &["7", "12"]), ("a=7", &["7"]), ("seed 5512", &["5512"])],
        );
        assert_eq!(of(Class::Identifier, "0042"), ["0042"]);
    }
}

//! Quantities, percentages, sums of money and plain numbers.

use super::byte::{ALNUM, DIGIT, HIGH, LETTER, LOWER, class, is_word};
use super::decimal::Decimal;
use super::number::{self, Literal};
use super::scan::{Scan, Token};
use super::unit::{self, Unit};
use super::value::{Domain, Value};
use super::{Class, Fact, date, range};
use crate::text::Span;

/// A number with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) at: Span,
    pub(super) class: Class,
    pub(super) value: Value,
    pub(super) also: Option<u64>,
    /// The number before its unit.
    pub(super) count: Decimal,
    pub(super) mark: Mark,
}

/// What stands with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    None,
    Unit(Unit),
    Percent,
    Money([u8; 3]),
}

impl Measured {
    fn new(at: Span, count: Decimal, mark: Mark) -> Option<Self> {
        let (class, value) = match mark {
            Mark::None => (Class::Number, Value::Number(count)),
            Mark::Unit(u) => {
                let (amount, measure) = u.measure(count)?;
                (Class::Quantity, Value::Quantity(amount, measure))
            }
            Mark::Percent => (Class::Percentage, Value::Percentage(count)),
            Mark::Money(c) => (Class::Money, Value::Money(count, c)),
        };
        Some(Measured { at, class, value, also: None, count, mark })
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

/// Adds what was measured, and the other end of its range if there is one; returns where to go on.
fn push(s: &mut Scan<'_>, m: Measured) -> usize {
    if let Some(end) = range::from(s, m) {
        return end;
    }
    s.push(m.fact());
    m.at.end
}

/// A number at a digit, with its unit.
pub(super) fn digit(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let m = measure(s, t.start)?;
    // Leading zeros and runs too long for a count are names: nothing about them is a value.
    let plain = t.only(DIGIT) && m.at.end == t.end && m.mark == Mark::None;
    if plain && t.len() > 1 && s.at(t.start) == b'0' {
        s.push_text(Class::Identifier, t.span());
        return Some(t.end);
    }
    if plain && let Some(ns) = date::epoch(s.slice(t.start, t.end)) {
        let instant = Value::Instant(ns);
        let (class, value, also) = if names_time(s.word_before(t.start)) {
            (Class::Instant, instant, m.value)
        } else {
            (Class::Number, m.value, instant)
        };
        let mut f = Fact::new(class, t.span(), value.key(), value);
        f.also = Some(also.key());
        s.push(f);
        return Some(t.end);
    }
    Some(push(s, m))
}

fn names_time(w: &str) -> bool {
    let w = w.to_ascii_lowercase();
    w.ends_with("_at")
        || w.ends_with("time")
        || w.ends_with("stamp")
        || matches!(
            w.as_str(),
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
    let b = s.before(i);
    if is_word(b)
        || matches!(b, b'-' | b'+' | b'.' | b')' | b']' | b'%' | b'"')
        || b >= 0x80 && s.before(i) != b' ' && !s.begins(i)
    {
        return None;
    }
    let next = s.at(i + 1);
    if !(next.is_ascii_digit() || next == b'.' && s.at(i + 2).is_ascii_digit()) {
        return None;
    }
    // `-5` after a space may be a flag of a command; `- 5` never comes here.
    let mut m = measure(s, i + 1)?;
    if s.at(i) == b'-' {
        m = Measured { also: None, ..Measured { at: m.at, ..m }.negated()? };
    }
    m.at = Span::new(i, m.at.end);
    s.push(m.fact());
    Some(m.at.end)
}

impl Measured {
    fn negated(self) -> Option<Self> {
        Measured::new(self.at, self.count.neg(), self.mark)
    }
}

/// `.5`.
pub(super) fn fraction(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let b = s.before(i);
    if !s.at(i + 1).is_ascii_digit() || is_word(b) || matches!(b, b'.' | b')' | b']' | b'"') {
        return None;
    }
    let m = measure(s, i)?;
    Some(push(s, m))
}

/// A number in words, with its unit.
pub(super) fn word(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let (value, end, one) = number::in_words(s, t)?;
    if s.before(t.start) == b'-' {
        return None;
    }
    let (mark, e) = mark(s, end, true, value);
    if mark == Mark::None {
        // `one` is a pronoun more often than a count; a hyphen makes an adjective of the rest.
        let of = s.is(end, " of ")
            && (s.at(end + 4).is_ascii_digit()
                || number::in_words(s, Token { start: end + 4, ..t }).is_some());
        if one && !of || s.at(end) == b'-' {
            return None;
        }
    }
    let m = Measured::new(Span::new(t.start, e), value, mark)?;
    s.push(m.fact());
    Some(e)
}

/// An amount after a currency sign: `$1,847.20`.
pub(super) fn money(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let m = signed_money(s, i)?;
    Some(push(s, m))
}

fn signed_money(s: &mut Scan<'_>, i: usize) -> Option<Measured> {
    let c = s.char_at(i)?;
    let code = sign_code(c)?;
    let j = i + c.len_utf8();
    let j = if s.at(j) == b' ' && c != '$' { j + 1 } else { j };
    let l = number::literal(s, j)?;
    let (count, end) = scaled(s, &l);
    if !s.ends(end) {
        return None;
    }
    // `$18 USD` says it twice.
    let word = s.word_at(s.skip_spaces(end));
    let (code, end) = match currency(word) {
        Some(c) if word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase()) => {
            (c, s.skip_spaces(end) + 3)
        }
        _ => (code, end),
    };
    Measured::new(Span::new(i, end), count, Mark::Money(code))
}

fn sign_code(c: char) -> Option<[u8; 3]> {
    Some(match c {
        '$' => *b"USD",
        '€' => *b"EUR",
        '£' => *b"GBP",
        '¥' | '￥' => *b"JPY",
        '₹' => *b"INR",
        '₩' => *b"KRW",
        '₽' => *b"RUB",
        '₺' => *b"TRY",
        '₿' => *b"BTC",
        _ => return None,
    })
}

/// The code of a currency by its name or code.
fn currency(w: &str) -> Option<[u8; 3]> {
    Some(match w {
        "USD" | "dollar" | "dollars" | "bucks" => *b"USD",
        "EUR" | "euro" | "euros" | "Euro" => *b"EUR",
        "GBP" => *b"GBP",
        "JPY" | "yen" => *b"JPY",
        "CHF" => *b"CHF",
        "CNY" | "RMB" | "yuan" => *b"CNY",
        "INR" | "rupees" => *b"INR",
        "CAD" => *b"CAD",
        "AUD" => *b"AUD",
        "NZD" => *b"NZD",
        "SEK" => *b"SEK",
        "NOK" => *b"NOK",
        "DKK" => *b"DKK",
        "PLN" => *b"PLN",
        "BRL" => *b"BRL",
        "MXN" => *b"MXN",
        "KRW" => *b"KRW",
        "SGD" => *b"SGD",
        "HKD" => *b"HKD",
        "ZAR" => *b"ZAR",
        "TRY" => *b"TRY",
        "BTC" => *b"BTC",
        "ETH" => *b"ETH",
        _ => return None,
    })
}

/// `USD 18`.
pub(super) fn money_code(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    if word.len() != 3
        || s.at(t.end) != b' '
        || !s.at(t.end + 1).is_ascii_digit()
        || !word.bytes().all(|b| b.is_ascii_uppercase())
    {
        return None;
    }
    let code = currency(word)?;
    let l = number::literal(s, t.end + 1)?;
    let (count, end) = scaled(s, &l);
    if !s.ends(end) {
        return None;
    }
    let m = Measured::new(Span::new(t.start, end), count, Mark::Money(code))?;
    Some(push(s, m))
}

/// The number at `i` with all that belongs to it; `None` where what follows makes it part of another token.
pub(super) fn measure(s: &mut Scan<'_>, i: usize) -> Option<Measured> {
    if sign_code(s.char_at(i)?).is_some() {
        return signed_money(s, i);
    }
    let l = number::literal(s, i)?;
    let (count, end) = scaled(s, &l);
    let (found, stop) = mark(s, end, false, count);
    if found == Mark::None && !is_boundary(s, end) {
        return None;
    }
    let mut m = Measured::new(Span::new(i, stop), count, found)?;
    if let Mark::Unit(u) = found
        && u.measure(Decimal::whole(1))
            .is_some_and(|(_, x)| x.dimension == unit::Dimension::Time && x.per == 0)
    {
        m = compound(s, m)?;
    }
    m.also = l.other.and_then(|o| Measured::new(m.at, o, found)).map(|o| o.value.key());
    if found == Mark::None && l.fraction && m.also.is_none() {
        m.also = as_ratio(s, i, count);
    }
    Some(m)
}

/// The number with the power that a suffix gives it: `41k`, `3M`, `2 million`.
fn scaled(s: &Scan<'_>, l: &Literal) -> (Decimal, usize) {
    let power = match s.at(l.end) {
        b'k' | b'K' => 3,
        b'M' => 6,
        b'G' | b'T' | b'B' | b'm' | b'b' if s.is(l.end, "bn") => 9,
        _ => 0,
    };
    let len = if power == 9 { 2 } else { 1 };
    if power > 0 && s.ends(l.end + len) {
        let lifted = l.value.mul(Decimal::new(1, power));
        return (lifted.unwrap_or(l.value), l.end + len);
    }
    if s.at(l.end) == b' '
        && let Some(n) = number::scale_word(s.word_at(l.end + 1))
        && let Some(v) = l.value.mul(Decimal::whole(n))
    {
        return (v, l.end + 1 + s.word_at(l.end + 1).len());
    }
    (l.value, l.end)
}

/// Whether a number can end at `i`.
fn is_boundary(s: &Scan<'_>, i: usize) -> bool {
    if !s.ends(i) {
        return false;
    }
    let next = s.at(i + 1);
    match s.at(i) {
        b'.' => !is_word(next),
        b':' => !next.is_ascii_digit(),
        b'@' => !is_word(next),
        b'/' => {
            !is_word(next) || next.is_ascii_digit() && !s.slice(i + 1, s.digits(i + 1) + 1).ends_with('/')
        }
        b'-' => {
            if !is_word(next) {
                return true;
            }
            // `3-phase`: letters only, to the end of the token.
            let t = s.token(i + 1);
            t.only(LOWER | super::byte::HYPHEN) && t.len() > 1
        }
        b'\\' => true,
        _ => true,
    }
}

/// The unit, percent sign or currency after a number, and where it ends.
pub(super) fn mark(s: &Scan<'_>, end: usize, words: bool, count: Decimal) -> (Mark, usize) {
    let none = (Mark::None, end);
    if s.at(end) == b'%' && (class(s.at(end + 1)) & ALNUM == 0) {
        return (Mark::Percent, end + 1);
    }
    let touch = !words && s.at(end) != b' ' && s.at(end) != b'-' && s.at(end) != b'`' && s.at(end) != b'*';
    let i = if touch { end } else { gap(s, end) };
    if i == end && !touch {
        return none;
    }
    if s.at(i) == b'%' && (class(s.at(i + 1)) & ALNUM == 0) {
        return (Mark::Percent, i + 1);
    }
    // A rate of nothing named: `40/s`.
    if s.at(i) == b'/' && touch {
        return match unit_at(s, i + 1, true) {
            Some((u, e)) => match unit::lookup("Hz").and_then(|_| unit::bare_rate(u)) {
                Some(u) => (Mark::Unit(u), e),
                None => none,
            },
            None => none,
        };
    }
    let w = s.word_at(i);
    let stop = i + w.len();
    if matches!(w, "percent" | "pct" | "Prozent") && s.ends(stop) {
        return (Mark::Percent, stop);
    }
    if w == "per" && s.is(stop, " cent") && s.ends(stop + 5) {
        return (Mark::Percent, stop + 5);
    }
    if w == "percentage" && s.is(stop, " point") {
        let e = if s.at(stop + 6) == b's' { stop + 7 } else { stop + 6 };
        return match unit::lookup("pp") {
            Some(u) if s.ends(e) => (Mark::Unit(u), e),
            _ => none,
        };
    }
    if let Some(c) = currency(w)
        && s.ends(stop)
        && !(touch && w.len() > 3)
    {
        return (Mark::Money(c), stop);
    }
    if let Some(c) = s.char_at(i).and_then(sign_code)
        && s.at(i) >= 0x80
    {
        return (Mark::Money(c), i + s.char_at(i).map_or(0, char::len_utf8));
    }
    let Some((u, e)) = unit_at(s, i, touch) else { return none };
    let _ = count;
    if let Some((u, e)) = per(s, u, e) {
        return (Mark::Unit(u), e);
    }
    if unit::counts(u) || !s.ends(e) && s.at(e) < 0x80 {
        return none;
    }
    // `24-hour`, `2-day`: the unit after a hyphen must be a word of time or size.
    if s.at(end) == b'-' && w.len() < 3 {
        return none;
    }
    (Mark::Unit(u), e)
}

/// Past one space, hyphen, or the end of emphasis between a number and its unit.
fn gap(s: &Scan<'_>, mut i: usize) -> usize {
    while matches!(s.at(i), b'`' | b'*') {
        i += 1;
    }
    match s.at(i) {
        b' ' => {
            i += 1;
            if matches!(s.at(i), b'`') {
                i += 1;
            }
            i
        }
        b'-' => i + 1,
        _ => i,
    }
}

/// The unit whose name stands at `i`.
fn unit_at(s: &Scan<'_>, i: usize, touch: bool) -> Option<(Unit, usize)> {
    let mut e = i;
    loop {
        let b = s.at(e);
        if class(b) & LETTER != 0 {
            e += 1;
        } else if class(b) & HIGH != 0 {
            match s.char_at(e) {
                Some(c @ ('µ' | '°' | '×')) => e += c.len_utf8(),
                _ => break,
            }
        } else {
            break;
        }
    }
    let name = s.slice(i, e);
    if name.is_empty() {
        for cjk in ["毫秒", "微秒", "纳秒", "分钟", "小时", "秒", "天", "字节"] {
            if s.is(i, cjk) {
                return Some((unit::lookup(cjk)?, i + cjk.len()));
            }
        }
        return None;
    }
    // `5m` is five minutes, `5 m` five metres.
    let u = if touch && name == "m" { unit::lookup("min") } else { unit::lookup(name) }?;
    if !touch && unit::needs_touch(name) {
        return None;
    }
    if !s.ends(e) && !s.at(e).is_ascii_digit() {
        return None;
    }
    // A single letter before an apostrophe or a hyphen is a word: `5 d-day`.
    if name.len() == 1
        && !touch
        && (matches!(s.at(e), b'\'' | b'-') || s.at(e) == b'.' && is_word(s.at(e + 1)))
    {
        return None;
    }
    Some((u, e))
}

/// The rate that `/s`, ` per minute` or `/min` makes of a unit.
fn per(s: &Scan<'_>, u: Unit, e: usize) -> Option<(Unit, usize)> {
    for between in ["/", " per ", " / ", " a "] {
        if s.is(e, between)
            && let Some((time, stop)) = unit_at(s, e + between.len(), between == "/")
            && s.ends(stop)
        {
            let name = s.slice(e + between.len(), stop);
            let time = if name == "m" { unit::lookup("min")? } else { time };
            if let Some(rate) = u.per(time) {
                return Some((rate, stop));
            }
        }
    }
    None
}

/// A duration of several units: `1h30m`, `2 min 30 s`.
fn compound(s: &mut Scan<'_>, first: Measured) -> Option<Measured> {
    let mut m = first;
    let mut last = match first.mark {
        Mark::Unit(u) => u,
        _ => return Some(first),
    };
    loop {
        let end = m.at.end;
        let j = if s.at(end) == b' ' { if s.is(end, " and ") { end + 5 } else { end + 1 } } else { end };
        if !s.at(j).is_ascii_digit() {
            return Some(m);
        }
        let Some(l) = number::literal(s, j) else { return Some(m) };
        let (found, stop) = mark(s, l.end, false, l.value);
        let Mark::Unit(u) = found else { return Some(m) };
        let (Value::Quantity(a, ma), Some((b, mb))) = (m.value, u.measure(l.value)) else { return Some(m) };
        let smaller = match (u.measure(Decimal::whole(1)), last.measure(Decimal::whole(1))) {
            (Some((x, _)), Some((y, _))) => x < y,
            _ => false,
        };
        if ma != mb || !smaller {
            return Some(m);
        }
        let Some(sum) = a.add(b) else { return Some(m) };
        m.value = Value::Quantity(sum, ma);
        m.at = Span::new(m.at.start, stop);
        last = u;
    }
}

/// The key of the percentage that a number from 0 to 1 is, where the text calls it a ratio.
fn as_ratio(s: &Scan<'_>, i: usize, count: Decimal) -> Option<u64> {
    if count > Decimal::whole(1) || count.is_negative() {
        return None;
    }
    let low = s.line.start.max(i.saturating_sub(48));
    let before = s.bytes.get(low..i)?.to_ascii_lowercase();
    let says = |w: &str| before.windows(w.len()).any(|x| x == w.as_bytes());
    let ratio = [
        "ratio",
        "rate",
        "share",
        "fraction",
        "proportion",
        "probab",
        "recall",
        "precision",
        "accuracy",
        "coverage",
        "utiliz",
        "utilis",
    ]
    .iter()
    .any(|w| says(w));
    if !ratio {
        return None;
    }
    Some(Value::Percentage(count.mul(Decimal::whole(100))?).key())
}

/// Whether a slash between the two parts makes a rate (`req/s`).
pub(super) fn is_rate(text: &str) -> bool {
    match text.split_once('/') {
        Some((a, b)) => unit::lookup(a).is_some() && unit::lookup(b).is_some(),
        None => false,
    }
}

/// What is left of a token that begins with a digit and that no class took: digits alone are a number, the rest is a
/// name.
pub(super) fn rest(s: &mut Scan<'_>, t: Token) -> usize {
    let digits = s.digits(t.start);
    if (digits == t.word || !s.ends(t.word))
        && let Some(d) = Decimal::parse(s.slice(t.start, digits)).filter(|_| digits == t.word)
    {
        s.push_value(Class::Number, Span::new(t.start, digits), Value::Number(d));
        return digits;
    }
    let at = Span::new(t.start, t.word.max(t.start + 1));
    let key = Domain::Text.key(at.of(s.text).as_bytes());
    s.push(Fact::new(Class::Identifier, at, key, Value::Text));
    at.end
}

//! What stands with a number and makes more of it: a unit, a percent sign, a currency.

use super::byte::{ALNUM, HIGH, LETTER, class, is_word};
use super::lexicon::Lexicon;
use super::scan::Scan;
use super::unit::{self, Unit};

/// What stands with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// Nothing.
    None,
    /// A unit.
    Unit(Unit),
    /// A percent sign or word.
    Percent,
    /// A currency, by its ISO 4217 code.
    Money([u8; 3]),
}

/// The mark after a number that ends at `end`, and where it ends itself. `words` says that the number is in words, which
/// no unit can touch.
pub(super) fn after(s: &Scan<'_>, end: usize, words: bool) -> (Mark, usize) {
    let none = (Mark::None, end);
    let touch = !words && !matches!(s.at(end), b' ' | b'-' | b'`' | b'*' | b'\n');
    let i = if touch { end } else { gap(s, end) };
    if !touch && i == end {
        return none;
    }
    if s.at(i) == b'%' && class(s.at(i + 1)) & ALNUM == 0 {
        return (Mark::Percent, i + 1);
    }
    if touch && s.at(i) == b'/' {
        // A rate of nothing named: `40/s`.
        let rate = unit_at(s, i + 1, true).and_then(|(time, e)| Some((unit::bare_rate(time)?, e)));
        return rate.map_or(none, |(u, e)| (Mark::Unit(u), e));
    }
    let word = s.word_at(i);
    // `1960s` is a decade.
    if touch && word == "s" && is_decade(s, end) {
        return none;
    }
    if let Some(found) = percent(s, i, word).or_else(|| currency_at(s, i, word, touch)) {
        return found;
    }
    // After a number in words a unit is a word: `two um` is none.
    if words && word.len() < 3 && s.at(i) < 0x80 {
        return none;
    }
    let Some((u, e)) = unit_at(s, i, touch) else { return none };
    if let Some((rate, e)) = per(s, u, e) {
        return (Mark::Unit(rate), e);
    }
    // `24-hour`: after a hyphen the unit is a word.
    let hyphened = s.at(end) == b'-' && word.len() < 3;
    // `1h30m` goes on with a smaller unit.
    let ends = s.ends(e) || touch && s.at(e).is_ascii_digit() && u.is_time();
    if unit::counts(u) || hyphened || !ends { none } else { (Mark::Unit(u), e) }
}

/// Whether a number that ends at `end` is a year that begins a decade: `1800s` alone is half an hour.
fn is_decade(s: &Scan<'_>, end: usize) -> bool {
    let Some(start) = end.checked_sub(4) else { return false };
    let year = s.slice(start, end);
    let led = ["the", "early", "late", "mid", "since"].contains(&s.word_before(start));
    led && matches!(year.get(..2), Some("18" | "19" | "20")) && year.ends_with('0') && s.begins(start)
}

/// `percent`, `per cent`, `percentage points`.
fn percent(s: &Scan<'_>, i: usize, word: &str) -> Option<(Mark, usize)> {
    let stop = i + word.len();
    match word {
        "percent" | "pct" | "Prozent" if s.ends(stop) => Some((Mark::Percent, stop)),
        "per" if s.is(stop, " cent") && s.ends(stop + 5) => Some((Mark::Percent, stop + 5)),
        "percentage" if s.is(stop, " point") => {
            let e = stop + 6 + usize::from(s.at(stop + 6) == b's');
            s.ends(e).then(|| unit::lookup("pp")).flatten().map(|u| (Mark::Unit(u), e))
        }
        _ => None,
    }
}

/// `18 USD`, `50 dollars`, `20 €`.
fn currency_at(s: &Scan<'_>, i: usize, word: &str, touch: bool) -> Option<(Mark, usize)> {
    let stop = i + word.len();
    if let Some(code) = currency(word)
        && s.ends(stop)
        && (!touch || word.len() == 3)
    {
        return Some((Mark::Money(code), stop));
    }
    if s.at(i) < 0x80 {
        return None;
    }
    let c = s.char_at(i)?;
    Some((Mark::Money(sign(c)?), i + c.len_utf8()))
}

/// Past one space or line break, a hyphen, or the end of emphasis between a number and its unit.
fn gap(s: &Scan<'_>, mut i: usize) -> usize {
    while matches!(s.at(i), b'`' | b'*') {
        i += 1;
    }
    match s.at(i) {
        b' ' => i + 1 + usize::from(matches!(s.at(i + 1), b'`')),
        b'-' => i + 1,
        // A line that was wrapped between the two.
        b'\n' if class(s.at(i + 1)) & LETTER != 0 => i + 1,
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
        } else if class(b) & HIGH != 0
            && let Some(c) = s.char_at(e)
            && (matches!(c, 'µ' | '°' | '×') || c.is_alphabetic() && !super::byte::is_dense(c))
        {
            e += c.len_utf8();
        } else {
            break;
        }
    }
    let name = s.slice(i, e);
    if name.is_empty() {
        return dense_unit(s, i);
    }
    // `5m` is five minutes, `5 m` five metres.
    let u = unit::lookup(if touch && name == "m" { "min" } else { name })?;
    if !touch && unit::needs_touch(name) || !s.ends(e) && !s.at(e).is_ascii_digit() {
        return None;
    }
    // A single letter before an apostrophe or a hyphen is a word.
    let letter = name.len() == 1
        && !touch
        && (matches!(s.at(e), b'\'' | b'-' | b'(') || s.at(e) == b'.' && is_word(s.at(e + 1)));
    (!letter).then_some((u, e))
}

/// A unit of a script that writes without spaces.
fn dense_unit(s: &Scan<'_>, i: usize) -> Option<(Unit, usize)> {
    ["毫秒", "微秒", "分钟", "小时", "秒", "天", "字节"]
        .iter()
        .find(|name| s.is(i, name))
        .and_then(|name| Some((unit::lookup(name)?, i + name.len())))
}

/// The rate that `/s`, ` per minute` or ` a day` makes of a unit.
fn per(s: &Scan<'_>, u: Unit, e: usize) -> Option<(Unit, usize)> {
    for between in ["/", " per ", " / ", " a ", " each "] {
        if s.is(e, between) {
            let i = e + between.len();
            let (time, stop) = unit_at(s, i, between == "/")?;
            if s.ends(stop)
                && let Some(rate) = u.per(time)
            {
                return Some((rate, stop));
            }
        }
    }
    None
}

/// The code of a currency by its sign.
pub(super) fn sign(c: char) -> Option<[u8; 3]> {
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
pub(super) fn currency(word: &str) -> Option<[u8; 3]> {
    CURRENCIES.get(word.as_bytes())
}

static CURRENCIES: Lexicon<[u8; 3], 128> = Lexicon::new(&[
    ("USD dollar dollars Dollar Dollars", *b"USD"),
    ("EUR euro euros Euro Euros", *b"EUR"),
    ("GBP", *b"GBP"),
    ("JPY yen", *b"JPY"),
    ("CHF Franken", *b"CHF"),
    ("CNY RMB yuan 元", *b"CNY"),
    ("INR rupees", *b"INR"),
    ("CAD", *b"CAD"),
    ("AUD", *b"AUD"),
    ("NZD", *b"NZD"),
    ("SEK", *b"SEK"),
    ("NOK", *b"NOK"),
    ("DKK", *b"DKK"),
    ("PLN", *b"PLN"),
    ("CZK", *b"CZK"),
    ("BRL", *b"BRL"),
    ("MXN", *b"MXN"),
    ("KRW", *b"KRW"),
    ("SGD", *b"SGD"),
    ("HKD", *b"HKD"),
    ("ZAR", *b"ZAR"),
    ("TRY", *b"TRY"),
    ("BTC", *b"BTC"),
    ("ETH", *b"ETH"),
]);

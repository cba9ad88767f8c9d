//! Amounts as people speak them: `twelve and a half`, `twelve point five`, `twelve fifty`, `twelve euros fifty`, `thirty - six`.
//!
//! A transcript of speech writes them so, and its summary writes `12.50`. Which amount `twelve fifty` is, only the one who
//! hears it knows, so they are no facts of the text: each reading explains a number of a parent, and no more.

use super::decimal::Decimal;
use super::mark::{self, Mark};
use super::number;
use super::scan::Scan;

/// What speakers say between two words of one amount.
const FILLERS: [&str; 5] = ["uh", "um", "er", "erm", "ah"];
/// So many digits one by one are one number at most.
const MOST_DIGITS: u32 = 12;

/// Takes down the amounts that are spoken from the number word at `start` on, beside the number in words itself.
pub(super) fn hear(s: &mut Scan<'_>, start: usize) {
    let Some(first) = number::in_words(s, start) else { return };
    let Some(whole) = first.value.to_whole() else { return };
    let (mark, stop) = mark::after(s, first.end, true);
    let counted_to = if mark == Mark::None { first.end } else { stop };
    // `between thirty six and forty five`: the unit is heard from what is spoken about.
    let alone = mark == Mark::None && whole > 20 && whole % 10 != 0;
    // `seventy something`: the ten is all that is known, and the unit is heard the same way.
    let about = mark == Mark::None
        && is_ten(whole)
        && matches!(s.word_at(gap(s, first.end)), "something" | "odd" | "ish");
    let cents = if let Mark::Money(_) = mark { cents(s, stop) } else { None };
    let [low, high] = after(s, first.end, whole);
    let heard = [
        digits(s, start),
        (alone || about).then_some(first.value),
        part(s, counted_to).and_then(|part| first.value.add(part)),
        cents.and_then(|cents| first.value.add(cents)),
        low,
        high,
    ];
    s.spoken.extend(heard.into_iter().flatten());
}

/// Whether a number is a ten that a digit may follow.
fn is_ten(whole: i128) -> bool {
    (20..100).contains(&whole) && whole % 10 == 0
}

/// What `whole` becomes by the number that follows it at `i`: `thirty - six`, `twelve fifty`, `twelve point five`.
fn after(s: &Scan<'_>, i: usize, whole: i128) -> [Option<Decimal>; 2] {
    let next = gap(s, i);
    let point = match s.word_at(next) {
        "point" | "dot" | "comma" => Some(next + s.word_at(next).len()),
        "and" if s.is(next, "and point ") => Some(next + 9),
        _ => None,
    };
    if let Some(point) = point {
        return [decimals(s, gap(s, point)).and_then(|part| Decimal::whole(whole).add(part)), None];
    }
    match number::in_words(s, next).and_then(|n| n.value.to_whole()) {
        Some(n @ 1..=9) if is_ten(whole) => [Some(Decimal::whole(whole + n)), None],
        Some(n @ 10..=99) if whole < 100 => {
            [Some(Decimal::whole(whole * 100 + n)), Decimal::whole(whole).add(Decimal::new(n, -2))]
        }
        _ => [None, None],
    }
}

/// The hundredths that follow an amount of money at `i`: `twelve euros fifty`, `twelve euros and fifty`.
fn cents(s: &Scan<'_>, i: usize) -> Option<Decimal> {
    let mut next = gap(s, i);
    if s.is(next, "and ") {
        next = gap(s, next + 3);
    }
    let cents = number::in_words(s, next)?.value.to_whole().filter(|n| (10..100).contains(n))?;
    Some(Decimal::new(cents, -2))
}

/// `double one eight three five`: four digits or more, one by one, as the number that they write.
fn digits(s: &Scan<'_>, start: usize) -> Option<Decimal> {
    // Not in the middle of them.
    let before = s.word_before(start);
    if number::digit_word(before).is_some() {
        return None;
    }
    let (mut value, mut places) = (0_i128, 0_u32);
    let mut times = match before {
        "double" => 2,
        "triple" => 3,
        _ => 1,
    };
    let mut i = start;
    loop {
        let word = s.word_at(i);
        match (number::digit_word(word), word) {
            (Some(digit), _) => {
                for _ in 0..std::mem::replace(&mut times, 1) {
                    value = value * 10 + digit;
                    places += 1;
                }
            }
            (None, "double") => times = 2,
            (None, "triple") => times = 3,
            _ => break,
        }
        if places > MOST_DIGITS {
            return None;
        }
        i = gap(s, i + word.len());
    }
    (places >= 4).then(|| Decimal::whole(value))
}

/// `and a half` at `i`.
fn part(s: &Scan<'_>, i: usize) -> Option<Decimal> {
    let at = gap(s, i);
    let part = ["and a half", "and a quarter", "and three quarters"].iter().position(|p| s.is(at, p))?;
    Some([Decimal::new(5, -1), Decimal::new(25, -2), Decimal::new(75, -2)][part])
}

/// Decimals at `i`, digit by digit or as one number: `one four` is .14, `fifty` is .50.
fn decimals(s: &Scan<'_>, mut i: usize) -> Option<Decimal> {
    let (mut digits, mut places) = (0_i128, 0_u32);
    while let Some(n) = number::in_words(s, i) {
        let value = n.value.to_whole().filter(|n| (0..100).contains(n))?;
        let width = if value < 10 { 1 } else { 2 };
        if places + width > MOST_DIGITS {
            return None;
        }
        digits = digits * 10_i128.pow(width) + value;
        places += width;
        if width == 2 {
            break;
        }
        i = gap(s, n.end);
    }
    (places > 0).then(|| Decimal::new(digits, -i32::try_from(places).unwrap_or(0)))
}

/// Where the next word of an amount begins: behind one space, a hyphen between spaces, and a filler.
fn gap(s: &Scan<'_>, i: usize) -> usize {
    let mut at = i;
    for _ in 0..2 {
        if s.is(at, " - ") {
            at += 3;
        } else if matches!(s.at(at), b' ' | b'-') {
            at += 1;
        }
        let word = s.word_at(at);
        if !FILLERS.contains(&word) {
            return at;
        }
        at += word.len();
    }
    at + usize::from(s.at(at) == b' ')
}

/// The amount that a token of a parent begins with, before its unit: 32 for `32 hours`, 12.5 for `€12.50`.
pub(crate) fn amount_before_unit(token: &str) -> Option<Decimal> {
    let token = token.trim_start_matches(|c: char| !c.is_alphanumeric());
    let digits =
        token.len() - token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',').len();
    if digits > 0 {
        let plain: String = token[..digits].chars().filter(|c| *c != ',').collect();
        return Decimal::parse(plain.trim_end_matches('.'));
    }
    number::words_alone(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::read;

    fn heard(text: &str) -> Vec<String> {
        read(text).spoken.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn amounts_are_heard() {
        assert_eq!(heard("costs of twelve and a half Euro so"), ["12.5"]);
        assert_eq!(heard("it was seventy something , yeah"), ["70"]);
        assert_eq!(heard("some forty-odd of them"), ["40"]);
        assert!(heard("it was seventy , something else").is_empty());
        assert_eq!(heard("Our budget's twelve point five ."), ["12.5"]);
        assert_eq!(heard("pi is three point one four here"), ["3.14"]);
        assert_eq!(heard("cost is at twelve fifty , so"), ["1250", "12.5"]);
        assert_eq!(heard("or twelve Euros fifty for it"), ["12.5"]);
        assert_eq!(heard("twelve Euros and f fifty , so"), Vec::<String>::new());
        assert_eq!(heard("not more than twelve and point fifty Euros"), ["12.5"]);
        assert_eq!(heard("and four thirty - six gigabyte disks").last().unwrap(), "36");
        assert_eq!(heard("it took two hours and a half to load"), ["2.5"]);
        assert_eq!(heard("the chip called the T_A_ double one eight three five which"), ["11835"]);
        assert_eq!(heard("five five five double one"), ["55511"]);
        assert_eq!(heard("thirty six to forty five of us"), ["36", "45"]);
        assert_eq!(heard("twelve um fifty maybe"), ["1250", "12.5"]);
    }

    #[test]
    fn other_numbers_are_as_they_stand() {
        for text in
            ["twelve buttons", "seventy five percent of users", "five six seven", "one hundred books", ""]
        {
            assert_eq!(heard(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_token_begins_with_its_amount() {
        for (token, amount) in [
            ("12.50 euros", "12.5"),
            ("€12.5", "12.5"),
            ("32 hours", "32"),
            ("1,250", "1250"),
            ("thirty-six gigabyte", "36"),
        ] {
            assert_eq!(amount_before_unit(token).map(|d| d.to_string()).as_deref(), Some(amount), "{token}");
        }
        assert_eq!(amount_before_unit("euros"), None);
    }
}

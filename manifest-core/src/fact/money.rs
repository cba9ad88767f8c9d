//! Sums of money: after the sign or the code of a currency, with its cents.

use super::Class;
use super::decimal::Decimal;
use super::mark::{self, Mark};
use super::number;
use super::quantity::{Measured, push, scaled};
use super::scan::Scan;
use super::token::Token;
use crate::text::Span;

/// `twelve euros and fifty cents`: one amount.
pub(super) fn with_cents(s: &Scan<'_>, m: Measured) -> Measured {
    let Mark::Money(_) = m.mark else { return m };
    let i = m.at.end + if s.is(m.at.end, " and ") { 5 } else { 1 };
    let digits = s.digits(i);
    let (cents, end) = match number::in_words(s, i) {
        Some(n) => (Some(n.value), n.end),
        None => (Decimal::parse(s.slice(i, digits)), digits),
    };
    let word = s.word_at(end + 1);
    let said =
        s.at(end) == b' ' && matches!(word, "cent" | "cents" | "pence") && s.ends(end + 1 + word.len());
    let sum = cents.filter(|_| said).and_then(|c| m.count.add(c.shifted(-2)?));
    let at = Span::new(m.at.start, end + 1 + word.len());
    sum.and_then(|sum| Measured::new(at, sum, m.mark)).unwrap_or(m)
}

/// An amount after the sign of a currency: `$1,847.20`.
pub(super) fn signed(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let m = amount(s, i)?;
    Some(push(s, m))
}

/// The amount after the sign of a currency at `i`.
pub(super) fn amount(s: &mut Scan<'_>, i: usize) -> Option<Measured> {
    let c = s.char_at(i)?;
    let code = mark::sign(c)?;
    let j = i + c.len_utf8();
    let j = if s.at(j) == b' ' && c != '$' { j + 1 } else { j };
    let l = number::literal(s, j)?;
    let (count, end) = scaled(s, &l);
    // `$1` in a command or in code is an argument.
    let argument = c == '$' && end == j + 1 && (s.inside() == Some(Class::Command) || s.line_is_code());
    if argument || !s.ends(end) {
        return None;
    }
    // `$18 CAD`: the code says which dollar.
    let next = s.skip_spaces(end);
    let word = s.word_at(next);
    let (code, end) = match mark::currency(word) {
        Some(c) if word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase()) => (c, next + 3),
        _ => (code, end),
    };
    Measured::new(Span::new(i, end), count, Mark::Money(code))
}

/// `USD 18`.
pub(super) fn coded(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.len() != 3 || s.at(t.end) != b' ' || !s.at(t.end + 1).is_ascii_digit() {
        return None;
    }
    let code = mark::currency(s.slice(t.start, t.end))?;
    let l = number::literal(s, t.end + 1)?;
    let (count, end) = scaled(s, &l);
    if !s.ends(end) {
        return None;
    }
    let m = Measured::new(Span::new(t.start, end), count, Mark::Money(code))?;
    Some(push(s, m))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, unequal};

    #[test]
    fn money_by_currency() {
        equal(&["$1,847.20", "1847.20 USD", "USD 1847.2", "$1847.20"]);
        equal(&["€20", "20 €", "20 EUR", "20 euros"]);
        unequal(&["$1,847.20", "€1,847.20", "£1,847.20"]);
        equal(&["$3 million", "$3M", "$3,000,000"]);
        // A bare amount may be given its currency later.
        equal(&["$150", "150"]);
    }
}

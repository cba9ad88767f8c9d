//! Amounts that a parent states with their unit and a child without it: the value of a key, a column of a table, an
//! argument of a command.

use super::parent::Text;
use crate::fact::{Class, Decimal, Fact, Value};
use crate::text::{Span, Word};
use rustc_hash::FxHashMap;

/// Significant digits from which a number hardly stands somewhere by chance.
const TELLING: u32 = 3;
/// Bytes before a number that are looked at for what it is.
const AROUND: usize = 256;
/// Bytes of the longest key that is looked at before a number.
const KEY: usize = 48;

/// An amount of the parent that is looked for.
#[derive(Clone, Debug)]
struct Amount {
    /// Its unit or sign, as the parent writes it.
    unit: Box<str>,
    /// Whether it may be a duration.
    time: bool,
    /// Whether its digits alone tell it from others; else what stands around it must fit.
    telling: bool,
    found: bool,
}

/// The amounts of a parent, ticked off while the children go by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bare {
    /// Places among the amounts, by number.
    wanted: FxHashMap<Decimal, Vec<usize>>,
    amounts: Vec<Amount>,
    /// Places among the amounts, by fact of the parent.
    of_fact: FxHashMap<usize, Vec<usize>>,
}

impl Bare {
    /// Watches the measured amounts of a parent.
    pub(crate) fn of(parent: &Text<'_>) -> Self {
        let mut out = Bare::default();
        let text = &*parent.reading.normal.text;
        for (i, fact) in parent.reading.facts.iter().enumerate() {
            if !matches!(fact.class, Class::Quantity | Class::Percentage | Class::Money) {
                continue;
            }
            let surface = fact.at.of(text);
            let Some(at) = surface.bytes().position(|b| b.is_ascii_digit()) else { continue };
            let Some((written, end)) = literal(surface.as_bytes(), at) else { continue };
            let unit = surface.get(end..).unwrap_or_default().trim_start_matches([' ', '-']);
            // A power of ten is written so by nobody else.
            let power = surface.get(at..end).is_some_and(|n| n.contains(['e', 'E']));
            out.watch(i, written, unit, fact, power);
            for (other, unit) in converted(fact) {
                if other != written {
                    out.watch(i, other, unit, fact, false);
                }
            }
        }
        out
    }

    fn watch(&mut self, i: usize, number: Decimal, unit: &str, fact: &Fact, power: bool) {
        let here = self.wanted.entry(number).or_default();
        let amounts = &mut self.amounts;
        let time = matches!(fact.value, Value::Quantity(_, measure) if measure.is_time());
        let alike = |a: &Amount| *a.unit == *unit && a.time == time;
        let known = here.iter().copied().find(|n| amounts.get(*n).is_some_and(alike));
        let place = known.unwrap_or_else(|| {
            here.push(amounts.len());
            amounts.push(Amount {
                unit: unit.into(),
                time,
                telling: power || is_telling(number),
                found: false,
            });
            amounts.len() - 1
        });
        self.of_fact.entry(i).or_default().push(place);
    }

    /// Looks at one child.
    pub(crate) fn child(&mut self, text: &Text<'_>) {
        if self.wanted.is_empty() {
            return;
        }
        let folded = &*text.reading.normal.text;
        let bytes = folded.as_bytes();
        let mut i = 0;
        while let Some(found) = bytes.get(i..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
            let start = i + found;
            let Some((number, end)) = literal(bytes, start) else {
                i = start + bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                continue;
            };
            i = end;
            let Some(places) = self.wanted.get(&number) else { continue };
            let at = Span::new(start, end);
            for place in places {
                let Some(amount) = self.amounts.get_mut(*place).filter(|a| !a.found) else { continue };
                amount.found = begins(folded, start)
                    && is_number(text, at)
                    && (amount.is_named(folded, end)
                        || ends(folded, end)
                            && (amount.telling && !counts(text, at) || amount.fits(folded, at)));
            }
        }
    }

    /// Whether a child states the amount of a fact of the parent without its unit.
    pub(crate) fn explains(&self, fact: usize) -> bool {
        let places = self.of_fact.get(&fact).map(Vec::as_slice).unwrap_or_default();
        places.iter().any(|place| self.amounts.get(*place).is_some_and(|a| a.found))
    }
}

impl Amount {
    /// Whether its unit follows the number, in a place where no amount is read (`interval '90 s'`).
    fn is_named(&self, text: &str, end: usize) -> bool {
        let rest = text.get(end..).unwrap_or_default();
        let rest = rest.strip_prefix([' ', '-']).unwrap_or(rest);
        !self.unit.is_empty()
            && rest.strip_prefix(&*self.unit).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    }

    /// Whether what stands before the number says that it is in this unit: a key, a command, a listing of files.
    fn fits(&self, text: &str, at: Span) -> bool {
        let mut from = at.start.saturating_sub(AROUND);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before = text.get(from..at.start).unwrap_or_default();
        let seconds = matches!(&*self.unit, "s" | "sec" | "secs" | "second" | "seconds");
        let bytes = matches!(&*self.unit, "B" | "byte" | "bytes");
        let mut words = before.trim_end_matches(' ').rsplit([' ', '\t', '\n', '"', '\'', '`', '(', ';']);
        let last = words.next().unwrap_or_default();
        if seconds && matches!(last, "sleep" | "timeout")
            || bytes
                && last == "-c"
                && words.find(|w| !w.is_empty()).is_some_and(|w| w == "head" || w == "tail")
            || bytes && is_size_of_file(before)
        {
            return true;
        }
        let Some(key) = key_of(before) else { return false };
        key.eq_ignore_ascii_case(&self.unit) || self.time && times(key) || &*self.unit == "%" && is_share(key)
    }
}

/// Other numbers for the same amount: the seconds or bytes that it is, the share of a percentage.
fn converted(fact: &Fact) -> impl Iterator<Item = (Decimal, &'static str)> {
    let [first, second] = match fact.value {
        Value::Quantity(n, measure) if measure.is_time() => {
            [Some((n, "s")), n.shifted(3).filter(|n| is_telling(*n)).map(|n| (n, "ms"))]
        }
        Value::Quantity(n, measure) if measure.is_bytes() => [Some((n, "bytes")), None],
        Value::Percentage(n) if digits_of(n) >= TELLING => [n.shifted(-2).map(|n| (n, "")), None],
        _ => [None, None],
    };
    first.into_iter().chain(second)
}

/// How many significant digits a number has.
fn digits_of(n: Decimal) -> u32 {
    n.parts().0.unsigned_abs().checked_ilog10().map_or(0, |n| n + 1)
}

fn is_telling(n: Decimal) -> bool {
    digits_of(n) >= TELLING || n.parts().1 < 0
}

/// A number at a digit, with where it ends: `16,777,216`, `491.8`, `20e9`.
pub(super) fn literal(bytes: &[u8], start: usize) -> Option<(Decimal, usize)> {
    let run = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut end = run(start);
    // A number longer than this is none.
    if end == start || end - start > 24 {
        return None;
    }
    while end - start <= 32 && bytes.get(end) == Some(&b',') && run(end + 1) == end + 4 {
        end += 4;
    }
    if bytes.get(end) == Some(&b'.') && run(end + 1) > end + 1 && run(end + 1) - end <= 24 {
        end = run(end + 1);
    }
    let written = std::str::from_utf8(bytes.get(start..end)?).ok()?;
    let mut number = if written.contains(',') {
        Decimal::parse(&written.replace(',', ""))?
    } else {
        Decimal::parse(written)?
    };
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let stop = run(end + 1);
        let power = bytes.get(end + 1..stop).and_then(|d| std::str::from_utf8(d).ok()?.parse::<i32>().ok());
        if let Some(power) = power.filter(|p| *p <= 30) {
            number = number.shifted(power)?;
            end = stop;
        }
    }
    Some((number, end))
}

/// Whether a number begins at `start`, not in the middle of something else.
fn begins(text: &str, start: usize) -> bool {
    let mut before = text.get(..start).unwrap_or_default().chars().rev();
    let Some(last) = before.next() else { return true };
    let inner = before.next().is_some_and(|c| match last {
        ':' => c.is_ascii_digit(),
        _ => c.is_alphanumeric(),
    });
    match last {
        '.' | ',' | '-' | '/' | ':' => !inner,
        c => !(c.is_alphanumeric() || matches!(c, '_' | '#' | '$' | '€' | '£' | '¥')),
    }
}

/// Whether a number ends at `end`, with nothing that belongs to it behind it.
fn ends(text: &str, end: usize) -> bool {
    let mut after = text.get(end..).unwrap_or_default().chars();
    let Some(next) = after.next() else { return true };
    match next {
        '.' | '-' | '/' | ':' => !after.next().is_some_and(char::is_alphanumeric),
        c => !(c.is_alphanumeric() || matches!(c, '_' | '%' | '$' | '€' | '£' | '¥' | '°')),
    }
}

/// Whether a number of a child is read as a number alone, or not at all.
fn is_number(text: &Text<'_>, at: Span) -> bool {
    let facts = &text.reading.facts;
    let first = facts.partition_point(|f| f.at.start < at.start);
    let mut here = facts.iter().skip(first).take_while(|f| f.at.start == at.start);
    here.all(|f| matches!(f.class, Class::Number | Class::Range))
}

/// Whether a number counts what the next word names: "300 retries".
fn counts(text: &Text<'_>, at: Span) -> bool {
    let folded = &*text.reading.normal.text;
    let next = text.words.partition_point(|w| w.at.start < at.end);
    // A word with a sign behind it is the next key.
    let key = |w: &Word| folded.get(w.at.end..).is_some_and(|rest| rest.starts_with(['=', ':']));
    let counted = text.words.get(next).filter(|w| w.content && w.at.start == at.end + 1 && !key(w));
    counted.is_some_and(|w| {
        folded.as_bytes().get(at.end) == Some(&b' ') && w.at.of(folded).starts_with(char::is_lowercase)
    })
}

/// Whether a line up to a number is that of a long listing of files up to the size (the form that POSIX gives `ls -l`).
fn is_size_of_file(before: &str) -> bool {
    let line = before.rsplit(['\n', '"', '`']).next().unwrap_or_default();
    let mut columns = line.split([' ', '\t']).filter(|c| !c.is_empty());
    let Some(mode) = columns.next() else { return false };
    let kind = mode.starts_with(['-', 'd', 'l', 'b', 'c', 'p', 's']);
    let bits = mode.get(1..10).unwrap_or_default();
    let allows = bits.len() == 9 && bits.bytes().all(|b| b"rwxsStT-".contains(&b));
    kind && allows
        && columns.next().is_some_and(|links| links.bytes().all(|b| b.is_ascii_digit()))
        && columns.count() == 2
}

/// The key that a number is the value of.
fn key_of(before: &str) -> Option<&str> {
    let quotes = [' ', '"', '\'', '\\'];
    let head = before.trim_end_matches(quotes).strip_suffix([':', '='])?.trim_end_matches(quotes);
    let start = head
        .char_indices()
        .rev()
        .take(KEY)
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .last()
        .map(|(i, _)| i)?;
    head.get(start..)
}

/// Whether a key says that its value is a duration.
fn times(key: &str) -> bool {
    parts_of(key).any(|part| {
        matches!(
            part.as_str(),
            "timeout"
                | "interval"
                | "delay"
                | "duration"
                | "ttl"
                | "period"
                | "elapsed"
                | "latency"
                | "lag"
                | "age"
                | "wait"
                | "uptime"
                | "runtime"
                | "took"
                | "backoff"
                | "deadline"
                | "sleep"
                | "seconds"
                | "secs"
                | "ms"
        )
    })
}

/// Whether a key says that its value is in parts of a hundred.
fn is_share(key: &str) -> bool {
    parts_of(key).any(|part| matches!(part.as_str(), "percent" | "pct" | "percentage" | "util"))
}

/// The words of a key, in small letters.
fn parts_of(key: &str) -> impl Iterator<Item = String> {
    key.split(['_', '-', '.']).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    fn orphans(child: &str, parent: &str) -> Vec<String> {
        check(&[child], parent, &Policy::remediation()).orphans.into_iter().map(|o| o.text).collect()
    }

    #[test]
    fn the_value_of_a_key_and_a_column() {
        let child = "{\"pump\": \"east\", \"ms\":713.4, \"err\": \"seal\"}";
        assert!(orphans(child, "The east pump took 713.4 ms.").is_empty());
        assert_eq!(orphans(child, "The east pump took 714.4 ms."), ["714.4 ms"]);
        assert!(orphans("rt=713.4 ua=\"east\" us=504", "The slowest took 713.4 seconds.").is_empty());
        let table = "time        flow       p99_ms\n14:44:00    35.6       3581.9\n";
        assert!(orphans(table, "At 14:44:00 the p99 was 3581.9 ms.").is_empty());
        assert!(orphans("limit > 30e9\\n for: 5m", "The limit is 30e9 bytes.").is_empty());
    }

    #[test]
    fn a_short_number_needs_something_that_fits() {
        assert!(orphans("ran `open east; sleep 90; read east`", "It was read after 90 seconds.").is_empty());
        assert_eq!(orphans("pump 90 on line 90.", "It was read after 90 seconds."), ["90 seconds"]);
        let listing = "-rw------- 1 pump ops 57 Mar 17 15:42 /var/tank/0008.history";
        assert!(orphans(listing, "The history has 57 bytes.").is_empty());
        assert_eq!(orphans(listing, "The history has 15 bytes."), ["15 bytes"]);
        assert!(orphans("head -c 7000 east.csv", "Its first 7000 bytes were read.").is_empty());
        assert!(orphans("where gap < interval '80 s' order", "A gap below 80 s.").is_empty());
    }

    #[test]
    fn a_number_of_another_thing_is_not_bare() {
        assert_eq!(orphans("It took 713 retries.", "It took 713 ms."), ["713 ms"]);
        assert_eq!(orphans("It holds 713 MB.", "It took 713 ms."), ["713 ms"]);
        assert_eq!(orphans("see v1.713.2 and east-713", "It took 713 ms."), ["713 ms"]);
        assert_eq!(orphans("at 10:713", "It took 713 ms."), ["713 ms"]);
    }

    #[test]
    fn an_amount_of_another_place_is_still_told_apart() {
        let child = "The east valve has a pool of 415 and a timeout of 250 ms.";
        let report = check(&[child], "The east valve has a timeout of 415 ms.", &Policy::remediation());
        assert!(!report.orphans.is_empty());
    }

    #[test]
    fn the_same_amount_in_its_smallest_unit() {
        assert!(orphans("-rw-r--r-- 1 pump ops 16777216 Mar 17 east.bin", "The file has 16 MiB.").is_empty());
        assert!(orphans("open east; sleep 180; read east", "It was read after 3 minutes.").is_empty());
    }
}

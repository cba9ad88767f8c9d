//! One writer of cases for each kind.

mod change;
mod conflict;
mod correction;
mod identifier;
mod instant;
mod invention;
mod negation;
mod number;
mod path;
mod swap;
mod unit;

use crate::case::{Case, Kind};
use crate::forms::{Item, source, summary};
use crate::numbers::Numbers;
use crate::words::{Trade, trade};

/// The cases of a seed: all kinds in turn, good and bad in equal parts.
pub(crate) fn cases(seed: u64, count: usize) -> Vec<Case> {
    (0..count)
        .map(|i| {
            let mut n = Numbers::new(seed.wrapping_mul(1_000_003).wrapping_add(i as u64));
            let good = (i / Kind::ALL.len()).is_multiple_of(2);
            let case = write(Kind::ALL[i % Kind::ALL.len()], &mut n, good);
            assert_eq!(case.good(), good, "{case:?}");
            case
        })
        .collect()
}

fn write(kind: Kind, n: &mut Numbers, good: bool) -> Case {
    let trade = trade(n);
    let mut case = match kind {
        Kind::Identifier => identifier::write(n, trade, good),
        Kind::Path => path::write(n, trade, good),
        Kind::Number => number::write(n, trade, good),
        Kind::Unit => unit::write(n, trade, good),
        Kind::Instant => instant::write(n, trade, good),
        Kind::Negation => negation::write(n, trade, good),
        Kind::Swap => swap::write(n, trade, good),
        Kind::Conflict => conflict::write(n, trade, good),
        Kind::Change => change::write(n, trade, good),
        Kind::Correction => correction::write(n, trade, good),
        Kind::Invention => invention::write(n, trade, good),
    };
    if n.coin() {
        beside(n, trade, &mut case);
    }
    case
}

/// Something else that both sides tell, so that the case does not stand alone.
fn beside(n: &mut Numbers, trade: &Trade, case: &mut Case) {
    let told: String = case.children.concat() + &case.parent;
    let told = told.to_lowercase();
    let Some(thing) = trade.things.iter().find(|thing| !told.contains(**thing)) else { return };
    let Some(attribute) = ["serial", "slot"].into_iter().find(|a| !told.contains(*a)) else { return };
    let item = Item::new(thing, attribute, format!("{}-{}", n.of_letters("GHJKMNPQ", 2), n.within(201, 989)));
    let child = source(n, &item);
    let line = summary(n, &item);
    let at = n.index(case.children.len() + 1);
    case.children.insert(at, child);
    case.parent =
        if n.coin() { format!("{}\n{line}", case.parent) } else { format!("{line}\n{}", case.parent) };
}

/// A duration, a number with a unit, or a share: a value of an attribute.
fn value(n: &mut Numbers, attribute: &str) -> String {
    if attribute.ends_with("time") || attribute.ends_with("period") || attribute.ends_with("length") {
        format!("{} {}", n.within(11, 58), n.pick(&["s", "minutes", "ms"]))
    } else {
        match attribute {
            "drive current" => format!("{} mA", n.within(120, 890)),
            "gain" => format!("{} dB", n.within(11, 58)),
            "pressure limit" => format!("{} bar", n.within(11, 58)),
            "humidity limit" | "fill level" => format!("{}%", n.within(31, 79)),
            _ => format!("{} mm", n.within(120, 890)),
        }
    }
}

/// Two different values of one unit.
fn two_values(n: &mut Numbers, attribute: &str) -> (String, String) {
    let first = value(n, attribute);
    let (number, unit) = first.split_at(first.find(|c: char| !c.is_ascii_digit()).unwrap());
    let second = number.parse::<u32>().unwrap() + n.within(3, 9);
    (first.clone(), format!("{second}{unit}"))
}

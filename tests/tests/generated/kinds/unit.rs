//! Quantities: converted exactly, or the number of one unit with another.

use crate::case::{Case, Kind};
use crate::forms::{Item, source, summary};
use crate::numbers::Numbers;
use crate::words::Trade;

/// One quantity, the same in another unit, and the number with a wrong unit.
fn quantity(n: &mut Numbers) -> (String, String, String) {
    let m = n.within(3, 48);
    let tenths = n.within(1, 9);
    match n.index(12) {
        0 => (format!("{} s", m * 60), format!("{m} min"), format!("{} min", m * 60)),
        1 => (format!("{m} minutes"), format!("{} s", m * 60), format!("{m} hours")),
        2 => {
            (format!("{m}.{tenths} s"), format!("{}ms", m * 1000 + tenths * 100), format!("{m}.{tenths} ms"))
        }
        3 => (format!("{m} KiB"), format!("{} bytes", m * 1024), format!("{m} KB")),
        4 => (format!("{m} MB"), format!("{} kB", m * 1000), format!("{m} MiB")),
        5 => (format!("{m} km"), format!("{} m", m * 1000), format!("{m} m")),
        6 => {
            (format!("{m}.{tenths} kg"), format!("{} g", m * 1000 + tenths * 100), format!("{m}.{tenths} g"))
        }
        7 => (
            format!("{m}.{tenths} GHz"),
            format!("{} MHz", m * 1000 + tenths * 100),
            format!("{m}.{tenths} MHz"),
        ),
        8 => (format!("{m} hours"), format!("{} minutes", m * 60), format!("{m} days")),
        9 => (format!("{m} Mb/s"), format!("{m} Mbps"), format!("{m} MB/s")),
        10 => (
            format!("0.{tenths}{}", m % 9 + 1),
            format!("{tenths}{}%", m % 9 + 1),
            format!("0.{tenths}{}%", m % 9 + 1),
        ),
        _ => (format!("{m} kW"), format!("{} W", m * 1000), format!("{m} MW")),
    }
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let thing = n.pick(trade.things);
    let (value, same, other) = quantity(n);
    // A share of one is told by what it is of.
    let attribute =
        if value.starts_with('0') { "ratio" } else { n.pick(&["limit", "budget", "reading", "setting"]) };
    let item = Item::new(thing, attribute, &*value);
    let children = vec![source(n, &item)];
    if good {
        let by = if n.index(4) == 0 { "kept" } else { "converted" };
        let parent = summary(n, &item.with(if by == "kept" { value } else { same }));
        return Case::kept(Kind::Unit, by, children, parent);
    }
    match n.index(3) {
        0 => {
            Case::kept(Kind::Unit, "dropped", children, format!("The {thing} has a {attribute}.")).lost(value)
        }
        1 => {
            let parent = summary(n, &item.with(&*other));
            Case::kept(Kind::Unit, "another unit", children, parent).lost(value).orphan(other)
        }
        _ => {
            // Converted, and wrong by one digit.
            let wrong = crate::forms::altered(n, &same);
            let parent = summary(n, &item.with(&*wrong));
            Case::kept(Kind::Unit, "converted wrongly", children, parent).lost(value).orphan(wrong)
        }
    }
}

//! Values told of each other's owners.

use super::{two_values, value};
use crate::case::{Case, Kind};
use crate::forms::{Item, sources, summaries};
use crate::numbers::Numbers;
use crate::words::Trade;

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (a, b) = n.two(trade.things);
    if n.index(3) == 0 {
        return outcomes(n, trade, good);
    }
    let (attribute, first, second) = if n.coin() {
        let attribute = n.pick(trade.attributes);
        let (first, second) = two_values(n, attribute);
        (attribute, first, second)
    } else {
        let code = |n: &mut Numbers| format!("{}-{}", trade.prefix, n.within(1_000, 9_999));
        ("record", code(n), code(n))
    };
    let mut items = [Item::new(a, attribute, &*first), Item::new(b, attribute, &*second)];
    let children = sources(n, &items);
    if !good {
        items = [items[0].with(&*second), items[1].with(&*first)];
    }
    if n.coin() {
        items.reverse();
    }
    let parent = if n.index(4) == 0 {
        format!(
            "The {attribute} of the {} and the {} is {} and {}, respectively.",
            items[0].thing, items[1].thing, items[0].value, items[1].value
        )
    } else {
        summaries(n, &items)
    };
    let case = Case::kept(Kind::Swap, if good { "kept" } else { "swapped" }, children, parent);
    if good { case } else { case.lost(&*first).lost(&*second).orphan(first).orphan(second) }
}

/// Two numbered things with opposite ends.
fn outcomes(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let code = |n: &mut Numbers| format!("{}-{}", trade.prefix, n.within(1_000, 9_999));
    let (a, b) = (code(n), code(n));
    let (up, down) = n.pick(&[
        ("passed", "failed"),
        ("was accepted", "was refused"),
        ("opened", "closed"),
        ("arrived", "left"),
    ]);
    let period = value(n, "holding time");
    let children = vec![format!("{a} {up} after {period}."), format!("{b} {down}.")];
    let parent = match (good, n.coin()) {
        (true, true) => format!("{b} {down}; {a} {up} after {period}."),
        (true, false) => format!("- {a}: {up} after {period}\n- {b}: {down}"),
        (false, true) => format!("{a} {down}; {b} {up} after {period}."),
        (false, false) => format!("- {a}: {down}\n- {b}: {up} after {period}"),
    };
    let case = Case::kept(Kind::Swap, if good { "outcomes" } else { "outcomes swapped" }, children, parent);
    if good { case } else { case.lost(&*a).lost(&*b).orphan(a).orphan(b) }
}

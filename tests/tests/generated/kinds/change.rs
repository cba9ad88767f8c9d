//! A value that changed: the way it went, the end alone, the start alone, and the way back.

use super::two_values;
use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    if n.index(4) == 0 {
        return states(n, trade, good);
    }
    let (thing, attribute) = (n.pick(trade.things), n.pick(trade.attributes));
    let (old, new) = two_values(n, attribute);
    let children = vec![
        match n.index(3) {
            0 => format!("The {attribute} of the {thing} is {old}."),
            1 => format!("{}: {attribute} = {old}", capital(thing)),
            _ => format!("assistant: The {thing} has a {attribute} of {old}."),
        },
        match n.index(4) {
            0 => format!("The {attribute} of the {thing} was raised to {new}."),
            1 => format!("We changed the {attribute} of the {thing} to {new}."),
            2 => format!("assistant: I set the {attribute} of the {thing} to {new}."),
            _ => format!("The {attribute} of the {thing} is now {new}."),
        },
    ];
    if good {
        let parent = match n.index(5) {
            0 => format!("The {attribute} of the {thing} was raised from {old} to {new}."),
            1 => format!("The {attribute} of the {thing} is now {new} (was {old})."),
            2 => format!("{}: {attribute} {old} → {new}", capital(thing)),
            3 => format!("The {attribute} of the {thing} was {old} and is now {new}."),
            _ => format!("- {attribute} of the {thing}: {new}, previously {old}"),
        };
        return Case::kept(Kind::Change, "both", children, parent);
    }
    if n.coin() {
        let parent = match n.index(3) {
            0 => format!("The {attribute} of the {thing} is {old}."),
            1 => format!("- {}: {attribute} {old}", capital(thing)),
            _ => format!("The {thing} has a {attribute} of {old}."),
        };
        return Case::kept(Kind::Change, "stale", children, parent).lost(&*new).contradiction(old, new);
    }
    let parent = match n.index(3) {
        0 => format!("The {attribute} of the {thing} was changed from {new} to {old}."),
        1 => format!("The {attribute} of the {thing} is now {old} (was {new})."),
        _ => format!("The {attribute} of the {thing} was {new} and is now {old}."),
    };
    Case::kept(Kind::Change, "the way back", children, parent).contradiction(old, new)
}

fn states(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let thing = n.pick(trade.things);
    let code = format!("{}-{}", trade.prefix, n.within(1_000, 9_999));
    let (old, new) =
        n.pick(&[("pending", "done"), ("open", "closed"), ("offline", "online"), ("locked", "unlocked")]);
    let children = vec![format!("{code} ({thing}) is {old}."), format!("{code} is now {new}.")];
    if good {
        let parent = match n.index(3) {
            0 => format!("{code} ({thing}) was {old} and is now {new}."),
            1 => format!("- {code}, {thing}: {old} at first, now {new}"),
            _ => format!("{code} ({thing}) went from {old} to {new}."),
        };
        return Case::kept(Kind::Change, "state", children, parent);
    }
    let parent = if n.coin() {
        format!("{code} ({thing}) is {old}.")
    } else {
        format!("- {code} ({thing}): still {old}")
    };
    Case::kept(Kind::Change, "stale state", children, parent)
        .lost(format!("{code} is now {new}"))
        .contradiction(old, new)
}

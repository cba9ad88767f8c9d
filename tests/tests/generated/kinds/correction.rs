//! A value that was wrong and was put right.

use super::two_values;
use crate::case::{Case, Kind};
use crate::forms::{Item, source};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (thing, attribute) = (n.pick(trade.things), n.pick(trade.attributes));
    let (wrong, right) = two_values(n, attribute);
    let children = vec![
        source(n, &Item::new(thing, attribute, &*wrong)),
        match n.index(4) {
            0 => format!("Correction: the {attribute} of the {thing} is {right}, not {wrong}."),
            1 => format!("No, the {attribute} of the {thing} is {right}, not {wrong}."),
            2 => format!("user: I misread it. The {attribute} of the {thing} is {right} instead of {wrong}."),
            _ => format!("The {wrong} was a mistake: the {attribute} of the {thing} is {right}."),
        },
    ];
    if good {
        let parent = match n.index(4) {
            0 => format!("The {attribute} of the {thing} is {right} (corrected from {wrong})."),
            1 => format!("The {attribute} of the {thing} is {right}, not {wrong}."),
            2 => {
                format!("- {}: {attribute} {right} (first given as {wrong}, which was wrong)", capital(thing))
            }
            _ => format!("The {attribute} of the {thing} was corrected from {wrong} to {right}."),
        };
        return Case::kept(Kind::Correction, "put right", children, parent);
    }
    if n.coin() {
        let parent = match n.index(3) {
            0 => format!("The {attribute} of the {thing} is {wrong}."),
            1 => format!("- {}: {attribute} {wrong}", capital(thing)),
            _ => format!("The {thing} has a {attribute} of {wrong}."),
        };
        return Case::kept(Kind::Correction, "the mistake", children, parent)
            .lost(&*right)
            .contradiction(wrong, right);
    }
    let parent = match n.index(3) {
        0 => format!("The {attribute} of the {thing} is {wrong}, not {right}."),
        1 => format!("The {attribute} of the {thing} is {wrong} (corrected from {right})."),
        _ => format!("The {attribute} of the {thing} was corrected from {right} to {wrong}."),
    };
    Case::kept(Kind::Correction, "turned around", children, parent).orphan(wrong)
}

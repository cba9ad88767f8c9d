//! What follows from the children, and what was made up.

use crate::case::{Case, Kind};
use crate::forms::altered;
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let ((a, b), what) = (n.two(trade.things), n.pick(trade.countables));
    let (x, y) = (n.within(130, 480), n.within(12, 120));
    let children = vec![format!("The {a} has {x} {what}."), format!("The {b} has {y} {what}.")];
    let told = format!("The {a} has {x} {what} and the {b} has {y}");
    if good {
        let (by, parent) = match n.index(4) {
            0 => ("sum", format!("{told}, {} in total.", x + y)),
            1 => ("difference", format!("{told}, {} fewer.", x - y)),
            2 => ("sum first", format!("{} {what} in all: {x} in the {a} and {y} in the {b}.", x + y)),
            _ => ("told", format!("{told}.")),
        };
        return Case::kept(Kind::Invention, by, children, parent);
    }
    let code = format!("{}-{}", trade.prefix, n.within(1_000, 9_999));
    match n.index(5) {
        0 => {
            let wrong = altered(n, &(x + y).to_string());
            Case::kept(Kind::Invention, "wrong sum", children, format!("{told}, {wrong} in total."))
                .orphan(wrong)
        }
        1 => Case::kept(
            Kind::Invention,
            "an identifier",
            children,
            format!("{told}. Both are tracked in {code}."),
        )
        .orphan(code),
        2 => {
            let wrong = format!("{} minutes", n.within(13, 55));
            Case::kept(Kind::Invention, "a duration", children, format!("{told}. The count took {wrong}."))
                .orphan(wrong)
        }
        3 => {
            let file = n.pick(trade.files);
            Case::kept(Kind::Invention, "a file", children, format!("{told}. The numbers are in {file}."))
                .orphan(file)
        }
        _ => {
            let (c, z) = (trade.things.iter().find(|t| **t != a && **t != b).unwrap(), y + n.within(3, 9));
            let parent = format!("{told}. {} also has {z}.", capital(&format!("the {c}")));
            Case::kept(Kind::Invention, "one more", children, parent).orphan(z.to_string())
        }
    }
}

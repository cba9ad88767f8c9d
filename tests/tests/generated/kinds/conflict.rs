//! Two sources that disagree; two sites that merely differ.

use super::two_values;
use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (thing, attribute) = (n.pick(trade.things), n.pick(trade.attributes));
    let (v, w) = two_values(n, attribute);
    if n.index(3) == 0 && good {
        let (here, there) = n.two(trade.sites);
        let children = vec![
            format!("At {here} the {attribute} of the {thing} is {v}."),
            format!("At {there} the {attribute} of the {thing} is {w}."),
        ];
        let parent = match n.index(3) {
            0 => format!("The {attribute} of the {thing} is {v} at {here} and {w} at {there}."),
            1 => format!(
                "- {}: {attribute} of the {thing} {v}\n- {}: {attribute} of the {thing} {w}",
                capital(here),
                capital(there)
            ),
            _ => format!("The {thing} has a {attribute} of {w} at {there}, but {v} at {here}."),
        };
        return Case::kept(Kind::Conflict, "two sites", children, parent).parallel();
    }
    let (one, two) = n.two(trade.sources);
    let verb = n.pick(&["says", "gives", "states"]);
    let children = match n.index(3) {
        0 => vec![
            format!("{} {verb} that the {attribute} of the {thing} is {v}.", capital(one)),
            format!("{} {verb} that the {attribute} of the {thing} is {w}.", capital(two)),
        ],
        1 => vec![
            format!("According to {one}, the {attribute} of the {thing} is {v}."),
            format!("According to {two}, the {attribute} of the {thing} is {w}."),
        ],
        _ => vec![
            format!("{}: {attribute} of the {thing} is {v}.", capital(one)),
            format!("{}: {attribute} of the {thing} is {w}.", capital(two)),
        ],
    };
    if good {
        let parent = match n.index(4) {
            0 => format!(
                "CONFLICT: the {attribute} of the {thing} is {v} according to {one} and {w} according to {two}."
            ),
            1 => format!(
                "The sources disagree on the {attribute} of the {thing}: {one} says {v}, {two} says {w}."
            ),
            2 => format!(
                "{} {verb} that the {attribute} of the {thing} is {v}, whereas {two} {verb} {w}.",
                capital(one)
            ),
            _ => format!("- {attribute} of the {thing}, unresolved: {v} ({one}) or {w} ({two})"),
        };
        return Case::kept(Kind::Conflict, "both", children, parent).parallel();
    }
    let (kept, gone) = if n.coin() { (&v, &w) } else { (&w, &v) };
    let case = |by, parent: String| {
        Case::kept(Kind::Conflict, by, children, parent).parallel().contradiction(&*v, &*w)
    };
    match n.index(3) {
        0 => case("one told", format!("The {attribute} of the {thing} is {kept}.")).lost(&**gone),
        1 => case(
            "one told, a source",
            format!("According to {one} and {two}, the {attribute} of the {thing} is {kept}."),
        )
        .lost(&**gone),
        _ => case("vague", format!("The {attribute} of the {thing} is given by {one} and {two}."))
            .lost(&*v)
            .lost(&*w),
    }
}

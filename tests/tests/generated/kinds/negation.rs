//! What was done, was not done, must not be done, was only tried, or was refused.

use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::Trade;

/// A statement, the same in other words, and one that says something else.
fn statement(n: &mut Numbers, thing: &str, verb: &str, done: &str) -> (String, String, String) {
    let all = [
        (
            format!("The {thing} was not {done}."),
            format!("The {thing} wasn't {done}."),
            format!("The {thing} was {done}."),
        ),
        (
            format!("The {thing} was {done}."),
            format!("The {thing} has been {done}."),
            format!("The {thing} was not {done}."),
        ),
        (
            format!("The {thing} has not been {done} yet."),
            format!("The {thing} is not yet {done}."),
            format!("The {thing} has been {done}."),
        ),
        (
            format!("The {thing} was never {done}."),
            format!("The {thing} was never {done}."),
            format!("The {thing} was {done}."),
        ),
        (
            format!("Do not {verb} the {thing}."),
            format!("Don't {verb} the {thing}."),
            format!("{} the {thing}.", crate::words::capital(verb)),
        ),
        (
            format!("The {thing} must not be {done}."),
            format!("The {thing} mustn't be {done}."),
            format!("The {thing} must be {done}."),
        ),
        (
            format!("The {thing} must be {done}."),
            format!("The {thing} has to be {done}."),
            format!("The {thing} may be {done}."),
        ),
        (
            format!("We tried to {verb} the {thing}."),
            format!("An attempt was made to {verb} the {thing}."),
            format!("We {done} the {thing}."),
        ),
        (
            format!("The {thing} cannot be {done}."),
            format!("The {thing} can’t be {done}."),
            format!("The {thing} can be {done}."),
        ),
        (
            format!("The {thing} will be {done} next."),
            format!("Next, the {thing} will be {done}."),
            format!("The {thing} was {done} next."),
        ),
        (
            format!("user: No, do not {verb} the {thing}."),
            format!("The user refused: do not {verb} the {thing}."),
            format!("The user agreed to {verb} the {thing}."),
        ),
        (
            format!("The {thing} is no longer {done}."),
            format!("The {thing} is no longer {done}."),
            format!("The {thing} is still {done}."),
        ),
    ];
    all[n.index(all.len())].clone()
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (thing, beside) = n.two(trade.things);
    let ((verb, done), (_, other)) = n.two(trade.acts);
    let (said, same, turned) = statement(n, thing, verb, done);
    let second = format!("The {beside} was {other}.");
    let mut children = vec![said.clone(), second.clone()];
    if n.coin() {
        children = vec![format!("{said} {second}")];
    }
    let told = if good { if n.coin() { said.clone() } else { same } } else { turned.clone() };
    let mut parts = [told, second];
    n.shuffle(&mut parts);
    let parent = match n.index(3) {
        0 => format!("- {}\n- {}", parts[0], parts[1]),
        _ => parts.join(" "),
    };
    let case = Case::kept(Kind::Negation, if good { "kept" } else { "turned" }, children, parent);
    if good {
        return case;
    }
    let bare = |text: &str| text.trim_end_matches('.').to_owned();
    case.lost(bare(said.strip_prefix("user: No, ").unwrap_or(&said))).orphan(bare(&turned))
}

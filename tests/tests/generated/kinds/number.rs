//! Counts, shares and bounds: the same number in another writing, or another number.

use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

const WORDS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// Bounds, each with its other writing and its opposite.
const BOUNDS: [(&str, &str, &str); 6] = [
    ("at least", "no fewer than", "at most"),
    ("at most", "no more than", "at least"),
    ("more than", "over", "fewer than"),
    ("fewer than", "less than", "more than"),
    ("up to", "at most", "at least"),
    ("exactly", "exactly", "up to"),
];

fn grouped(number: u32, by: &str) -> String {
    format!("{}{by}{:03}", number / 1000, number % 1000)
}

fn told(n: &mut Numbers, thing: &str, count: &str, what: &str) -> String {
    match n.index(5) {
        0 => format!("The {thing} has {count} {what}."),
        1 => format!("{}: {count} {what}", capital(thing)),
        2 => format!("assistant: I counted {count} {what} at the {thing}."),
        3 => serde_json::json!({ "item": thing, what: count }).to_string(),
        _ => format!("There are {count} {what} in the {thing}."),
    }
}

fn summed(n: &mut Numbers, thing: &str, count: &str, what: &str) -> String {
    match n.index(3) {
        0 => format!("The {thing} has {count} {what}."),
        1 => format!("- {}: {count} {what}", capital(thing)),
        _ => format!("{} {what} at the {thing}.", capital(count)),
    }
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (thing, what) = (n.pick(trade.things), n.pick(trade.countables));
    let number = n.within(1_200, 97_000);
    let plain = number.to_string();
    if n.index(3) == 0 {
        let (bound, same, opposite) = n.pick(&BOUNDS);
        let count = n.within(14, 96);
        let subject = n.pick(&["needs", "holds", "accepts"]);
        let child = format!("The {thing} {subject} {bound} {count} {what}.");
        let (by, other) = if good { ("bound", same) } else { ("bound turned", opposite) };
        let parent = match n.index(3) {
            0 => format!("The {thing} {subject} {other} {count} {what}."),
            1 => format!("- {}: {subject} {other} {count} {what}", capital(thing)),
            _ => format!("{} {count} {what}: what the {thing} {subject}.", capital(other)),
        };
        let case = Case::kept(Kind::Number, by, vec![child], parent);
        return if good {
            case
        } else {
            case.lost(format!("{bound} {count}")).orphan(format!("{other} {count}"))
        };
    }
    if good {
        let (count, same, by) = match n.index(5) {
            0 => (plain, grouped(number, ","), "grouped"),
            1 => (grouped(number, "\u{202f}"), plain, "narrow space"),
            2 => {
                let small = n.index(WORDS.len());
                ((small + 2).to_string(), WORDS[small].to_owned(), "spelt")
            }
            3 => {
                let small = n.index(WORDS.len());
                (WORDS[small].to_owned(), (small + 2).to_string(), "in digits")
            }
            _ => (plain.clone(), plain, "kept"),
        };
        let child = told(n, thing, &count, what);
        return Case::kept(Kind::Number, by, vec![child], summed(n, thing, &same, what));
    }
    let child = told(n, thing, &plain, what);
    match n.index(4) {
        0 => Case::kept(Kind::Number, "dropped", vec![child], format!("The {thing} has many {what}."))
            .lost(plain),
        1 => {
            let wrong = (number + n.within(1, 9) * 10).to_string();
            Case::kept(Kind::Number, "another", vec![child], summed(n, thing, &wrong, what))
                .lost(plain)
                .orphan(wrong)
        }
        2 => {
            let wrong = format!("{plain}0");
            Case::kept(Kind::Number, "tenfold", vec![child], summed(n, thing, &wrong, what))
                .lost(plain)
                .orphan(wrong)
        }
        _ => {
            let small = n.index(WORDS.len() - 1);
            let child = told(n, thing, WORDS[small], what);
            let wrong = WORDS[small + 1];
            let parent = summed(n, thing, wrong, what);
            let wrong = if parent.contains(wrong) { wrong.to_owned() } else { capital(wrong) };
            Case::kept(Kind::Number, "another word", vec![child], parent).lost(WORDS[small]).orphan(wrong)
        }
    }
}

//! Days and times: in another writing or zone, or another time.

use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn told(n: &mut Numbers, thing: &str, done: &str, at: &str) -> String {
    match n.index(4) {
        0 => format!("The {thing} was {done} on {at}."),
        1 => format!("assistant: the {thing} was {done} on {at}."),
        2 => format!("[info] {thing}: {done} {at}"),
        _ => serde_json::json!({ "item": thing, "state": done, "on": at }).to_string(),
    }
}

fn summed(n: &mut Numbers, thing: &str, done: &str, at: &str) -> String {
    match n.index(3) {
        0 => format!("The {thing} was {done} on {at}."),
        1 => format!("- {}: {done} on {at}", capital(thing)),
        _ => format!("On {at} the {thing} was {done}."),
    }
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let thing = n.pick(trade.things);
    let (_, done) = n.pick(trade.acts);
    let (year, month, day) = (n.within(2031, 2049), n.within(1, 13), n.within(13, 27));
    let name = MONTHS[month as usize - 1];
    let date = format!("{year}-{month:02}-{day}");
    let (hour, minute) = (n.within(10, 17), n.within(10, 50));
    let instant = format!("{date}T{hour}:{minute}:00Z");
    let (at, same, wrong, by) = match n.index(5) {
        0 => (date, format!("{day} {name} {year}"), format!("{} {name} {year}", day + 1), "date spelt"),
        1 => (
            format!("{name} {day}, {year}"),
            date,
            format!("{year}-{month:02}-{}", day + 1),
            "date in digits",
        ),
        2 => (
            instant,
            format!("{date} {hour}:{minute} UTC"),
            format!("{date} {hour}:{} UTC", minute + 1),
            "instant",
        ),
        3 => {
            let shifted = format!("{date}T{}:{minute}:00+02:00", hour + 2);
            (instant, shifted, format!("{date}T{hour}:{minute}:00+02:00"), "zone")
        }
        _ => (instant.clone(), instant, format!("{}-{month:02}-{day}T{hour}:{minute}:00Z", year + 1), "kept"),
    };
    let child = vec![told(n, thing, done, &at)];
    if good {
        return Case::kept(Kind::Instant, by, child, summed(n, thing, done, &same));
    }
    if n.index(3) == 0 {
        return Case::kept(Kind::Instant, "dropped", child, format!("The {thing} was {done}.")).lost(at);
    }
    Case::kept(Kind::Instant, "another time", child, summed(n, thing, done, &wrong)).lost(at).orphan(wrong)
}

//! The facts by class, in few rows.

use super::findings::Fates;
use std::collections::BTreeMap;

/// Rows in their order, each with the classes that it sums up.
const ROWS: [(&str, &[&str]); 8] = [
    ("paths, lines in files", &["path", "location"]),
    ("URLs, addresses, e-mails", &["url", "address", "email"]),
    ("ids, hashes, tickets, errors", &["uuid", "digest", "identifier", "ticket", "error_code"]),
    ("commands, flags, variables", &["command", "flag", "env_var"]),
    ("names of code", &["symbol"]),
    ("numbers, amounts, versions", &["number", "quantity", "percentage", "money", "range", "version"]),
    ("dates, times", &["instant", "date", "time"]),
    ("names, quotes", &["name", "quote"]),
];

/// The rows that have a fact, and one for classes that no row knows.
pub(crate) fn rows(by_class: &BTreeMap<&'static str, Fates>) -> Vec<(&'static str, Fates)> {
    let mut out: Vec<(&'static str, Fates)> = Vec::new();
    for (name, classes) in ROWS {
        let mut sum = Fates::default();
        for class in classes {
            if let Some(fates) = by_class.get(class) {
                sum.add(*fates);
            }
        }
        out.push((name, sum));
    }
    let mut other = Fates::default();
    for (class, fates) in by_class {
        if !ROWS.iter().any(|(_, classes)| classes.contains(class)) {
            other.add(*fates);
        }
    }
    out.push(("other", other));
    out.retain(|(_, fates)| fates.facts > 0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_in_one_row() {
        let one = Fates { facts: 1, lost: 1, ..Fates::default() };
        let classes = ["path", "uuid", "flag", "name", "money", "never_heard_of"];
        let by_class: BTreeMap<&'static str, Fates> = classes.into_iter().map(|c| (c, one)).collect();
        let rows = rows(&by_class);
        assert_eq!(rows.iter().map(|(_, f)| f.facts).sum::<u64>(), 6);
        assert_eq!(rows.last().map(|r| r.0), Some("other"));
    }
}

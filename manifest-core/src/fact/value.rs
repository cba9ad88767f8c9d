//! What a fact's token stands for, and the key under which equal values meet.

use super::Class;
use super::decimal::Decimal;
use super::unit::Measure;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The value of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// The canonical text of the token is the value.
    Text,
    /// A hash, UUID or MAC address: its hexadecimal digits, without case and separators, are the value.
    Hex,
    /// A number without a unit.
    Number(Decimal),
    /// A number with a unit, in the base unit of its dimension.
    Quantity(Decimal, Measure),
    /// Parts of a hundred: 62 for 62 %.
    Percentage(Decimal),
    /// An amount of a currency (its ISO 4217 letters).
    Money(Decimal, [u8; 3]),
    /// A point in time, in nanoseconds since 1970-01-01T00:00:00Z.
    Instant(i128),
    /// A date and time without a zone, in nanoseconds since 1970-01-01T00:00:00.
    Local(i128),
    /// A day, counted from 1970-01-01.
    Date(i32),
    /// A month and day of an unnamed year.
    MonthDay(u8, u8),
    /// A month of a year.
    Month(i32, u8),
    /// A day of the week, Monday = 1.
    Weekday(u8),
    /// A time of day in nanoseconds, with the offset of its zone in seconds where it names one.
    Time(i64, Option<i32>),
    /// Two ends, as the keys of their values.
    Range(u64, u64),
    /// Lines and a column of a file; 0 where not named.
    Lines(u64, u64, u64),
}

/// Which values can be equal: two values of different domains never are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Domain {
    Text,
    Hex,
    Address,
    Path,
    Url,
    Email,
    Name,
    Quote,
    Payload,
    Secret,
    Relative,
    Value,
}

impl Domain {
    /// The domain of a class whose value is its text.
    pub(super) fn of(class: Class) -> Self {
        match class {
            Class::Address => Domain::Address,
            Class::Path => Domain::Path,
            Class::Url => Domain::Url,
            Class::Email => Domain::Email,
            Class::Name => Domain::Name,
            Class::Quote => Domain::Quote,
            Class::Payload => Domain::Payload,
            Class::Secret => Domain::Secret,
            Class::RelativeTime => Domain::Relative,
            _ => Domain::Text,
        }
    }

    /// The key of a canonical text in this domain.
    pub(super) fn key(self, canonical: &[u8]) -> u64 {
        let mut h = FxHasher::default();
        h.write_u8(self as u8);
        h.write(canonical);
        h.finish()
    }
}

impl Value {
    /// The key of a value that is not its text.
    pub(super) fn key(&self) -> u64 {
        let mut h = FxHasher::default();
        h.write_u8(Domain::Value as u8);
        self.hash(&mut h);
        h.finish()
    }

    /// The amount of a number, quantity, percentage or sum of money.
    pub(crate) fn amount(&self) -> Option<Decimal> {
        match *self {
            Value::Number(d) | Value::Quantity(d, _) | Value::Percentage(d) | Value::Money(d, _) => Some(d),
            _ => None,
        }
    }

    /// The value as canonical text; `None` where the text of the token is the value.
    pub(super) fn canonical(&self) -> Option<String> {
        Some(match *self {
            Value::Text | Value::Hex | Value::Range(..) => return None,
            Value::Number(d) => d.to_string(),
            Value::Quantity(d, m) => format!("{d} {m}"),
            Value::Percentage(d) => format!("{d}%"),
            Value::Money(d, c) => format!("{d} {}", String::from_utf8_lossy(&c)),
            Value::Instant(ns) => format!("{}Z", super::calendar::render(ns)),
            Value::Local(ns) => super::calendar::render(ns),
            Value::Date(days) => super::calendar::render_date(days),
            Value::MonthDay(m, d) => format!("--{m:02}-{d:02}"),
            Value::Month(y, m) => format!("{y:04}-{m:02}"),
            Value::Weekday(d) => format!("weekday {d}"),
            Value::Time(ns, zone) => {
                let mut t = super::calendar::render_time(ns);
                if let Some(z) = zone {
                    t.push_str(&super::calendar::render_offset(z));
                }
                t
            }
            Value::Lines(line, 0, 0) => line.to_string(),
            Value::Lines(line, end, 0) => format!("{line}-{end}"),
            Value::Lines(line, 0, column) => format!("{line}:{column}"),
            Value::Lines(line, end, column) => format!("{line}-{end}:{column}"),
        })
    }
}

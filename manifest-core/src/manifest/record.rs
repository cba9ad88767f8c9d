//! One fact as a manifest holds it: everything that a proof of it shows, by itself.
//!
//! ```text
//! [class, value, start, gap…, {"b"?: binding, "m"?: true, "n"?: bytes, "t"?: text}?]
//! ```
//!
//! A value that stands several times is one record: `start` is its first byte, each `gap` leads from one start to the next.
//! `class` is a number of the table below, or the name of a class that came later. `value` is the canonical text, or, where
//! that is long, the 32 bytes of the [`FactId`]. `t` is the surface text where it differs from the value, `n` the length of a
//! surface text that is not kept: a secret's, or a long one's.

use super::canonical::{Cursor, Writer};
use super::collect::Collected;
use super::error::FormatError;
use crate::digest::Digest;
use crate::fact::{Class, FactId};
use crate::text::Span;

/// The number of each class: its place here. A place is never given to another class.
const CLASSES: [Class; 28] = [
    Class::Number,
    Class::Symbol,
    Class::Identifier,
    Class::Path,
    Class::Quantity,
    Class::Time,
    Class::Date,
    Class::Instant,
    Class::Name,
    Class::Flag,
    Class::Money,
    Class::Command,
    Class::Quote,
    Class::Digest,
    Class::Location,
    Class::Url,
    Class::Ticket,
    Class::ErrorCode,
    Class::Percentage,
    Class::Version,
    Class::Address,
    Class::EnvVar,
    Class::Range,
    Class::Email,
    Class::Uuid,
    Class::RelativeTime,
    Class::Payload,
    Class::Secret,
];

/// The longest canonical value or surface text that a record holds; of a longer one it holds the id.
pub(super) const LONGEST: usize = 512;

/// Writes the record of a fact.
pub(super) fn write(fact: &Collected<'_>, to: &mut Writer) {
    let secret = fact.class == Class::Secret;
    let kept =
        !secret && fact.class != Class::Payload && fact.value.len() <= LONGEST && fact.text.len() <= LONGEST;
    let other = kept && *fact.value != *fact.text;
    let more = [fact.binding.is_some(), fact.marker, !kept, other].into_iter().filter(|is| *is).count();
    to.list(2 + fact.starts.len() + usize::from(more > 0));
    match CLASSES.iter().position(|class| *class == fact.class) {
        Some(number) => to.count(number),
        None => to.text(fact.class.as_str()),
    }
    if kept || secret {
        to.text(if secret { "" } else { &fact.value });
    } else {
        to.bytes(FactId::of(fact.class, &fact.value).as_bytes());
    }
    let mut last = 0;
    for start in &fact.starts {
        to.count(start - last);
        last = *start;
    }
    if more == 0 {
        return;
    }
    // In the order of the keys.
    to.map(more);
    if let Some(binding) = fact.binding {
        to.text("b");
        to.text(binding);
    }
    if fact.marker {
        to.text("m");
        to.bool(true);
    }
    if !kept {
        to.text("n");
        to.count(fact.text.len());
    } else if other {
        to.text("t");
        to.text(fact.text);
    }
}

/// The value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value<'a> {
    Text(&'a str),
    Id(FactId),
}

/// One fact of a leaf or node, as its manifest holds it.
#[derive(Clone, Debug)]
pub struct FactRecord<'a> {
    class: &'a str,
    value: Value<'a>,
    text: Option<&'a str>,
    binding: Option<&'a str>,
    bytes: usize,
    marker: bool,
    places: Cursor<'a>,
    count: usize,
}

impl<'a> FactRecord<'a> {
    /// Reads the record at a place of checked bytes. Its spans must end within `limit` bytes.
    pub(super) fn read(bytes: &'a [u8], at: usize, limit: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let expected = |what| FormatError::Expected { expected: what, at };
        let fields = cursor.list()?;
        let class = if cursor.is_text() {
            let name = cursor.text()?;
            if CLASSES.iter().any(|class| class.as_str() == name) {
                return Err(expected("the number of this class"));
            }
            name
        } else {
            let number = cursor.count()?;
            CLASSES.get(number).ok_or_else(|| expected("a class of this version"))?.as_str()
        };
        let secret = class == Class::Secret.as_str();
        let value = if cursor.is_text() {
            Value::Text(cursor.text()?)
        } else {
            let digest: Digest = cursor.digest()?;
            Value::Id(FactId::from_digest(digest))
        };
        let places = cursor.clone();
        let (mut count, mut last) = (0, 0);
        let mut left = fields.checked_sub(2).ok_or_else(|| expected("a fact"))?;
        while left > 0 && cursor.is_uint() {
            let gap = cursor.count()?;
            if count > 0 && gap == 0 {
                return Err(expected("places in ascending order"));
            }
            last = usize::saturating_add(last, gap);
            count += 1;
            left -= 1;
        }
        let (mut text, mut binding, mut length, mut marker) = (None, None, None, false);
        if left > 0 {
            let mut known = 0;
            cursor.fields(|cursor, key| {
                known += 1;
                match key {
                    "b" => binding = Some(cursor.text()?),
                    "m" if cursor.bool()? => marker = true,
                    "n" => length = Some(cursor.count()?),
                    "t" => text = Some(cursor.text()?),
                    "m" => return Err(cursor.expected("`true`, or no key")),
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
            if known == 0 {
                return Err(expected("no map where it would be empty"));
            }
            left -= 1;
        }
        let kept = matches!(value, Value::Text(_)) && !secret;
        let bytes = match (value, text, length) {
            (Value::Text(value), None, None) if kept => value.len(),
            (Value::Text(value), Some(text), None) if kept && text != value => text.len(),
            (Value::Text(""), None, Some(length)) if secret => length,
            (Value::Id(_), None, Some(length)) if !secret => length,
            _ => return Err(expected("a value with its text, or with its length alone")),
        };
        if left > 0 || count == 0 || last.checked_add(bytes).is_none_or(|end| end > limit) {
            return Err(expected("a fact within its text"));
        }
        Ok(FactRecord { class, value, text, binding, bytes, marker, places, count })
    }

    /// The name of its class, as reports write it; also of a class that this version does not know.
    pub fn class(&self) -> &'a str {
        self.class
    }

    /// Its class, if this version knows it.
    pub fn known_class(&self) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.as_str() == self.class)
    }

    /// The canonical value, equal for equal values of a class. `None` for a secret, and for a value so long that only
    /// its id is kept.
    pub fn value(&self) -> Option<&'a str> {
        match self.value {
            Value::Text(value) if !self.is_secret() => Some(value),
            _ => None,
        }
    }

    /// The text as it stands there. `None` for a secret, and for a text too long to keep beside its leaf.
    pub fn text(&self) -> Option<&'a str> {
        self.text.or_else(|| self.value())
    }

    /// What the value is bound to there (`timeout` in `timeout=30s`).
    pub fn binding(&self) -> Option<&'a str> {
        self.binding
    }

    /// Where it stands, in ascending order: bytes of the text, or of the ledger's lines joined by line ends.
    pub fn spans(&self) -> impl Iterator<Item = Span> + use<'a> {
        let FactRecord { bytes, mut places, count, .. } = self.clone();
        let mut start = 0;
        (0..count).map_while(move |_| {
            start = usize::saturating_add(start, places.count().ok()?);
            Some(Span::new(start, start.saturating_add(bytes)))
        })
    }

    /// How often it stands there.
    pub fn occurrences(&self) -> usize {
        self.count
    }

    /// Whether it stands in source markers at the head of a line: it can be cited, and nobody loses it.
    pub fn is_marker(&self) -> bool {
        self.marker
    }

    /// Whether it is a credential, of which neither text nor hash is kept.
    pub fn is_secret(&self) -> bool {
        self.class == Class::Secret.as_str()
    }

    /// The content address of the value; `None` for a secret.
    pub fn id(&self) -> Option<FactId> {
        match self.value {
            _ if self.is_secret() => None,
            Value::Text(value) => Some(FactId::of_name(self.class, value)),
            Value::Id(id) => Some(id),
        }
    }

    /// Whether the two are one value. Secrets never are.
    pub fn same(&self, other: &FactRecord<'_>) -> bool {
        self.class == other.class && self.value == other.value && !self.is_secret()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_classes_never_change() {
        let names: Vec<&str> = CLASSES.iter().map(|class| class.as_str()).collect();
        assert_eq!(
            names.join(" "),
            "number symbol identifier path quantity time date instant name flag money command quote digest location url \
             ticket error_code percentage version address env_var range email uuid relative_time payload secret"
        );
        // A new class may be written by its name.
        assert!(CLASSES.iter().all(|class| Class::ALL.contains(class)));
    }
}

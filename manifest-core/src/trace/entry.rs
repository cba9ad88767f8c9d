//! One value of the children, as the table keeps it and as it is asked for.

use super::parent::MASK;
use crate::child::{Child, Role};
use crate::fact::Class;
use crate::text::Span;
use std::num::{NonZeroU32, NonZeroU64};

/// One value of the children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'t> {
    /// Its surface text at its first occurrence; nothing for a body of more than [`BODY`] bytes.
    pub(crate) text: &'t str,
    row: &'t Row,
    more: Option<&'t More>,
    /// In how many children it stands.
    pub(crate) leaves: u32,
    /// How often it stands.
    pub(crate) count: u32,
    /// How much attention its leaves give it: a leaf that names few values means each of them.
    pub(crate) attention: f32,
    /// Its class, as first read.
    pub(crate) class: Class,
    /// Where it was seen.
    pub(crate) seen: Seen,
    /// Whether it was seen only in source markers at the head of a line: it can be cited, and nobody loses it.
    pub(crate) marker: bool,
}

impl<'t> Entry<'t> {
    /// The value that `row` and `more` keep, `texts` being all texts.
    pub(super) fn of(row: &'t Row, more: Option<&'t More>, texts: &'t str) -> Self {
        Entry {
            text: row.text(texts),
            row,
            more,
            leaves: row.leaves,
            count: row.count,
            attention: row.attention,
            class: row.class,
            seen: row.seen,
            marker: row.marker,
        }
    }

    /// Index of the child that states it first.
    pub(crate) fn child(&self) -> usize {
        self.row.child as usize
    }

    /// Index of the child that states it last.
    pub(crate) fn last(&self) -> usize {
        self.row.last as usize
    }

    /// Where it stands first, in bytes of the child as given.
    pub(crate) fn span(&self) -> Span {
        let start = self.row.start as usize;
        Span::new(start, start + self.row.len as usize)
    }

    /// A second key, where its text allows a second reading.
    pub(crate) fn also(&self) -> Option<u64> {
        self.more?.also.map(NonZeroU64::get)
    }

    /// Key of the composite that it is a part of, at its first occurrence.
    pub(crate) fn whole(&self) -> Option<u64> {
        self.more?.whole.map(NonZeroU64::get)
    }

    /// Number of what it is bound to.
    pub(super) fn label(&self) -> Option<NonZeroU32> {
        self.more?.label
    }

    /// Number of the key and sign before it.
    pub(super) fn head(&self) -> Option<NonZeroU32> {
        self.more?.head
    }
}

/// Bytes of the longest body whose text is kept. Nobody is shown a body; an image in letters may have megabytes.
const BODY: usize = 256;

/// What is kept of every value.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) key: u64,
    /// Where its text begins among all texts: the low and the high part.
    text: u32,
    text_high: u8,
    start: u32,
    len: u32,
    child: u32,
    pub(super) last: u32,
    pub(super) leaves: u32,
    pub(super) count: u32,
    pub(super) attention: f32,
    /// Number of the rest, from 1, where there is any.
    pub(super) more: Option<NonZeroU32>,
    pub(super) class: Class,
    pub(super) seen: Seen,
    pub(super) marker: bool,
}

/// What is kept of some values only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct More {
    pub(super) also: Option<NonZeroU64>,
    pub(super) whole: Option<NonZeroU64>,
    pub(super) label: Option<NonZeroU32>,
    pub(super) head: Option<NonZeroU32>,
}

impl More {
    pub(super) fn is_empty(&self) -> bool {
        self.also.is_none() && self.whole.is_none() && self.label.is_none() && self.head.is_none()
    }
}

impl Row {
    /// A value seen for the first time, in `child` at `span`; its text is added to `texts`.
    pub(super) fn new(
        key: u64,
        class: Class,
        child: u32,
        span: Span,
        text: &str,
        texts: &mut String,
    ) -> Self {
        let at = texts.len();
        let row = Row {
            key,
            text: u32::try_from(at & 0xFFFF_FFFF).unwrap_or(u32::MAX),
            // A tebibyte of texts fits in no memory.
            text_high: u8::try_from(at >> 32).unwrap_or(u8::MAX),
            start: narrow(span.start),
            len: narrow(span.len()),
            child,
            last: child,
            leaves: 1,
            count: 1,
            attention: 0.0,
            more: None,
            class,
            seen: Seen::default(),
            marker: false,
        };
        if row.has_text() {
            texts.push_str(text);
        }
        row
    }

    /// Whether one child brought both.
    pub(super) fn is_brought_with(&self, other: &Row) -> bool {
        self.child == other.child
    }

    fn has_text(&self) -> bool {
        self.class != Class::Secret && (self.class != Class::Payload || self.len as usize <= BODY)
    }

    fn text<'t>(&self, texts: &'t str) -> &'t str {
        if self.class == Class::Secret {
            return MASK;
        }
        if !self.has_text() {
            return "";
        }
        let start = (usize::from(self.text_high) << 32) | self.text as usize;
        texts.get(start..start + self.len as usize).unwrap_or_default()
    }
}

/// A place in a text or a list, as a row keeps it: a child of more than 4 GiB is cited at its end.
pub(super) fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// In what kinds of places a value was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u16);

impl Seen {
    pub(crate) const USER: Seen = Seen(1);
    pub(crate) const ASSISTANT: Seen = Seen(2);
    pub(crate) const TOOL: Seen = Seen(4);
    pub(crate) const ARGUMENTS: Seen = Seen(8);
    pub(crate) const ERROR: Seen = Seen(16);
    /// By itself, not as a part of a composite.
    pub(crate) const ALONE: Seen = Seen(32);
    /// As a value, not only as the name of a field.
    pub(crate) const VALUE: Seen = Seen(64);
    /// In the last child that shows it somebody named it or handed it to a tool.
    pub(crate) const NAMED_LAST: Seen = Seen(128);
    /// In what somebody says, outside of a tool call's arguments.
    pub(crate) const SAID: Seen = Seen(256);
    /// By somebody who names it, or hands it to a tool.
    pub(crate) const NAMED: Seen = Seen(1 | 2 | 8);

    /// What a child's own place says of all its values.
    pub(crate) fn of(child: &Child<'_>) -> Seen {
        let mut seen = match child.role {
            Role::User => Seen::USER,
            Role::Assistant => Seen::ASSISTANT,
            Role::Tool | Role::System => Seen::TOOL,
        };
        if child.call {
            seen.add(Seen::ARGUMENTS);
        }
        seen
    }

    pub(crate) fn any(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }

    pub(super) fn remove(&mut self, other: Seen) {
        self.0 &= !other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_small() {
        assert!(size_of::<Row>() <= 56, "{}", size_of::<Row>());
        assert!(size_of::<More>() <= 24, "{}", size_of::<More>());
    }

    #[test]
    fn a_long_body_leaves_no_text() {
        let mut texts = String::new();
        let body = "QUJD".repeat(100);
        for (class, text, kept) in
            [(Class::Payload, &*body, ""), (Class::Payload, "QUJD", "QUJD"), (Class::Quote, &*body, &*body)]
        {
            let row = Row::new(7, class, 0, Span::new(3, 3 + text.len()), text, &mut texts);
            assert_eq!(Entry::of(&row, None, &texts).text, kept);
            assert_eq!(Entry::of(&row, None, &texts).span(), Span::new(3, 3 + text.len()));
        }
        assert_eq!(texts.len(), 404);
    }
}

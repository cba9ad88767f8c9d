//! The body: what a leaf or node is, whatever was decided about it.
//!
//! ```text
//! {"k": "leaf" | "node", "s"?: {section: digest}, "v": 1, "at"?: time, "by"?: summarizer, "crit"?: [section],
//!  "from"?: {…}, "text": digest, "bytes": n, "level"?: n, "params"?: digest, "supersedes"?: NodeId}
//! ```

use super::canonical::{Cursor, Map, Writer};
use super::error::FormatError;
use super::section::{LONGEST_NAME, MOST, Written};
use super::{NodeId, SectionDigest, TextDigest};
use crate::child::Role;
use crate::digest::Digest;
use std::ops::Range;

/// The major version that this reader and writer know.
pub(crate) const VERSION: u64 = 1;

/// What a manifest is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ManifestKind {
    /// A chunk of source text.
    Leaf,
    /// A summary over children.
    Node,
}

impl ManifestKind {
    /// The kind as bodies write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            ManifestKind::Leaf => "leaf",
            ManifestKind::Node => "node",
        }
    }
}

/// Where a leaf's text comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Origin {
    /// Who said it.
    pub role: Role,
    /// The caller's name for it: a message's id, a file's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its place among the leaves of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<u64>,
    /// When it was said, RFC 3339, if the caller knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether the text is a tool call.
    pub call: bool,
}

/// The sections that a body lists, in the order of its keys.
pub(super) type Listed<'a> = Vec<(&'a str, SectionDigest)>;

/// What a body says beside its sections.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) kind: ManifestKind,
    pub(super) level: u32,
    pub(super) text: TextDigest,
    pub(super) bytes: u64,
    pub(super) origin: Option<Origin>,
    pub(super) summarizer: Option<String>,
    pub(super) params: Option<Digest>,
    pub(super) supersedes: Option<NodeId>,
    pub(super) at: Option<String>,
    pub(super) critical: Vec<String>,
}

impl Body {
    /// The body of a text.
    pub(super) fn of(kind: ManifestKind, text: &str) -> Self {
        Body {
            kind,
            level: 0,
            text: TextDigest::of(text),
            bytes: text.len() as u64,
            origin: None,
            summarizer: None,
            params: None,
            supersedes: None,
            at: None,
            critical: Vec::new(),
        }
    }

    /// The canonical bytes over these sections.
    pub(super) fn write(&self, sections: &[(&str, Written)]) -> Vec<u8> {
        let mut body = Map::default();
        body.put("k", |w| w.text(self.kind.as_str()));
        body.put("v", |w| w.uint(VERSION));
        if !sections.is_empty() {
            body.put("s", |w| {
                let mut map = Map::default();
                for (name, written) in sections {
                    map.put(name, |w| w.bytes(written.digest(name).as_bytes()));
                }
                map.write(w);
            });
        }
        body.put("text", |w| w.bytes(self.text.as_bytes()));
        body.put("bytes", |w| w.uint(self.bytes));
        body.put_some("level", Some(self.level).filter(|level| *level > 0), |w, level| w.uint(level.into()));
        body.put_some("from", self.origin.as_ref(), |w, origin| write_origin(origin, w));
        body.put_some("by", self.summarizer.as_deref(), Writer::text);
        body.put_some("params", self.params, |w, digest| w.bytes(digest.as_bytes()));
        body.put_some("supersedes", self.supersedes, |w, id| w.bytes(id.as_bytes()));
        body.put_some("at", self.at.as_deref(), Writer::text);
        if !self.critical.is_empty() {
            body.put("crit", |w| {
                w.list(self.critical.len());
                for name in &self.critical {
                    w.text(name);
                }
            });
        }
        let mut to = Writer::default();
        body.write(&mut to);
        to.into_bytes()
    }

    /// Reads a body, with the sections that it lists, in their order.
    pub(super) fn read(bytes: &[u8], at: Range<usize>) -> Result<(Self, Listed<'_>), FormatError> {
        let mut cursor = Cursor::at(bytes, at.start);
        let mut sections = Vec::new();
        let (mut kind, mut version, mut text, mut length) = (None, None, None, None);
        let mut body = Body::of(ManifestKind::Leaf, "");
        cursor.fields(|cursor, key| {
            match key {
                "k" => {
                    let expected = cursor.expected("`leaf` or `node`");
                    kind = Some(match cursor.text()? {
                        "leaf" => ManifestKind::Leaf,
                        "node" => ManifestKind::Node,
                        _ => return Err(expected),
                    });
                }
                "v" => version = Some(cursor.uint()?),
                "s" => sections = read_sections(cursor)?,
                "text" => text = Some(TextDigest::from_digest(cursor.digest()?)),
                "bytes" => length = Some(cursor.uint()?),
                "level" => {
                    let expected = cursor.expected("a level from 1 on");
                    body.level = u32::try_from(cursor.uint()?).ok().filter(|n| *n > 0).ok_or(expected)?;
                }
                "from" => body.origin = Some(read_origin(cursor)?),
                "by" => body.summarizer = Some(cursor.text()?.to_owned()),
                "params" => body.params = Some(cursor.digest()?),
                "supersedes" => body.supersedes = Some(NodeId::from_digest(cursor.digest()?)),
                "at" => body.at = Some(cursor.text()?.to_owned()),
                "crit" => {
                    let expected = cursor.expected("names of sections in order");
                    let items = cursor.list()?;
                    for _ in 0..items {
                        let name = cursor.text()?;
                        if body.critical.last().is_some_and(|last| last.as_str() >= name) {
                            return Err(expected);
                        }
                        body.critical.push(name.to_owned());
                    }
                    if body.critical.is_empty() {
                        return Err(expected);
                    }
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        match version {
            Some(VERSION) => {}
            Some(found) => return Err(FormatError::Version { found }),
            None => return Err(FormatError::Missing { field: "v" }),
        }
        body.kind = kind.ok_or(FormatError::Missing { field: "k" })?;
        body.text = text.ok_or(FormatError::Missing { field: "text" })?;
        body.bytes = length.ok_or(FormatError::Missing { field: "bytes" })?;
        let expected = |expected| FormatError::Expected { expected, at: at.start };
        match body.kind {
            ManifestKind::Leaf if body.level > 0 => return Err(expected("a leaf without a level")),
            ManifestKind::Leaf if body.origin.is_none() => {
                return Err(FormatError::Missing { field: "from" });
            }
            ManifestKind::Node if body.level == 0 => return Err(FormatError::Missing { field: "level" }),
            ManifestKind::Node if body.origin.is_some() => return Err(expected("a node without `from`")),
            _ => {}
        }
        Ok((body, sections))
    }

    /// A critical section that is not there was stripped together with its digest.
    pub(super) fn check_critical(&self, listed: &Listed<'_>) -> Result<(), FormatError> {
        let is_listed =
            |name: &str| listed.binary_search_by(|(known, _)| order(known).cmp(&order(name))).is_ok();
        match self.critical.iter().find(|name| !is_listed(name)) {
            Some(name) => Err(FormatError::SectionMissing { name: name.clone() }),
            None => Ok(()),
        }
    }
}

/// The order of keys.
pub(super) fn order(name: &str) -> (usize, &str) {
    (name.len(), name)
}

fn read_sections<'a>(cursor: &mut Cursor<'a>) -> Result<Listed<'a>, FormatError> {
    let expected = cursor.expected("sections with short names");
    let mut sections = Vec::new();
    cursor.fields(|cursor, name| {
        sections.push((name, SectionDigest::from_digest(cursor.digest()?)));
        Ok(true)
    })?;
    let sound = (1..=MOST).contains(&sections.len())
        && sections.iter().all(|(name, _)| (1..=LONGEST_NAME).contains(&name.len()));
    if sound { Ok(sections) } else { Err(expected) }
}

fn write_origin(origin: &Origin, to: &mut Writer) {
    let mut map = Map::default();
    map.put("role", |w| w.text(role_name(origin.role)));
    map.put_some("source", origin.source.as_deref(), Writer::text);
    map.put_some("position", origin.position, Writer::uint);
    map.put_some("at", origin.at.as_deref(), Writer::text);
    if origin.call {
        map.put("call", |w| w.bool(true));
    }
    map.write(to);
}

fn read_origin(cursor: &mut Cursor<'_>) -> Result<Origin, FormatError> {
    let mut origin = Origin::default();
    let mut role = None;
    cursor.fields(|cursor, key| {
        let expected = cursor.expected("an origin");
        match key {
            "role" => {
                role = match cursor.text()? {
                    "user" => Some(Role::User),
                    "assistant" => Some(Role::Assistant),
                    "tool" => Some(Role::Tool),
                    "system" => Some(Role::System),
                    _ => return Err(expected),
                }
            }
            "source" => origin.source = Some(cursor.text()?.to_owned()),
            "position" => origin.position = Some(cursor.uint()?),
            "at" => origin.at = Some(cursor.text()?.to_owned()),
            "call" if cursor.bool()? => origin.call = true,
            "call" => return Err(expected),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    origin.role = role.ok_or(FormatError::Missing { field: "role" })?;
    Ok(origin)
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    }
}

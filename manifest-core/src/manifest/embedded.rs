//! A manifest inside a caller's own struct: one opaque value, whatever format the struct is written in.

use super::{FormatError, NodeId, NodeManifest, TextDigest};
use crate::declare::{ChildrenField, Declaration, Manifest, ManifestField};
use data_encoding::BASE64URL_NOPAD;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use thiserror::Error;

/// A manifest as one field of a caller's struct: its bytes in binary formats, base64url in readable ones. Sections and
/// hashes that this version does not know pass through every format, as nothing of it is taken apart before
/// [`read`](Self::read) verifies all of it.
///
/// With `#[serde(default)]` a struct without the field reads as [absent](Self::is_absent): for a gate to report, instead of
/// a value that cannot be read.
///
/// ```
/// use manifest_core::{Child, Embedded, EmbeddedError, NodeManifest};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Note {
///     text: String,
///     #[serde(default)]
///     manifest: Embedded,
/// }
///
/// let manifest = NodeManifest::of_leaf(&Child::new("Node db-7 is down."))?;
/// let note = Note { text: "Node db-7 is down.".to_owned(), manifest: Embedded::of(&manifest) };
/// let back: Note = serde_json::from_str(&serde_json::to_string(&note)?)?;
/// assert_eq!(back.manifest.read()?.id(), manifest.id());
///
/// let without: Note = serde_json::from_str(r#"{"text": "Node db-7 is down."}"#)?;
/// assert_eq!(without.manifest.read(), Err(EmbeddedError::Absent));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Embedded(Box<[u8]>);

/// Why there is no manifest in a field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// The struct came without one.
    #[error("there is no manifest: what stands here was judged by nobody")]
    Absent,
    /// Its bytes are no manifest.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is of another text than that of the summary it stands in.
    #[error("the manifest is of another text: the summary was changed after it was judged")]
    OtherText,
}

impl Embedded {
    /// A manifest, as it is.
    pub fn of(manifest: &NodeManifest) -> Self {
        Embedded(manifest.bytes().into())
    }

    /// Whether there is none.
    pub fn is_absent(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes, unverified; none where it is absent.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The manifest, verified.
    ///
    /// # Errors
    /// [`EmbeddedError`].
    pub fn read(&self) -> Result<NodeManifest, EmbeddedError> {
        if self.is_absent() {
            return Err(EmbeddedError::Absent);
        }
        Ok(NodeManifest::parse(&self.0)?)
    }
}

impl NodeManifest {
    /// The manifest in a summary's own field for it (`#[manifest(manifest)]`), verified, and of the very text that the summary
    /// declares.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// use manifest_core::{Child, Draft, Embedded, EmbeddedError, Making, Manifest, NodeManifest, seal};
    ///
    /// #[derive(Manifest, serde::Serialize, serde::Deserialize)]
    /// struct Note {
    ///     #[manifest(text)]
    ///     text: String,
    ///     #[serde(default)]
    ///     #[manifest(manifest)]
    ///     manifest: Embedded,
    /// }
    ///
    /// let leaf = Child::new("Node db-7 is down since 09:41.");
    /// let note = Note { text: "Since 09:41 node db-7 is down.".to_owned(), manifest: Embedded::default() };
    /// let gated = Draft::trace(&[leaf.clone()], note).gate(&Note::policy()).unwrap();
    /// let manifest = seal(&gated, &[&NodeManifest::of_leaf(&leaf).unwrap()], Making::default()).unwrap();
    /// let (mut note, _) = gated.release();
    /// note.embed(manifest.bytes());
    ///
    /// let sent = serde_json::to_string(&note).unwrap();
    /// let mut received: Note = serde_json::from_str(&sent).unwrap();
    /// assert_eq!(NodeManifest::in_summary(&received), Ok(manifest));
    /// received.text.push_str(" Nothing was lost.");
    /// assert_eq!(NodeManifest::in_summary(&received), Err(EmbeddedError::OtherText));
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`EmbeddedError`].
    pub fn in_summary<S: Manifest + ?Sized>(summary: &S) -> Result<NodeManifest, EmbeddedError> {
        let declaration = Declaration::of(summary);
        let manifest = embedded(&declaration)?;
        if TextDigest::of(declaration.render().text) != manifest.text_digest() {
            return Err(EmbeddedError::OtherText);
        }
        Ok(manifest)
    }
}

/// The manifest that a summary hands over, verified; of which text is not asked.
pub(crate) fn embedded(declaration: &Declaration<'_>) -> Result<NodeManifest, EmbeddedError> {
    match declaration.manifest() {
        [] => Err(EmbeddedError::Absent),
        bytes => Ok(NodeManifest::parse(bytes)?),
    }
}

impl ManifestField for Embedded {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn embed(&mut self, manifest: &[u8]) {
        self.0 = manifest.into();
    }
}

impl ChildrenField for NodeId {
    fn children<'s>(&'s self, to: &mut Declaration<'s>) {
        to.child(self.to_string().as_str());
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Embedded({} bytes)", self.0.len())
    }
}

impl Serialize for Embedded {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            s.collect_str(&BASE64URL_NOPAD.encode_display(&self.0))
        } else {
            s.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Embedded {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() { d.deserialize_str(Written) } else { d.deserialize_byte_buf(Written) }
    }
}

/// Either writing.
struct Written;

impl<'de> Visitor<'de> for Written {
    type Value = Embedded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a manifest, or their base64url without padding")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Embedded, E> {
        BASE64URL_NOPAD.decode(text.as_bytes()).map(|bytes| Embedded(bytes.into())).map_err(E::custom)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Embedded, E> {
        Ok(Embedded(bytes.into()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Embedded, E> {
        Ok(Embedded(bytes.into()))
    }

    /// Formats without bytes write a list of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Embedded, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        Ok(Embedded(bytes.into()))
    }
}

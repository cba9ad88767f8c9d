//! BLAKE3 digests, and every context under which something is hashed.
//!
//! Each type of object has a context of its own, so that the bytes of one can never stand for another; the major version
//! of the format is in the context. A text alone is hashed without a context, so that `b3sum` gives its digest.

use blake3::Hasher;
use blake3::hazmat::{ContextKey, HasherExt, hash_derive_key_context};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;
use thiserror::Error;

/// 32 bytes of BLAKE3. Written as 64 lower-case hexadecimal digits, and read from nothing else.
///
/// ```
/// use manifest_core::Digest;
/// let digest: Digest = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262".parse()?;
/// assert_eq!(digest.to_string().len(), 64);
/// assert!("../../etc/passwd".parse::<Digest>().is_err());
/// # Ok::<(), manifest_core::DigestError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; Digest::BYTES]);

impl Digest {
    /// Bytes of a digest.
    pub const BYTES: usize = 32;

    /// The digest of these bytes' value: they are taken as they are, not hashed.
    pub const fn from_bytes(bytes: [u8; Digest::BYTES]) -> Self {
        Digest(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; Digest::BYTES] {
        &self.0
    }

    /// BLAKE3 of bytes without a context: what `b3sum` prints.
    pub fn of_text(bytes: &[u8]) -> Self {
        Digest(*blake3::hash(bytes).as_bytes())
    }
}

/// Why something is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DigestError {
    /// Not as long as a digest.
    #[error("a digest has {expected}, found {found}", expected = "64 hexadecimal digits (32 bytes)")]
    Length {
        /// Bytes found.
        found: usize,
    },
    /// A byte that is no lower-case hexadecimal digit.
    #[error("byte {at} is no lower-case hexadecimal digit")]
    Digit {
        /// Its place.
        at: usize,
    },
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != Digest::BYTES || !rest.is_empty() {
            return Err(DigestError::Length { found: text.len() });
        }
        let mut out = [0; Digest::BYTES];
        for (i, (byte, [high, low])) in out.iter_mut().zip(pairs).enumerate() {
            let digit = |digit: &u8, at| match digit {
                b'0'..=b'9' => Ok(digit - b'0'),
                b'a'..=b'f' => Ok(digit - b'a' + 10),
                _ => Err(DigestError::Digit { at }),
            };
            *byte = digit(high, 2 * i)? << 4 | digit(low, 2 * i + 1)?;
        }
        Ok(Digest(out))
    }
}

impl TryFrom<&[u8]> for Digest {
    type Error = DigestError;

    fn try_from(bytes: &[u8]) -> Result<Self, DigestError> {
        bytes.try_into().map(Digest).map_err(|_| DigestError::Length { found: bytes.len() })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text in readable formats, bytes in binary ones.
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() { s.collect_str(self) } else { s.serialize_bytes(&self.0) }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Either;

        impl serde::de::Visitor<'_> for Either {
            type Value = Digest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("64 lower-case hexadecimal digits or 32 bytes")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Digest, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Digest, E> {
                Digest::try_from(bytes).map_err(E::custom)
            }
        }

        if d.is_human_readable() { d.deserialize_str(Either) } else { d.deserialize_bytes(Either) }
    }
}

/// What is hashed: one context a type of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Fact,
    ListLeaf,
    ListInner,
    ListEmpty,
    ListRoot,
    Section,
    Body,
    Decision,
    Node,
}

static CONTEXTS: LazyLock<[ContextKey; 9]> = LazyLock::new(|| {
    [
        "manifest 2026-11 v1 fact",
        "manifest 2026-11 v1 list-leaf",
        "manifest 2026-11 v1 list-inner",
        "manifest 2026-11 v1 list-empty",
        "manifest 2026-11 v1 list-root",
        "manifest 2026-11 v1 section",
        "manifest 2026-11 v1 body",
        "manifest 2026-11 v1 decision",
        "manifest 2026-11 v1 node",
    ]
    .map(hash_derive_key_context)
});

/// The hash of an object from its parts, of which each but the last has a fixed length or stands after its [`length`].
pub(crate) fn hash(object: Object, parts: &[&[u8]]) -> Digest {
    // The enum and the list have one length.
    let key = CONTEXTS.get(object as usize).copied().unwrap_or_default();
    let mut hasher = Hasher::new_from_context_key(&key);
    for part in parts {
        hasher.update(part);
    }
    Digest(*hasher.finalize().as_bytes())
}

/// The length of a name in two bytes, big-endian. A name of more than 65,535 bytes does not exist: whoever parses names
/// refuses them.
pub(crate) fn length(name: &str) -> [u8; 2] {
    u16::try_from(name.len()).unwrap_or(u16::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_writing() {
        let text = "00ff".repeat(16);
        let digest: Digest = text.parse().unwrap();
        assert_eq!(digest.to_string(), text);
        assert_eq!(format!("{digest:?}"), text);
        assert_eq!(text.to_uppercase().parse::<Digest>(), Err(DigestError::Digit { at: 2 }));
        assert_eq!(text[1..].parse::<Digest>(), Err(DigestError::Length { found: 63 }));
        assert_eq!(format!("{text}0").parse::<Digest>(), Err(DigestError::Length { found: 65 }));
        assert_eq!(format!("{}é", &text[2..]).parse::<Digest>(), Err(DigestError::Digit { at: 62 }));
        assert_eq!(Digest::try_from(&[0_u8; 31][..]), Err(DigestError::Length { found: 31 }));
        assert_eq!(Digest::try_from(&digest.as_bytes()[..]), Ok(digest));
    }

    #[test]
    fn a_context_key_gives_what_derive_key_gives() {
        for (object, context) in [
            (Object::Fact, "manifest 2026-11 v1 fact"),
            (Object::ListLeaf, "manifest 2026-11 v1 list-leaf"),
            (Object::ListInner, "manifest 2026-11 v1 list-inner"),
            (Object::ListEmpty, "manifest 2026-11 v1 list-empty"),
            (Object::ListRoot, "manifest 2026-11 v1 list-root"),
            (Object::Section, "manifest 2026-11 v1 section"),
            (Object::Body, "manifest 2026-11 v1 body"),
            (Object::Decision, "manifest 2026-11 v1 decision"),
            (Object::Node, "manifest 2026-11 v1 node"),
        ] {
            let derived = blake3::derive_key(context, b"bytes");
            assert_eq!(hash(object, &[b"by", b"tes"]), Digest(derived), "{context}");
        }
    }

    #[test]
    fn json_holds_the_text() {
        let digest = Digest::of_text(b"");
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(json, "\"af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262\"");
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"AF\"").is_err());
    }
}

//! The ids of what is stored: each a digest of one type of object.

use crate::digest::{Digest, DigestError, Object, hash, length};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Written as 64 lower-case hexadecimal digits.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Digest);

        impl $name {
            /// The id with this digest, which is taken as it is: whoever loads the object recomputes it.
            pub const fn from_digest(digest: Digest) -> Self {
                $name(digest)
            }

            /// Its digest.
            pub const fn digest(&self) -> Digest {
                self.0
            }

            /// Its bytes.
            pub const fn as_bytes(&self) -> &[u8; Digest::BYTES] {
                self.0.as_bytes()
            }
        }

        impl From<$name> for Digest {
            fn from(id: $name) -> Digest {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = DigestError;

            fn from_str(text: &str) -> Result<Self, DigestError> {
                text.parse().map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

ids! {
    /// The id of a leaf or node: of its body and of the decision that admitted it. Parents name their children by it.
    NodeId;
    /// The id of a body: the content of a leaf or node, whatever was decided about it.
    BodyId;
    /// The id of a gate's decision about one body.
    DecisionId;
    /// Plain BLAKE3 of a text: what `b3sum` prints.
    TextDigest;
    /// The digest of one section of a body: of its name and of the root of its list.
    SectionDigest;
}

impl NodeId {
    /// The id of a body with its decision. A leaf has none: nobody decides about what was said.
    pub(super) fn of(body: BodyId, decision: Option<DecisionId>) -> Self {
        let body: &[u8] = body.as_bytes();
        NodeId(match decision {
            Some(decision) => hash(Object::Node, &[body, decision.as_bytes()]),
            None => hash(Object::Node, &[body]),
        })
    }
}

impl BodyId {
    /// The id of a body's canonical bytes.
    pub(super) fn of(body: &[u8]) -> Self {
        BodyId(hash(Object::Body, &[body]))
    }
}

impl DecisionId {
    /// The id of a decision's canonical bytes.
    pub(super) fn of(decision: &[u8]) -> Self {
        DecisionId(hash(Object::Decision, &[decision]))
    }
}

impl TextDigest {
    /// The digest of a text.
    pub fn of(text: impl AsRef<[u8]>) -> Self {
        TextDigest(Digest::of_text(text.as_ref()))
    }
}

impl SectionDigest {
    /// The digest of a section of this name over the root of its list.
    pub(super) fn of(name: &str, root: Digest) -> Self {
        SectionDigest(hash(Object::Section, &[&length(name), name.as_bytes(), root.as_bytes()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hashes_of_their_types() {
        let body = BodyId::of(b"\xa0");
        let decision = DecisionId::of(b"\xa0");
        assert_ne!(body.digest(), decision.digest());
        assert_ne!(NodeId::of(body, None), NodeId::of(body, Some(decision)));
        assert_ne!(SectionDigest::of("a", body.digest()), SectionDigest::of("b", body.digest()));
        let text = "d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24";
        assert_eq!(TextDigest::of("hello world").to_string(), text);
        assert_eq!(text.parse::<TextDigest>(), Ok(TextDigest::of(b"hello world")));
        assert_eq!(format!("{:?}", TextDigest::of("hello world")), format!("TextDigest({text})"));
    }
}

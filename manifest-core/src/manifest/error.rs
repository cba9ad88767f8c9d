//! Why bytes are no manifest.

use thiserror::Error;

/// Why bytes are no manifest. Places are byte offsets into what was parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The bytes end inside an item, or claim more than is there.
    #[error("the bytes end inside the item at byte {at}")]
    Truncated {
        /// Start of the item.
        at: usize,
    },
    /// Something follows the one item.
    #[error("bytes follow the manifest from byte {at} on")]
    Trailing {
        /// Start of what follows.
        at: usize,
    },
    /// More lists and maps inside each other than a manifest has.
    #[error("lists and maps lie deeper than {limit} at byte {at}", limit = super::canonical::DEPTH)]
    TooDeep {
        /// Start of the item.
        at: usize,
    },
    /// More bytes than a manifest may have.
    #[error("{bytes} bytes are more than a manifest may have")]
    TooLarge {
        /// Bytes found.
        bytes: usize,
    },
    /// A number or length that is not written in the fewest bytes.
    #[error("the number or length at byte {at} is not written in the fewest bytes")]
    NotShortest {
        /// Start of the item.
        at: usize,
    },
    /// A string, list or map without its length.
    #[error("the item at byte {at} has no definite length")]
    Indefinite {
        /// Start of the item.
        at: usize,
    },
    /// A float, a tag, `null`, or another type that manifests do not have.
    #[error("the item at byte {at} is of a type that manifests do not have")]
    Type {
        /// Start of the item.
        at: usize,
    },
    /// A key that is no text.
    #[error("the key at byte {at} is no text")]
    KeyType {
        /// Start of the key.
        at: usize,
    },
    /// A key that belongs before the one before it: shorter keys first, equal lengths by their bytes.
    #[error("the key at byte {at} is out of order")]
    KeyOrder {
        /// Start of the key.
        at: usize,
    },
    /// A key that its map has twice.
    #[error("the key at byte {at} stands twice")]
    KeyTwice {
        /// Start of the key.
        at: usize,
    },
    /// Text that is not UTF-8.
    #[error("the text at byte {at} is not UTF-8")]
    Utf8 {
        /// Start of the text.
        at: usize,
    },
    /// Sound bytes that say something else than what stands here in a manifest.
    #[error("expected {expected} at byte {at}")]
    Expected {
        /// What belongs here.
        expected: &'static str,
        /// Start of the item.
        at: usize,
    },
    /// A field that every manifest of its kind has is absent.
    #[error("the manifest has no `{field}`")]
    Missing {
        /// Its name.
        field: &'static str,
    },
    /// A major version that this reader does not know.
    #[error("version {found} of the format is unknown to this reader")]
    Version {
        /// What the body says.
        found: u64,
    },
    /// The body lists a section that is not there.
    #[error("the section `{name}` that the body lists is not there")]
    SectionMissing {
        /// Its name.
        name: String,
    },
    /// A section that the body does not list.
    #[error("the body lists no section `{name}`")]
    SectionUnlisted {
        /// Its name.
        name: String,
    },
    /// A section that is not what the body committed to.
    #[error("the section `{name}` is not the one that the body lists")]
    SectionDigest {
        /// Its name.
        name: String,
    },
    /// The decision is about another body.
    #[error("the decision is about another body")]
    DecisionBody,
    /// The evidence is not what the decision rests on.
    #[error("the evidence is not what the decision lists")]
    EvidenceDigest,
    /// A decision without evidence.
    #[error("the decision rests on no evidence")]
    EvidenceEmpty,
}

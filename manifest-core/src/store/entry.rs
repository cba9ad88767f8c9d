//! One generation of a ref, and its bytes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use super::{Digest, Moment, NodeId, RefName, StoreError};

/// The version of an entry's bytes.
const VERSION: u8 = 1;
/// What an entry's bytes start with.
const MAGIC: &[u8; 4] = b"mref";
/// Longest message, bytes.
const LONGEST: usize = 4096;
/// The largest generation: names keep ten zeros for it.
pub(crate) const LAST: u64 = 9_999_999_999;

/// What moved a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// A node was committed.
    Commit,
    /// Leaves were reclaimed below the node.
    Reclaim,
    /// The head was set to a node that was committed before.
    Reset,
    /// One that this version does not know, by its number: it is kept.
    Other(u8),
}

impl Event {
    fn number(self) -> u8 {
        match self {
            Event::Commit => 1,
            Event::Reclaim => 2,
            Event::Reset => 3,
            Event::Other(n) => n,
        }
    }

    fn of(number: u8) -> Self {
        match number {
            1 => Event::Commit,
            2 => Event::Reclaim,
            3 => Event::Reset,
            n => Event::Other(n),
        }
    }
}

/// What tells a writer's own entry from another's: after a failure that leaves open whether the write took place, the entry
/// that stands there is the writer's own if it holds the same nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// From bytes that no other writer uses.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Nonce(bytes)
    }

    /// One that no other writer uses: from the seeds that the standard library draws from the operating system, and the
    /// process, so that a fork does not repeat its parent's. Unique, and no secret.
    pub fn unique() -> Self {
        let mut bytes = [0; 16];
        for half in bytes.chunks_exact_mut(8) {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u32(std::process::id());
            half.copy_from_slice(&hasher.finish().to_le_bytes());
        }
        Nonce(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// Where a head is to be moved to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefUpdate {
    /// The node. Store it before the head names it.
    pub target: NodeId,
    /// Why.
    pub event: Event,
    /// The writer's. Keep the update and swap again with it after a failure: no second entry comes of that.
    pub nonce: Nonce,
    /// When, if the caller says so.
    pub at: Option<Moment>,
    /// A message for those who read the history; at most 4,096 bytes.
    pub message: Option<String>,
}

impl RefUpdate {
    /// To `target`, because of `event`, with a nonce of its own.
    pub fn new(target: NodeId, event: Event) -> Self {
        RefUpdate { target, event, nonce: Nonce::unique(), at: None, message: None }
    }

    /// Sets the nonce.
    pub fn nonce(self, nonce: Nonce) -> Self {
        RefUpdate { nonce, ..self }
    }

    /// Sets the time.
    pub fn at(self, at: Moment) -> Self {
        RefUpdate { at: Some(at), ..self }
    }

    /// Sets the message.
    pub fn message(self, message: impl Into<String>) -> Self {
        RefUpdate { message: Some(message.into()), ..self }
    }
}

/// One of many moves of heads: see [`swap_many`](super::Refs::swap_many).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefSwap {
    /// The head.
    pub name: RefName,
    /// Where it stands; none if there is no such ref yet.
    pub expected: Option<u64>,
    /// Where it goes.
    pub update: RefUpdate,
}

impl RefSwap {
    /// Of `name` from generation `expected` to `update`.
    pub fn new(name: RefName, expected: Option<u64>, update: RefUpdate) -> Self {
        RefSwap { name, expected, update }
    }
}

/// One generation of a ref, immutable once written.
///
/// Its bytes, integers little-endian:
///
/// | bytes | what |
/// |---|---|
/// | 4 | `mref` |
/// | 1 | version, 1 |
/// | 1 | event: 1 commit, 2 reclaim, 3 reset |
/// | 8 | generation, from 1 |
/// | 32 | plain BLAKE3 of the parent's bytes; zeros for generation 1 |
/// | 32 | target |
/// | 16 | nonce |
/// | 8 | time, milliseconds since 1970, plus one; 0 if none was given |
/// | 2 + n | length and bytes of the name, UTF-8 |
/// | 2 + n | length plus one and bytes of the message, UTF-8; 0 if there is none |
///
/// The parent's digest makes the history a chain: an entry that was changed, left out or put in later is found by the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefEntry {
    /// The ref.
    pub name: RefName,
    /// The number of the generation, from 1, without gaps.
    pub generation: u64,
    /// Plain BLAKE3 of the bytes of the generation before, which is this one's parent; none for generation 1.
    pub parent: Option<Digest>,
    /// The node that the head names.
    pub target: NodeId,
    /// Why it was moved.
    pub event: Event,
    /// The writer's nonce.
    pub nonce: Nonce,
    /// When, if the writer said so.
    pub at: Option<Moment>,
    /// What the writer said about it.
    pub message: Option<String>,
}

impl RefEntry {
    /// The entry after `parent`, or the first one.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`] for a message or a generation past its limit.
    pub fn next(name: &RefName, parent: Option<&RefEntry>, update: RefUpdate) -> Result<Self, StoreError> {
        let size = update.message.as_ref().map_or(0, String::len);
        if size > LONGEST {
            let what = format!("the message of ref {name}");
            return Err(StoreError::TooLarge { what, size: size as u64, limit: LONGEST as u64 });
        }
        let generation = parent.map_or(1, |p| p.generation.saturating_add(1));
        if generation > LAST {
            let what = format!("the history of ref {name}");
            return Err(StoreError::TooLarge { what, size: generation, limit: LAST });
        }
        let RefUpdate { target, event, nonce, at, message } = update;
        let parent = parent.map(RefEntry::digest);
        Ok(RefEntry { name: name.clone(), generation, parent, target, event, nonce, at, message })
    }

    /// Plain BLAKE3 of its bytes.
    pub fn digest(&self) -> Digest {
        Digest::of_text(&self.to_bytes())
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(160);
        out.extend(MAGIC);
        out.extend([VERSION, self.event.number()]);
        out.extend(self.generation.to_le_bytes());
        out.extend(self.parent.as_ref().map_or(&[0; 32], Digest::as_bytes));
        out.extend(self.target.as_bytes());
        out.extend(self.nonce.as_bytes());
        out.extend(self.at.map_or(0, |at| at.unix_millis().saturating_add(1)).to_le_bytes());
        out.extend(length(self.name.as_str().len()));
        out.extend(self.name.as_str().as_bytes());
        out.extend(length(self.message.as_ref().map_or(0, |message| message.len() + 1)));
        out.extend(self.message.as_deref().unwrap_or_default().as_bytes());
        out
    }

    /// Reads an entry that stands at `object`.
    ///
    /// # Errors
    /// [`StoreError::OtherVersion`], and [`StoreError::Corrupt`] for anything but the very bytes of an entry.
    pub fn from_bytes(object: &str, bytes: &[u8]) -> Result<Self, StoreError> {
        let corrupt =
            |found: &str| StoreError::Corrupt { object: object.to_owned(), found: found.to_owned() };
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| corrupt("it is no entry of a ref"))?;
        let [version] = take(&mut rest).ok_or_else(|| corrupt("it is cut off"))?;
        if version != VERSION {
            let (found, supported) = (u64::from(version), u64::from(VERSION));
            return Err(StoreError::OtherVersion { object: object.to_owned(), found, supported });
        }
        let entry = fields(&mut rest).ok_or_else(|| corrupt("a field is cut off or is no text"))?;
        if !rest.is_empty() {
            return Err(corrupt("bytes follow its end"));
        }
        // One meaning has one form: what is not written back as it was read has been tampered with.
        if entry.to_bytes() != bytes || (entry.generation == 1) != entry.parent.is_none() {
            return Err(corrupt("it is not in the form that a store writes"));
        }
        Ok(entry)
    }
}

fn fields(rest: &mut &[u8]) -> Option<RefEntry> {
    let [event] = take(rest)?;
    let generation = u64::from_le_bytes(take(rest)?);
    let parent: [u8; 32] = take(rest)?;
    let target = NodeId::from_digest(Digest::from_bytes(take(rest)?));
    let nonce = Nonce(take(rest)?);
    let at = u64::from_le_bytes(take(rest)?).checked_sub(1).map(Moment::from_unix_millis);
    let length = u16::from_le_bytes(take(rest)?);
    let name = RefName::new(text(rest, length)?).ok()?;
    let message = match u16::from_le_bytes(take(rest)?).checked_sub(1) {
        Some(length) => Some(text(rest, length)?.to_owned()),
        None => None,
    };
    let parent = (parent != [0; 32]).then(|| Digest::from_bytes(parent));
    Some(RefEntry { name, generation, parent, target, event: Event::of(event), nonce, at, message })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(*head)
}

/// The next `length` bytes, as text.
fn text<'b>(rest: &mut &'b [u8], length: u16) -> Option<&'b str> {
    let (head, tail) = rest.split_at_checked(length.into())?;
    *rest = tail;
    std::str::from_utf8(head).ok()
}

/// Two bytes; names and messages are far shorter than what they hold.
fn length(of: usize) -> [u8; 2] {
    u16::try_from(of).unwrap_or(u16::MAX).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> RefEntry {
        let name = RefName::new("team/main").unwrap();
        let update = |n: u8| {
            RefUpdate::new(NodeId::from_digest(Digest::from_bytes([n; 32])), Event::Commit)
                .nonce(Nonce::from_bytes([n; 16]))
        };
        let first = RefEntry::next(&name, None, update(1)).unwrap();
        let second = update(2).at(Moment::from_unix_millis(1_764_500_000_000)).message("second");
        RefEntry::next(&name, Some(&first), second).unwrap()
    }

    #[test]
    fn the_bytes_of_version_1_are_frozen() {
        let first = [
            b"mref\x01\x01\x01\0\0\0\0\0\0\0".as_slice(),
            &[0; 32],
            &[1; 48],
            &[0; 8],
            b"\x09\0team/main\0\0",
        ];
        let parent = blake3::hash(&first.concat());
        let second = [
            b"mref\x01\x01\x02\0\0\0\0\0\0\0".as_slice(),
            parent.as_bytes(),
            &[2; 48],
            &1_764_500_000_001_u64.to_le_bytes(),
            b"\x09\0team/main\x07\0second",
        ];
        assert_eq!(entry().to_bytes(), second.concat());
        assert_eq!(RefEntry::from_bytes("x", &entry().to_bytes()).unwrap(), entry());
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = entry().to_bytes();
        bytes[4] = 2;
        let error = RefEntry::from_bytes("refs/x/2", &bytes).unwrap_err();
        assert!(matches!(error, StoreError::OtherVersion { found: 2, supported: 1, .. }), "{error}");
        assert!(error.to_string().contains("newer program"), "{error}");
    }

    #[test]
    fn nonces_differ() {
        let all: std::collections::BTreeSet<_> = (0..1000).map(|_| *Nonce::unique().as_bytes()).collect();
        assert_eq!(all.len(), 1000);
    }

    #[test]
    fn an_event_of_a_later_version_is_kept() {
        let later = RefEntry { event: Event::Other(200), ..entry() };
        assert_eq!(RefEntry::from_bytes("x", &later.to_bytes()).unwrap(), later);
    }

    proptest! {
        #[test]
        fn no_cut_is_an_entry(cut in 0usize..1000) {
            let bytes = entry().to_bytes();
            let cut = cut % bytes.len();
            let error = RefEntry::from_bytes("x", &bytes[..cut]).unwrap_err();
            let typed = matches!(error, StoreError::Corrupt { .. });
            prop_assert!(typed);
        }

        #[test]
        fn one_meaning_has_one_form(at in 0usize..1000, to in any::<u8>()) {
            let mut bytes = entry().to_bytes();
            let at = at % bytes.len();
            bytes[at] = to;
            if let Ok(read) = RefEntry::from_bytes("x", &bytes) {
                prop_assert_eq!(read.to_bytes(), bytes);
            }
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = RefEntry::from_bytes("x", &bytes);
        }
    }
}

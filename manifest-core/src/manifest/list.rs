//! Merkle lists, split as in RFC 9162 (largest power of two below the count, no padding), so that one item can be proved
//! without the others.
//!
//! ```text
//! item   = H[list-leaf](0x00, len16(kind), kind, bytes)
//! inner  = H[list-inner](0x01, left, right)
//! empty  = H[list-empty]()
//! root   = H[list-root](count as u64 little-endian, tree)
//! ```

use crate::digest::{Digest, Object, hash, length};

/// The hash of one item of a list of this kind.
pub(super) fn item(kind: &str, bytes: &[u8]) -> Digest {
    hash(Object::ListLeaf, &[&[0], &length(kind), kind.as_bytes(), bytes])
}

fn inner(left: Digest, right: Digest) -> Digest {
    hash(Object::ListInner, &[&[1], left.as_bytes(), right.as_bytes()])
}

/// The root of a list: of its count and its tree.
pub(super) fn root(items: impl IntoIterator<Item = Digest>) -> Digest {
    // Complete trees of falling size: as many of them as the count has ones. Joined from the right, they are the split.
    let mut trees: Vec<Digest> = Vec::new();
    let mut count: u64 = 0;
    for mut tree in items {
        for _ in 0..count.trailing_ones() {
            if let Some(left) = trees.pop() {
                tree = inner(left, tree);
            }
        }
        trees.push(tree);
        count += 1;
    }
    let joined = trees.into_iter().rev().reduce(|right, left| inner(left, right));
    let tree = joined.unwrap_or_else(|| hash(Object::ListEmpty, &[]));
    hash(Object::ListRoot, &[&count.to_le_bytes(), tree.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The split as RFC 9162 writes it.
    fn split(items: &[Digest]) -> Digest {
        match items {
            [] => Digest::from_bytes(blake3::derive_key("manifest 2026-11 v1 list-empty", b"")),
            [one] => *one,
            more => {
                let at = more.len().next_power_of_two() / 2;
                let (left, right) = more.split_at(at);
                let bytes = [&[1][..], split(left).as_bytes(), split(right).as_bytes()].concat();
                Digest::from_bytes(blake3::derive_key("manifest 2026-11 v1 list-inner", &bytes))
            }
        }
    }

    #[test]
    fn roots_are_those_of_the_recursive_definition() {
        let items: Vec<Digest> = (0..70_u8).map(|i| item("facts", &[i])).collect();
        for n in 0..items.len() {
            let bytes = [&(n as u64).to_le_bytes()[..], split(&items[..n]).as_bytes()].concat();
            let expected = blake3::derive_key("manifest 2026-11 v1 list-root", &bytes);
            assert_eq!(root(items[..n].iter().copied()).as_bytes(), &expected, "{n} items");
        }
    }

    #[test]
    fn kind_bytes_count_and_order_all_count() {
        let of = |kind: &str, items: &[&[u8]]| root(items.iter().map(|bytes| item(kind, bytes)));
        let base = of("drops", &[b"a", b"b"]);
        for other in [
            of("facts", &[b"a", b"b"]),
            of("drops", &[b"b", b"a"]),
            of("drops", &[b"a", b"b", b"b"]),
            of("drops", &[b"a"]),
            of("drops", &[]),
            of("dropsa", &[b"", b"b"]),
        ] {
            assert_ne!(base, other);
        }
        // No item can stand for the two that a tree joins.
        let (a, b) = (item("drops", b"a"), item("drops", b"b"));
        let joined = [a.as_bytes().as_slice(), b.as_bytes()].concat();
        assert_ne!(base, of("drops", &[&joined]));
    }
}

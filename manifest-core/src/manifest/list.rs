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
    let mut count: u64 = 0;
    let tree = tree(items.into_iter().inspect(|_| count += 1));
    hash(Object::ListRoot, &[&count.to_le_bytes(), tree.as_bytes()])
}

/// The hash over all items.
fn tree(items: impl IntoIterator<Item = Digest>) -> Digest {
    // Complete trees of falling size: as many of them as the count has ones. Joined from the right, they are the split.
    let mut trees: Vec<Digest> = Vec::new();
    for (count, mut tree) in (0_u64..).zip(items) {
        for _ in 0..count.trailing_ones() {
            if let Some(left) = trees.pop() {
                tree = inner(left, tree);
            }
        }
        trees.push(tree);
    }
    let joined = trees.into_iter().rev().reduce(|right, left| inner(left, right));
    joined.unwrap_or_else(|| hash(Object::ListEmpty, &[]))
}

/// The hashes that, beside its own, an item's way to the root needs, the lowest first; `None` for an index beyond the items.
pub(super) fn siblings(items: &[Digest], index: usize) -> Option<Vec<Digest>> {
    if index >= items.len() {
        return None;
    }
    let (mut part, mut at, mut out) = (items, index, Vec::new());
    while part.len() > 1 {
        let (left, right) = part.split_at_checked(part.len().next_power_of_two() / 2)?;
        let other;
        (part, other) = if at < left.len() {
            (left, right)
        } else {
            at -= left.len();
            (right, left)
        };
        out.push(tree(other.iter().copied()));
    }
    out.reverse();
    Some(out)
}

/// The root of a list of `count` items in which `item` stands at `index`. `None` where these are not as many siblings as
/// that place has, or the place is beyond the count.
pub(super) fn root_of(item: Digest, index: u64, count: u64, siblings: &[Digest]) -> Option<Digest> {
    let mut last = count.checked_sub(1)?;
    let mut at = Some(index).filter(|index| *index <= last)?;
    let mut tree = item;
    let mut siblings = siblings.iter().copied();
    // Level by level: a last tree that has no right neighbour goes up unjoined.
    while last > 0 {
        if at % 2 == 1 {
            tree = inner(siblings.next()?, tree);
        } else if at < last {
            tree = inner(tree, siblings.next()?);
        }
        (at, last) = (at / 2, last / 2);
    }
    siblings.next().is_none().then(|| hash(Object::ListRoot, &[&count.to_le_bytes(), tree.as_bytes()]))
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
    fn an_item_leads_to_the_root_with_its_siblings_and_no_others() {
        let items: Vec<Digest> = (0..70_u8).map(|i| item("facts", &[i])).collect();
        for n in 1..items.len() {
            let root = root(items[..n].iter().copied());
            for (i, own) in items[..n].iter().enumerate() {
                let path = siblings(&items[..n], i).unwrap();
                assert!(path.len() <= n.next_power_of_two().ilog2() as usize);
                let of = |own, index: usize, count: usize, path: &[Digest]| {
                    root_of(own, index as u64, count as u64, path)
                };
                assert_eq!(of(*own, i, n, &path), Some(root), "{i} of {n}");
                assert_ne!(of(*own, i, n + 1, &path), Some(root));
                assert_ne!(of(*own, i ^ 1, n, &path).filter(|_| n > 1), Some(root));
                assert_ne!(of(items[69], i, n, &path), Some(root));
                let longer = [path.as_slice(), &[*own]].concat();
                assert_eq!(of(*own, i, n, &longer), None);
                if let Some(shorter) = path.len().checked_sub(1) {
                    assert_eq!(of(*own, i, n, &path[..shorter]), None);
                    let mut other = path.clone();
                    other[shorter] = *own;
                    assert_ne!(of(*own, i, n, &other), Some(root));
                }
            }
            assert_eq!(siblings(&items[..n], n), None);
        }
        assert_eq!(siblings(&[], 0), None);
        assert_eq!(root_of(items[0], 0, 0, &[]), None);
        assert_eq!(root_of(items[0], u64::MAX, u64::MAX, &[]), None);
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

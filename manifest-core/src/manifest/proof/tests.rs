//! Every part of a proof counts, and no bytes bring a reader down.

use super::super::canonical::{Cursor, Map, Writer, check};
use super::super::{Making, NodeBuilder, NodeManifest, seal};
use super::*;
use crate::child::Child;
use crate::manifest::{DropReason, Fate, FormatError};
use crate::node::Draft;
use crate::policy::Policy;
use proptest::prelude::*;

const TEXTS: [&str; 3] = [
    "The importer crashed with E_QUOTA_4417 on node db-7, then on node db-8.",
    "The quota of bucket media-eu was raised to 640 GiB.",
    "A second run of the importer finished on node db-7.",
];

fn leaves() -> Vec<NodeManifest> {
    TEXTS.iter().map(|text| NodeManifest::of_leaf(&Child::new(*text)).unwrap()).collect()
}

/// A node over some children that drops everything.
fn over(children: &[&NodeManifest]) -> NodeManifest {
    let mut node = NodeBuilder::new("Something happened.");
    let reason = node.reason(DropReason::NotRequired);
    for child in children {
        let place = node.child(child);
        for fact in 0..u32::try_from(child.fact_count()).unwrap() {
            node.account(place, fact, Fate::Dropped { reason });
        }
    }
    node.finish().unwrap()
}

/// A gated node over the leaves with a ledger, and an ungated root over it.
fn tree() -> (Vec<NodeManifest>, NodeManifest, NodeManifest) {
    let below = leaves();
    let draft = Draft::trace(&TEXTS, "Node db-7: the importer crashed; the quota was raised.".to_owned());
    let gated = draft.ledger(["640 GiB"]).gate(&Policy::narrative()).unwrap();
    let node = seal(&gated, &below.iter().collect::<Vec<_>>(), Making::default()).unwrap();
    let root = over(&[&node]);
    (below, node, root)
}

#[test]
fn every_fact_of_every_leaf_and_node_is_proved_to_its_root() {
    let (below, node, root) = tree();
    for (leaf, text) in below.iter().zip(TEXTS) {
        for fact in 0..leaf.fact_count() {
            let made = InclusionProof::of(fact, &[leaf, &node, &root]).unwrap();
            let proof = InclusionProof::parse(made.bytes()).unwrap();
            let proven = proof.verify(root.id()).unwrap();
            assert_eq!(proven.fact().text(), leaf.fact(fact).unwrap().text());
            assert_eq!(proven.check_text(text), Ok(()));
            assert!(matches!(proven.check_text(TEXTS[1]), Ok(()) | Err(ProofError::Text { .. })));
            let way: Vec<(NodeId, u32)> = proven.nodes().iter().map(|node| (node.id, node.level)).collect();
            assert_eq!(way, [(leaf.id(), 0), (node.id(), 1), (root.id(), 2)]);
            assert_eq!((proven.text_digest(), proven.text_bytes()), (leaf.text_digest(), leaf.text_bytes()));
            assert_eq!(proven.origin(), leaf.origin());
            // It proves nothing of another root, nor of a part of the way.
            for other in [leaf.id(), node.id()] {
                assert_eq!(
                    proof.verify(other).unwrap_err(),
                    ProofError::Root { pinned: other, found: root.id() }
                );
            }
            assert_eq!(proof.bytes(), made.bytes());
        }
    }
    let carried = node.text_fact_count();
    let proof = InclusionProof::of(carried, &[&node, &root]).unwrap();
    let proven = proof.verify(root.id()).unwrap();
    assert_eq!((proven.fact().text(), proven.is_of_ledger()), (Some("640 GiB"), true));
    assert_eq!(proven.check_text("640 GiB"), Err(ProofError::OfLedger));
    // A leaf alone is its own root.
    let proof = InclusionProof::of(0, &[&below[0]]).unwrap();
    assert!(proof.verify(below[0].id()).is_ok());
}

#[test]
fn no_way_no_proof() {
    let (below, node, root) = tree();
    let count = below[0].fact_count();
    let refused = InclusionProof::of(count, &[&below[0], &node]).unwrap_err();
    assert_eq!(refused, ProveError::NoFact { of: below[0].id(), fact: count, count });
    let skipped = InclusionProof::of(0, &[&below[0], &root]).unwrap_err();
    assert_eq!(skipped, ProveError::NotAChild { child: below[0].id(), parent: root.id() });
    assert_eq!(InclusionProof::of(0, &[]), Err(ProveError::Steps { found: 0 }));
    let mut way = vec![&below[0]];
    way.resize(65, &root);
    assert_eq!(InclusionProof::of(0, &way), Err(ProveError::Steps { found: 65 }));
}

/// A proof in parts that can be changed one by one.
#[derive(Clone)]
struct Parts {
    version: u64,
    section: String,
    item: Vec<u8>,
    steps: Vec<RawStep>,
}

#[derive(Clone)]
struct RawStep {
    index: u64,
    count: u64,
    siblings: Vec<Digest>,
    body: Vec<u8>,
    decision: Option<Digest>,
}

impl Parts {
    fn of(proof: &InclusionProof) -> Self {
        let steps = proof.steps.iter().map(|step| RawStep {
            index: step.index,
            count: step.count,
            siblings: step.siblings.clone(),
            body: proof.bytes_at(&step.body).to_vec(),
            decision: step.decision.map(Digest::from),
        });
        Parts {
            version: VERSION,
            section: proof.section.to_owned(),
            item: proof.bytes_at(&proof.item).to_vec(),
            steps: steps.collect(),
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut map = Map::default();
        map.put("in", |w| w.text(&self.section));
        map.put("item", |w| w.item(&self.item));
        map.put("proof", |w| w.uint(self.version));
        map.put("steps", |w| {
            w.list(self.steps.len());
            for step in &self.steps {
                w.list(2 + usize::from(step.decision.is_some()));
                w.list(2 + step.siblings.len());
                w.uint(step.index);
                w.uint(step.count);
                for sibling in &step.siblings {
                    w.bytes(sibling.as_bytes());
                }
                w.item(&step.body);
                if let Some(decision) = step.decision {
                    w.bytes(decision.as_bytes());
                }
            }
        });
        let mut to = Writer::default();
        map.write(&mut to);
        to.into_bytes()
    }
}

/// Changes a body's key to another value, or takes it out.
fn with_key(body: &[u8], key: &str, value: Option<&[u8]>) -> Vec<u8> {
    let mut map = Map::default();
    let mut fields: Vec<(&str, std::ops::Range<usize>)> = Vec::new();
    let mut cursor = Cursor::at(body, 0);
    cursor
        .fields(|cursor, known| {
            fields.push((known, cursor.skip()));
            Ok(true)
        })
        .unwrap();
    for (known, range) in fields.iter().filter(|(known, _)| *known != key) {
        map.put(known, |w| w.item(&body[range.clone()]));
    }
    map.put_some(key, value, Writer::item);
    let mut to = Writer::default();
    map.write(&mut to);
    to.into_bytes()
}

#[test]
fn each_field_of_a_proof_counts() {
    let (below, node, root) = tree();
    let proof = InclusionProof::of(0, &[&below[0], &node, &root]).unwrap();
    let parts = Parts::of(&proof);
    assert_eq!(parts.write(), proof.bytes());
    let tampered = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        let bytes = parts.write();
        assert_eq!(check(&bytes), Ok(()));
        assert!(bytes != proof.bytes(), "nothing was changed");
        match InclusionProof::parse(&bytes) {
            Ok(proof) => proof.verify(root.id()).map(drop).unwrap_err(),
            Err(error) => error,
        }
    };
    let not_included = |step, section| ProofError::NotIncluded { step, section };
    let digest = Digest::from_bytes([7; 32]);
    assert_eq!(tampered(&|p| p.version = 2), ProofError::Version { found: 2 });
    // The section: a leaf has no ledger, nor does a fact of one list stand in another.
    assert_eq!(
        tampered(&|p| p.section = "carried".to_owned()),
        FormatError::SectionUnlisted { name: "carried".to_owned() }.into()
    );
    assert!(matches!(tampered(&|p| p.section = "children".to_owned()), ProofError::Format(_)));
    // The item.
    let record = |text: &str| {
        let mut w = Writer::default();
        w.list(3);
        w.uint(17);
        w.text(text);
        w.uint(26);
        w.into_bytes()
    };
    assert_eq!(record("E_QUOTA_4417"), parts.item, "the record that is forged here");
    assert_eq!(tampered(&|p| p.item = record("E_QUOTA_4471")), not_included(0, "facts"));
    // Each field of each place.
    for step in 0..2 {
        let section = ["facts", "children"][step];
        assert_eq!(tampered(&|p| p.steps[step].index ^= 1), not_included(step, section));
        assert_eq!(tampered(&|p| p.steps[step].index = p.steps[step].count), ProofError::Place { step });
        assert_eq!(tampered(&|p| p.steps[step].index = u64::MAX), ProofError::Place { step });
        assert_eq!(tampered(&|p| p.steps[step].count = 0), ProofError::Place { step });
        assert_eq!(tampered(&|p| p.steps[step].count += 1), not_included(step, section));
        assert_eq!(tampered(&|p| p.steps[step].count = u64::MAX), ProofError::Place { step });
        assert_eq!(tampered(&|p| p.steps[step].siblings[0] = digest), not_included(step, section));
        assert_eq!(tampered(&|p| p.steps[step].siblings.reverse()), not_included(step, section));
        assert_eq!(tampered(&|p| p.steps[step].siblings.push(digest)), ProofError::Place { step });
        assert_eq!(tampered(&|p| p.steps[step].siblings.truncate(1)), ProofError::Place { step });
    }
    // Each key of each body.
    for step in 0..3 {
        let mut keys = Vec::new();
        let body = parts.steps[step].body.clone();
        Cursor::at(&body, 0)
            .fields(|cursor, key| {
                keys.push(key.to_owned());
                cursor.skip();
                Ok(true)
            })
            .unwrap();
        assert!(keys.len() >= 5, "{keys:?}");
        for key in &keys {
            for value in [None, Some(&[0x01][..]), Some(&[0x61, b'x']), Some(&[0xa0]), Some(&[0x80])] {
                let other = with_key(&body, key, value);
                if other != body {
                    tampered(&|p| p.steps[step].body.clone_from(&other));
                }
            }
        }
        let more = tampered(&|p| p.steps[step].body = with_key(&body, "later", Some(&[0x01])));
        let refused = match step {
            0 => not_included(1, "children"),
            1 => not_included(2, "children"),
            _ => return_root(&more, root.id()),
        };
        assert_eq!(more, refused);
    }
    // The decision: changed, left out, given to a leaf.
    assert_eq!(tampered(&|p| p.steps[1].decision = Some(digest)), not_included(2, "children"));
    assert_eq!(tampered(&|p| p.steps[1].decision = None), not_included(2, "children"));
    assert!(matches!(tampered(&|p| p.steps[0].decision = Some(digest)), ProofError::Format(_)));
    assert!(matches!(tampered(&|p| p.steps[2].decision = Some(digest)), ProofError::Root { .. }));
    // The steps: one left out, doubled, in another order, none, too many.
    assert_eq!(tampered(&|p| drop(p.steps.remove(1))), not_included(1, "children"));
    assert!(matches!(tampered(&|p| drop(p.steps.pop())), ProofError::Root { .. }));
    assert_eq!(tampered(&|p| p.steps.insert(1, p.steps[1].clone())), ProofError::Level { step: 2, level: 1 });
    assert_eq!(tampered(&|p| p.steps.reverse()), ProofError::NotListed { step: 0, section: "facts" });
    assert_eq!(tampered(&|p| p.steps.swap(1, 2)), not_included(1, "children"));
    assert_eq!(tampered(&|p| p.steps.clear()), ProofError::Steps { found: 0 });
    let many = tampered(&|p| p.steps = vec![p.steps[0].clone(); 65]);
    assert_eq!(many, ProofError::Steps { found: 65 });
    // A leaf is nobody's parent.
    let leaf = tampered(&|p| p.steps[2] = p.steps[0].clone());
    assert_eq!(leaf, ProofError::Level { step: 2, level: 0 });
}

fn return_root(error: &ProofError, pinned: NodeId) -> ProofError {
    match error {
        ProofError::Root { found, .. } => ProofError::Root { pinned, found: *found },
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_hashes_well_and_is_no_fact_is_refused() {
    // Whoever makes a tree can commit to anything: then its root is not pinned. A proof in it is still read with care.
    let mut body = Map::default();
    let item = {
        let mut w = Writer::default();
        w.list(3);
        w.uint(2);
        w.text("beyond");
        w.uint(1000);
        w.into_bytes()
    };
    let root = list::root([list::item("facts", &item)]);
    body.put("k", |w| w.text("leaf"));
    body.put("v", |w| w.uint(1));
    body.put("s", |w| {
        w.map(1);
        w.text("facts");
        w.bytes(SectionDigest::of("facts", root).as_bytes());
    });
    body.put("from", |w| {
        w.map(1);
        w.text("role");
        w.text("user");
    });
    body.put("text", |w| w.bytes(&[0; 32]));
    body.put("bytes", |w| w.uint(10));
    let mut to = Writer::default();
    body.write(&mut to);
    let body = to.into_bytes();
    let id = NodeId::of(BodyId::of(&body), None);
    let step = RawStep { index: 0, count: 1, siblings: Vec::new(), body, decision: None };
    let parts = Parts { version: 1, section: "facts".to_owned(), item, steps: vec![step] };
    let proof = InclusionProof::parse(&parts.write()).unwrap();
    assert!(matches!(proof.verify(id), Err(ProofError::Format(FormatError::Expected { .. }))));
}

#[test]
fn no_flipped_bit_and_no_cut_is_a_proof() {
    let (below, node, root) = tree();
    let proof = InclusionProof::of(0, &[&below[0], &node, &root]).unwrap();
    let mut bytes = proof.bytes().to_vec();
    let holds = |bytes: &[u8]| InclusionProof::parse(bytes).is_ok_and(|p| p.verify(root.id()).is_ok());
    assert!(holds(&bytes));
    for i in 0..bytes.len() {
        for bit in 0..8 {
            bytes[i] ^= 1 << bit;
            assert!(!holds(&bytes), "byte {i}, bit {bit}");
            bytes[i] ^= 1 << bit;
        }
        assert!(!holds(&bytes[..i]));
    }
    bytes.push(0);
    assert!(!holds(&bytes));
}

#[test]
fn a_proof_grows_with_the_logarithm() {
    let text = |n: usize| (0..n).map(|i| format!("node db-{i}")).collect::<Vec<_>>().join("\n");
    let size = |n: usize| {
        let leaf = NodeManifest::of_leaf(&Child::new(text(n))).unwrap();
        assert_eq!(leaf.fact_count(), n);
        InclusionProof::of(n / 2, &[&leaf]).unwrap().bytes().len()
    };
    let (small, large) = (size(16), size(4096));
    assert!(large - small <= 8 * 34 + 16, "{small} {large}");
}

proptest! {
    #[test]
    fn any_bytes_are_parsed_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(InclusionProof::parse(&bytes).is_err());
    }
}

//! Tampering by those who hash again, and by those who do not; bytes of other versions; pinned vectors.

use super::body::Body;
use super::canonical::{Cursor, Map, Writer, check};
use super::document::Parts;
use super::section::Items;
use super::*;
use crate::child::Child;
use crate::digest::Digest;
use crate::fact::{Class, FactId};
use crate::node::Draft;
use crate::policy::Policy;

const LEAVES: [&str; 2] = [
    "The importer crashed with E_QUOTA_4417 on node db-7.",
    "The quota of bucket media-eu was raised to 640 GiB.",
];

fn leaves() -> Vec<NodeManifest> {
    LEAVES.iter().map(|text| NodeManifest::of_leaf(&Child::new(*text)).unwrap()).collect()
}

/// A node that states one fact, carries one, and drops others for two reasons.
fn node() -> NodeManifest {
    let text = "The importer crashed on node db-7. The quota was raised.".to_owned();
    let draft = Draft::trace(&LEAVES, text).ledger(["640 GiB"]);
    let drops = [crate::Drop::new("E_QUOTA_4417", "told elsewhere")];
    let gated = draft.drops(drops).gate(&Policy::narrative()).unwrap();
    let below = leaves();
    seal(&gated, &below.iter().collect::<Vec<_>>(), Making::default()).unwrap()
}

/// The sections of a manifest, each item as its bytes.
type Raw = Vec<(String, Vec<Vec<u8>>)>;

/// The same manifest with other sections, hashed again from the sections up.
fn rehashed(
    manifest: &NodeManifest,
    change: impl FnOnce(&mut Body, &mut Raw),
) -> Result<NodeManifest, FormatError> {
    let at = Cursor::at(manifest.bytes(), 0);
    let (mut body, _) = Body::read(manifest.bytes(), body_range(at)).unwrap();
    let items = |section: &section::Section| section.ranges().map(|r| manifest.bytes()[r].to_vec()).collect();
    let mut raw: Raw = manifest.sections().iter().map(|s| (s.name.to_string(), items(s))).collect();
    change(&mut body, &mut raw);
    let sections = raw.iter().map(|(name, raw)| {
        let mut items = Items::default();
        for item in raw {
            items.add(|w| w.item(item));
        }
        (name.as_str(), items)
    });
    Parts { body, sections: sections.collect(), decision: None }.finish()
}

fn body_range(mut cursor: Cursor<'_>) -> std::ops::Range<usize> {
    let mut range = 0..0;
    cursor
        .fields(|cursor, key| {
            if key == "body" {
                range = cursor.skip();
            }
            Ok(key == "body")
        })
        .unwrap();
    range
}

fn section<'r>(raw: &'r mut Raw, name: &str) -> &'r mut Vec<Vec<u8>> {
    let place = raw.iter().position(|(known, _)| known == name).unwrap();
    &mut raw[place].1
}

/// The top level of a manifest, each value as its bytes.
fn top(manifest: &NodeManifest) -> Vec<(String, Vec<u8>)> {
    let mut pairs = Vec::new();
    let read = |cursor: &mut Cursor<'_>, key: &str| {
        pairs.push((key.to_owned(), manifest.bytes()[cursor.skip()].to_vec()));
        Ok(true)
    };
    Cursor::at(manifest.bytes(), 0).fields(read).unwrap();
    pairs
}

fn written(pairs: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut map = Map::default();
    for (key, value) in pairs {
        map.put(key, |w| w.item(value));
    }
    let mut to = Writer::default();
    map.write(&mut to);
    to.into_bytes()
}

#[test]
fn the_node_of_these_tests_has_every_fate() {
    let (node, below) = (node(), leaves());
    let counts: Vec<[u64; 4]> = (0..2).map(|child| node.fates(child).unwrap().counts()).collect();
    assert!(counts[0][0] > 0 && counts[1][1] > 0 && counts[0][3] > 0, "{counts:?}");
    assert!(node.drops().count() >= 2);
    assert_eq!(node.accounting(&below.iter().collect::<Vec<_>>()), Ok(()));
    // Writing the same again gives the same but for the decision.
    let again = rehashed(&node, |_, _| ()).unwrap();
    assert_eq!((again.body_id(), again.decision_id()), (node.body_id(), None));
}

#[test]
fn the_rule_finds_what_was_hashed_again() {
    let (node, below) = (node(), leaves());
    let below: Vec<&NodeManifest> = below.iter().collect();
    let accounting = |change: &dyn Fn(&mut Raw)| {
        let other = rehashed(&node, |_, raw| change(raw)).unwrap();
        assert_ne!(other.body_id(), node.body_id());
        other.accounting(&below)
    };
    let removed = accounting(&|raw| drop(section(raw, "drops").pop()));
    assert!(matches!(removed, Err(AccountingError::Reason { .. })), "{removed:?}");
    let all = accounting(&|raw| raw.retain(|(name, _)| name != "drops"));
    assert!(matches!(all, Err(AccountingError::Reason { child: 0, .. })), "{all:?}");
    let silent = ChildFates::default();
    let silenced = accounting(&|raw| {
        let mut to = Writer::default();
        silent.write(&mut to);
        section(raw, "fates")[1] = to.into_bytes();
    });
    assert!(matches!(silenced, Err(AccountingError::Unaccounted { child: 1, .. })), "{silenced:?}");
    let swapped = accounting(&|raw| section(raw, "fates").swap(0, 1));
    assert!(swapped.is_err());
    let order = accounting(&|raw| section(raw, "children").swap(0, 1));
    assert!(matches!(order, Err(AccountingError::Child { child: 0, .. })), "{order:?}");
    let doubled = accounting(&|raw| {
        for name in ["children", "fates"] {
            let again = section(raw, name)[1].clone();
            section(raw, name).push(again);
        }
    });
    assert_eq!(doubled, Err(AccountingError::Count { listed: 3, given: 2 }));
    // A fact that is only carried is no fact of the text.
    let moved = accounting(&|raw| {
        let mut carried = std::mem::take(section(raw, "carried"));
        raw.retain(|(name, _)| name != "carried");
        section(raw, "facts").insert(0, carried.remove(0));
    });
    assert!(matches!(moved, Err(AccountingError::Target { .. })), "{moved:?}");
    // An edited reason keeps the account, and is another node to whoever lists it.
    let edited = accounting(&|raw| {
        let mut to = Writer::default();
        DropReason::ByCaller("because".to_owned()).write(&mut to);
        section(raw, "drops")[0] = to.into_bytes();
    });
    assert_eq!(edited, Ok(()));
}

#[test]
fn what_two_children_hold_alike_is_merged_with_its_equal_only() {
    let leaf = NodeManifest::of_leaf(&Child::new("Node db-7 and node db-8.")).unwrap();
    let mut node = NodeBuilder::new("Nodes.");
    let (first, second) = (node.child(&leaf), node.child(&leaf));
    let reason = node.reason(DropReason::NotRequired);
    for fact in 0..2 {
        node.account(first, fact, Fate::Dropped { reason });
    }
    let mut crossed = node.clone();
    crossed.account(second, 0, Fate::Merged { child: 0, fact: 1 }).account(
        second,
        1,
        Fate::Merged { child: 0, fact: 0 },
    );
    let crossed = crossed.finish().unwrap_err();
    assert_eq!(crossed, BuildError::Accounting(AccountingError::Target { child: 1, fact: 0 }));
    node.account(second, 0, Fate::Merged { child: 0, fact: 0 }).account(
        second,
        1,
        Fate::Merged { child: 0, fact: 1 },
    );
    assert_eq!(node.finish().unwrap().accounting(&[&leaf, &leaf]), Ok(()));
}

#[test]
fn a_section_of_a_later_version_is_kept_and_verified() {
    let node = node();
    let future = |critical: bool| {
        rehashed(&node, |body, raw| {
            raw.push(("x.future".to_owned(), vec![vec![0x81, 0x18, 0x2a], vec![0xa1, 0x61, b'a', 0xf5]]));
            if critical {
                body.critical.push("x.future".to_owned());
            }
        })
        .unwrap()
    };
    let plain = future(false);
    assert_eq!(plain.unknown_sections().collect::<Vec<_>>(), ["x.future"]);
    assert_eq!(plain.unknown_critical_sections().count(), 0);
    let below = leaves();
    assert_eq!(plain.accounting(&below.iter().collect::<Vec<_>>()), Ok(()));
    assert_eq!(serde_json::to_value(&plain).unwrap()["section.x.future"][0][0], 42);
    assert_eq!(future(true).unknown_critical_sections().collect::<Vec<_>>(), ["x.future"]);
    // An old writer that drops it cannot keep the body.
    let mut pairs = top(&plain);
    let sections = pairs.iter_mut().find(|(key, _)| key == "sections").unwrap();
    *sections = top(&node).into_iter().find(|(key, _)| key == "sections").unwrap();
    let stripped = NodeManifest::parse(&written(&pairs));
    assert_eq!(stripped, Err(FormatError::SectionMissing { name: "x.future".to_owned() }));
    // Nor can one that changes a byte of it.
    let at = plain.bytes().windows(3).position(|w| w == [0x81, 0x18, 0x2a]).unwrap();
    let mut bytes = plain.bytes().to_vec();
    bytes[at + 2] += 1;
    assert_eq!(NodeManifest::parse(&bytes), Err(FormatError::SectionDigest { name: "x.future".to_owned() }));
    // A critical section that is not there was stripped together with its digest.
    let gone = rehashed(&node, |body, _| body.critical.push("x.future".to_owned()));
    assert_eq!(gone, Err(FormatError::SectionMissing { name: "x.future".to_owned() }));
}

#[test]
fn keys_of_a_later_version_are_passed_over_where_the_id_covers_them() {
    let leaf = &leaves()[0];
    let mut pairs = top(leaf);
    let add = |to: &str, key: &str, value: &[u8]| {
        let place = pairs.iter().position(|(known, _)| known == to).unwrap();
        let mut map = Map::default();
        let old = pairs[place].1.clone();
        let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
        let read = |cursor: &mut Cursor<'_>, key: &str| {
            fields.push((key.to_owned(), old[cursor.skip()].to_vec()));
            Ok(true)
        };
        Cursor::at(&old, 0).fields(read).unwrap();
        for (key, value) in &fields {
            map.put(key, |w| w.item(value));
        }
        map.put(key, |w| w.item(value));
        let mut to = Writer::default();
        map.write(&mut to);
        let mut pairs = pairs.clone();
        pairs[place].1 = to.into_bytes();
        NodeManifest::parse(&written(&pairs))
    };
    let more = add("body", "later", &[0x01]).unwrap();
    assert_ne!(more.id(), leaf.id());
    assert_eq!(more.fact_count(), leaf.fact_count());
    assert_eq!(add("body", "v", &[0x02]), Err(FormatError::Version { found: 2 }));
    assert!(matches!(add("body", "k", &[0x61, b'x']), Err(FormatError::Expected { .. })));
    // A section that the body does not list.
    assert_eq!(add("sections", "aa", &[0x80]), Err(FormatError::SectionUnlisted { name: "aa".to_owned() }));
    // What no id covers is refused.
    pairs.push(("note".to_owned(), vec![0x01]));
    assert!(matches!(NodeManifest::parse(&written(&pairs)), Err(FormatError::Expected { .. })));
}

#[test]
fn a_decision_is_about_its_body_and_rests_on_evidence() {
    let (node, leaf) = (node(), &leaves()[0]);
    let with = |key: &str, value: Option<Vec<u8>>| {
        let mut pairs = top(&node);
        pairs.retain(|(known, _)| known != key);
        pairs.extend(value.map(|value| (key.to_owned(), value)));
        NodeManifest::parse(&written(&pairs))
    };
    assert_eq!(with("evidence", None), Err(FormatError::EvidenceEmpty));
    assert_eq!(with("evidence", Some(vec![0x80])), Err(FormatError::EvidenceEmpty));
    assert_eq!(with("evidence", Some(vec![0x81, 0x01])), Err(FormatError::EvidenceDigest));
    assert_eq!(with("decision", None), Err(FormatError::Missing { field: "decision" }));
    assert_eq!(with("body", None), Err(FormatError::Missing { field: "body" }));
    // The decision of this node beside the body of a leaf.
    let mut pairs = top(leaf);
    pairs.extend(top(&node).into_iter().filter(|(key, _)| key == "decision" || key == "evidence"));
    assert_eq!(NodeManifest::parse(&written(&pairs)), Err(FormatError::DecisionBody));
}

#[test]
fn a_leaf_has_no_sections_of_a_node_and_no_empty_ones() {
    let leaf = &leaves()[0];
    let other = rehashed(leaf, |_, raw| raw.push(("drops".to_owned(), vec![vec![0x81, 0x60]])));
    assert_eq!(other, Err(FormatError::SectionUnlisted { name: "drops".to_owned() }));
    let many = |n: usize| {
        rehashed(leaf, |_, raw| raw.extend((0..n).map(|i| (format!("x{i:03}"), vec![vec![0x00]]))))
    };
    assert_eq!(many(255).map(|leaf| leaf.unknown_sections().count()), Ok(255));
    assert!(matches!(many(256), Err(FormatError::Expected { .. })));
    let names = ["", &"n".repeat(65)];
    for name in names {
        let other = rehashed(leaf, |_, raw| raw.push((name.to_owned(), vec![vec![0x00]])));
        assert!(matches!(other, Err(FormatError::Expected { .. })), "{name}");
    }
}

#[test]
fn records_that_are_no_facts_are_refused() {
    let leaf = &leaves()[0];
    let with = |item: &[u8]| {
        assert_eq!(check(item), Ok(()), "{item:02x?}");
        rehashed(leaf, |_, raw| *section(raw, "facts") = vec![item.to_vec()])
    };
    // [2, "a", 0] is an identifier at the first byte of the text.
    assert!(with(&[0x83, 0x02, 0x61, b'a', 0x00]).is_ok());
    for (why, item) in [
        ("no place", &[0x82, 0x02, 0x61, b'a'][..]),
        ("beyond the text", &[0x83, 0x02, 0x61, b'a', 0x19, 0x10, 0x00]),
        ("one place twice", &[0x84, 0x02, 0x61, b'a', 0x01, 0x00]),
        ("a class that is not there", &[0x83, 0x18, 0x1c, 0x61, b'a', 0x00]),
        ("a known class by its name", &[0x83, 0x64, b'p', b'a', b't', b'h', 0x61, b'a', 0x00]),
        ("a text that is the value", &[0x84, 0x02, 0x61, b'a', 0x00, 0xa1, 0x61, b't', 0x61, b'a']),
        ("a length of a value", &[0x84, 0x02, 0x61, b'a', 0x00, 0xa1, 0x61, b'n', 0x01]),
        ("an empty map", &[0x84, 0x02, 0x61, b'a', 0x00, 0xa0]),
        ("a false mark", &[0x84, 0x02, 0x61, b'a', 0x00, 0xa1, 0x61, b'm', 0xf4]),
        ("a secret with its value", &[0x84, 0x18, 0x1b, 0x61, b'a', 0x00, 0xa1, 0x61, b'n', 0x01]),
        ("a secret without its length", &[0x83, 0x18, 0x1b, 0x60, 0x00]),
        ("something after the map", &[0x85, 0x02, 0x61, b'a', 0x00, 0xa1, 0x61, b'm', 0xf5, 0x00]),
        ("no list", &[0x00]),
    ] {
        assert!(with(item).is_err(), "{why}");
    }
    // A class that came later is written by its name, and has its ids.
    let later = with(&[0x83, 0x63, b'c', b'v', b'e', 0x61, b'a', 0x00]).unwrap();
    let fact = later.fact(0).unwrap();
    assert_eq!((fact.class(), fact.known_class()), ("cve", None));
    let expected = blake3::derive_key("manifest 2026-11 v1 fact", b"\x00\x03cvea");
    assert_eq!(fact.id().map(|id| *id.as_bytes()), Some(expected));
    // Facts stand by their first place.
    let (first, second) = (vec![0x83, 0x02, 0x61, b'a', 0x00], vec![0x83, 0x02, 0x61, b'b', 0x01]);
    assert!(rehashed(leaf, |_, raw| *section(raw, "facts") = vec![first.clone(), second.clone()]).is_ok());
    assert!(rehashed(leaf, |_, raw| *section(raw, "facts") = vec![second, first]).is_err());
}

/// Computed by another implementation of BLAKE3, from the formulas alone.
#[test]
fn hashes_are_those_of_the_format() {
    let item = |n: u8| list::item("facts", &[n]);
    let root = |n: u8| list::root((0..n).map(item));
    let (body, decision) = (BodyId::of(b"\xa0"), DecisionId::of(b"\xa0"));
    let vectors: [(&str, Digest, &str); 13] = [
        (
            "fact",
            FactId::of(Class::Quantity, "30 s").digest(),
            "a4124f47a9922057a3e2fa022f7142376e0feab1ab460737b6bc4006c84647d8",
        ),
        (
            "text",
            TextDigest::of("hello world").digest(),
            "d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24",
        ),
        ("item", item(1), "297bb25994d91079b438a6a013898ffb1c5a8acebf5120adad6c98ec3aabf32e"),
        ("no items", root(0), "0589ad4437ef2357834176a3cd43c253357bcf84af916917037d9f1ce6ec8422"),
        ("1 item", root(1), "410c9720d28857cd7a2423fcbab4e3bcb80d92060e95f2c1621b6c9e22f0b21a"),
        ("2 items", root(2), "89e543dfe429e851a6f111c79def32ad8b72b651b656deb1715cadd7b3544fc5"),
        ("3 items", root(3), "788d1bbc519a371dd9f1d40b56b0e75a922ef39189e4e8d576d76ae9bf4e8dd7"),
        ("5 items", root(5), "900bcc57721f4a1f486ee7f4489b1aaab575bcc852637b0d16061f9c0dc07559"),
        (
            "section",
            SectionDigest::of("facts", list::root([item(1)])).digest(),
            "156bb039c26eea229f8e4ab8209c6adb3e208d2aac3a26defb8a326d356cecfd",
        ),
        ("body", body.digest(), "eb35e5adf53c2facc780381ee9bdeeb1666fa71033de989d1d117a79957d8b7d"),
        ("decision", decision.digest(), "c5d4c7349358935be0962c6a2a761e5ecd9a3ba2508829d8f394a9e7630290f1"),
        (
            "leaf",
            NodeId::of(body, None).digest(),
            "8afdf85e9c4bd2887901d39f1efde071394216076dd8632ce4b2987aad97efe1",
        ),
        (
            "node",
            NodeId::of(body, Some(decision)).digest(),
            "dc6df704e4359b0259b06815581eacafeb81c012dfcda56dcdbbeb91d05fcd4b",
        ),
    ];
    for (name, found, expected) in vectors {
        assert_eq!(found.to_string(), expected, "{name}");
    }
}

/// The whole of a leaf, as it was first written. Its bytes were also read, written again and hashed by another
/// implementation of DAG-CBOR and BLAKE3.
#[test]
fn a_leaf_is_written_as_ever() {
    let pinned =
        "a264626f6479a6616b646c6561666173a165666163747358209de95115c9a1f0309bca178c080389affe7632ab0cb290 \
         54bd82b12aa128a3c06176016466726f6da164726f6c6569617373697374616e7464746578745820d2ad4b05d315fc95 \
         e1f243883f498445d4e8e21fc722fc3b4181af38448d595665627974657318346873656374696f6e73a1656661637473 \
         8283116c455f51554f54415f34343137181a83026464622d37182f"
            .replace(' ', "");
    let leaf = &leaves()[0];
    let byte = |i: usize| u8::from_str_radix(&pinned[i..i + 2], 16).unwrap();
    assert_eq!(leaf.bytes(), (0..pinned.len()).step_by(2).map(byte).collect::<Vec<_>>());
    assert_eq!(leaf.id().to_string(), "ebf9d69d429e0f4f1728475b0644830c4916362934cb29ab52892ed696abdbc7");
}

//! A version-2 writer against the version-1 reader: what it does not know it keeps, verifies and carries along, and stops
//! before it judges over something critical.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod foreign;

use foreign::{Fields, Foreign};
use ipld_core::ipld::Ipld;
use manifest_core::recover::{Integrity, TreeMap, Verify};
use manifest_core::store::{BlobKey, Blobs, Memory, block_on};
use manifest_core::tree::{Blocker, Stored, Tree, TreeError};
use manifest_core::{
    Child, Code, Draft, Embedded, EmbeddedError, FormatError, InclusionProof, Making, NodeManifest, Policy,
    seal,
};
use serde::{Deserialize, Serialize};

const TEXT: &str = "The importer crashed with E_QUOTA_4417 on node db-7.";

/// The manifest as a later version writes it: with a section, a key of the body and a class that this one does not know.
fn later(bytes: &[u8], critical: bool) -> NodeManifest {
    let mut later = Foreign::of(bytes);
    later.body().insert("later".to_owned(), Ipld::Integer(7));
    // Also one without any item, which is not the same as none.
    later.section("x.empty");
    later.section("x.lineage").extend([Ipld::List(vec![Ipld::Integer(42)]), Ipld::String("from".to_owned())]);
    if critical {
        later.body().insert("crit".to_owned(), Ipld::List(vec![Ipld::String("x.lineage".to_owned())]));
    }
    NodeManifest::parse(&later.finish()).unwrap()
}

fn leaf() -> NodeManifest {
    NodeManifest::of_leaf(&Child::new(TEXT)).unwrap()
}

/// A caller's summary with its manifest inside.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Summary {
    text: String,
    #[serde(default)]
    manifest: Embedded,
    codes: Vec<String>,
}

#[test]
fn what_is_unknown_survives_every_format_inside_the_callers_struct() {
    for critical in [false, true] {
        let manifest = later(leaf().bytes(), critical);
        let summary = Summary {
            text: TEXT.to_owned(),
            manifest: Embedded::of(&manifest),
            codes: vec!["E_QUOTA_4417".to_owned()],
        };
        let same = |name: &str, back: Summary| {
            assert_eq!(back, summary, "{name}");
            let read = back.manifest.read().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(read.id(), manifest.id(), "{name}");
            assert_eq!(read.unknown_sections().collect::<Vec<_>>(), ["x.empty", "x.lineage"], "{name}");
            assert_eq!(read.unknown_critical_sections().count(), usize::from(critical), "{name}");
        };
        same("JSON", serde_json::from_str(&serde_json::to_string(&summary).unwrap()).unwrap());
        same("JSON values", serde_json::from_value(serde_json::to_value(&summary).unwrap()).unwrap());
        same("TOML", toml::from_str(&toml::to_string(&summary).unwrap()).unwrap());
        same("MessagePack", rmp_serde::from_slice(&rmp_serde::to_vec(&summary).unwrap()).unwrap());
        same(
            "MessagePack, named",
            rmp_serde::from_slice(&rmp_serde::to_vec_named(&summary).unwrap()).unwrap(),
        );
        same("postcard", postcard::from_bytes(&postcard::to_allocvec(&summary).unwrap()).unwrap());
        same("CBOR", serde_ipld_dagcbor::from_slice(&serde_ipld_dagcbor::to_vec(&summary).unwrap()).unwrap());
    }
}

#[test]
fn a_struct_without_its_manifest_is_read_and_says_so() {
    let bare = r#"{"text": "", "codes": []}"#;
    let summary: Summary = serde_json::from_str(bare).unwrap();
    assert!(summary.manifest.is_absent());
    assert_eq!(summary.manifest.read(), Err(EmbeddedError::Absent));
    // Absence survives too.
    let again: Summary = postcard::from_bytes(&postcard::to_allocvec(&summary).unwrap()).unwrap();
    assert_eq!(again, summary);
    let again: Summary = toml::from_str(&toml::to_string(&summary).unwrap()).unwrap();
    assert_eq!(again, summary);
    // What is no manifest is told when it is asked for, and what is no base64url at once.
    let other: Summary = serde_json::from_str(r#"{"text": "", "manifest": "oA", "codes": []}"#).unwrap();
    assert_eq!(other.manifest.read(), Err(EmbeddedError::Format(FormatError::Missing { field: "body" })));
    for bad in ["oA==", "o+", "oB", "o"] {
        let text = format!(r#"{{"text": "", "manifest": "{bad}", "codes": []}}"#);
        assert!(serde_json::from_str::<Summary>(&text).is_err(), "{bad}");
    }
}

#[test]
fn a_writer_that_strips_or_edits_what_it_does_not_know_is_found() {
    let manifest = later(leaf().bytes(), true);
    let mut stripped = Foreign::of(manifest.bytes());
    let Some(Ipld::Map(sections)) = stripped.top.get_mut("sections") else { panic!() };
    sections.remove("x.lineage");
    let bytes = foreign::encode(&Ipld::Map(stripped.top.clone()));
    assert_eq!(
        NodeManifest::parse(&bytes),
        Err(FormatError::SectionMissing { name: "x.lineage".to_owned() })
    );
    // Also where it hashes again what is left, as the critical name stays.
    assert_eq!(
        NodeManifest::parse(&stripped.finish()),
        Err(FormatError::SectionMissing { name: "x.lineage".to_owned() })
    );
    let mut edited = Foreign::of(manifest.bytes());
    edited.section("x.lineage").pop();
    let bytes = foreign::encode(&Ipld::Map(edited.top.clone()));
    assert_eq!(NodeManifest::parse(&bytes), Err(FormatError::SectionDigest { name: "x.lineage".to_owned() }));
    // Who hashes all of it again makes another leaf.
    assert_ne!(NodeManifest::parse(&edited.finish()).unwrap().id(), manifest.id());
}

/// Stores a manifest with its text.
async fn store(store: &Memory, tree: &Tree<'_, Memory>, manifest: &NodeManifest, text: &str) -> Stored {
    store.put(BlobKey::of_text(text.as_bytes()), text.as_bytes()).await.unwrap();
    store.put(BlobKey::node(manifest.id()), manifest.bytes()).await.unwrap();
    tree.stored(manifest.id()).await.unwrap()
}

#[test]
fn only_what_is_critical_blocks_gate_and_sweep() {
    block_on(async {
        let memory = Memory::new();
        let tree = Tree::open(&memory, "main").unwrap();
        let summary = "Node db-7: the importer crashed with E_QUOTA_4417.".to_owned();
        for critical in [false, true] {
            let child = store(&memory, &tree, &later(leaf().bytes(), critical), TEXT).await;
            let draft =
                || Draft::trace(std::slice::from_ref(&child), summary.clone()).pinned(["E_QUOTA_4417"]);
            if critical {
                let refused = draft().gate(&Policy::exact()).unwrap_err();
                let codes: Vec<Code> = refused.report.reasons.iter().map(|reason| reason.code).collect();
                assert!(codes.contains(&Code::SectionCriticalUnknown), "{codes:?}");
            }
            let gated = draft().gate(&Policy::exact().observing(critical)).unwrap();
            let root = tree.commit(gated).await.unwrap();
            let head = tree.head().await.unwrap().map(|head| head.generation);
            tree.publish(&root, head, "").await.unwrap();
            let probe = tree.probe(&root).await.unwrap();
            let section = Blocker::UnknownSection(child.id(), "x.lineage".to_owned());
            assert_eq!(probe.blockers.contains(&section), critical, "{:?}", probe.blockers);
            assert_eq!(probe.permit().is_ok(), !critical);
            // Recovery, proofs and the check of bytes go on.
            let map = TreeMap::load(&tree, root.id()).await.unwrap();
            let found = map.trace("E_QUOTA_4417");
            assert!(found[0].end.is_at_root(), "{found:?}");
            let proof = map.prove(child.id(), found[0].number).unwrap();
            let proof = InclusionProof::parse(proof.bytes()).unwrap();
            let proven = proof.verify(root.id()).unwrap();
            assert_eq!(proven.unknown_critical_sections().len(), usize::from(critical));
            let done = Verify::of(&tree).run(root.id()).await.unwrap();
            let told = done.findings.iter().any(|finding| finding.code == "section.critical.unknown");
            assert_eq!((told, done.integrity == Integrity::Intact), (critical, !critical));
        }
    });
}

#[test]
fn what_is_unknown_rides_through_a_second_commit() {
    block_on(async {
        let memory = Memory::new();
        let tree = Tree::open(&memory, "main").unwrap();
        let leaves = tree.ingest(&[Child::new(TEXT)]).await.unwrap();
        let gated = |text: &str| Draft::trace(&leaves, text.to_owned()).gate(&Policy::exact()).unwrap();
        let first = "Node db-7: the importer crashed with E_QUOTA_4417.";
        let below = tree.manifest(leaves[0].id()).await.unwrap();
        let node = seal(&gated(first), &[&below], Making::default()).unwrap();
        for critical in [false, true] {
            let earlier = later(node.bytes(), critical);
            store(&memory, &tree, &earlier, first).await;
            let again = gated("The importer crashed with E_QUOTA_4417 on db-7, a node.");
            if critical {
                let refused = tree.commit_again(again, earlier.id()).await.unwrap_err();
                assert!(matches!(refused.source, TreeError::UnknownSection { .. }), "{refused}");
                // A caller that understands it can seal by hand, and it stays critical.
                let making = Making::default().remaking(&earlier);
                let sealed = seal(&refused.node, &[&below], making).unwrap();
                assert_eq!(sealed.unknown_critical_sections().collect::<Vec<_>>(), ["x.lineage"]);
                assert_eq!(sealed.unknown(), earlier.unknown());
                assert_eq!(sealed.unknown_sections().collect::<Vec<_>>(), ["x.empty", "x.lineage"]);
                continue;
            }
            let again = tree.commit_again(again, earlier.id()).await.unwrap();
            let manifest = tree.manifest(again.id()).await.unwrap();
            assert_eq!(manifest.supersedes(), Some(earlier.id()));
            assert_eq!(manifest.unknown(), earlier.unknown());
            assert_eq!(manifest.accounting(&[&below]), Ok(()));
            // Byte for byte, by the codec of others.
            let [mut old, mut new] = [Foreign::of(earlier.bytes()), Foreign::of(manifest.bytes())];
            assert_eq!(old.section("x.lineage"), new.section("x.lineage"));
        }
    });
}

#[test]
fn keys_and_classes_of_a_later_version_are_kept_where_an_id_covers_them() {
    let mut later = Foreign::of(leaf().bytes());
    let fields = Fields::from([("later".to_owned(), Ipld::Bool(true))]);
    let record = vec![
        Ipld::String("shard_id".to_owned()),
        Ipld::String("db-7".to_owned()),
        Ipld::Integer(0),
        Ipld::Map(fields),
    ];
    later.section("facts").insert(0, Ipld::List(record));
    let read = NodeManifest::parse(&later.finish()).unwrap();
    let fact = read.fact(0).unwrap();
    assert_eq!((fact.class(), fact.known_class(), fact.value()), ("shard_id", None, Some("db-7")));
    // It has its id, and can be accounted for and proved.
    let expected = foreign::hash("fact", &[b"\x00\x08", b"shard_id", b"db-7"]);
    assert_eq!(fact.id().unwrap().as_bytes(), &expected);
    let proof = InclusionProof::of(0, &[&read]).unwrap();
    assert_eq!(proof.verify(read.id()).unwrap().fact().class(), "shard_id");
    // The version after this one is refused as a whole.
    let mut next = Foreign::of(leaf().bytes());
    next.body().insert("v".to_owned(), Ipld::Integer(2));
    assert_eq!(NodeManifest::parse(&next.finish()), Err(FormatError::Version { found: 2 }));
}

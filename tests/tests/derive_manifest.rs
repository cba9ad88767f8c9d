//! The children that a summary names, and the manifest that travels in its own field.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod foreign;

use foreign::Foreign;
use ipld_core::ipld::Ipld;
use manifest_core::store::{Memory, block_on};
use manifest_core::tree::{Stored, Tree, TreeError};
use manifest_core::{
    Child, Code, Declaration, Draft, Embedded, EmbeddedError, Manifest, NamedChild, NodeId, NodeManifest,
    Policy, Report,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

const LEAVES: [&str; 3] = [
    "The importer crashed with E_QUOTA_4417 on node db-7.",
    "The quota of bucket media-eu was raised to 640 GiB.",
    "A second run of the importer finished on node db-9.",
];

const SUMMARY: &str = "The importer crashed with E_QUOTA_4417 on node db-7. The quota of bucket media-eu was raised to 640 GiB.";

#[derive(Manifest, Debug, Default, PartialEq, Serialize, Deserialize)]
#[manifest(policy = "exact")]
struct Note<C: Default = Vec<usize>> {
    #[manifest(text)]
    text: String,
    #[serde(default)]
    #[manifest(children)]
    made_from: C,
    #[serde(default)]
    #[manifest(manifest)]
    manifest: Embedded,
    #[manifest(fact)]
    codes: Vec<String>,
}

fn note<C: Default>(text: &str, made_from: C) -> Note<C> {
    Note { text: text.to_owned(), made_from, manifest: Embedded::default(), codes: Vec::new() }
}

/// Text and reason of what is cited wrongly.
fn miscited(report: &Report) -> Vec<(&str, &str)> {
    let rows = report.orphans.iter().filter(|row| row.code == Code::ClaimMiscited);
    rows.map(|row| (row.text.as_str(), row.why.as_deref().unwrap_or_default())).collect()
}

fn check(made_from: &[usize], policy: &Policy) -> Report {
    Draft::trace(&LEAVES, note(SUMMARY, made_from.to_vec())).check(policy)
}

#[test]
fn what_only_an_unnamed_child_says_is_told() {
    let policy = Policy::remediation();
    for right in [&[0, 1][..], &[1, 0, 1], &[0, 1, 2], &[]] {
        let report = check(right, &policy);
        assert_eq!((miscited(&report), report.verdict.is_commit()), (vec![], true), "{:?}", report.reasons);
    }
    let report = check(&[0, 2], &policy);
    let quota = "The quota of bucket media-eu was raised to 640 GiB.";
    let [(text, why)] = miscited(&report)[..] else { panic!("{:?}", report.orphans) };
    assert_eq!((text, report.verdict.is_commit()), (quota, false));
    assert!(why.starts_with("no child that the summary names states `"), "{why}");
    // Without an exact value it is told by its source.
    let plain = "The importer crashed on a node, and a second run of the importer finished.";
    let report = Draft::trace(&LEAVES, note(plain, vec![0_usize])).check(&policy);
    assert_eq!(
        report.orphans.iter().filter(|row| row.code == Code::ClaimMiscited).count(),
        1,
        "{:?}",
        report.orphans
    );
    // A policy that lists single findings lists this one.
    let report = check(&[2], &Policy::narrative());
    assert!(!miscited(&report).is_empty() && report.verdict.is_commit(), "{:?}", report.reasons);
}

#[test]
fn a_child_that_there_is_not_is_told_once() {
    let report = check(&[0, 7, 1, 7], &Policy::remediation());
    assert_eq!(
        miscited(&report),
        [("child 7", "there are 3 children, counted from 0, and it is none of them")]
    );
    assert!(!report.verdict.is_commit());
    assert!(report.feedback().contains("`child 7`"), "{}", report.feedback());
    // What no child says is invented, and cited by nobody.
    let foreign = format!("{SUMMARY} It was E_OTHER_9.");
    let report = Draft::trace(&LEAVES, note(&foreign, vec![0_usize, 1])).check(&Policy::remediation());
    assert_eq!(miscited(&report), []);
    for huge in [vec![usize::MAX], vec![3], (0..2000).collect()] {
        let _ = Draft::trace(&LEAVES, note("", huge)).check(&Policy::exact());
    }
}

/// How many of the named children there are not, and claims of others.
fn strays<C: Default>(leaves: &[Stored], made_from: C) -> usize
where
    Note<C>: Manifest,
{
    let report = Draft::trace(leaves, note(SUMMARY, made_from)).check(&Policy::remediation());
    miscited(&report).len()
}

#[test]
fn children_are_named_by_place_name_or_id() {
    block_on(async {
        let memory = Memory::new();
        let tree = Tree::open(&memory, "main").unwrap();
        let named: Vec<Child<'_>> = LEAVES
            .iter()
            .enumerate()
            .map(|(i, text)| Child::new(*text).with_id(format!("log-{i}")))
            .collect();
        let leaves = tree.ingest(&named).await.unwrap();
        assert_eq!(strays(&leaves, vec!["log-0".to_owned(), "log-1".to_owned()]), 0);
        assert_eq!(strays(&leaves, vec!["log-0", "log-2"]), 1);
        assert_eq!(strays(&leaves, vec!["log-0", "log-1", "log-9"]), 1);
        assert_eq!(strays(&leaves, Some(leaves.iter().take(2).map(Stored::id).collect::<Vec<NodeId>>())), 0);
        assert_eq!(strays(&leaves, vec![leaves[0].id(), leaves[2].id()]), 1);
        assert_eq!(strays(&leaves, [1_u8, 0]), 0);
        assert_eq!(strays(&leaves, (Cow::Borrowed("log-0"), ()).0), 1);
    });
    let made_from: Vec<Arc<str>> = vec!["a".into()];
    assert_eq!(Declaration::of(&note("", made_from)).children(), [NamedChild::Name("a".to_owned())]);
}

/// The manifest as a later version writes it: with a section that this one does not know.
fn later(manifest: &NodeManifest, critical: bool) -> NodeManifest {
    let mut later = Foreign::of(manifest.bytes());
    later.section("x.lineage").extend([Ipld::Integer(42), Ipld::String("from".to_owned())]);
    if critical {
        later.body().insert("crit".to_owned(), Ipld::List(vec![Ipld::String("x.lineage".to_owned())]));
    }
    NodeManifest::parse(&later.finish()).unwrap()
}

#[test]
fn a_summary_travels_with_its_manifest_through_every_format() {
    block_on(async {
        let memory = Memory::new();
        let tree = Tree::open(&memory, "main").unwrap();
        let leaves = tree.ingest(&LEAVES.map(Child::new)[..2]).await.unwrap();
        let gated =
            Draft::trace(&leaves, note(SUMMARY, vec![0, 1])).gate(&Note::<Vec<usize>>::policy()).unwrap();
        let (stored, note) = tree.commit_embedded(gated).await.unwrap();
        assert_eq!(NodeManifest::in_summary(&note).unwrap().id(), stored.id());
        let manifest = later(&tree.manifest(stored.id()).await.unwrap(), false);
        let mut note = note;
        assert!(note.embed(manifest.bytes()));
        let same = |name: &str, back: Note| {
            assert_eq!(back, note, "{name}");
            let read = NodeManifest::in_summary(&back).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((read.id(), read.unknown()), (manifest.id(), manifest.unknown()), "{name}");
        };
        same("JSON", serde_json::from_str(&serde_json::to_string(&note).unwrap()).unwrap());
        same("TOML", toml::from_str(&toml::to_string(&note).unwrap()).unwrap());
        same("MessagePack", rmp_serde::from_slice(&rmp_serde::to_vec_named(&note).unwrap()).unwrap());
        same("postcard", postcard::from_bytes(&postcard::to_allocvec(&note).unwrap()).unwrap());
        // What was unknown goes on with the summary when it is judged again.
        note.text.push_str(" Both are done.");
        assert_eq!(NodeManifest::in_summary(&note), Err(EmbeddedError::OtherText));
        let again = Draft::trace(&leaves, note).gate(&Policy::narrative()).unwrap();
        let (_, note) = tree.commit_embedded(again).await.unwrap();
        assert_eq!(NodeManifest::in_summary(&note).unwrap().unknown(), manifest.unknown());
    });
}

#[test]
fn a_manifest_that_cannot_be_understood_or_read_stops_its_summary() {
    block_on(async {
        let memory = Memory::new();
        let tree = Tree::open(&memory, "main").unwrap();
        let leaves = tree.ingest(&LEAVES.map(Child::new)[..2]).await.unwrap();
        let draft = |manifest: &[u8]| {
            let mut note = note(SUMMARY, Vec::<usize>::new());
            assert!(note.embed(manifest));
            Draft::trace(&leaves, note)
        };
        let leaf = tree.manifest(leaves[0].id()).await.unwrap();
        let refused = draft(later(&leaf, true).bytes()).gate(&Policy::exact()).unwrap_err();
        assert_eq!(refused.report.reasons[0].code, Code::SectionCriticalUnknown);
        assert!(!refused.verdict.retry);
        assert!(draft(later(&leaf, false).bytes()).gate(&Policy::exact()).is_ok());
        let unread = draft(b"no manifest").gate(&Policy::exact()).unwrap();
        let refused = tree.commit(unread).await.unwrap_err();
        assert!(matches!(refused.source, TreeError::Embedded(_)), "{refused}");
        assert_eq!(refused.node.summary().manifest.bytes(), b"no manifest");
    });
}

#[derive(Manifest, Default)]
struct Outer {
    #[manifest(nested)]
    inner: Note<Option<u32>>,
    #[manifest(manifest)]
    manifest: Option<Box<Embedded>>,
}

#[test]
fn a_manifest_is_of_its_own_struct_only() {
    let mut outer = Outer::default();
    assert!(outer.inner.embed(b"inner"));
    assert_eq!(Declaration::of(&outer).manifest(), b"");
    assert_eq!(Declaration::of(&outer.inner).manifest(), b"inner");
    let mut boxed = Box::new(outer);
    assert!(boxed.embed(b"outer"));
    assert_eq!(Declaration::of(&boxed).manifest(), b"outer");
    // There is no field for it, or it is not ours alone.
    assert!(!"text".to_owned().embed(b"x"));
    assert!(!Arc::new(boxed).embed(b"x"));
}

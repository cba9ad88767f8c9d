//! How the vectors were written. It is never run again: what a writer of today writes may differ, and what it reads may not.

use super::foreign::{self, Fields, Foreign, hex};
use super::refusals::refusals;
use super::{variant, vectors};
use ipld_core::ipld::Ipld;
use manifest_core::recover::Verify;
use manifest_core::store::{Moment, block_on};
use manifest_core::tree::{SweepRules, Tree};
use manifest_core::{
    Child, Digest, Draft, Drop, InclusionProof, Making, NodeBuilder, NodeId, NodeManifest, Origin, Policy,
    Role, StatedRecall, TextDigest, read, seal,
};
use manifest_store::FileStore;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

const TEXTS: [&str; 4] = [
    "shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait. The retry limit of applier is 5.",
    "tool deploy: timeout=30s on db-7, then 30 s again. The key is sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh, and \u{201c}never replay it\u{201d} was said on 2026-05-01T10:00:00Z.",
    "shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait. The retry limit of applier is 8.",
    "The owner of Größe-Prüfung wrote naïve/ü.md:12 \u{1f980}, 640 GiB in all; shard-11 waits.",
];

pub(super) struct Writer {
    index: Value,
}

impl Writer {
    fn manifest(&mut self, name: &str, bytes: &[u8]) -> NodeManifest {
        let manifest = NodeManifest::parse(bytes).unwrap();
        let file = format!("manifests/{name}.cbor");
        fs::write(vectors().join(&file), bytes).unwrap();
        self.push(
            "manifests",
            json!({
                "file": file,
                "kind": manifest.kind().as_str(),
                "id": manifest.id().to_string(),
                "body": manifest.body_id().to_string(),
                "decision": manifest.decision_id().map(|id| id.to_string()),
                "text_digest": manifest.text_digest().to_string(),
                "facts": manifest.fact_count(),
                "unknown": manifest.unknown_sections().collect::<Vec<_>>(),
                "critical": manifest.unknown_critical_sections().collect::<Vec<_>>(),
            }),
        );
        manifest
    }

    fn push(&mut self, list: &str, row: Value) {
        self.index[list].as_array_mut().unwrap().push(row);
    }

    pub(super) fn refused(&mut self, name: &str, layer: &str, bytes: &[u8]) {
        let error = NodeManifest::parse(bytes).expect_err(name);
        self.push(
            "refused",
            json!({"name": name, "layer": layer, "error": variant(&error), "hex": hex(bytes)}),
        );
    }

    fn proof(&mut self, name: &str, fact: usize, way: &[&NodeManifest]) -> InclusionProof {
        let proof = InclusionProof::of(fact, way).unwrap();
        let root = way.last().unwrap().id();
        let file = format!("proofs/{name}.cbor");
        fs::write(vectors().join(&file), proof.bytes()).unwrap();
        let proven = proof.verify(root).unwrap();
        let row = json!({
            "file": file, "root": root.to_string(), "class": proven.fact().class(), "value": proven.fact().value(),
            "text_digest": proven.text_digest().to_string(), "stated_by": proven.nodes()[0].id.to_string(),
        });
        self.push("proofs", row);
        proof
    }

    fn proof_refused(&mut self, name: &str, root: NodeId, bytes: &[u8]) {
        let error = InclusionProof::parse(bytes).and_then(|p| p.verify(root).map(drop)).expect_err(name);
        let row = json!({"name": name, "root": root.to_string(), "code": error.code(), "hex": hex(bytes)});
        self.push("proofs_refused", row);
    }

    fn hashes(&mut self) {
        let mut hash = |name: &str, object: &str, parts: &[&[u8]]| {
            let digest = match object {
                "text" => *blake3::hash(&parts.concat()).as_bytes(),
                object => foreign::hash(object, parts),
            };
            let parts: Vec<String> = parts.iter().map(|part| hex(part)).collect();
            self.index["hashes"]
                .as_array_mut()
                .unwrap()
                .push(json!({"name": name, "object": object, "parts": parts, "digest": hex(&digest)}));
            digest
        };
        hash("the text `hello world`", "text", &[b"hello world"]);
        hash("no text", "text", &[]);
        hash("the quantity `30 s`", "fact", &[b"\x00\x08", b"quantity", b"30 s"]);
        let items: Vec<[u8; 32]> = (0..5_u8)
            .map(|n| hash("an item of `facts`", "list-leaf", &[&[0], b"\x00\x05", b"facts", &[n]]))
            .collect();
        let empty = hash("no items", "list-empty", &[]);
        hash("the root of no items", "list-root", &[&0_u64.to_le_bytes(), &empty]);
        hash("the root of one item", "list-root", &[&1_u64.to_le_bytes(), &items[0]]);
        let two = hash("items 0 and 1", "list-inner", &[&[1], &items[0], &items[1]]);
        let root = hash("the root of two items", "list-root", &[&2_u64.to_le_bytes(), &two]);
        let three = hash("items 0 to 2", "list-inner", &[&[1], &two, &items[2]]);
        hash("the root of three items", "list-root", &[&3_u64.to_le_bytes(), &three]);
        let right = hash("items 2 and 3", "list-inner", &[&[1], &items[2], &items[3]]);
        let four = hash("items 0 to 3", "list-inner", &[&[1], &two, &right]);
        let five = hash("items 0 to 4", "list-inner", &[&[1], &four, &items[4]]);
        hash("the root of five items", "list-root", &[&5_u64.to_le_bytes(), &five]);
        hash("the section `facts` of two items", "section", &[b"\x00\x05", b"facts", &root]);
        let body = hash("the body `{}`", "body", &[b"\xa0"]);
        let decision = hash("the decision `{}`", "decision", &[b"\xa0"]);
        hash("a leaf of that body", "node", &[&body]);
        hash("a node of that body and decision", "node", &[&body, &decision]);
    }
}

pub(super) fn int(n: i128) -> Ipld {
    Ipld::Integer(n)
}

pub(super) fn string(text: &str) -> Ipld {
    Ipld::String(text.to_owned())
}

#[test]
#[ignore = "writes the frozen vectors, once"]
fn write() {
    let at = vectors();
    assert!(!at.join("vectors.json").exists(), "vectors are never written anew");
    for folder in ["manifests", "proofs"] {
        fs::create_dir_all(at.join(folder)).unwrap();
    }
    let empty = json!({"hashes": [], "manifests": [], "refused": [], "proofs": [], "proofs_refused": [], "store": {}});
    let mut writer = Writer { index: empty };
    writer.hashes();

    // Leaves, with all that an origin may say, and every form of a record.
    let long =
        format!("{} The dump was {} and PAY-119 is open.", TEXTS[3], "QUJDREVGR0hJSktMTU5P".repeat(50));
    let children = [
        Child::new(TEXTS[0])
            .with_role(Role::Tool)
            .with_id("message 7")
            .with_time("2026-05-01T10:00:00Z")
            .as_call(),
        Child::new(TEXTS[1]).with_role(Role::User),
        Child::new(TEXTS[2]),
        Child::new(long.as_str()).with_role(Role::System),
    ];
    let names = ["leaf-origin", "leaf-secret", "leaf-plain", "leaf-long"];
    let leaves: Vec<NodeManifest> = (0..)
        .zip(children.iter().zip(names))
        .map(|(n, (child, name))| {
            let origin = Origin::of(child);
            let origin = if n == 0 { origin.at_position(4) } else { origin };
            let leaf = NodeManifest::of_reading(&read(&child.text), origin).unwrap();
            writer.manifest(name, leaf.bytes())
        })
        .collect();
    let blank = NodeManifest::of_leaf(&Child::new("")).unwrap();
    writer.manifest("leaf-empty", blank.bytes());

    // Nodes: admitted with a ledger and drops, observed, without a gate, and a root.
    let policy = Policy::narrative();
    let summary = "shard-06 aborted by applier: LDG-4417 apply gap; the retry limit of applier is 5. A deploy waited 30 s on db-7.";
    let draft = Draft::trace(&TEXTS[..2], summary.to_owned())
        .ledger(["fork segment: 17 entries", "\u{201c}never replay it\u{201d}"]);
    let gated = draft.drops([Drop::new("2026-05-01T10:00:00Z", "told elsewhere")]).gate(&policy).unwrap();
    let mut making =
        Making::by("some-model-1").at("2026-05-02T00:00:00Z").with_params(Digest::from_bytes([7; 32]));
    making.required = vec!["LDG-4417".to_owned(), "db-7".to_owned()];
    making.recall = Some(StatedRecall::new(3, 4).unwrap());
    let node = seal(&gated, &[&leaves[0], &leaves[1]], making).unwrap();
    let node = writer.manifest("node", node.bytes());
    let both = [TEXTS[0], TEXTS[2]];
    let gated = Draft::trace(
        &both,
        "The retry limit is 5, said the ticket OPS-99017. Nothing else happened.".to_owned(),
    )
    .gate(&Policy::exact().observing(true))
    .unwrap();
    let observed = seal(&gated, &[&leaves[0], &leaves[2]], Making::default().superseding(node.id())).unwrap();
    assert!(observed.decision().unwrap().verdict != "commit");
    let observed = writer.manifest("node-observed", observed.bytes());
    let mut ungated = NodeBuilder::new("Two things happened.");
    let reason = ungated.reason(manifest_core::DropReason::NotRequired);
    for leaf in &leaves[2..] {
        let child = ungated.child(leaf);
        for fact in (0..).take(leaf.fact_count()) {
            ungated.account(child, fact, manifest_core::Fate::Dropped { reason });
        }
    }
    let ungated = writer.manifest("node-ungated", ungated.finish().unwrap().bytes());
    let rendered = node.rendered(summary);
    let above = [rendered.as_str(), "Two things happened."];
    let gated = Draft::trace(&above, format!("{rendered}\nTwo things happened.")).gate(&policy).unwrap();
    let root = writer.manifest("root", seal(&gated, &[&node, &ungated], Making::default()).unwrap().bytes());

    // What a later version may write, and this one must read.
    let mut later = Foreign::of(leaves[0].bytes());
    later.body().insert("later".to_owned(), int(1));
    later.section("x.future").extend([Ipld::List(vec![int(42), int(-3)]), string("more")]);
    writer.manifest("later-section", &later.clone().finish());
    later.body().insert("crit".to_owned(), Ipld::List(vec![string("x.future")]));
    writer.manifest("later-critical", &later.clone().finish());
    let mut later = Foreign::of(leaves[2].bytes());
    let fields = Fields::from([("b".to_owned(), string("applier")), ("later".to_owned(), Ipld::Bool(true))]);
    later
        .section("facts")
        .insert(0, Ipld::List(vec![string("shard_id"), string("shard-11"), int(0), Ipld::Map(fields)]));
    writer.manifest("later-class", &later.finish());
    let mut later = Foreign::of(observed.bytes());
    let Some(Ipld::List(evidence)) = later.top.get_mut("evidence") else { panic!() };
    evidence.push(Ipld::Map(Fields::from([("kind".to_owned(), string("later"))])));
    later.decision().insert("later".to_owned(), int(1));
    writer.manifest("later-evidence", &later.finish());

    refusals(&mut writer, &leaves[2], &node);
    proofs(&mut writer, &leaves, &node, &root);
    writer.index["store"] = store(&at.join("store"));
    let mut out = serde_json::to_vec_pretty(&writer.index).unwrap();
    out.push(b'\n');
    fs::write(at.join("vectors.json"), out).unwrap();
}

fn proofs(writer: &mut Writer, leaves: &[NodeManifest], node: &NodeManifest, root: &NodeManifest) {
    let place = leaves[0].facts().position(|fact| fact.text() == Some("LDG-4417")).unwrap();
    let proof = writer.proof("fact", place, &[&leaves[0], node, root]);
    let carried = node.text_fact_count();
    writer.proof("carried", carried, &[node, root]);
    writer.proof("own-root", 0, &[&leaves[2]]);
    let secret = leaves[1].facts().position(|fact| fact.is_secret()).unwrap();
    writer.proof("secret", secret, &[&leaves[1], node, root]);
    writer.proof_refused("another root", node.id(), proof.bytes());
    writer.proof_refused("nothing", root.id(), &[]);
    for (name, at) in
        [("a changed item", 20), ("a changed sibling", 60), ("a changed end", proof.bytes().len() - 1)]
    {
        let mut bytes = proof.bytes().to_vec();
        bytes[at] ^= 1;
        writer.proof_refused(name, root.id(), &bytes);
    }
    let part = |change: &dyn Fn(&mut Fields)| {
        let Ipld::Map(mut top) = foreign::decode(proof.bytes()) else { panic!() };
        change(&mut top);
        foreign::encode(&Ipld::Map(top))
    };
    let steps = |change: &dyn Fn(&mut Vec<Ipld>)| {
        part(&|top| {
            let Some(Ipld::List(steps)) = top.get_mut("steps") else { panic!() };
            change(steps);
        })
    };
    writer.proof_refused(
        "a later version",
        root.id(),
        &part(&|top| drop(top.insert("proof".to_owned(), int(2)))),
    );
    writer.proof_refused(
        "another section",
        root.id(),
        &part(&|top| drop(top.insert("in".to_owned(), string("carried")))),
    );
    writer.proof_refused("a step left out", root.id(), &steps(&|steps| drop(steps.remove(1))));
    writer.proof_refused("the root left out", root.id(), &steps(&|steps| drop(steps.pop())));
    writer.proof_refused("a step twice", root.id(), &steps(&|steps| steps.insert(1, steps[1].clone())));
    writer.proof_refused("no steps", root.id(), &steps(&|steps| steps.clear()));
    for (name, at, by) in
        [("another index", 0, 1), ("another count", 1, 1), ("an index beyond the count", 0, 1000)]
    {
        let bytes = steps(&|steps| {
            let Some(Ipld::List(step)) = steps.first_mut() else { panic!() };
            let Some(Ipld::List(place)) = step.first_mut() else { panic!() };
            let Ipld::Integer(n) = place[at] else { panic!() };
            place[at] = int(n + by);
        });
        writer.proof_refused(name, root.id(), &bytes);
    }
}

/// Two heads over some leaves in common; a sweep of the others.
fn store(at: &Path) -> Value {
    let store = FileStore::create(at).unwrap();
    block_on(async {
        let (main, other) = (Tree::open(&store, "main").unwrap(), Tree::open(&store, "team/other").unwrap());
        let children: Vec<Child<'_>> = TEXTS.iter().map(|text| Child::new(*text)).collect();
        let leaves = main.ingest(&children).await.unwrap();
        let policy = Policy::remediation();
        let first = "shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait. The retry limit of applier is 5. \
                     tool deploy: timeout=30s on db-7, then 30 s again. \u{201c}never replay it\u{201d} was said on 2026-05-01T10:00:00Z.";
        let gated = Draft::trace(&leaves[..2], first.to_owned()).pinned(["LDG-4417"]).gate(&policy).unwrap();
        let left = main.commit(gated).await.unwrap();
        let gated = Draft::trace(&leaves[2..], "shard-11 waits.".to_owned())
            .mend(true)
            .pinned(["LDG-4471"])
            .gate(&policy)
            .unwrap();
        let right = main.commit(gated).await.unwrap();
        let both = [left.clone(), right];
        let gated =
            Draft::trace(&both, format!("{} shard-11 waits.", left.text())).mend(true).gate(&policy).unwrap();
        let root = main.commit(gated).await.unwrap();
        main.publish(&root, None, "the first root").await.unwrap();
        other.publish(&left, None, "a part of it").await.unwrap();
        let now = Moment::from(std::time::SystemTime::now());
        let permit = main.probe(&root).await.unwrap().permit().unwrap();
        let plan = main.plan_sweep(permit, SweepRules::new(now).grace(Duration::ZERO)).await.unwrap();
        assert_eq!(main.sweep(plan).await.unwrap().leaves, 2);
        let mut heads = Vec::new();
        for tree in [&main, &other] {
            let entry = tree.head().await.unwrap().unwrap();
            let done = Verify::of(tree).run(entry.target).await.unwrap();
            heads.push(json!({
                "name": tree.name().as_str(), "root": entry.target.to_string(), "generation": entry.generation,
                "manifests": done.manifests, "reclaimed": done.reclaimed,
            }));
        }
        json!({"folder": "store", "heads": heads, "texts": TEXTS.map(|text| TextDigest::of(text).to_string())})
    })
}

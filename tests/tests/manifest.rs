//! Manifests: what is written is what is found, every fact is accounted for, and every tampering shows.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use manifest_core::{
    AccountingError, BuildError, Child, Class, Draft, Drop, DropReason, FactRecord, Fate, FormatError, Gated,
    Making, ManifestKind, Node, NodeBuilder, NodeManifest, Origin, Policy, Role, SealError, Span, TextDigest,
    read, seal,
};
use proptest::prelude::*;

const LEAVES: [&str; 3] = [
    "The importer crashed with E_QUOTA_4417 on node db-7.",
    "The quota of bucket media-eu was raised to 640 GiB.",
    "A second run of the importer finished on node db-7.",
];

const SUMMARY: &str = "The importer crashed with E_QUOTA_4417 on node db-7. The quota of bucket media-eu was raised to \
                       640 GiB. A second run of the importer finished on node db-7.";

fn leaf(text: &str) -> NodeManifest {
    NodeManifest::of_leaf(&Child::new(text)).unwrap()
}

fn leaves(texts: &[&str]) -> Vec<NodeManifest> {
    texts.iter().map(|text| leaf(text)).collect()
}

fn refs(manifests: &[NodeManifest]) -> Vec<&NodeManifest> {
    manifests.iter().collect()
}

fn index(manifest: &NodeManifest, text: &str) -> u32 {
    let place = manifest.facts().position(|fact| fact.text() == Some(text)).unwrap();
    u32::try_from(place).unwrap()
}

fn gated(policy: &Policy) -> Node<String, Gated> {
    Draft::trace(&LEAVES, SUMMARY.to_owned()).gate(policy).unwrap()
}

fn drop_of(node: &NodeManifest, child: usize, fact: u32) -> Option<DropReason> {
    match node.fates(child)?.get(fact)? {
        Fate::Dropped { reason } => node.drops().nth(reason as usize),
        _ => None,
    }
}

#[test]
fn a_leaf_says_what_its_text_states_and_where() {
    let text = "tool deploy: timeout=30s on db-7, then 30s again; limit=30s. Run abc123def took 45ms.";
    let child = Child::new(text).with_id("m-7").with_time("2026-05-01T10:00:00Z").as_call();
    let manifest = NodeManifest::of_reading(&read(text), Origin::of(&child).at_position(4)).unwrap();
    assert_eq!((manifest.kind(), manifest.level()), (ManifestKind::Leaf, 0));
    assert_eq!((manifest.text_digest(), manifest.text_bytes()), (TextDigest::of(text), text.len() as u64));
    let origin = manifest.origin().unwrap();
    assert_eq!((origin.role, origin.source.as_deref()), (Role::Tool, Some("m-7")));
    assert_eq!(
        (origin.position, origin.at.as_deref(), origin.call),
        (Some(4), Some("2026-05-01T10:00:00Z"), true)
    );
    let of = |binding: Option<&str>| {
        manifest
            .facts()
            .find(|f| f.text() == Some("30s") && f.binding() == binding)
            .unwrap()
            .spans()
            .collect()
    };
    let at = |n: usize| text.match_indices("30s").map(|(i, _)| Span::new(i, i + 3)).nth(n).unwrap();
    let (timeout, bare, limit): (Vec<Span>, Vec<Span>, Vec<Span>) =
        (of(Some("timeout")), of(None), of(Some("limit")));
    assert_eq!((timeout, bare, limit), (vec![at(0)], vec![at(1)], vec![at(2)]));
    let id = manifest.fact(index(&manifest, "30s") as usize).and_then(|f| f.id()).unwrap();
    assert_eq!(leaf("It waits 30000 ms.").facts().find_map(|f| f.id()), Some(id), "equal values have one id");
    assert_eq!(manifest.decision(), None);
    assert_eq!(manifest.accounting(&[]), Ok(()));
    assert_ne!(leaf(text).id(), manifest.id(), "where a leaf comes from is a part of it");
}

#[test]
fn no_manifest_holds_a_secret_or_its_hash() {
    let secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh";
    let text = format!("user: the key is {secret} for prod-7, again {secret}: 45ms");
    let manifest = leaf(&text);
    let held: Vec<FactRecord<'_>> = manifest.facts().filter(FactRecord::is_secret).collect();
    assert!(!held.is_empty(), "the reader takes it for a secret");
    for fact in &held {
        assert_eq!((fact.text(), fact.value(), fact.id()), (None, None, None));
        assert!(fact.spans().all(|span| secret.contains(span.of(&text))));
    }
    let bytes = manifest.bytes();
    assert!(!bytes.windows(12).any(|window| secret.as_bytes().windows(12).any(|part| part == window)));
    let hashes = [TextDigest::of(secret).digest(), manifest_core::FactId::of(Class::Secret, secret).digest()];
    assert!(!hashes.iter().any(|hash| bytes.windows(32).any(|window| window == hash.as_bytes())));
    assert!(!serde_json::to_string(&manifest).unwrap().contains(&secret[8..24]));
}

#[test]
fn a_long_body_is_held_by_its_id() {
    let body =
        "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkr".repeat(40);
    let text = format!("The dump was {body} and PAY-119 is open.");
    let manifest = leaf(&text);
    assert!(manifest.bytes().len() < 600, "{}", manifest.bytes().len());
    let reading = read(&text);
    let payload = reading.facts.iter().find(|f| f.span.len() > 1000).unwrap();
    let held = manifest.facts().find(|f| f.spans().any(|span| span == payload.span)).unwrap();
    assert_eq!((held.text(), held.id()), (None, reading.id(payload)));
}

proptest! {
    #[test]
    fn every_fact_of_a_text_is_in_its_manifest(text in "(PAY-119|30s|db-7 |\\PC|[a-z]{1,8}[=: ]|[0-9]{1,4}|\n){0,60}") {
        let manifest = leaf(&text);
        let again = NodeManifest::parse(manifest.bytes()).unwrap();
        prop_assert_eq!(again.id(), manifest.id());
        let reading = read(&text);
        let held: Vec<FactRecord<'_>> = again.facts().collect();
        for fact in &reading.facts {
            let found = held.iter().any(|record| {
                record.known_class() == Some(fact.class)
                    && record.id() == reading.id(fact)
                    && record.spans().any(|span| span == fact.span)
            });
            prop_assert!(found, "{:?}", fact);
        }
        for record in &held {
            for span in record.spans() {
                prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
                prop_assert!(record.text().is_none_or(|text_of| span.of(&text) == text_of));
            }
        }
    }

    #[test]
    fn any_bytes_are_parsed_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(NodeManifest::parse(&bytes).is_err());
    }
}

#[test]
fn what_the_gate_audited_is_what_is_sealed() {
    let policy = Policy::exact();
    let gated = gated(&policy);
    let below = leaves(&LEAVES);
    let node = seal(&gated, &refs(&below), Making::by("some-model-1").at("2026-05-01T10:00:00Z")).unwrap();
    assert_eq!((node.kind(), node.level()), (ManifestKind::Node, 1));
    assert_eq!(node.text_digest().digest().as_bytes(), &gated.audit().digest());
    assert_eq!((node.summarizer(), node.made_at()), (Some("some-model-1"), Some("2026-05-01T10:00:00Z")));
    assert_eq!(node.children().collect::<Vec<_>>(), below.iter().map(NodeManifest::id).collect::<Vec<_>>());
    assert_eq!(node.accounting(&refs(&below)), Ok(()));
    let decision = node.decision().unwrap();
    assert_eq!((decision.verdict.as_str(), decision.observed), ("commit", false));
    assert_eq!(decision.body, node.body_id());
    assert!(node.judged_by(&policy) && !node.judged_by(&Policy::remediation()));
    assert!(!node.judged_by(&Policy::exact().with_floor(0.86).unwrap()));
    assert_eq!(node.signals().unwrap().provenance, 1_000_000);
    assert_eq!(node.claims().count(), gated.report().claims.len());
    let claim = node.claims().next().unwrap();
    assert_eq!(claim.span, gated.report().claims[0].span);
    assert_eq!(
        (claim.sources[0].child, claim.sources[0].span),
        (0, gated.report().claims[0].sources[0].span)
    );

    let fact = index(&below[0], "E_QUOTA_4417");
    let Some(Fate::Stated { own: Some(own) }) = node.fates(0).unwrap().get(fact) else {
        panic!("not stated")
    };
    assert_eq!(node.fact(own as usize).unwrap().text(), Some("E_QUOTA_4417"));
    // What two children state is accounted for once.
    let earlier = index(&below[0], "db-7");
    let again = node.fates(2).unwrap().get(index(&below[2], "db-7"));
    assert_eq!(again, Some(Fate::Merged { child: 0, fact: earlier }));

    // The same content under another policy: another node over the same body.
    let gated = Draft::trace(&LEAVES, SUMMARY.to_owned()).gate(&Policy::narrative()).unwrap();
    let other = seal(&gated, &refs(&below), Making::by("some-model-1").at("2026-05-01T10:00:00Z")).unwrap();
    assert_eq!(other.signals(), node.signals());
    assert_ne!(other.decision_id(), node.decision_id());
    assert_ne!(other.id(), node.id());
}

#[test]
fn each_drop_is_logged_with_its_reason() {
    let policy = Policy::exact();
    let draft = Draft::trace(&LEAVES, SUMMARY.replace("E_QUOTA_4417", "an error"));
    let gated = draft.drops([Drop::new("E_QUOTA_4417", "the quota was raised")]).gate(&policy).unwrap();
    let below = leaves(&LEAVES);
    let node = seal(&gated, &refs(&below), Making::default()).unwrap();
    let reason = drop_of(&node, 0, index(&below[0], "E_QUOTA_4417"));
    assert_eq!(reason, Some(DropReason::ByCaller("the quota was raised".to_owned())));

    // Nothing below the cut is asked for under another policy.
    let text = "The importer crashed on node db-7. The quota was raised.".to_owned();
    let gated = Draft::trace(&LEAVES, text.clone()).gate(&Policy::narrative()).unwrap();
    let node = seal(&gated, &refs(&below), Making::default()).unwrap();
    assert_eq!(drop_of(&node, 0, index(&below[0], "E_QUOTA_4417")), Some(DropReason::NotRequired));

    // What was required and lost under observation says so.
    let gated = Draft::trace(&LEAVES, text).gate(&Policy::exact().observing(true)).unwrap();
    let node = seal(&gated, &refs(&below), Making::default()).unwrap();
    assert_eq!(drop_of(&node, 0, index(&below[0], "E_QUOTA_4417")), Some(DropReason::Observed));
    let decision = node.decision().unwrap();
    assert_eq!((decision.verdict.as_str(), decision.observed), ("reject", true));
    assert!(decision.codes.iter().any(|code| code == "fact.lost"));
}

#[test]
fn a_summary_drops_with_its_reason_and_a_secret_without_a_trace() {
    #[derive(manifest_core::Manifest)]
    struct Summary {
        #[manifest(text)]
        text: String,
        #[manifest(drops)]
        drops: Vec<Drop>,
    }
    let secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh";
    let texts = [LEAVES[0].to_owned(), format!("{} The key is {secret}.", LEAVES[1])];
    let drops = vec![Drop::new("640 GiB", format!("see {secret}"))];
    let text = "The importer crashed with E_QUOTA_4417 on node db-7. The quota of bucket media-eu was raised. The key is \
                redacted."
        .to_owned();
    let policy = Policy::exact().observing(true);
    let gated = Draft::trace(&texts, Summary { text, drops }).gate(&policy).unwrap();
    let below: Vec<NodeManifest> = texts.iter().map(|text| leaf(text)).collect();
    let node = seal(&gated, &refs(&below), Making::default()).unwrap();
    let reason = drop_of(&node, 1, index(&below[1], "640 GiB"));
    assert_eq!(reason, Some(DropReason::BySummary("see [secret]".to_owned())));
    let hidden = below[1].facts().position(|fact| fact.is_secret()).unwrap();
    assert_eq!(drop_of(&node, 1, u32::try_from(hidden).unwrap()), Some(DropReason::Secret));
    assert!(!serde_json::to_string(&node).unwrap().contains(secret));
}

#[test]
fn facts_of_a_ledger_are_accounted_for_on_the_level_above() {
    let policy = Policy::exact();
    let texts = [&LEAVES[..2], &LEAVES[2..]].concat();
    let draft = Draft::trace(&texts, SUMMARY.replace("raised to 640 GiB", "raised"));
    let gated = draft.ledger(["640 GiB", "E_QUOTA_4417"]).gate(&policy).unwrap();
    let below = leaves(&texts);
    let lower = seal(&gated, &refs(&below), Making::default()).unwrap();
    assert_eq!(lower.ledger().collect::<Vec<_>>(), ["640 GiB", "E_QUOTA_4417"]);
    let Some(Fate::Carried { own: Some(own) }) = lower.fates(1).unwrap().get(index(&below[1], "640 GiB"))
    else {
        panic!("not carried")
    };
    assert!(own as usize >= lower.text_fact_count());
    let carried = lower.fact(own as usize).unwrap();
    assert_eq!((carried.text(), carried.spans().next()), (Some("640 GiB"), Some(Span::new(0, 7))));

    // A node as a child is what is read in its children's place: its ledger and its text.
    let root = Draft::trace(&[&gated], lower.rendered(gated.audit().text())).gate(&policy).unwrap();
    let node = seal(&root, &[&lower], Making::default()).unwrap();
    assert_eq!(node.level(), 2);
    assert_eq!(node.accounting(&[&lower]), Ok(()));
    assert!(matches!(node.fates(0).unwrap().get(own), Some(Fate::Stated { own: Some(_) })));

    // Nobody loses it above without a word.
    let silent = Draft::trace(&[&gated], gated.audit().text().to_owned()).gate(&policy);
    assert!(silent.unwrap_err().report.lost.iter().any(|row| row.text == "640 GiB"));

    // A child that was gated without its ledger leaves the ledger's facts to nobody.
    let blind = Draft::trace(&[gated.audit().text()], gated.audit().text().to_owned()).gate(&policy).unwrap();
    let error = seal(&blind, &[&lower], Making::default()).unwrap_err();
    let SealError::Build(BuildError::Accounting(AccountingError::Unaccounted { child: 0, facts })) = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(facts, [own]);
}

#[test]
fn a_credential_in_a_ledger_is_masked_on_every_level() {
    let secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh";
    let policy = Policy::exact();
    let draft = Draft::trace(&LEAVES, SUMMARY.to_owned());
    let gated = draft.ledger([format!("key: {secret}"), "640 GiB".to_owned()]).gate(&policy).unwrap();
    assert_eq!(gated.audit().ledger(), "key: [secret]\n640 GiB");
    let below = leaves(&LEAVES);
    let lower = seal(&gated, &refs(&below), Making::default()).unwrap();
    assert_eq!(lower.ledger().collect::<Vec<_>>(), ["key: [secret]", "640 GiB"]);
    let root = Draft::trace(&[&gated], SUMMARY.to_owned()).gate(&policy).unwrap();
    assert!(seal(&root, &[&lower], Making::default()).is_ok());
}

#[test]
fn other_children_than_were_gated_are_refused() {
    let gated = gated(&Policy::exact());
    let below = leaves(&LEAVES);
    let two = seal(&gated, &refs(&below[..2]), Making::default()).unwrap_err();
    assert_eq!(two, SealError::Children { expected: 3, given: 2 });
    let swapped = seal(&gated, &[&below[1], &below[0], &below[2]], Making::default()).unwrap_err();
    assert_eq!(swapped, SealError::ChildText { child: 0 });
}

#[test]
fn the_view_is_readable() {
    let below = leaves(&LEAVES);
    let node = seal(&gated(&Policy::exact()), &refs(&below), Making::default()).unwrap();
    let view: serde_json::Value = serde_json::to_value(&node).unwrap();
    assert_eq!(view["id"], node.id().to_string());
    assert_eq!(view["children"][1], below[1].id().to_string());
    assert_eq!(view["decision"]["verdict"], "commit");
    assert_eq!(view["policy"]["floor"], 850_000);
    assert_eq!(view["evidence"][0]["kind"], "figures");
    assert_eq!(view["evidence"][0]["lost"], 0);
    let facts = view["facts"].as_array().unwrap();
    let code = facts.iter().find(|fact| fact["value"] == "E_QUOTA_4417").unwrap();
    assert_eq!((&code["class"], &code["spans"]), (&"error_code".into(), &serde_json::json!([[26, 38]])));
}

#[test]
fn the_builder_tells_what_nobody_accounts_for() {
    let below = leaves(&LEAVES);
    let mut node = NodeBuilder::new(SUMMARY);
    let child = node.child(&below[0]);
    let facts: Vec<u32> = (0..u32::try_from(below[0].fact_count()).unwrap()).collect();
    let accounting = |node: &NodeBuilder<'_>| match node.clone().finish().unwrap_err() {
        BuildError::Accounting(error) => error,
        other => panic!("{other}"),
    };
    assert_eq!(accounting(&node), AccountingError::Unaccounted { child, facts: facts.clone() });
    let reason = node.reason(DropReason::NotRequired);
    for fact in &facts[1..] {
        node.account(child, *fact, Fate::Dropped { reason });
    }
    assert_eq!(accounting(&node), AccountingError::Unaccounted { child, facts: vec![0] });
    let wrong = |fate| {
        let mut node = node.clone();
        node.account(child, 0, fate);
        accounting(&node)
    };
    let target = AccountingError::Target { child, fact: 0 };
    assert_eq!(wrong(Fate::Stated { own: Some(99) }), target);
    assert_eq!(wrong(Fate::Stated { own: Some(2) }), target, "another value");
    assert_eq!(wrong(Fate::Carried { own: Some(0) }), target, "its equal, but not in the ledger");
    assert_eq!(wrong(Fate::Merged { child: 0, fact: 0 }), target, "itself");
    assert_eq!(wrong(Fate::Merged { child: 7, fact: 0 }), target);
    assert_eq!(wrong(Fate::Dropped { reason: 1 }), AccountingError::Reason { child, reason: 1 });
    let mut twice = node.clone();
    twice.account(child, 1, Fate::Stated { own: None });
    assert_eq!(accounting(&twice), AccountingError::Twice { child, fact: 1 });
    let mut beyond = node.clone();
    beyond.account(child, 77, Fate::Stated { own: None });
    assert_eq!(accounting(&beyond), AccountingError::Beyond { child, fact: 77 });
    node.account(child, 0, Fate::Stated { own: None });
    let node = node.finish().unwrap();
    assert_eq!(node.decision_id(), None);
    let listed = AccountingError::Child { child: 0, listed: below[0].id(), given: below[1].id() };
    assert_eq!(node.accounting(&[&below[1]]), Err(listed));
    assert_eq!(node.accounting(&[]), Err(AccountingError::Count { listed: 1, given: 0 }));
    let childless = NodeBuilder::new("A text.").finish().unwrap_err();
    assert!(matches!(childless, BuildError::Format(FormatError::SectionMissing { .. })));
}

/// The examples in leaves of 4 KiB: plain talk, a coding session, and logs with hardly a word that is no fact.
#[test]
fn manifests_of_leaves_stay_below_their_texts() {
    let sessions = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/sessions/");
    let ratio = |name: &str| {
        let data = std::fs::read_to_string(format!("{sessions}{name}")).unwrap();
        let (mut text, mut written, mut chunk) = (0, 0, String::new());
        for line in data.lines().chain([""]) {
            if chunk.len() + line.len() > 4096 || line.is_empty() {
                text += chunk.len();
                written += leaf(&chunk).bytes().len();
                chunk.clear();
            }
            chunk.push_str(line);
            chunk.push('\n');
        }
        written as f64 / text as f64
    };
    for (name, most) in
        [("release-notes.chat.jsonl", 0.50), ("batch-tests.claude.jsonl", 0.65), ("incident.jsonl", 0.95)]
    {
        let found = ratio(name);
        assert!(found < most, "{name}: {found:.3}");
    }
}

/// Every manifest that a small tree has.
fn small_tree() -> Vec<NodeManifest> {
    let mut all = leaves(&LEAVES[..2]);
    let draft =
        Draft::trace(&LEAVES[..2], "Node db-7: E_QUOTA_4417, quota of bucket media-eu raised.".to_owned());
    let gated = draft.mend(true).gate(&Policy::remediation().observing(true)).unwrap();
    let node = seal(&gated, &refs(&all), Making::by("m")).unwrap();
    all.push(node);
    all
}

#[test]
fn no_flipped_bit_keeps_the_id() {
    for manifest in small_tree() {
        let mut bytes = manifest.bytes().to_vec();
        for i in 0..bytes.len() {
            for bit in 0..8 {
                bytes[i] ^= 1 << bit;
                let found = NodeManifest::parse(&bytes);
                assert!(
                    found.is_err() || found.is_ok_and(|m| m.id() != manifest.id()),
                    "byte {i}, bit {bit}"
                );
                bytes[i] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn no_part_of_a_manifest_is_one() {
    for manifest in small_tree() {
        for end in 0..manifest.bytes().len() {
            assert!(matches!(
                NodeManifest::parse(&manifest.bytes()[..end]),
                Err(FormatError::Truncated { .. })
            ));
        }
        let more = [manifest.bytes(), &[0]].concat();
        assert_eq!(NodeManifest::parse(&more), Err(FormatError::Trailing { at: more.len() - 1 }));
    }
}

#[test]
fn an_edited_verdict_is_another_node() {
    let tree = small_tree();
    let node = tree.last().unwrap();
    let edit = |from: &str, to: &str| {
        let at = node.bytes().windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        let mut bytes = node.bytes().to_vec();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        NodeManifest::parse(&bytes)
    };
    let verdict = node.decision().unwrap().verdict.clone();
    let edited = edit(&verdict, if verdict == "commit" { "reject" } else { "commit" }).unwrap();
    assert_eq!(edited.body_id(), node.body_id());
    assert_ne!((edited.decision_id(), edited.id()), (node.decision_id(), node.id()));
    let looser = edit("rejects", "listeds").unwrap();
    assert_ne!(looser.id(), node.id());
    // Evidence is no part of the decision's bytes, and bound by its root.
    assert_eq!(edit("figures", "figurez"), Err(FormatError::EvidenceDigest));
    // A section is no part of the body's bytes, and bound by its digest.
    let at = node.bytes().windows(8).rposition(|window| window == b"media-eu").unwrap();
    let mut bytes = node.bytes().to_vec();
    bytes[at..at + 8].copy_from_slice(b"media-us");
    assert!(matches!(NodeManifest::parse(&bytes), Err(FormatError::SectionDigest { .. })));
}

/// A text of what readers know, with much that stands twice, in part, or beside something else.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "(PAY-119|PAY-120|30s|30000 ms|1 day|db-7|db-8|E_QUOTA_4417|640 GiB|12%|0\\.12|/srv/app/main\\.rs:12|v1\\.2\\.3)",
        "(2026-05-01T10:00:00Z|May 1, 2026|10:00|yesterday|03/04/2026|2024-05|https://example\\.com/a|a@example\\.com)",
        "(`git push --force origin`|\"the quota\"|timeout=30s|retries: 3|key=sk-live-4eC39HqLyjWDarjtT1zdp7dcAbCdEfGh)",
        "(The importer|crashed|failed with|was raised to|Alice Miller|took|from|on node|and then|not)",
        "(\n|\\. |, |: )",
    ];
    proptest::collection::vec(piece, 1..24).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever a gate lets through (here: all), every fact of every child is accounted for, on every level.
    #[test]
    fn every_gated_node_can_be_sealed(
        texts in proptest::collection::vec(text(), 1..4),
        parent in text(),
        above in text(),
        mend in any::<bool>(),
        given_up in text(),
    ) {
        let policy = Policy::remediation().observing(true);
        let below: Vec<NodeManifest> = texts.iter().map(|text| leaf(text)).collect();
        let gated = Draft::trace(&texts, parent).mend(mend).drops([Drop::new(given_up, "given up")]);
        let gated = gated.gate(&policy).unwrap();
        let lower = seal(&gated, &refs(&below), Making::default());
        prop_assert!(lower.is_ok(), "{:?}", lower);
        let lower = lower.unwrap();
        prop_assert_eq!(lower.accounting(&refs(&below)), Ok(()));
        prop_assert_eq!(NodeManifest::parse(lower.bytes()).map(|read| read.id()), Ok(lower.id()));
        prop_assert!(!lower.bytes().windows(12).any(|window| window == b"sk-live-4eC3"));
        prop_assert!(!lower.drops().any(|reason| reason == DropReason::NotRead));

        let root = Draft::trace(&[&gated], above).gate(&policy).unwrap();
        let root = seal(&root, &[&lower], Making::default());
        prop_assert!(root.is_ok(), "{:?}", root);
        let root = root.unwrap();
        prop_assert_eq!(root.accounting(&[&lower]), Ok(()));
        prop_assert!(serde_json::to_string(&root).is_ok());
    }
}

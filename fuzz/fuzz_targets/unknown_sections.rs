//! Sections of a later version, of any name and content: kept, verified, carried along.
#![no_main]

#[path = "../../tests/tests/foreign/mod.rs"]
mod foreign;

use foreign::Foreign;
use ipld_core::ipld::Ipld;
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use manifest_core::{Embedded, Making, NodeBuilder, NodeManifest};
use std::sync::LazyLock;

static LEAF: LazyLock<NodeManifest> = LazyLock::new(|| manifest_fuzz::tree().swap_remove(1));

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    let Ok((name, critical, count)) = u.arbitrary::<(String, bool, u8)>() else { return };
    let items: Result<Vec<Ipld>, _> = (0..count % 8).map(|_| manifest_fuzz::item(&mut u, 4)).collect();
    let Ok(items) = items else { return };
    let mut later = Foreign::of(LEAF.bytes());
    later.section(&name).extend(items.clone());
    if critical {
        later.body().insert("crit".to_owned(), Ipld::List(vec![Ipld::String(name.clone())]));
    }
    let bytes = later.finish();
    let read = NodeManifest::parse(&bytes);
    let Ok(later) = read else {
        let refused = read.expect_err("it was");
        assert!(!manifest_fuzz::is_of_bytes(&refused), "{refused}");
        return;
    };
    if later.unknown_sections().next().is_none() {
        return;
    }
    assert_eq!(later.unknown_sections().collect::<Vec<_>>(), [&name]);
    assert_eq!(later.unknown_critical_sections().count(), usize::from(critical));
    let json = serde_json::to_string(&Embedded::of(&later)).expect("JSON");
    let back: Embedded = serde_json::from_str(&json).expect("what is written is read");
    assert_eq!(back.read().map(|read| read.id()), Ok(later.id()));
    // Carried along into a node over a leaf without facts.
    let below = NodeManifest::of_leaf(&manifest_core::Child::new("")).expect("a leaf");
    let mut node = NodeBuilder::new("Nothing.");
    node.child(&below);
    node.making(Making::default().remaking(&later));
    let node = node.finish().expect("a node");
    assert_eq!(node.unknown(), later.unknown());
    assert_eq!(Foreign::of(node.bytes()).section(&name), &items);
});

//! Any bytes as a manifest: no panic, one writing, and what is read can be asked for everything.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manifest_core::NodeManifest;

fuzz_target!(|data: &[u8]| {
    let Ok(manifest) = NodeManifest::parse(data) else { return };
    assert_eq!(manifest.bytes(), data);
    assert!(serde_json::to_vec(&manifest).is_ok());
    let limit = usize::try_from(manifest.text_bytes()).unwrap_or(usize::MAX);
    for fact in manifest.facts().take(manifest.text_fact_count()) {
        assert_eq!(fact.spans().count(), fact.occurrences());
        assert!(fact.spans().all(|span| span.end <= limit));
    }
    let children = manifest.children().count();
    assert!((0..children).all(|child| manifest.fates(child).is_some()));
    assert_eq!(manifest.accounting(&[]).is_ok(), children == 0);
});

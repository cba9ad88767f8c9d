//! What a codec of others writes is canonical here; a manifest of it is the one that its parts make.
#![no_main]

#[path = "../../tests/tests/foreign/mod.rs"]
mod foreign;

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use manifest_core::NodeManifest;

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    if let Ok(item) = manifest_fuzz::item(&mut u, 6) {
        let bytes = foreign::encode(&item);
        let refused = NodeManifest::parse(&bytes).expect_err("no manifest is so small");
        assert!(!manifest_fuzz::is_of_bytes(&refused), "{refused}");
    }
    if let Ok(manifest) = NodeManifest::parse(data) {
        assert_eq!(foreign::Foreign::of(data).finish(), data);
        assert_eq!(foreign::ids(data).2, *manifest.id().as_bytes());
    }
});

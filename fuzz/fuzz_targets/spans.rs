//! Any text as a leaf: every place of every fact is a place of the text, and proves so.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manifest_core::{Child, InclusionProof, NodeManifest};

fuzz_target!(|text: &str| {
    let leaf = NodeManifest::of_leaf(&Child::new(text)).expect("a leaf of a small text");
    assert_eq!(NodeManifest::parse(leaf.bytes()).expect("what is written is read").id(), leaf.id());
    for (number, fact) in leaf.facts().enumerate() {
        for span in fact.spans() {
            let there = text.get(span.start..span.end).expect("on the borders of characters");
            assert!(fact.text().is_none_or(|text| text == there));
        }
        if number % 16 == 0 {
            let proof = InclusionProof::of(number, &[&leaf]).expect("a proof");
            assert_eq!(proof.verify(leaf.id()).expect("it holds").check_text(text), Ok(()));
        }
    }
});

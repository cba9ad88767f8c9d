//! Proofs: any bytes, and a sound proof with some bytes changed, which proves nothing any more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manifest_core::{InclusionProof, NodeId};
use std::sync::LazyLock;

static PROOF: LazyLock<(InclusionProof, NodeId)> = LazyLock::new(|| {
    let all = manifest_fuzz::tree();
    let proof = InclusionProof::of(0, &[&all[0], &all[3], &all[4]]).expect("a proof");
    (proof, all[4].id())
});

fuzz_target!(|data: &[u8]| {
    let (sound, root) = &*PROOF;
    if let Ok(proof) = InclusionProof::parse(data) {
        assert_eq!(proof.bytes(), data);
        assert_eq!(proof.verify(*root).is_ok(), proof == *sound);
    }
    let mut bytes = sound.bytes().to_vec();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[at] = change[2];
    }
    let holds = InclusionProof::parse(&bytes).is_ok_and(|proof| proof.verify(*root).is_ok());
    assert_eq!(holds, bytes == sound.bytes());
});

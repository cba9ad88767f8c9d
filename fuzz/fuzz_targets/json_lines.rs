//! Any line of the batch interface: judged, or refused with an error.
#![no_main]
#![allow(dead_code, unused_imports, reason = "a part of the program, without the rest of it")]

#[path = "../../manifest-cli/src/line.rs"]
mod line;
#[path = "../../manifest-cli/src/refusal.rs"]
mod refusal;
#[path = "../../manifest-cli/src/shape.rs"]
mod shape;
#[path = "../../manifest-cli/src/visible.rs"]
mod visible;

use libfuzzer_sys::fuzz_target;
use manifest_core::Policy;

fuzz_target!(|text: &str| {
    if let Ok(object) = line::Object::parse(text) {
        let report = object.check(&Policy::remediation());
        assert!(report.is_err() || report.is_ok_and(|report| serde_json::to_vec(&report).is_ok()));
    }
});

//! The recovery drill: from a root's id alone to the exact code, its leaf, its place, its digest and its way.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

#[test]
fn the_drill_answers_every_question() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/drill.sh");
    let done = Command::new("sh").arg(&script).arg(env!("CARGO_BIN_EXE_manifest")).output().expect("sh runs");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{out}{err}");
    assert!(out.ends_with("Every question was answered.\n"), "{out}{err}");
}

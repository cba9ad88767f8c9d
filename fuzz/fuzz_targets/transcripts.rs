//! Any file as a transcript: read whole or refused.
#![no_main]
#![allow(dead_code, unused_imports, reason = "a part of the program, without the rest of it")]

#[path = "../../manifest-cli/src/transcript/mod.rs"]
mod transcript;
#[path = "../../manifest-cli/src/visible.rs"]
mod visible;

/// What the reader asks of the rest of the program.
mod input {
    pub(crate) fn is_device(_: &std::fs::Metadata) -> bool {
        false
    }
}

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use tempfile::NamedTempFile;
use transcript::{Item, Limits, Session, leaves};

thread_local! {
    static FILE: RefCell<NamedTempFile> = RefCell::new(NamedTempFile::new().expect("a file"));
}

fuzz_target!(|data: &[u8]| {
    FILE.with_borrow_mut(|file| {
        let path = file.path().to_owned();
        let file: &mut File = file.as_file_mut();
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(data)).expect("written");
        let Ok(mut session) = Session::open(&path, Limits { line: 1 << 16 }) else { return };
        let mut bytes = 0;
        let _ = session.read(&mut |item| {
            if let Item::Unit(unit) = &item {
                bytes += leaves(unit, 64).len();
            }
            ControlFlow::Continue(())
        });
    });
});

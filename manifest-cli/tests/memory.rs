//! What an audit holds in memory grows with the distinct facts of a session, not with its bytes.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a missing part of the bench fails the test")]

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SUMMARY: &str = "The importer wrote rows to the shard. job-1x7 took the lock.";

/// A session of about so many bytes; a name stands again after `distinct` lines.
fn session(path: &Path, bytes: usize, distinct: usize) {
    let mut out = BufWriter::new(std::fs::File::create(path).expect("a temporary file"));
    let (mut written, mut line) = (0, 0_usize);
    while written < bytes {
        let mut text = String::new();
        for _ in 0..16 {
            let n = line % distinct;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "the worker took its batch, job-{n}x{} wrote /data/run{n}/part-{n}.parquet",
                n % 97
            );
            line += 1;
        }
        let role = if line % 64 == 0 { "assistant" } else { "tool" };
        let record = serde_json::json!({"role": role, "content": text}).to_string();
        written += record.len() + 1;
        writeln!(out, "{record}").expect("a temporary file");
    }
}

/// The most memory that an audit of the session had, in bytes.
fn peak(bytes: usize, distinct: usize) -> usize {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (file, summary) = (dir.path().join("session.jsonl"), dir.path().join("summary.txt"));
    session(&file, bytes, distinct);
    std::fs::write(&summary, SUMMARY).expect("a temporary file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_manifest"))
        .arg("audit")
        .arg(&file)
        .arg("--summary")
        .arg(&summary)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let kib = told
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        most = most.max(kib.unwrap_or(0_usize) * 1024);
        if let Some(ended) = child.try_wait().expect("the program is waited for") {
            assert!(ended.success(), "{ended}");
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(most > 1 << 20, "no peak was seen");
    most
}

#[test]
fn bytes_alone_take_no_memory() {
    let (small, large) = (peak(1 << 20, 200), peak(4 << 20, 200));
    assert!(large < small + (1 << 20), "{small} bytes for 1 MiB, {large} for 4 MiB");
}

#[test]
fn a_distinct_fact_takes_little() {
    let (small, large) = (peak(1 << 20, usize::MAX), peak(4 << 20, usize::MAX));
    // Two facts to about eighty bytes of the file, a row, a text and an index each.
    assert!(large < small + (18 << 20), "{small} bytes for 1 MiB, {large} for 4 MiB");
}

/// Prints peak memory against bytes: `cargo test --release --test memory -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: it measures"]
fn peaks_of_long_sessions() {
    for (name, distinct) in [("few", 200), ("distinct", usize::MAX)] {
        for mib in [8, 32, 100, 300] {
            println!(
                "{name:>9} {mib:>4} MiB of session: {:>6.1} MiB",
                peak(mib << 20, distinct) as f64 / f64::from(1 << 20)
            );
        }
    }
}

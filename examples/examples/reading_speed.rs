//! How fast leaves are read, beside hashing them: `cargo run --release -p manifest-examples --example reading_speed [FILE]`.
//!
//! A text is cut into leaves of 4 KiB at the ends of lines. Each is hashed with BLAKE3, its facts are read, and it is traced as the
//! child of a parent that shares nothing with it (facts, statements and clauses). Best of five rounds.

use manifest_core::{Child, Order, Tracer, read};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LEAF: usize = 4096;
const ROUNDS: usize = 5;
/// The least share of the rate of hashing that reading should keep; what is below it is told.
const FLOOR: f64 = 0.05;

fn leaves(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in text.split_inclusive('\n') {
        match out.last_mut() {
            Some(leaf) if leaf.len() + line.len() <= LEAF || leaf.is_empty() => leaf.push_str(line),
            _ => out.push(line.to_owned()),
        }
    }
    out
}

fn best(leaves: &[String], mut each: impl FnMut(&str)) -> Duration {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        for leaf in leaves {
            each(leaf);
        }
        start.elapsed()
    });
    rounds.min().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions/incident.jsonl");
    let path = std::env::args().nth(1).unwrap_or_else(|| sample.to_owned());
    let leaves = leaves(&std::fs::read_to_string(path)?);
    let bytes: usize = leaves.iter().map(String::len).sum();
    let hashing = best(&leaves, |leaf| {
        black_box(blake3::hash(leaf.as_bytes()));
    });
    let reading = best(&leaves, |leaf| drop(black_box(read(leaf))));
    let tracing = best(&leaves, |leaf| {
        let mut tracer = Tracer::new("Nothing.", Order::Sequence);
        tracer.child(&Child::new(leaf));
        drop(black_box(tracer));
    });
    println!("{} leaves, {bytes} bytes", leaves.len());
    for (what, time) in
        [("blake3::hash", hashing), ("facts", reading), ("facts and statements, traced", tracing)]
    {
        let rate = bytes as f64 / time.as_secs_f64() / 1e6;
        let share = hashing.as_secs_f64() / time.as_secs_f64();
        println!(
            "{what:30} {rate:8.1} MB/s  {share:.3} of hashing{}",
            if share < FLOOR { ", below the floor" } else { "" }
        );
    }
    Ok(())
}

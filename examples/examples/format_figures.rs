//! Figures of the format: how large manifests are beside their texts, how fast they are verified beside BLAKE3 of the same
//! bytes, and what a proof costs in a tree of 100,000 leaves.
//!
//! `cargo run --release -p manifest-examples --example format_figures [FILE…]`: the files are packed line by line into leaves of
//! 4 KiB; without any, the recorded sessions.

use manifest_core::recover::{TreeMap, Verify};
use manifest_core::store::{BlobKey, Blobs, Memory, block_on};
use manifest_core::tree::Tree;
use manifest_core::{Child, DropReason, Fate, InclusionProof, NodeBuilder, NodeId, NodeManifest, TextDigest};
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Leaves of the large tree, and children of one of its nodes.
const LEAVES: usize = 100_000;
const FAN_IN: usize = 8;
/// Bytes of a packed leaf.
const LEAF: usize = 4096;
/// Rounds of which the median is told.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        let sessions = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions");
        for entry in std::fs::read_dir(sessions)? {
            files.extend(Some(entry?.path()).filter(|path| path.extension().is_some_and(|e| e == "jsonl")));
        }
        files.sort();
    }
    println!("bytes of leaf manifests over bytes of text, leaves of {LEAF} bytes");
    let mut all = Vec::new();
    for file in &files {
        let data = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        let chunks = packed(&data);
        let manifests = chunks.iter().map(|text| NodeManifest::of_leaf(&Child::new(text.as_str())));
        let manifests = manifests.collect::<Result<Vec<_>, _>>()?;
        let text: usize = chunks.iter().map(String::len).sum();
        let written: usize = manifests.iter().map(|manifest| manifest.bytes().len()).sum();
        let values: usize = manifests
            .iter()
            .flat_map(NodeManifest::facts)
            .filter_map(|fact| fact.value())
            .map(str::len)
            .sum();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let share = |n: usize| n as f64 / text.max(1) as f64;
        println!("  {:.2}  {name}, {text} bytes; the values alone {:.2}", share(written), share(values));
        all.extend(chunks.into_iter().zip(manifests));
    }
    println!("checking manifests and texts over BLAKE3 of the same bytes, one by one, one thread");
    let bytes: usize = all.iter().map(|(text, manifest)| text.len() + manifest.bytes().len()).sum();
    let hashed = median(|| {
        for (text, manifest) in &all {
            black_box((TextDigest::of(text), TextDigest::of(manifest.bytes())));
        }
    });
    let checked = median(|| {
        for (text, manifest) in &all {
            let _ = black_box((TextDigest::of(text), NodeManifest::parse(manifest.bytes())));
        }
    });
    let ratio = hashed.as_secs_f64() / checked.as_secs_f64();
    println!(
        "  {ratio:.2}  bytes, digests and records: {:.0} MB/s",
        bytes as f64 / 1e6 / checked.as_secs_f64()
    );
    large_tree()
}

/// Leaves of whole lines.
fn packed(data: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in data.lines() {
        if out.last().is_some_and(|leaf| !leaf.is_empty() && leaf.len() + line.len() > LEAF) {
            out.push(String::new());
        }
        if let Some(leaf) = out.last_mut() {
            leaf.push_str(line);
            leaf.push('\n');
        }
    }
    out
}

fn large_tree() -> Result<(), Box<dyn Error>> {
    let store = Memory::new();
    let (mut bytes, mut objects) = (0, Vec::new());
    let mut put = |manifest: &NodeManifest, text: &str| {
        bytes += manifest.bytes().len() + text.len();
        objects.push((manifest.bytes().to_vec(), text.to_owned()));
        block_on(async {
            store.put(BlobKey::of_text(text.as_bytes()), text.as_bytes()).await?;
            store.put(BlobKey::node(manifest.id()), manifest.bytes()).await
        })
    };
    let mut level: Vec<NodeManifest> = Vec::with_capacity(LEAVES);
    for n in 0..LEAVES {
        let text = format!(
            "The applier of part {n} stopped on node db-{n} after {}.{} s. It said LDG-{n} at /srv/parts/{n}/wal.log:{}, retry limit 5, \
             and the next window is at 06:30; {} entries wait behind offset 0x{n:06x} of segment s{}.",
            n % 97,
            n % 10,
            n % 1000,
            n % 313,
            n / 8
        );
        let leaf = NodeManifest::of_leaf(&Child::new(text.as_str()))?;
        put(&leaf, &text)?;
        level.push(leaf);
    }
    let asked: NodeId = level.get(LEAVES / 2).map(NodeManifest::id).ok_or("no leaves")?;
    let mut levels = 0;
    while level.len() > 1 {
        levels += 1;
        let mut above = Vec::with_capacity(level.len() / FAN_IN + 1);
        for (n, children) in level.chunks(FAN_IN).enumerate() {
            let text = format!("Level {levels}, group {n}: LDG-{n} and what it waits for.");
            let mut node = NodeBuilder::new(text.clone());
            let reason = node.reason(DropReason::NotRequired);
            for child in children {
                let place = node.child(child);
                for fact in (0..).take(child.fact_count()) {
                    node.account(place, fact, Fate::Dropped { reason });
                }
            }
            let node = node.finish()?;
            put(&node, &text)?;
            above.push(node);
        }
        level = above;
    }
    let root = level.first().map(NodeManifest::id).ok_or("no root")?;
    println!(
        "a tree of {LEAVES} leaves, {} objects, {levels} levels, fan-in {FAN_IN}, {bytes} bytes",
        objects.len()
    );
    let tree = Tree::open(&store, "main")?;
    let map = block_on(TreeMap::load(&tree, root))?;
    let proof = map.prove(asked, 0)?;
    proof.verify(root)?;
    let made = median(|| drop(black_box(map.prove(asked, 0))));
    let checked = median(|| {
        let parsed = InclusionProof::parse(proof.bytes());
        let _ = black_box(parsed.as_ref().map(|proof| proof.verify(root).is_ok()));
    });
    println!("  a proof: {} bytes, made in {made:.1?}, checked in {checked:.1?}", proof.bytes().len());
    let hashed = median(|| {
        for (manifest, text) in &objects {
            black_box((TextDigest::of(manifest), TextDigest::of(text)));
        }
    });
    let start = Instant::now();
    let done = block_on(Verify::of(&tree).run(root))?;
    let whole = start.elapsed();
    if !done.is_intact() {
        return Err("the tree is not intact".into());
    }
    println!(
        "  the whole of it, with every account: {whole:.2?}, BLAKE3 of each object {hashed:.2?}, ratio {:.2}",
        hashed.as_secs_f64() / whole.as_secs_f64()
    );
    Ok(())
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times.get(ROUNDS / 2).copied().unwrap_or_default()
}

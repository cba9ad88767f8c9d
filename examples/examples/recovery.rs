//! A process that starts from the id of a root alone, and answers for what no summary says any more.
//!
//! Run without arguments it is both: it compacts four leaves by a summary that merges two error codes into "a related error" (the gate
//! only observes, as pipelines did before they had one), and starts itself again with the folder and the root's id.

use manifest_core::recover::{End, TreeMap, Verify};
use manifest_core::store::{BlobKey, Blobs, block_on};
use manifest_core::tree::{Compactor, Plan, Summarizer, Task, Tree};
use manifest_core::{Child, NodeId, Policy};
use manifest_store::FileStore;
use std::convert::Infallible;
use std::error::Error;
use std::future::{Future, ready};
use std::path::Path;
use std::process::{Command, ExitCode};

const LEAVES: [&str; 4] = [
    "Both imports run since 06:10 on node db-7. The archive holds 39 entries for them.",
    "shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait.",
    "shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait.",
    "Both shards are held. The next window is on Friday at 06:30.",
];
const ASKED: &str = "LDG-4471";

/// Says what a fluent model said.
struct Fluent;

impl Summarizer<String> for Fluent {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let text = match (task.level, task.position) {
            (1, 0) => "Both imports run on node db-7; shard-06 aborted with LDG-4417, 17 entries wait.",
            (1, _) => "shard-11 aborted with a related error. The next window is on Friday at 06:30.",
            _ => "Both shards stopped with LDG-4417 and a related error, and are held until Friday at 06:30.",
        };
        ready(Ok(text.to_owned()))
    }
}

/// The night before: a tree in a folder.
fn compact(folder: &Path) -> Result<NodeId, Box<dyn Error>> {
    let store = FileStore::create(folder)?;
    let tree = Tree::open(&store, "main")?;
    let leaves = block_on(tree.ingest(&LEAVES.map(Child::new)))?;
    let compactor = Compactor::new(&tree, &Fluent, "fluent", Policy::remediation().observing(true));
    let done = compactor.run_blocking(&leaves, &Plan::by_fan_in(LEAVES.len(), 2)?)?;
    Ok(done.outcome.root().ok_or("an observed run has a root")?.id())
}

/// The morning after: the folder, the root's id, and a question.
fn recover(folder: &Path, root: NodeId) -> Result<(), Box<dyn Error>> {
    let store = FileStore::open(folder)?;
    let tree = Tree::open(&store, "main")?;
    block_on(async {
        println!("the root says: {}", tree.stored(root).await?.text());
        let map = TreeMap::load(&tree, root).await?;
        let found = map.trace(ASKED);
        let [found] = found.as_slice() else {
            return Err(format!("{} places for {ASKED}", found.len()).into());
        };
        let bytes = store.get(BlobKey::text(found.text_digest)).await?.ok_or("the leaf's text is gone")?;
        let stands = bytes.get(found.span.start..found.span.end).ok_or("no such bytes")?;
        println!("{ASKED} stands in leaf {} at bytes {}–{}", found.leaf, found.span.start, found.span.end);
        println!("the leaf says: {}", String::from_utf8_lossy(&bytes));
        let End::Dropped { node, level, .. } = &found.end else {
            return Err(format!("it ended otherwise: {:?}", found.end).into());
        };
        println!("it ended at level {level}, in node {node}");
        let verified = Verify::of(&tree).run(root).await?;
        println!("bytes and accounts: {:?}", verified.integrity);
        if stands != ASKED.as_bytes() || *level != 1 || !verified.is_intact() {
            return Err("the answer is not what was stored".into());
        }
        Ok(())
    })
}

fn both() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("manifest-recovery-{}", std::process::id()));
    let root = compact(&folder)?;
    println!("a tree in {}, its root {root}", folder.display());
    let ended = Command::new(std::env::current_exe()?).arg(&folder).arg(root.to_string()).status();
    std::fs::remove_dir_all(&folder)?;
    if !ended?.success() {
        return Err("the second process did not answer".into());
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let done = match (args.next(), args.next()) {
        (Some(folder), Some(root)) => {
            let root = root.to_string_lossy().parse::<NodeId>();
            root.map_err(Into::into).and_then(|root| recover(Path::new(&folder), root))
        }
        _ => both(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("recovery: {error}");
            ExitCode::FAILURE
        }
    }
}

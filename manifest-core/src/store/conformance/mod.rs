//! What every store must do, as checks that run on any adapter.
//!
//! An adapter says how to make an empty store ([`Adapter`]) and how to open it again ([`Bench`]); [`conform`] runs every check on a store
//! of its own and answers what became of each. The suite knows no runtime: it is run on the adapter's.

mod ages;
mod blobs;
#[cfg(test)]
mod broken;
mod kills;
mod leases;
mod races;
mod refs;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::{
    BlobKey, Digest, Event, Moment, NodeId, RefName, RefUpdate, Space, Store, StoreError, StoreFuture,
    block_on,
};

/// An adapter under test.
pub trait Adapter: Send + Sync {
    /// A store that is new and empty.
    fn bench(&self) -> StoreFuture<'_, Box<dyn Bench>>;
}

/// One store under test.
pub trait Bench: Send + Sync {
    /// A handle on the store that shares nothing in this process with the handles before: as another process would open it.
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>>;

    /// Replaces what stands under a key, past the store: as a failing disk or a foreign hand would.
    fn alter<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()>;

    /// Leaves behind what a writer leaves that is killed while it puts `bytes` under `key`: nothing, or an object that is not in its
    /// place yet.
    fn torn<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()>;

    /// Waits until the store's clock tells another time.
    fn let_time_pass(&self) -> StoreFuture<'_, ()> {
        Box::pin(async {
            thread::sleep(Duration::from_millis(30));
            Ok(())
        })
    }

    /// Runs tasks at the same time and answers what became of each: a thread each, unless the adapter's runtime has tasks.
    fn race(&self, tasks: Vec<Task>) -> Pin<Box<dyn Future<Output = Vec<Finding>> + Send + '_>> {
        Box::pin(async {
            let running: Vec<_> = tasks.into_iter().map(|task| thread::spawn(|| block_on(task))).collect();
            let panicked = |_| Err(Fault::new("a task panicked"));
            running.into_iter().map(|task| task.join().unwrap_or_else(panicked)).collect()
        })
    }
}

/// One of many that run at the same time.
pub type Task = Running<'static>;

/// What a check found: nothing, or a fault.
pub type Finding = Result<(), Fault>;

/// What a store did otherwise than it must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(String);

impl Fault {
    /// In words.
    pub fn new(what: impl Into<String>) -> Self {
        Fault(what.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An error where the store had to succeed.
impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        Fault(format!("unexpected error: {error}{cause}"))
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Finding> + Send + 'a>>;

/// What a store must do.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its name: `what.which`.
    pub name: &'static str,
    run: fn(&dyn Bench) -> Running<'_>,
}

impl Check {
    /// Runs it on a store that is new and empty.
    ///
    /// # Errors
    /// What the store did otherwise.
    pub async fn run(&self, bench: &dyn Bench) -> Finding {
        (self.run)(bench).await
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Check({})", self.name)
    }
}

macro_rules! checks {
    ($($name:literal => $run:path;)*) => {
        /// Every check.
        pub const CHECKS: &[Check] = &[$(Check { name: $name, run: |bench| Box::pin($run(bench)) }),*];
    };
}

checks! {
    "store.capabilities" => blobs::capabilities;
    "store.reopen" => kills::reopen;
    "store.killed_writer" => kills::killed_writer;
    "put.twice" => blobs::put_twice;
    "put.batch" => blobs::put_batch;
    "get.whole" => blobs::get_whole;
    "get.missing" => blobs::get_missing;
    "get.altered" => blobs::get_altered;
    "get.during_write" => races::get_during_write;
    "put.race" => races::put_race;
    "delete.then_get" => blobs::delete_then_get;
    "scan.all" => blobs::scan_all;
    "scan.age" => ages::scan_age;
    "ref.first" => refs::first;
    "ref.stale" => refs::stale;
    "ref.retry" => refs::retry;
    "ref.history" => refs::history;
    "ref.names" => refs::names;
    "ref.list" => refs::list;
    "ref.batch" => refs::batch;
    "ref.race" => races::ref_race;
    "ref.read_during_swap" => races::read_during_swap;
    "lease.life" => leases::life;
    "lease.renewed" => leases::renewed;
}

/// What became of every check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conformance {
    /// The name of each check and what it found.
    pub checks: Vec<(&'static str, Finding)>,
}

impl Conformance {
    /// The checks that found a fault, with the fault.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &Fault)> {
        self.checks.iter().filter_map(|(name, found)| Some((*name, found.as_ref().err()?)))
    }

    /// Nothing, or all faults as one text, a line each.
    ///
    /// # Errors
    /// The text.
    pub fn verdict(&self) -> Result<(), String> {
        let faults: Vec<_> = self.faults().map(|(name, fault)| format!("{name}: {fault}")).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }
}

/// Runs every check, each on a new store.
///
/// # Errors
/// That of the adapter if it cannot make a store.
pub async fn conform(adapter: &dyn Adapter) -> Result<Conformance, StoreError> {
    let mut checks = Vec::with_capacity(CHECKS.len());
    for check in CHECKS {
        let bench = adapter.bench().await?;
        checks.push((check.name, check.run(&*bench).await));
    }
    Ok(Conformance { checks })
}

/// Fails a check unless something holds.
macro_rules! ensure {
    ($holds:expr, $($what:tt)*) => {
        if !$holds {
            return Err($crate::store::conformance::Fault::new(format!($($what)*)));
        }
    };
}
use ensure;

/// Bytes that look like nothing, the same for the same seed.
fn sample(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    })
    .flatten()
    .take(size)
    .collect()
}

/// A text's key beside the text.
fn text(seed: u64, size: usize) -> (BlobKey, Vec<u8>) {
    let bytes = sample(seed, size);
    (BlobKey::of_text(&bytes), bytes)
}

/// The id of a node that nobody stores: a ref holds it all the same.
fn node(seed: u8) -> NodeId {
    NodeId::from_digest(Digest::from_bytes([seed; 32]))
}

fn commit(seed: u8) -> RefUpdate {
    RefUpdate::new(node(seed), Event::Commit)
}

fn name(name: &str) -> Result<RefName, Fault> {
    RefName::new(name).map_err(|error| Fault::new(error.to_string()))
}

/// A time of the caller's.
fn at(millis: u64) -> Moment {
    Moment::from_unix_millis(1_800_000_000_000 + millis)
}

/// Every blob of a space, by pages of `limit`.
async fn scanned(store: &dyn Store, space: Space, limit: usize) -> Result<Vec<BlobKey>, Fault> {
    let (mut keys, mut after) = (Vec::new(), None);
    for _ in 0..1000 {
        let page = store.scan(space, after, limit).await?;
        ensure!(page.blobs.len() <= limit.max(1), "a page of at most {limit} has {}", page.blobs.len());
        keys.extend(page.blobs.into_iter().map(|(key, _)| key));
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(keys),
        }
    }
    Err(Fault::new("the scan has no end"))
}

//! Which store and which head a verb works on.

use crate::error::Failure;
use crate::headless::Headless;
use clap::Args;
use manifest_core::NodeId;
use manifest_core::store::{Lease, Leases, Moment};
use manifest_core::tree::Tree;
use manifest_store::FileStore;
use std::collections::HashSet;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// How long a writer's promise lasts beyond its longest step. It is renewed while the writer works, so that one who was
/// killed keeps no sweep from its work for longer than this.
const LEASE: Duration = Duration::from_mins(15);
/// It is renewed when so much of it has passed: one in.
const PART: u32 = 3;

/// The store and the head.
#[derive(Args, Clone)]
pub(crate) struct StoreArgs {
    /// The folder of the store.
    #[arg(long, default_value = ".manifest", value_name = "DIR", env = "MANIFEST_STORE")]
    store: PathBuf,
    /// The name of the tree's head.
    #[arg(long, default_value = "main", value_name = "NAME")]
    head: String,
}

/// The store, the head, and which root or node.
#[derive(Args, Clone)]
pub(crate) struct PlaceArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The root, by its id or the first digits of it; what the head names by default.
    #[arg(long, value_name = "ID")]
    root: Option<String>,
}

impl StoreArgs {
    /// The store, which is made where there is none.
    pub(crate) fn create(&self) -> Result<FileStore, Failure> {
        Ok(FileStore::create(&self.store)?)
    }

    /// The store, which must be there.
    pub(crate) fn open(&self) -> Result<FileStore, Failure> {
        Ok(FileStore::open(&self.store)?)
    }

    pub(crate) fn head(&self) -> &str {
        &self.head
    }

    /// The folder, as a person gives it again.
    pub(crate) fn shown(&self) -> String {
        self.store.display().to_string()
    }

    /// What the store holds beside a head that names nothing.
    pub(crate) async fn headless(
        &self,
        tree: &Tree<'_, FileStore>,
        store: &FileStore,
    ) -> Result<Headless, Failure> {
        Headless::of(tree, store, &self.store).await
    }
}

/// That somebody writes: a lease that is taken before anything is written, renewed meanwhile, and ended with this.
pub(crate) struct Writing<'s> {
    store: &'s FileStore,
    lease: Mutex<Lease>,
    lasts: Duration,
}

impl<'s> Writing<'s> {
    /// Begins it; no step will take longer than `step`.
    pub(crate) fn begin(store: &'s FileStore, step: Duration) -> Result<Self, Failure> {
        let lasts = LEASE.saturating_add(step);
        let lease = block(acquire(store, lasts))?;
        Ok(Writing { store, lease: Mutex::new(lease), lasts })
    }

    /// Called between steps.
    pub(crate) fn go_on(&self) {
        let mut lease = self.lease.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        let fresh = self.lasts.saturating_sub(self.lasts / PART);
        if now.after(fresh) <= lease.expires {
            return;
        }
        // One that ended while the machine slept is taken anew; what a sweep took meanwhile is put again before the head moves.
        let renewed = manifest_core::store::block_on(async {
            match Leases::of(self.store).renew(&lease, now, self.lasts).await {
                Ok(renewed) => Ok(renewed),
                Err(_) => acquire(self.store, self.lasts).await,
            }
        });
        if let Ok(renewed) = renewed {
            *lease = renewed;
        }
    }
}

impl Drop for Writing<'_> {
    /// A lease that cannot be ended ends by itself.
    fn drop(&mut self) {
        let lease = self.lease.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = manifest_core::store::block_on(Leases::of(self.store).release(lease));
    }
}

async fn acquire(store: &FileStore, lasts: Duration) -> Result<Lease, Failure> {
    let holder = format!("manifest run, process {}", std::process::id());
    Ok(Leases::of(store).acquire(&holder, now(), lasts).await?)
}

impl PlaceArgs {
    /// The root that was given by its whole id: no store is asked what some digits of it mean.
    pub(crate) fn pinned(&self) -> Result<NodeId, Failure> {
        let root = self.root.as_deref().unwrap_or_default();
        root.parse().map_err(|_| {
            Failure::Usage("--root must be the whole id of the pinned root: 64 lower-case hexadecimal digits")
        })
    }

    /// The id that was given, or what the head names.
    pub(crate) async fn root_of(
        &self,
        tree: &Tree<'_, FileStore>,
        store: &FileStore,
    ) -> Result<NodeId, Failure> {
        // A root that is named by all of its id stands by itself, whatever became of the head.
        if let Some(id) = self.root.as_ref().and_then(|root| root.parse().ok()) {
            return Ok(id);
        }
        let head = tree.head().await?;
        match (&self.root, head) {
            (None, Some(head)) => Ok(head.target),
            (None, None) => Err(Failure::NoHead(Box::new(self.store.headless(tree, store).await?))),
            (Some(root), head) => {
                let none = || Failure::NoSuchRoot { root: root.clone() };
                if head.is_none() || root.len() < DIGITS || !root.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return Err(none());
                }
                by_digits(tree, &root.to_ascii_lowercase()).await?.ok_or_else(none)
            }
        }
    }
}

/// Digits of an id that name it, at least.
const DIGITS: usize = 4;

/// The one root of the head's history whose id begins with these digits, or else the one node below any of them.
async fn by_digits(tree: &Tree<'_, FileStore>, digits: &str) -> Result<Option<NodeId>, Failure> {
    let mut open: Vec<NodeId> = tree.history(usize::MAX).await?.iter().map(|entry| entry.target).collect();
    open.sort_unstable();
    open.dedup();
    let named = |id: &NodeId| id.to_string().starts_with(digits);
    let mut found: Vec<NodeId> = open.iter().copied().filter(named).collect();
    if found.is_empty() {
        // What several roots share is read once.
        let mut seen: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            for child in tree.manifest(id).await?.children() {
                if seen.insert(child) {
                    found.extend(Some(child).filter(named));
                    open.push(child);
                }
            }
        }
    }
    Ok(match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    })
}

/// What time it is.
pub(crate) fn now() -> Moment {
    Moment::from(SystemTime::now())
}

/// Waits for a step: the program does one thing at a time.
pub(crate) fn block<T, E: Into<Failure>>(step: impl Future<Output = Result<T, E>>) -> Result<T, Failure> {
    manifest_core::store::block_on(step).map_err(Into::into)
}

/// The digits of an id that are shown.
pub(crate) fn short(id: NodeId) -> String {
    let mut text = id.to_string();
    text.truncate(12);
    text
}

//! Which store and which head a verb works on.

use crate::error::Failure;
use clap::Args;
use manifest_core::NodeId;
use manifest_core::recover::TreeMap;
use manifest_core::store::{Lease, Leases, Moment};
use manifest_core::tree::Tree;
use manifest_store::FileStore;
use std::future::Future;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How long a writer's promise lasts; a run of models may take hours.
const LEASE: Duration = Duration::from_hours(24);

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

    /// That the head names nothing.
    pub(crate) fn no_head(&self) -> Failure {
        Failure::NoHead { head: self.head.clone(), store: self.store.clone() }
    }

    /// A lease, before anything is written.
    pub(crate) async fn lease(&self, store: &FileStore) -> Result<Lease, Failure> {
        let holder = format!("manifest run, process {}", std::process::id());
        Ok(Leases::of(store).acquire(&holder, now(), LEASE).await?)
    }

    pub(crate) async fn release(&self, store: &FileStore, lease: &Lease) -> Result<(), Failure> {
        Leases::of(store).release(lease).await?;
        Ok(())
    }
}

impl PlaceArgs {
    /// The id that was given, or what the head names.
    pub(crate) async fn root_of(&self, tree: &Tree<'_, FileStore>) -> Result<NodeId, Failure> {
        let head = tree.head().await?;
        match (&self.root, head) {
            (None, Some(head)) => Ok(head.target),
            (None, None) => Err(self.store.no_head()),
            (Some(root), head) => {
                if let Ok(id) = root.parse() {
                    return Ok(id);
                }
                // The first digits of it: below what the head names, or of one of its earlier roots.
                let mut targets: Vec<NodeId> = Vec::new();
                if head.is_some() {
                    targets = tree.history(usize::MAX).await?.iter().map(|entry| entry.target).collect();
                }
                targets.sort_unstable();
                targets.dedup();
                if let [one] =
                    targets.iter().filter(|id| is_head_of(root, **id)).collect::<Vec<_>>().as_slice()
                {
                    return Ok(**one);
                }
                for target in targets {
                    let map = TreeMap::load(tree, target).await?;
                    if let Some(found) = map.find(root) {
                        return Ok(found.id());
                    }
                }
                Err(Failure::NoSuchRoot { root: root.clone() })
            }
        }
    }
}

fn is_head_of(digits: &str, id: NodeId) -> bool {
    digits.len() >= 4 && id.to_string().starts_with(&digits.to_ascii_lowercase())
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

//! The suite on the store in memory, and on stores that are broken in one way each: every check must be able to fail.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::super::layout::Layout;
use super::super::{
    BlobKey, Blobs, Capabilities, Created, Cursor, Memory, Moment, ObjectPath, Objects, Page, RefEntry,
    RefName, RefSwap, RefUpdate, Refs, Space, Stat, Store, StoreError, StoreFuture, Table, block_on,
};
use super::{Adapter, Bench, conform};

/// The ways to be broken, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    NoCreateOnly,
    Overwrites,
    ChecksThenWrites,
    WritesInTwo,
    LosesBatchEnd,
    CutsLarge,
    MissingIsEmpty,
    SaysItDeletes,
    DeletesForItselfOnly,
    ListSkipsOne,
    ListIgnoresAfter,
    ListUnordered,
    StaysOld,
    HasNoAge,
    OneFolderForAll,
    ForgetsOnReopen,
    ServesTorn,
    AcceptsAltered,
    CutsNames,
    StaleHeads,
    SwapsFromAnywhere,
    ForgetsNonces,
    HistoryReversed,
    HistoryTooShort,
    ListsOneRefTwice,
    RefusesBatchEnd,
    LeasesNotListed,
    SharesLeases,
}

/// Paths and bytes.
type Torn = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

/// Objects with a flaw.
struct Flawed {
    inner: Table,
    /// What this handle alone has deleted, or forgotten.
    gone: Mutex<BTreeSet<String>>,
    flaw: Flaw,
    /// Objects that were being written when their writer was killed.
    torn: Torn,
}

impl Flawed {
    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn path(&self, path: &ObjectPath) -> ObjectPath {
        match self.flaw {
            Flaw::OneFolderForAll => ObjectPath::new(path.as_str().replace("node/", "text/")),
            Flaw::CutsNames if path.as_str().starts_with("refs/") => ObjectPath::new(
                path.as_str().replace(['#', '%'], "").replace("a b", "ab").replace("-a/", "a/"),
            ),
            _ => path.clone(),
        }
    }
}

impl Objects for Flawed {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities().create_only(!self.is(Flaw::NoCreateOnly))
    }

    fn place(&self) -> String {
        "a flawed store".to_owned()
    }

    fn create<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, Created> {
        Box::pin(async move {
            let path = &self.path(path);
            let cut = if self.is(Flaw::CutsLarge) { bytes.len().min(65_536) } else { bytes.len() };
            let bytes = &bytes[..cut];
            match self.flaw {
                Flaw::Overwrites => {
                    self.inner.replace(path, bytes).await?;
                    Ok(Created::New)
                }
                Flaw::ChecksThenWrites => {
                    if self.inner.stat(path).await?.is_some() {
                        return Ok(Created::Exists);
                    }
                    thread::sleep(Duration::from_millis(1));
                    self.inner.replace(path, bytes).await?;
                    Ok(Created::New)
                }
                Flaw::WritesInTwo => {
                    let first = self.inner.create(path, &bytes[..bytes.len() / 2]).await?;
                    if first == Created::New {
                        thread::sleep(Duration::from_millis(2));
                        self.inner.replace(path, bytes).await?;
                    }
                    Ok(first)
                }
                _ => self.inner.create(path, bytes).await,
            }
        })
    }

    fn create_many<'a>(&'a self, batch: &'a [(ObjectPath, &'a [u8])]) -> StoreFuture<'a, Vec<Created>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for (n, (path, bytes)) in batch.iter().enumerate() {
                if self.is(Flaw::LosesBatchEnd) && n + 2 >= batch.len() && n > 0 {
                    all.push(Created::New);
                } else {
                    all.push(self.create(path, bytes).await?);
                }
            }
            Ok(all)
        })
    }

    fn replace<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.inner.replace(&self.path(path), bytes).await })
    }

    fn refresh<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, ()> {
        if self.is(Flaw::StaysOld) {
            return Box::pin(async { Ok(()) });
        }
        Box::pin(async move { self.inner.refresh(&self.path(path)).await })
    }

    fn read<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            if self.gone.lock().unwrap().contains(path.as_str()) {
                return Ok(None);
            }
            let found = self.inner.read(&self.path(path)).await?;
            let torn = self.torn.lock().unwrap();
            Ok(match (found, self.flaw) {
                (None, Flaw::MissingIsEmpty) if path.as_str().starts_with("text/") => Some(Vec::new()),
                (None, Flaw::ServesTorn) => {
                    torn.iter().find(|(p, _)| p == path.as_str()).map(|(_, bytes)| bytes.clone())
                }
                (found, _) => found,
            })
        })
    }

    fn stat<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Stat>> {
        Box::pin(async move {
            if self.gone.lock().unwrap().contains(path.as_str()) {
                return Ok(None);
            }
            let stat = self.inner.stat(&self.path(path)).await?;
            Ok(stat.map(|s| if self.is(Flaw::HasNoAge) { Stat::new(s.size, None) } else { s }))
        })
    }

    fn remove<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            match self.flaw {
                Flaw::SaysItDeletes => Ok(self.inner.stat(path).await?.is_some()),
                Flaw::DeletesForItselfOnly => {
                    let there = self.stat(path).await?.is_some();
                    self.gone.lock().unwrap().insert(path.as_str().to_owned());
                    Ok(there)
                }
                _ => self.inner.remove(&self.path(path)).await,
            }
        })
    }

    fn list<'a>(
        &'a self,
        folder: &'a ObjectPath,
        after: Option<&'a ObjectPath>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<(String, Stat)>> {
        Box::pin(async move {
            let after = if self.is(Flaw::ListIgnoresAfter) { None } else { after };
            let mut listed = self.inner.list(folder, after, limit).await?;
            match self.flaw {
                Flaw::ListSkipsOne if listed.len() > 1 && listed.len() < limit => {
                    listed.remove(0);
                }
                Flaw::ListUnordered => listed.reverse(),
                Flaw::HasNoAge => listed.iter_mut().for_each(|(_, s)| *s = Stat::new(s.size, None)),
                Flaw::LeasesNotListed if folder.as_str() == "lease" => listed.clear(),
                _ => {}
            }
            Ok(listed)
        })
    }
}

/// A store with a flaw above its objects.
struct FlawedStore {
    layout: Layout<Flawed>,
    first_head: Mutex<Option<RefEntry>>,
}

impl FlawedStore {
    fn is(&self, flaw: Flaw) -> bool {
        self.layout.objects().flaw == flaw
    }
}

impl Blobs for FlawedStore {
    fn capabilities(&self) -> Capabilities {
        self.layout.capabilities()
    }

    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            match self.layout.put(key, bytes).await {
                Err(StoreError::Conflict { .. }) if self.is(Flaw::AcceptsAltered) => Ok(()),
                // Every lease of a holder is one.
                Ok(()) if self.is(Flaw::SharesLeases) && key.space == Space::Lease => {
                    for (other, _) in self.layout.scan(Space::Lease, None, 100).await?.blobs {
                        if other != key {
                            self.layout.delete(other).await?;
                        }
                    }
                    Ok(())
                }
                found => found,
            }
        })
    }

    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
        self.layout.put_many(batch)
    }

    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.layout.get(key)
    }

    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
        self.layout.head(key)
    }

    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        self.layout.delete(key)
    }

    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
        self.layout.scan(space, after, limit)
    }
}

impl Refs for FlawedStore {
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
        Box::pin(async move {
            let head = self.layout.read(name).await?;
            if !self.is(Flaw::StaleHeads) {
                return Ok(head);
            }
            // A cache that is never told.
            let mut first = self.first_head.lock().unwrap();
            *first = first.take().or(head);
            Ok(first.clone())
        })
    }

    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry> {
        Box::pin(async move {
            let update = if self.is(Flaw::ForgetsNonces) {
                RefUpdate::new(update.target, update.event)
            } else {
                update
            };
            match self.layout.swap(name, expected, update.clone()).await {
                Err(StoreError::Stale { found, .. }) if self.is(Flaw::SwapsFromAnywhere) => {
                    self.layout.swap(name, found, update).await
                }
                found => found,
            }
        })
    }

    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        Box::pin(async move {
            let whole = batch.len();
            let upto = if self.is(Flaw::RefusesBatchEnd) { whole.saturating_sub(1) } else { whole };
            let mut all = self.layout.swap_many(batch.get(..upto).unwrap_or_default()).await?;
            for RefSwap { name, expected, .. } in batch.iter().skip(upto) {
                let found = self.layout.read(name).await?.map(|head| head.generation);
                all.push(Err(StoreError::Stale { name: name.clone(), expected: *expected, found }));
            }
            Ok(all)
        })
    }

    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>> {
        Box::pin(async move {
            let mut past = self.layout.history(name, before, limit).await?;
            match self.layout.objects().flaw {
                Flaw::HistoryReversed => past.reverse(),
                Flaw::HistoryTooShort => past.truncate(20),
                _ => {}
            }
            Ok(past)
        })
    }

    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
        Box::pin(async move {
            let mut names = self.layout.list(after, limit).await?;
            if self.is(Flaw::ListsOneRefTwice)
                && names.len() < limit
                && let Some(last) = names.last().cloned()
            {
                names.push(last);
            }
            Ok(names)
        })
    }
}

#[derive(Clone)]
struct Site {
    table: Table,
    time: Arc<AtomicU64>,
    flaw: Flaw,
    torn: Torn,
    opened: Arc<AtomicBool>,
}

fn path_of(key: BlobKey) -> ObjectPath {
    let digits = key.digest.to_string();
    ObjectPath::new(format!("{}/{}/{}", key.space, &digits[..2], &digits[2..]))
}

impl Bench for Site {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move {
            if self.opened.swap(true, Ordering::Relaxed) && self.flaw == Flaw::ForgetsOnReopen {
                return Ok(Arc::new(Memory::new()) as Arc<dyn Store>);
            }
            let objects = Flawed {
                inner: self.table.clone(),
                gone: Mutex::default(),
                flaw: self.flaw,
                torn: Arc::clone(&self.torn),
            };
            let layout = Layout::unmarked(objects);
            Ok(Arc::new(FlawedStore { layout, first_head: Mutex::default() }) as Arc<dyn Store>)
        })
    }

    fn alter<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move { self.table.replace(&path_of(key), bytes).await })
    }

    fn torn<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        let torn = (path_of(key).as_str().to_owned(), bytes[..bytes.len() / 2].to_vec());
        self.torn.lock().unwrap().push(torn);
        Box::pin(async { Ok(()) })
    }

    fn let_time_pass(&self) -> StoreFuture<'_, ()> {
        self.time.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(()) })
    }
}

struct Broken(Flaw);

impl Adapter for Broken {
    fn bench(&self) -> StoreFuture<'_, Box<dyn Bench>> {
        let time = Arc::new(AtomicU64::new(1_700_000_000_000));
        let clock = Arc::clone(&time);
        let table = Memory::with_clock(move || Moment::from_unix_millis(clock.load(Ordering::Relaxed)));
        let site = Site {
            table: table.objects().clone(),
            time,
            flaw: self.0,
            torn: Arc::default(),
            opened: Arc::default(),
        };
        Box::pin(async move { Ok(Box::new(site) as Box<dyn Bench>) })
    }
}

#[test]
fn the_store_in_memory_conforms() {
    block_on(conform(&Broken(Flaw::None))).unwrap().verdict().unwrap();
}

#[test]
fn every_flaw_is_found_by_the_check_that_is_for_it() {
    let flaws = [
        (Flaw::NoCreateOnly, "store.capabilities"),
        (Flaw::Overwrites, "put.twice"),
        (Flaw::Overwrites, "ref.stale"),
        (Flaw::Overwrites, "ref.race"),
        (Flaw::ChecksThenWrites, "ref.race"),
        (Flaw::ChecksThenWrites, "put.race"),
        (Flaw::WritesInTwo, "get.during_write"),
        (Flaw::LosesBatchEnd, "put.batch"),
        (Flaw::CutsLarge, "get.whole"),
        (Flaw::MissingIsEmpty, "get.missing"),
        (Flaw::SaysItDeletes, "delete.then_get"),
        (Flaw::DeletesForItselfOnly, "delete.then_get"),
        (Flaw::ListSkipsOne, "scan.all"),
        (Flaw::ListIgnoresAfter, "scan.all"),
        (Flaw::ListUnordered, "scan.all"),
        (Flaw::StaysOld, "scan.age"),
        (Flaw::HasNoAge, "scan.age"),
        (Flaw::OneFolderForAll, "get.missing"),
        (Flaw::ForgetsOnReopen, "store.reopen"),
        (Flaw::ServesTorn, "store.killed_writer"),
        (Flaw::AcceptsAltered, "get.altered"),
        (Flaw::AcceptsAltered, "put.twice"),
        (Flaw::CutsNames, "ref.names"),
        (Flaw::StaleHeads, "ref.read_during_swap"),
        (Flaw::SwapsFromAnywhere, "ref.first"),
        (Flaw::SwapsFromAnywhere, "ref.stale"),
        (Flaw::ForgetsNonces, "ref.retry"),
        (Flaw::HistoryReversed, "ref.history"),
        (Flaw::HistoryTooShort, "ref.history"),
        (Flaw::ListsOneRefTwice, "ref.list"),
        (Flaw::LosesBatchEnd, "ref.batch"),
        (Flaw::RefusesBatchEnd, "ref.batch"),
        (Flaw::LeasesNotListed, "lease.life"),
        (Flaw::LeasesNotListed, "lease.renewed"),
        (Flaw::SharesLeases, "lease.life"),
    ];
    for (flaw, wanted) in flaws {
        let check = super::CHECKS.iter().find(|check| check.name == wanted).unwrap();
        // A race is lost now and then: what counts is that it can be seen.
        let found = (0..5)
            .any(|_| block_on(async { check.run(&*Broken(flaw).bench().await.unwrap()).await }).is_err());
        assert!(found, "{wanted} passes a store that is broken by {flaw:?}");
    }
    let named: BTreeSet<_> = flaws.iter().map(|(_, check)| *check).collect();
    let all: BTreeSet<_> = super::CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(named, all, "a check that no broken store fails");
}

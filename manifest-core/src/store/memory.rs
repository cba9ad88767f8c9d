//! A store in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::layout::Layout;
use super::{Capabilities, Created, Moment, ObjectPath, Objects, Stat, StoreError, StoreFuture};

/// A store in memory, for tests and for work that one process begins and ends. Clones are handles on one store.
pub type Memory = Layout<Table>;

/// Says what time it is.
pub trait Clock: Send + Sync {
    /// The time.
    fn now(&self) -> Moment;
}

impl<F: Fn() -> Moment + Send + Sync> Clock for F {
    fn now(&self) -> Moment {
        self()
    }
}

/// The objects of a [`Memory`] store.
#[derive(Clone, Default)]
pub struct Table {
    objects: Arc<Mutex<BTreeMap<String, Object>>>,
    clock: Option<Arc<dyn Clock>>,
}

struct Object {
    bytes: Arc<[u8]>,
    written: Option<Moment>,
}

impl Object {
    fn stat(&self) -> Stat {
        Stat::new(self.bytes.len() as u64, self.written)
    }
}

impl Memory {
    /// An empty store without a clock: its blobs have no age, so nothing of it is ever swept.
    pub fn new() -> Self {
        Layout::unmarked(Table::default())
    }

    /// An empty store with a clock.
    pub fn with_clock(clock: impl Clock + 'static) -> Self {
        Layout::unmarked(Table { clock: Some(Arc::new(clock)), ..Table::default() })
    }
}

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Layout::unmarked(self.objects().clone())
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("objects", &self.lock().len()).finish_non_exhaustive()
    }
}

impl Table {
    /// A writer that panicked left a whole map behind: every change is one insertion or removal.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Object>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn object(&self, bytes: &[u8]) -> Object {
        Object { bytes: bytes.into(), written: self.clock.as_ref().map(|clock| clock.now()) }
    }

    fn page(&self, folder: &ObjectPath, after: Option<&ObjectPath>, limit: usize) -> Vec<(String, Stat)> {
        let prefix = format!("{folder}/");
        let objects = self.lock();
        let from = match after {
            Some(after) if after.as_str() >= prefix.as_str() => Bound::Excluded(after.as_str()),
            _ => Bound::Included(prefix.as_str()),
        };
        objects
            .range::<str, _>((from, Bound::Unbounded))
            .take_while(|(path, _)| path.starts_with(&prefix))
            .take(limit)
            .map(|(path, object)| (path.clone(), object.stat()))
            .collect()
    }
}

/// An answer that is there at once.
fn ready<'a, T: Send + 'a>(answer: T) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(Ok::<_, StoreError>(answer)))
}

impl Objects for Table {
    fn capabilities(&self) -> Capabilities {
        Capabilities::none().create_only(true).list_after_write(true).written(self.clock.is_some())
    }

    fn place(&self) -> String {
        "memory".to_owned()
    }

    fn create<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, Created> {
        let object = self.object(bytes);
        let mut objects = self.lock();
        if objects.contains_key(path.as_str()) {
            return ready(Created::Exists);
        }
        objects.insert(path.as_str().to_owned(), object);
        ready(Created::New)
    }

    fn replace<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        let object = self.object(bytes);
        self.lock().insert(path.as_str().to_owned(), object);
        ready(())
    }

    fn refresh<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, ()> {
        let now = self.clock.as_ref().map(|clock| clock.now());
        if let Some(object) = self.lock().get_mut(path.as_str()) {
            object.written = now;
        }
        ready(())
    }

    fn read<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Vec<u8>>> {
        let bytes = self.lock().get(path.as_str()).map(|object| Arc::clone(&object.bytes));
        ready(bytes.map(|bytes| bytes.to_vec()))
    }

    fn stat<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Stat>> {
        ready(self.lock().get(path.as_str()).map(Object::stat))
    }

    fn remove<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, bool> {
        ready(self.lock().remove(path.as_str()).is_some())
    }

    fn list<'a>(
        &'a self,
        folder: &'a ObjectPath,
        after: Option<&'a ObjectPath>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<(String, Stat)>> {
        ready(self.page(folder, after, limit))
    }
}

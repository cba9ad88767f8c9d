//! What happens when objects fail, lie or are missing.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;

use super::super::{
    BlobKey, Blobs, Capabilities, Created, Digest, Event, Memory, NodeId, ObjectPath, Objects, RefName,
    RefSwap, RefUpdate, Refs, Stat, StoreError, StoreFuture, Table, block_on,
};
use super::Layout;

/// What a create does besides, or instead of, writing.
#[derive(Clone, Copy)]
enum Failure {
    BeforeWrite,
    AfterWrite,
    /// Somebody else's entry lands instead.
    Overtaken,
}

/// Objects whose next creates fail.
struct Failing {
    inner: Table,
    next: Mutex<VecDeque<Failure>>,
}

fn failed(path: &ObjectPath) -> StoreError {
    StoreError::from_io("create", path.as_str(), io::Error::from(io::ErrorKind::TimedOut))
}

impl Objects for Failing {
    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }
    fn place(&self) -> String {
        "a failing store".to_owned()
    }
    fn create<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, Created> {
        Box::pin(async move {
            let failure = self.next.lock().unwrap().pop_front();
            match failure {
                None => self.inner.create(path, bytes).await,
                Some(Failure::BeforeWrite) => Err(failed(path)),
                Some(Failure::AfterWrite) => {
                    self.inner.create(path, bytes).await?;
                    Err(failed(path))
                }
                Some(Failure::Overtaken) => {
                    let other = Layout::unmarked(self.inner.clone());
                    let head = other.read(&main()).await?.map(|head| head.generation);
                    other.swap(&main(), head, commit(77)).await?;
                    Err(failed(path))
                }
            }
        })
    }
    fn replace<'a>(&'a self, path: &'a ObjectPath, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        self.inner.replace(path, bytes)
    }
    fn refresh<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, ()> {
        self.inner.refresh(path)
    }
    fn read<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Vec<u8>>> {
        self.inner.read(path)
    }
    fn stat<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, Option<Stat>> {
        self.inner.stat(path)
    }
    fn remove<'a>(&'a self, path: &'a ObjectPath) -> StoreFuture<'a, bool> {
        self.inner.remove(path)
    }
    fn list<'a>(
        &'a self,
        folder: &'a ObjectPath,
        after: Option<&'a ObjectPath>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<(String, Stat)>> {
        self.inner.list(folder, after, limit)
    }
}

fn main() -> RefName {
    RefName::new("main").unwrap()
}

fn commit(seed: u8) -> RefUpdate {
    RefUpdate::new(NodeId::from_digest(Digest::from_bytes([seed; 32])), Event::Commit)
}

fn failing(failures: &[Failure]) -> Layout<Failing> {
    let next = Mutex::new(failures.iter().copied().collect());
    Layout::unmarked(Failing { inner: Table::default(), next })
}

/// A ref with so many generations.
fn grown(generations: u64) -> Memory {
    let store = Memory::new();
    for n in 0..generations {
        block_on(store.swap(&main(), (n > 0).then_some(n), commit(1))).unwrap();
    }
    store
}

fn path(path: &str) -> ObjectPath {
    ObjectPath::new(path)
}

fn entry(generation: u64) -> ObjectPath {
    path(&format!("refs/main/{generation:020}"))
}

#[test]
fn a_swap_that_failed_after_it_was_written_succeeded() {
    for failures in [&[Failure::AfterWrite][..], &[Failure::BeforeWrite]] {
        let store = failing(failures);
        let made = block_on(store.swap(&main(), None, commit(1))).unwrap();
        assert_eq!(block_on(store.history(&main(), None, 9)).unwrap(), [made]);
    }
}

#[test]
fn a_swap_that_failed_while_another_succeeded_is_stale() {
    let store = failing(&[Failure::Overtaken]);
    let found = block_on(store.swap(&main(), None, commit(1)));
    assert!(matches!(found, Err(StoreError::Stale { expected: None, found: Some(1), .. })), "{found:?}");
}

#[test]
fn a_swap_that_goes_on_failing_is_an_error_that_may_be_repeated() {
    let store = failing(&[Failure::AfterWrite, Failure::BeforeWrite]);
    let update = commit(1);
    let error = block_on(store.swap(&main(), None, update.clone())).unwrap_err();
    assert!(error.is_transient(), "{error}");
    let made = block_on(store.swap(&main(), None, update)).unwrap();
    assert_eq!(block_on(store.history(&main(), None, 9)).unwrap(), [made]);
}

#[test]
fn a_batch_of_swaps_that_failed_is_told_by_its_nonces() {
    for failures in [&[Failure::AfterWrite][..], &[Failure::BeforeWrite]] {
        let store = failing(failures);
        let name = |n: usize| RefName::new(&format!("memo/{n}")).unwrap();
        let batch: Vec<RefSwap> = (0..3).map(|n| RefSwap::new(name(n), None, commit(1))).collect();
        let made = block_on(store.swap_many(&batch)).unwrap();
        assert_eq!(made.len(), batch.len());
        for (swap, made) in batch.iter().zip(made) {
            let made = made.unwrap();
            assert_eq!((made.nonce, made.generation), (swap.update.nonce, 1));
            assert_eq!(block_on(store.history(&swap.name, None, 9)).unwrap(), [made]);
        }
    }
}

#[test]
fn no_hint_moves_a_head() {
    let store = grown(40);
    let hint = path("refs/main/hint");
    for lie in
        [&b"1"[..], b"7", b"39", b"40", b"41", b"0", b"-1", b"99999999999999999999", b"x", b"", b"\xff"]
    {
        block_on(store.objects().replace(&hint, lie)).unwrap();
        let head = block_on(store.read(&main())).unwrap().unwrap();
        assert_eq!(head.generation, 40, "hint {lie:?}");
    }
    block_on(store.objects().remove(&hint)).unwrap();
    assert_eq!(block_on(store.read(&main())).unwrap().unwrap().generation, 40);
}

#[test]
fn the_newest_is_found_from_any_hint_at_any_length() {
    for length in 1..20 {
        let store = grown(length);
        for hinted in 1..=length {
            let hint = hinted.to_string();
            block_on(store.objects().replace(&path("refs/main/hint"), hint.as_bytes())).unwrap();
            let head = block_on(store.read(&main())).unwrap().unwrap();
            assert_eq!(head.generation, length, "from {hinted}");
        }
    }
}

#[test]
fn a_missing_generation_is_named() {
    let store = grown(10);
    block_on(store.objects().remove(&entry(5))).unwrap();
    let error = block_on(store.history(&main(), None, 100)).unwrap_err();
    assert!(matches!(&error, StoreError::Absent { object } if object.ends_with("005")), "{error}");
    // Without a hint the head must not fall back to what stands before the gap.
    block_on(store.objects().remove(&path("refs/main/hint"))).unwrap();
    let error = block_on(store.read(&main())).unwrap_err();
    assert!(matches!(&error, StoreError::Absent { object } if object.ends_with("005")), "{error}");
}

#[test]
fn an_altered_generation_is_named() {
    let store = grown(10);
    let other = block_on(grown(4).objects().read(&entry(4))).unwrap().unwrap();
    block_on(store.objects().replace(&entry(4), &other)).unwrap();
    let error = block_on(store.history(&main(), None, 100)).unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { object, .. } if object.ends_with("004")), "{error}");
    let error = block_on(store.history(&main(), Some(5), 1)).unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { .. }), "{error}");
    // Another generation, or another ref's, under this name.
    block_on(store.objects().replace(&entry(10), &other)).unwrap();
    let error = block_on(store.read(&main())).unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { .. }), "{error}");
}

#[test]
fn foreign_objects_are_told_apart() {
    let store = grown(3);
    let (key, bytes) = (BlobKey::of_text(b"abc"), b"abc");
    block_on(store.put(key, bytes)).unwrap();
    for foreign in
        ["text/.DS_Store", "text/64/notes.txt", "refs/main/README", "refs/main/00000000000000000009~"]
    {
        block_on(store.objects().replace(&path(foreign), b"x")).unwrap();
    }
    let page = block_on(store.scan(key.space, None, 100)).unwrap();
    assert_eq!(page.blobs.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [key]);
    assert_eq!(page.foreign, ["text/.DS_Store", "text/64/notes.txt"]);
    block_on(store.objects().remove(&path("refs/main/hint"))).unwrap();
    assert_eq!(block_on(store.read(&main())).unwrap().unwrap().generation, 3);
    assert_eq!(block_on(store.list(None, 100)).unwrap(), [main()]);
}

#[test]
fn a_store_says_what_it_is() {
    let open = |marker: Option<&[u8]>| {
        let table = Table::default();
        if let Some(marker) = marker {
            block_on(table.replace(&path("store-version"), marker)).unwrap();
        }
        (block_on(Layout::open(table.clone())).err(), block_on(Layout::create(table)).err())
    };
    assert!(matches!(open(None), (Some(StoreError::NotAStore { .. }), None)));
    assert!(matches!(open(Some(b"manifest store 1\n")), (None, None)));
    for other in [&b""[..], b"manifest store 1", b"manifest store x\n", b"\xff\n"] {
        assert!(matches!(
            open(Some(other)),
            (Some(StoreError::NotAStore { .. }), Some(StoreError::NotAStore { .. }))
        ));
    }
    let (Some(opened), Some(created)) = open(Some(b"manifest store 2\n")) else {
        panic!("version 2 was opened")
    };
    for error in [opened, created] {
        let text = error.to_string();
        assert!(matches!(error, StoreError::OtherVersion { found: 2, supported: 1, .. }), "{text}");
        assert!(text.contains('2') && text.contains('1') && text.contains("newer program"), "{text}");
    }
}

#[test]
fn a_message_past_its_limit_is_refused() {
    let store = Memory::new();
    let long = commit(1).message("x".repeat(4097));
    let error = block_on(store.swap(&main(), None, long)).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { size: 4097, limit: 4096, .. }), "{error}");
    block_on(store.swap(&main(), None, commit(1).message("x".repeat(4096)))).unwrap();
}

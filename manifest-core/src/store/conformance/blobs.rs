//! Blobs, one caller at a time.

use std::sync::Arc;

use super::super::{BlobKey, Checked, Digest, Space, Store, StoreError};
use super::{Bench, Finding, ensure, sample, scanned, text};

/// What is said at open is enough to work with.
pub(super) async fn capabilities(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    store.capabilities().admit()?;
    Ok(())
}

/// The same bytes twice are fine; other bytes are refused and change nothing.
pub(super) async fn put_twice(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let (key, bytes) = text(1, 300);
    store.put(key, &bytes).await?;
    store.put(key, &bytes).await?;
    for other in [sample(2, 300), bytes[..299].to_vec(), [&bytes[..], b"x"].concat(), Vec::new()] {
        let found = store.put(key, &other).await;
        ensure!(
            matches!(&found, Err(StoreError::Conflict { key: named }) if *named == key),
            "other bytes under a taken key: expected a conflict that names it, found {found:?}"
        );
    }
    ensure!(store.get(key).await? == Some(bytes), "a refused put changed the blob");
    Ok(())
}

/// A batch stores all, with repeats and with what is there already; one wrong blob fails it.
pub(super) async fn put_batch(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let texts: Vec<_> = (0..100).map(|seed| text(seed, 40 + usize::try_from(seed).unwrap_or(0))).collect();
    let mut batch: Vec<(BlobKey, &[u8])> = texts.iter().map(|(key, bytes)| (*key, &bytes[..])).collect();
    let (first, first_bytes) = batch[0];
    store.put(first, first_bytes).await?;
    batch.push(batch[1]);
    store.put_many(&[]).await?;
    store.put_many(&batch).await?;
    let other = bench.open().await?;
    for (key, bytes) in &texts {
        ensure!(other.get(*key).await?.as_ref() == Some(bytes), "{key} of a batch is not there");
    }
    let (fresh, fresh_bytes) = text(500, 50);
    let found = store.put_many(&[(fresh, &fresh_bytes[..]), (first, b"other")]).await;
    ensure!(
        matches!(&found, Err(StoreError::Conflict { key }) if *key == first),
        "a batch with other bytes under a taken key: expected a conflict that names it, found {found:?}"
    );
    ensure!(store.get(first).await?.as_deref() == Some(first_bytes), "a refused batch changed a blob");
    Ok(())
}

/// What comes back is what was put, of any size and kind.
pub(super) async fn get_whole(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    for size in [0, 1, 2048, 65_536, 1_000_003] {
        let (key, bytes) = text(7, size);
        store.put(key, &bytes).await?;
        let got = store.get(key).await?;
        ensure!(got.as_ref() == Some(&bytes), "{size} bytes came back as {:?}", got.map(|got| got.len()));
        let stat = store.head(key).await?;
        ensure!(stat.is_some_and(|s| s.size == size as u64), "{size} bytes have the size {stat:?}");
        ensure!(store.exists(key).await?, "{key} was put and does not exist");
    }
    // Bytes that a store could take for a text, a line or a name.
    for bytes in [&b"\r\n"[..], b"\0", b"\xff\xfe", b"../x"] {
        let key = BlobKey::of_text(bytes);
        store.put(key, bytes).await?;
        ensure!(store.get(key).await?.as_deref() == Some(bytes), "{bytes:?} came back otherwise");
    }
    Ok(())
}

/// What is not there is said not to be there, in every way of asking, and a digest of one space is none of another.
pub(super) async fn get_missing(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let (key, bytes) = text(3, 10);
    for space in Space::ALL {
        let key = BlobKey::new(*space, key.digest);
        ensure!(store.get(key).await?.is_none(), "{key} was never put and has bytes");
        ensure!(store.head(key).await?.is_none(), "{key} was never put and has a size");
        ensure!(!store.exists(key).await?, "{key} was never put and exists");
        ensure!(!store.delete(key).await?, "{key} was never put and was deleted");
        ensure!(scanned(&*store, *space, 10).await?.is_empty(), "an empty store has something in {space}");
    }
    store.put(key, &bytes).await?;
    let node = BlobKey::new(Space::Node, key.digest);
    ensure!(store.get(node).await?.is_none(), "{key} was put and {node} is there");
    Ok(())
}

/// Wrong bytes under a name are found when they are read, by name, and can be replaced.
pub(super) async fn get_altered(bench: &dyn Bench) -> Finding {
    let store = Checked::new(bench.open().await?)?;
    let store: Arc<dyn Store> = Arc::new(store);
    let (key, bytes) = text(4, 500);
    let wrong = store.put(key, b"not these").await;
    ensure!(
        matches!(&wrong, Err(StoreError::WrongKey { key: named }) if *named == key),
        "bytes of another digest: expected to be refused, found {wrong:?}"
    );
    ensure!(store.get(key).await?.is_none(), "refused bytes were stored");
    store.put(key, &bytes).await?;
    let mut flipped = bytes.clone();
    flipped[250] ^= 1;
    for altered in [flipped, bytes[..100].to_vec(), Vec::new()] {
        bench.alter(key, &altered).await?;
        let found = store.get(key).await;
        ensure!(
            matches!(&found, Err(StoreError::Corrupt { object, .. }) if *object == key.to_string()),
            "{} altered bytes: expected an error that names the key, found {found:?}",
            altered.len()
        );
        ensure!(store.put(key, &bytes).await.is_err(), "a put was acknowledged over altered bytes");
        ensure!(store.delete(key).await?, "altered bytes could not be deleted");
        store.put(key, &bytes).await?;
        ensure!(store.get(key).await?.as_ref() == Some(&bytes), "a deleted blob was not stored anew");
    }
    Ok(())
}

/// What was deleted is gone for everybody, and can come back.
pub(super) async fn delete_then_get(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let ((key, bytes), (kept, kept_bytes)) = (text(5, 64), text(6, 64));
    store.put(key, &bytes).await?;
    store.put(kept, &kept_bytes).await?;
    ensure!(store.delete(key).await?, "a blob that was there was not deleted");
    for store in [&store, &other] {
        ensure!(store.get(key).await?.is_none(), "a deleted blob came back");
        ensure!(!store.exists(key).await?, "a deleted blob exists");
        ensure!(store.get(kept).await?.as_ref() == Some(&kept_bytes), "another blob was deleted");
    }
    ensure!(!store.delete(key).await?, "a blob was deleted twice");
    ensure!(scanned(&*store, Space::Text, 10).await? == [kept], "a deleted blob is scanned");
    store.put(key, &bytes).await?;
    ensure!(other.get(key).await? == Some(bytes), "a deleted blob could not be put again");
    Ok(())
}

/// A scan has every blob of its space once, in order, whatever the size of a page.
pub(super) async fn scan_all(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let mut keys = Vec::new();
    for seed in 0..57 {
        let (key, bytes) = text(seed, 20);
        store.put(key, &bytes).await?;
        keys.push(key);
    }
    // Neighbours in one folder, and the first and the last digest that there can be.
    for first in [0, 0xff] {
        for last in [0, 1, 0xff] {
            let mut digest = [first; 32];
            digest[31] = last;
            let key = BlobKey::new(Space::Text, Digest::from_bytes(digest));
            store.put(key, b"neighbour").await?;
            keys.push(key);
        }
    }
    keys.sort();
    let node = BlobKey::new(Space::Node, Digest::from_bytes([9; 32]));
    store.put(node, b"node").await?;
    for limit in [1, 7, keys.len(), 10_000] {
        let found = scanned(&*store, Space::Text, limit).await?;
        ensure!(
            found == keys,
            "a scan by {limit} has {} of {} blobs, or in another order",
            found.len(),
            keys.len()
        );
    }
    ensure!(scanned(&*store, Space::Node, 7).await? == [node], "a scan of nodes has something else");
    ensure!(store.scan(Space::Text, None, 0).await?.blobs.len() <= 1, "a page of none has many");
    Ok(())
}

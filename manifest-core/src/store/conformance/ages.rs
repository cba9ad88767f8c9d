//! How old blobs are said to be.

use super::super::{Blobs, Moment, Space, Store};
use super::{Bench, Fault, Finding, ensure, text};

async fn written(store: &dyn Store, key: super::BlobKey) -> Result<Option<Moment>, Fault> {
    let head = store.head(key).await?.and_then(|stat| stat.written);
    let page = store.scan(Space::Text, None, 10).await?;
    let scanned = page.blobs.iter().find(|(k, _)| *k == key).and_then(|(_, stat)| stat.written);
    ensure!(head == scanned, "a blob is written at {head:?} and scanned as of {scanned:?}");
    Ok(head)
}

/// A blob has an age if the store says that blobs have one; putting it again makes it young, alone or in a batch.
pub(super) async fn scan_age(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let (key, bytes) = text(1, 10);
    store.put(key, &bytes).await?;
    let first = written(&*store, key).await?;
    let says = Blobs::capabilities(&*store).written;
    ensure!(first.is_some() == says, "blobs have ages: the store says {says}, and shows {first:?}");
    if !says {
        return Ok(());
    }
    bench.let_time_pass().await?;
    ensure!(written(&*store, key).await? == first, "a blob grew younger by itself");
    store.put(key, &bytes).await?;
    let second = written(&*store, key).await?;
    ensure!(second > first, "a blob that was put again is as old as before: {second:?}");
    bench.let_time_pass().await?;
    store.put_many(&[(key, &bytes[..])]).await?;
    let third = written(&*store, key).await?;
    ensure!(third > second, "a blob that was put again in a batch is as old as before: {third:?}");
    Ok(())
}

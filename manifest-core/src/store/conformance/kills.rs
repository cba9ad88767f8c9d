//! Writers that are gone before they are done.

use std::pin::Pin;
use std::task::{Context, Waker};

use super::super::{Blobs, Refs, Space, StoreFuture, verify};
use super::{Bench, Finding, commit, ensure, name, scanned, text};

/// What one handle wrote is there for the next one, when the first is gone.
pub(super) async fn reopen(bench: &dyn Bench) -> Finding {
    let (key, bytes) = text(1, 5000);
    let main = name("main")?;
    let made = {
        let store = bench.open().await?;
        store.put(key, &bytes).await?;
        store.swap(&main, None, commit(1)).await?
    };
    let store = bench.open().await?;
    ensure!(store.get(key).await? == Some(bytes), "a blob is gone after the store was opened again");
    ensure!(store.read(&main).await? == Some(made), "a head is gone after the store was opened again");
    Ok(())
}

/// Polls a future so many times, then drops it: all that a writer does which is killed between two steps.
fn kill_after<T>(polls: usize, mut work: StoreFuture<'_, T>) {
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if Pin::as_mut(&mut work).poll(&mut context).is_ready() {
            return;
        }
    }
}

/// A writer that is killed leaves its blob whole or absent, never in part; the next one carries on.
pub(super) async fn killed_writer(bench: &dyn Bench) -> Finding {
    let main = name("main")?;
    let mut generation = None;
    for polls in 0..4 {
        let texts: Vec<_> = (0..3).map(|n| text(10 * polls + n, 70_000)).collect();
        let batch: Vec<_> = texts.iter().map(|(key, bytes)| (*key, &bytes[..])).collect();
        let steps = usize::try_from(polls).unwrap_or(0);
        {
            let store = bench.open().await?;
            kill_after(steps, store.put(batch[0].0, batch[0].1));
            kill_after(steps, store.put_many(&batch[1..]));
            kill_after(steps, store.swap(&main, generation, commit(1)));
            bench.torn(batch[2].0, batch[2].1).await?;
        }
        let store = bench.open().await?;
        for (key, bytes) in &batch {
            let got = store.get(*key).await?;
            ensure!(
                got.as_deref().is_none_or(|got| got == *bytes),
                "{key} is there in part: {} of {} bytes",
                got.map_or(0, |got| got.len()),
                bytes.len()
            );
            store.put(*key, bytes).await?;
            ensure!(store.get(*key).await?.as_deref() == Some(*bytes), "{key} cannot be put after a kill");
        }
        for key in scanned(&*store, Space::Text, 100).await? {
            let got = store.get(key).await?;
            ensure!(got.is_some_and(|got| verify(key, &got).is_ok()), "{key} is scanned and not whole");
        }
        let head = Refs::read(&*store, &main).await?.map(|head| head.generation);
        generation = Some(store.swap(&main, head, commit(2)).await?.generation);
    }
    let store = bench.open().await?;
    ensure!(Blobs::capabilities(&*store).create_only, "the store has lost its create-only writes");
    Ok(())
}

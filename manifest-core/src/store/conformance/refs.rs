//! Refs, one caller at a time.

use std::collections::BTreeSet;

use super::super::{Event, Nonce, RefEntry, RefName, RefSwap, RefUpdate, StoreError};
use super::{Bench, Fault, Finding, at, commit, ensure, name, node};

fn is_stale(found: &Result<RefEntry, StoreError>, wanted: Option<u64>, at: Option<u64>) -> bool {
    matches!(found, Err(StoreError::Stale { expected, found, .. }) if *expected == wanted && *found == at)
}

/// A ref begins with a swap from nothing, once.
pub(super) async fn first(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let main = name("main")?;
    ensure!(store.read(&main).await?.is_none(), "a ref that nobody made has a head");
    ensure!(store.history(&main, None, 10).await?.is_empty(), "a ref that nobody made has a history");
    let found = store.swap(&main, Some(1), commit(1)).await;
    ensure!(is_stale(&found, Some(1), None), "a swap of a ref that nobody made: {found:?}");
    let update = RefUpdate::new(node(1), Event::Reclaim).at(at(5)).message("the first\n\u{1f980}");
    let made = store.swap(&main, None, update.clone()).await?;
    ensure!(made.generation == 1 && made.parent.is_none(), "the first generation is {made:?}");
    ensure!(
        (made.target, made.event, made.nonce, made.at, &made.message)
            == (update.target, update.event, update.nonce, update.at, &update.message),
        "{update:?} was written as {made:?}"
    );
    for store in [&store, &other] {
        ensure!(
            store.read(&main).await?.as_ref() == Some(&made),
            "a head reads otherwise than it was written"
        );
    }
    let found = other.swap(&main, None, commit(2)).await;
    ensure!(is_stale(&found, None, Some(1)), "a ref was made twice: {found:?}");
    ensure!(store.read(&main).await? == Some(made), "a refused swap moved the head");
    Ok(())
}

/// A swap from any generation but the newest is refused, says where the head is, and moves nothing.
pub(super) async fn stale(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let main = name("team/main")?;
    for n in 0..5u8 {
        let store = if n % 2 == 0 { &store } else { &other };
        let expected = (n > 0).then_some(u64::from(n));
        let made = store.swap(&main, expected, commit(n)).await?;
        ensure!(made.generation == u64::from(n) + 1, "swap {n} made generation {}", made.generation);
    }
    for wrong in [None, Some(1), Some(4), Some(6), Some(7), Some(100), Some(0), Some(u64::MAX)] {
        for store in [&store, &other] {
            let found = store.swap(&main, wrong, commit(99)).await;
            ensure!(is_stale(&found, wrong, Some(5)), "a swap from {wrong:?} at generation 5: {found:?}");
        }
    }
    let head = store.read(&main).await?;
    ensure!(head.as_ref().is_some_and(|h| h.generation == 5 && h.target == node(4)), "the head is {head:?}");
    ensure!(store.history(&main, None, 100).await?.len() == 5, "a refused swap is in the history");
    Ok(())
}

/// The same update again is the same entry: a writer that does not know whether it succeeded asks again.
pub(super) async fn retry(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let main = name("main")?;
    let (first, second) = (commit(1), commit(2));
    let made = store.swap(&main, None, first.clone()).await?;
    ensure!(store.swap(&main, None, first.clone()).await? == made, "the same update made another entry");
    let next = other.swap(&main, Some(1), second.clone()).await?;
    ensure!(
        other.swap(&main, None, first).await? == made,
        "an update that others built on was not known again"
    );
    ensure!(store.swap(&main, Some(1), second.clone()).await? == next, "the same update made another entry");
    let found = store.swap(&main, Some(1), RefUpdate::new(second.target, Event::Commit)).await;
    ensure!(
        is_stale(&found, Some(1), Some(2)),
        "another writer's like update passed for the first one's: {found:?}"
    );
    ensure!(store.history(&main, None, 10).await?.len() == 2, "a repeated update is in the history twice");
    Ok(())
}

/// The history has every generation, newest first, from anywhere on.
pub(super) async fn history(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let main = name("main")?;
    let mut all = Vec::new();
    for n in 0..23u8 {
        let expected = all.last().map(|e: &RefEntry| e.generation);
        let update = commit(n).nonce(Nonce::from_bytes([n; 16])).message(format!("step {n}"));
        all.push(store.swap(&main, expected, update).await?);
    }
    for (earlier, later) in all.iter().zip(all.iter().skip(1)) {
        ensure!(later.parent == Some(earlier.digest()), "generation {} has another parent", later.generation);
    }
    all.reverse();
    let other = bench.open().await?;
    ensure!(other.history(&main, None, 100).await? == all, "the history is not what was written");
    ensure!(other.history(&main, None, 4).await? == all[..4], "the last four are others");
    ensure!(other.history(&main, Some(20), 5).await? == all[4..9], "five before generation 20 are others");
    ensure!(other.history(&main, Some(1), 5).await?.is_empty(), "something is before the first");
    ensure!(other.history(&main, None, 0).await?.is_empty(), "none were asked for");
    Ok(())
}

/// Every name that is one can be used, and those that are none are refused before any store sees them.
pub(super) async fn names(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let long = format!("{}/{}", "a".repeat(99), "b".repeat(100));
    let good = [
        "main",
        "a",
        "a/b",
        "a/b/c",
        "a b",
        "a.b",
        "a-b",
        "a/0",
        "a%2Fb",
        "a#1",
        "~a",
        "-a",
        "сессия/会话",
        &long,
    ];
    for (n, good) in (0..).zip(good) {
        store.swap(&name(good)?, None, commit(n)).await?;
    }
    for (n, good) in (0..).zip(good) {
        let head = store.read(&name(good)?).await?;
        ensure!(
            head.as_ref().is_some_and(|h| h.target == node(n) && h.name.as_str() == good),
            "ref `{good}` reads as {head:?}"
        );
        ensure!(store.history(&name(good)?, None, 9).await?.len() == 1, "ref `{good}` has another's history");
    }
    for bad in
        ["", "..", "a/../b", "/a", "a//b", "a\u{202e}b", "a\nb", "NUL", "a\\b", "a/00000000000000000001"]
    {
        ensure!(RefName::new(bad).is_err(), "{bad:?} is taken for a name");
    }
    Ok(())
}

/// The list has every ref once, whatever the size of a page.
pub(super) async fn list(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    ensure!(store.list(None, 10).await?.is_empty(), "an empty store has refs");
    let all = ["a", "a/b", "a/-", "a/0", "a/9", "a-", "a!", "a0", "b/c/d", "b/c", "z"];
    for all in all {
        for n in 0..3u8 {
            store.swap(&name(all)?, (n > 0).then_some(u64::from(n)), commit(n)).await?;
        }
    }
    let whole = store.list(None, 1000).await?;
    let found: BTreeSet<_> = whole.iter().map(RefName::as_str).collect();
    ensure!(found == BTreeSet::from(all) && whole.len() == all.len(), "the list has {whole:?}");
    for limit in [1, 2, 5] {
        let mut paged: Vec<RefName> = Vec::new();
        loop {
            let page = store.list(paged.last(), limit).await?;
            ensure!(page.len() <= limit, "a list of at most {limit} has {}", page.len());
            ensure!(paged.len() <= whole.len(), "the list has no end");
            if page.is_empty() {
                break;
            }
            paged.extend(page);
        }
        ensure!(paged == whole, "a list by {limit} has {paged:?}, and at once {whole:?}");
    }
    Ok(())
}

/// A batch moves each head as a swap by itself does, and answers for each in its place.
pub(super) async fn batch(bench: &dyn Bench) -> Finding {
    let store = bench.open().await?;
    let (old, done) = (name("old")?, commit(1));
    store.swap(&old, None, commit(2)).await?;
    let made = store.swap(&name("done")?, None, done.clone()).await?;
    let mut batch = Vec::new();
    for n in 0..100u8 {
        batch.push(RefSwap::new(name(&format!("many/{n}"))?, None, commit(n)));
    }
    // One name twice, one from where the head no longer is, one that took place already, one that goes on.
    batch.push(RefSwap::new(name("many/7")?, None, commit(107)));
    batch.push(RefSwap::new(old.clone(), None, commit(3)));
    batch.push(RefSwap::new(name("done")?, None, done));
    batch.push(RefSwap::new(old.clone(), Some(1), commit(4)));
    ensure!(store.swap_many(&[]).await?.is_empty(), "of no swaps something became");
    let found = store.swap_many(&batch).await?;
    ensure!(found.len() == batch.len(), "of {} swaps {} were answered", batch.len(), found.len());
    let other = bench.open().await?;
    for (swap, found) in batch.iter().zip(&found).take(100) {
        let head = other.read(&swap.name).await?;
        ensure!(
            head.as_ref().is_some_and(|head| head.target == swap.update.target && head.generation == 1),
            "{} of a batch stands at {head:?}",
            swap.name
        );
        ensure!(
            found.as_ref().ok() == head.as_ref(),
            "{} of a batch reads otherwise than it was answered: {found:?}",
            swap.name
        );
    }
    let [.., twice, stale, again, on] = found.as_slice() else {
        return Err(Fault::new("a batch of four has not four answers"));
    };
    ensure!(is_stale(twice, None, Some(1)), "one head was made twice by one batch: {twice:?}");
    ensure!(
        matches!(stale, Err(StoreError::Stale { expected: None, .. })),
        "a swap of a batch from where the head no longer is: {stale:?}"
    );
    ensure!(
        again.as_ref().is_ok_and(|entry| *entry == made),
        "the same update made another entry: {again:?}"
    );
    ensure!(
        on.as_ref().is_ok_and(|entry| entry.generation == 2 && entry.target == node(4)),
        "a swap of a batch from where the head is: {on:?}"
    );
    ensure!(other.read(&old).await?.as_ref() == on.as_ref().ok(), "the head is not where the batch moved it");
    ensure!(other.history(&old, None, 10).await?.len() == 2, "a refused swap of a batch is in the history");
    Ok(())
}

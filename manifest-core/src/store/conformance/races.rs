//! Many callers at the same time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::{Event, Nonce, RefUpdate, StoreError};
use super::{Bench, Fault, Finding, Task, ensure, name, node, text};

const WRITERS: u8 = 16;
/// Swaps that each writer brings through.
const SWAPS: u8 = 4;

fn first_fault(all: Vec<Finding>) -> Finding {
    all.into_iter().collect()
}

/// Sixteen writers on one ref: each generation has one winner, no acknowledged swap is missing, none is there twice.
pub(super) async fn ref_race(bench: &dyn Bench) -> Finding {
    let main = name("main")?;
    let won = Arc::new(Mutex::new(Vec::new()));
    let mut tasks: Vec<Task> = Vec::new();
    for writer in 0..WRITERS {
        let (store, main, won) = (bench.open().await?, main.clone(), Arc::clone(&won));
        tasks.push(Box::pin(async move {
            for round in 0..SWAPS {
                let mut nonce = [writer; 16];
                nonce[15] = round;
                let update = RefUpdate::new(node(writer), Event::Commit).nonce(Nonce::from_bytes(nonce));
                // The first swap of all is from nothing, without a look: the widest race that there is.
                let mut expected = None;
                loop {
                    match store.swap(&main, expected, update.clone()).await {
                        Ok(made) => {
                            let mut won = won.lock().unwrap_or_else(PoisonError::into_inner);
                            won.push((made.generation, nonce));
                            break;
                        }
                        Err(StoreError::Stale { found, .. }) => expected = found,
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            Ok(())
        }));
    }
    first_fault(bench.race(tasks).await)?;
    let mut won = won.lock().unwrap_or_else(PoisonError::into_inner).clone();
    won.sort_unstable();
    let all = u64::from(WRITERS) * u64::from(SWAPS);
    let winners: Vec<u64> = won.iter().map(|(generation, _)| *generation).collect();
    ensure!(winners == (1..=all).collect::<Vec<_>>(), "{all} swaps won the generations {winners:?}");
    let store = bench.open().await?;
    let mut history = store.history(&main, None, 1000).await?;
    history.reverse();
    let found: Vec<_> = history.iter().map(|e| (e.generation, *e.nonce.as_bytes())).collect();
    ensure!(found == won, "the history has other swaps than were acknowledged: {} of {all}", found.len());
    Ok(())
}

/// Many that put the same blob all succeed, and many that put different bytes under one key have one winner.
pub(super) async fn put_race(bench: &dyn Bench) -> Finding {
    let (key, bytes) = text(1, 10_000);
    let (contested, _) = text(2, 10_000);
    let bytes = Arc::new(bytes);
    let won = Arc::new(Mutex::new(Vec::new()));
    let mut tasks: Vec<Task> = Vec::new();
    for writer in 0..WRITERS {
        let (store, bytes, won) = (bench.open().await?, Arc::clone(&bytes), Arc::clone(&won));
        tasks.push(Box::pin(async move {
            store.put(key, &bytes).await?;
            ensure!(store.get(key).await?.as_deref() == Some(&bytes[..]), "a put blob is not there");
            match store.put(contested, &[writer; 10_000]).await {
                Ok(()) => won.lock().unwrap_or_else(PoisonError::into_inner).push(writer),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            Ok(())
        }));
    }
    first_fault(bench.race(tasks).await)?;
    let won = won.lock().unwrap_or_else(PoisonError::into_inner).clone();
    ensure!(won.len() == 1, "{} writers were told that their bytes stand under one key", won.len());
    let stands = bench.open().await?.get(contested).await?;
    ensure!(stands == Some(vec![won[0]; 10_000]), "not the winner's bytes stand there");
    Ok(())
}

/// A reader sees a blob whole or not at all.
pub(super) async fn get_during_write(bench: &dyn Bench) -> Finding {
    let texts: Arc<Vec<_>> = Arc::new((0..12).map(|seed| text(seed, 500_000)).collect());
    let done = Arc::new(AtomicBool::new(false));
    let mut tasks: Vec<Task> = Vec::new();
    for _ in 0..3 {
        let (store, texts, done) = (bench.open().await?, Arc::clone(&texts), Arc::clone(&done));
        tasks.push(Box::pin(async move {
            loop {
                let last = done.load(Ordering::Acquire);
                for (key, bytes) in &*texts {
                    let got = store.get(*key).await?;
                    let size = got.as_ref().map(Vec::len);
                    ensure!(
                        got.is_none_or(|got| got == *bytes),
                        "a reader saw {size:?} of {} bytes",
                        bytes.len()
                    );
                }
                if last {
                    return Ok(());
                }
            }
        }));
    }
    let store = bench.open().await?;
    tasks.push(Box::pin(async move {
        let put = async {
            for (key, bytes) in &*texts {
                store.put(*key, bytes).await?;
            }
            Ok::<_, Fault>(())
        };
        let put = put.await;
        done.store(true, Ordering::Release);
        put
    }));
    first_fault(bench.race(tasks).await)
}

/// A reader sees heads go forward only, never behind what was acknowledged before it asked.
pub(super) async fn read_during_swap(bench: &dyn Bench) -> Finding {
    const LAST: u64 = 60;
    let main = name("main")?;
    let acknowledged = Arc::new(AtomicU64::new(1));
    let mut nonces = BTreeSet::new();
    let first = RefUpdate::new(node(1), Event::Commit);
    nonces.insert(*first.nonce.as_bytes());
    let store = bench.open().await?;
    store.swap(&main, None, first).await?;
    let mut tasks: Vec<Task> = Vec::new();
    for _ in 0..3 {
        let (store, main, acknowledged) = (bench.open().await?, main.clone(), Arc::clone(&acknowledged));
        // Every reader has read before the others are written, whenever it is let run: what it keeps is old then.
        let mut seen = store.read(&main).await?.map_or(0, |head| head.generation);
        tasks.push(Box::pin(async move {
            while seen < LAST {
                let floor = acknowledged.load(Ordering::Acquire);
                if floor == u64::MAX {
                    return Ok(());
                }
                let at = store.read(&main).await?.map_or(0, |head| head.generation);
                ensure!(at >= floor, "generation {floor} was acknowledged, and then {at} was read");
                ensure!(at >= seen, "generation {seen} was read, and then {at}");
                seen = at;
            }
            Ok(())
        }));
    }
    let writer = Arc::clone(&acknowledged);
    let written = main.clone();
    tasks.push(Box::pin(async move {
        for generation in 2..=LAST {
            let update = RefUpdate::new(node(1), Event::Commit);
            nonces.insert(*update.nonce.as_bytes());
            match store.swap(&written, Some(generation - 1), update).await {
                Ok(_) => writer.store(generation, Ordering::Release),
                Err(error) => {
                    // The readers must not wait for what will never come.
                    writer.store(u64::MAX, Ordering::Release);
                    return Err(error.into());
                }
            }
        }
        ensure!(nonces.len() as u64 == LAST, "nonces repeat");
        Ok(())
    }));
    first_fault(bench.race(tasks).await)
}

//! Leases.

use std::time::Duration;

use super::super::{Lease, Leases, Moment, Store, StoreError};
use super::{Bench, Fault, Finding, at, ensure};

const MINUTE: Duration = Duration::from_mins(1);

async fn live(store: &dyn Store, now: Moment) -> Result<Vec<Lease>, Fault> {
    Ok(Leases::of(store).live(now).await?.into_iter().map(|live| live.lease).collect())
}

/// A lease is seen by everybody from when it is taken until it ends or is released.
pub(super) async fn life(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let leases = Leases::of(&*store);
    ensure!(live(&*other, at(0)).await?.is_empty(), "an empty store has leases");
    let first = leases.acquire("writer", at(0), MINUTE).await?;
    let second = leases.acquire("writer", at(0), 2 * MINUTE).await?;
    let mut both = live(&*other, at(59_999)).await?;
    both.sort_by_key(|lease| lease.expires);
    ensure!(both == [first.clone(), second.clone()], "two leases of one holder are listed as {both:?}");
    ensure!(live(&*other, at(60_000)).await? == [second.clone()], "a lease outlives its end");
    ensure!(leases.release(&second).await?, "a lease could not be released");
    ensure!(!leases.release(&second).await?, "a lease was released twice");
    ensure!(live(&*other, at(0)).await? == [first.clone()], "a released lease is listed");
    for (lease, now) in [(&second, at(1)), (&first, at(60_000))] {
        let found = leases.renew(lease, now, MINUTE).await;
        ensure!(matches!(found, Err(StoreError::LeaseLost { .. })), "a lost lease was renewed: {found:?}");
    }
    ensure!(leases.clear_expired(at(59_999)).await? == 0, "a live lease was cleared away");
    ensure!(leases.clear_expired(at(60_000)).await? == 1, "an expired lease was not cleared away");
    ensure!(live(&*other, at(0)).await?.is_empty(), "a lease that was cleared away is listed");
    Ok(())
}

/// A renewed lease is one lease, and lasts.
pub(super) async fn renewed(bench: &dyn Bench) -> Finding {
    let (store, other) = (bench.open().await?, bench.open().await?);
    let leases = Leases::of(&*store);
    let mut lease = leases.acquire("writer", at(0), MINUTE).await?;
    for minute in 1..6 {
        lease = leases.renew(&lease, at(minute * 50_000), MINUTE).await?;
        ensure!(
            live(&*other, at(minute * 50_000 + 59_999)).await? == [lease.clone()],
            "renewal {minute} is not listed"
        );
    }
    let shorter = leases.renew(&lease, at(250_000), Duration::ZERO).await?;
    ensure!(shorter.expires == lease.expires, "a renewal made a lease shorter");
    ensure!(leases.release(&lease).await?, "a renewed lease could not be released");
    ensure!(live(&*other, at(0)).await?.is_empty(), "a lease that was renewed outlives its release");
    Ok(())
}

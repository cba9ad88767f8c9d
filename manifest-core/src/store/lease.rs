//! Leases: who is writing, so that no sweep takes what is about to be referred to.

use std::cmp::Reverse;
use std::time::Duration;

use super::{BlobKey, Blobs, Digest, Moment, Nonce, Space, Stat, StoreError, verify};

/// What a lease's bytes start with; the digit is the version.
const MAGIC: &[u8; 7] = b"mlease1";
/// Longest name of a holder, bytes.
const LONGEST: usize = 256;
/// Names asked of a scan at once.
const PAGE: usize = 1000;

/// A lease: a writer's promise to be done by a time, stored as a blob. A writer takes one before its first put and holds it until a
/// head refers to what it put. Its bytes are `mlease1`, the nonce (16), when it was first taken and when it expires (8 each,
/// little-endian, milliseconds since 1970), and the holder's name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lease {
    /// Who writes, for those who read the list.
    pub holder: String,
    /// Tells it from other leases of that holder; stays the same when the lease is renewed.
    pub nonce: Nonce,
    /// When it was first taken, by the writer's clock.
    pub taken: Moment,
    /// When it ends, by the writer's clock.
    pub expires: Moment,
    /// What it was renewed from: left standing, because a scan that runs meanwhile may have passed the place of the new one.
    earlier: Option<BlobKey>,
}

/// Leases are equal if their bytes are.
impl PartialEq for Lease {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl Eq for Lease {}

impl Lease {
    /// Where it stands in the store.
    pub fn key(&self) -> BlobKey {
        BlobKey::new(Space::Lease, Digest::of_text(&self.to_bytes()))
    }

    /// Whether it holds at `now`.
    pub fn is_live(&self, now: Moment) -> bool {
        now < self.expires
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.nonce.as_bytes());
        out.extend(self.taken.unix_millis().to_le_bytes());
        out.extend(self.expires.unix_millis().to_le_bytes());
        out.extend(self.holder.as_bytes());
        out
    }

    fn from_bytes(key: BlobKey, bytes: &[u8]) -> Result<Self, StoreError> {
        verify(key, bytes)?;
        Lease::fields(bytes).ok_or_else(|| StoreError::Corrupt {
            object: key.to_string(),
            found: "it is no lease of version 1".to_owned(),
        })
    }

    fn fields(bytes: &[u8]) -> Option<Self> {
        let (nonce, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<16>()?;
        let (taken, rest) = rest.split_first_chunk::<8>()?;
        let (expires, holder) = rest.split_first_chunk::<8>()?;
        Some(Lease {
            holder: String::from_utf8(holder.to_vec()).ok()?,
            nonce: Nonce::from_bytes(*nonce),
            taken: Moment::from_unix_millis(u64::from_le_bytes(*taken)),
            expires: Moment::from_unix_millis(u64::from_le_bytes(*expires)),
            earlier: None,
        })
    }
}

/// A lease that holds, as a list has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveLease {
    /// The lease.
    pub lease: Lease,
    /// Its size and age, by the clock of the store: the clock by which the ages of blobs are told.
    pub stat: Stat,
}

/// The leases of a store, over any [`Blobs`].
#[derive(Clone, Copy, Debug)]
pub struct Leases<'s, S: ?Sized> {
    store: &'s S,
}

impl<'s, S: Blobs + ?Sized> Leases<'s, S> {
    /// Of this store.
    pub fn of(store: &'s S) -> Self {
        Leases { store }
    }

    /// Takes a lease from `now` on.
    ///
    /// # Errors
    /// Those of the store, and [`StoreError::TooLarge`] for a holder's name of more than 256 bytes.
    pub async fn acquire(&self, holder: &str, now: Moment, lasts: Duration) -> Result<Lease, StoreError> {
        if holder.len() > LONGEST {
            let what = "the name of a lease's holder".to_owned();
            return Err(StoreError::TooLarge { what, size: holder.len() as u64, limit: LONGEST as u64 });
        }
        let (holder, nonce) = (holder.to_owned(), Nonce::unique());
        let lease = Lease { holder, nonce, taken: now, expires: now.after(lasts), earlier: None };
        self.store.put(lease.key(), &lease.to_bytes()).await?;
        Ok(lease)
    }

    /// Lets a lease that holds at `now` last until `lasts` from then, and never shorter than before. The earlier one stands until the
    /// next renewal, so that a scan which runs meanwhile meets one of the two.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if it does not hold any more: a sweep may have taken what was put under it.
    pub async fn renew(&self, lease: &Lease, now: Moment, lasts: Duration) -> Result<Lease, StoreError> {
        let key = lease.key();
        if !lease.is_live(now) || !self.store.exists(key).await? {
            return Err(StoreError::LeaseLost { key });
        }
        let renewed =
            Lease { expires: now.after(lasts).max(lease.expires), earlier: Some(key), ..lease.clone() };
        if renewed == *lease {
            return Ok(lease.clone());
        }
        self.store.put(renewed.key(), &renewed.to_bytes()).await?;
        if let Some(earlier) = lease.earlier {
            self.store.delete(earlier).await?;
        }
        Ok(renewed)
    }

    /// Ends a lease; whether it was still there.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn release(&self, lease: &Lease) -> Result<bool, StoreError> {
        if let Some(earlier) = lease.earlier {
            self.store.delete(earlier).await?;
        }
        self.store.delete(lease.key()).await
    }

    /// The leases that hold at `now`, by when they were taken. One that cannot be read is an error, never passed over: a sweep that
    /// missed it would take what its writer has put.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn live(&self, now: Moment) -> Result<Vec<LiveLease>, StoreError> {
        let mut live = self.all().await?;
        live.retain(|l| l.lease.is_live(now));
        // Of a renewed lease and the one before, the later.
        live.sort_by_key(|l| (l.lease.taken, *l.lease.nonce.as_bytes(), Reverse(l.lease.expires)));
        live.dedup_by_key(|l| l.lease.nonce);
        Ok(live)
    }

    /// Removes leases that expired before `now`; how many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn clear_expired(&self, now: Moment) -> Result<usize, StoreError> {
        let mut cleared = 0;
        for held in self.all().await? {
            if !held.lease.is_live(now) && self.store.delete(held.lease.key()).await? {
                cleared += 1;
            }
        }
        Ok(cleared)
    }

    async fn all(&self) -> Result<Vec<LiveLease>, StoreError> {
        loop {
            if let Some(all) = self.pass().await? {
                return Ok(all);
            }
        }
    }

    /// One pass over the leases; none if one of them went away meanwhile, for it may have been renewed to where the pass has been.
    async fn pass(&self) -> Result<Option<Vec<LiveLease>>, StoreError> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = self.store.scan(Space::Lease, after, PAGE).await?;
            for (key, stat) in page.blobs {
                let Some(bytes) = self.store.get(key).await? else { return Ok(None) };
                all.push(LiveLease { lease: Lease::from_bytes(key, &bytes)?, stat });
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(Some(all)),
            }
        }
    }
}

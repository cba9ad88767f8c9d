//! Refs as numbered objects that are created once.

use super::super::entry::LAST;
use super::super::{
    Created, Digest, ObjectPath, Objects, RefEntry, RefName, RefSwap, RefUpdate, Refs, StoreError,
    StoreFuture,
};
use super::Layout;

/// Names asked of a listing at once.
const PAGE: usize = 1000;
/// Digits of a generation.
const DIGITS: usize = 20;

fn folder(name: &RefName) -> ObjectPath {
    ObjectPath::new(format!("refs/{name}"))
}

fn path(name: &RefName, generation: u64) -> ObjectPath {
    ObjectPath::new(format!("refs/{name}/{generation:020}"))
}

fn hint(name: &RefName) -> ObjectPath {
    ObjectPath::new(format!("refs/{name}/hint"))
}

/// The ref and the generation that stand at a path; none for a hint or for what others left there.
fn entry_at(path: &str) -> Option<(RefName, u64)> {
    let (name, digits) = path.strip_prefix("refs/")?.rsplit_once('/')?;
    let generation = digits.parse().ok().filter(|g| (1..=LAST).contains(g))?;
    (digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_digit())).then_some(())?;
    Some((RefName::new(name).ok()?, generation))
}

impl<O: Objects> Layout<O> {
    async fn entry(&self, name: &RefName, generation: u64) -> Result<Option<RefEntry>, StoreError> {
        let path = path(name, generation);
        let Some(bytes) = self.objects.read(&path).await? else { return Ok(None) };
        let entry = RefEntry::from_bytes(path.as_str(), &bytes)?;
        if entry.name != *name || entry.generation != generation {
            let found = format!("it is generation {} of ref {}", entry.generation, entry.name);
            return Err(StoreError::Corrupt { object: path.to_string(), found });
        }
        Ok(Some(entry))
    }

    async fn there(&self, name: &RefName, generation: u64) -> Result<bool, StoreError> {
        Ok(generation <= LAST && self.objects.stat(&path(name, generation)).await?.is_some())
    }

    /// The number of the newest generation: up from the hint in steps that double, and back by halves; generations have no gaps.
    async fn newest(&self, name: &RefName) -> Result<Option<u64>, StoreError> {
        let Some(mut newest) = self.start(name).await? else { return Ok(None) };
        let mut step = 1u64;
        while self.there(name, newest.saturating_add(step)).await? {
            newest += step;
            step = step.saturating_mul(2);
        }
        while step > 1 {
            step /= 2;
            if self.there(name, newest.saturating_add(step)).await? {
                newest += step;
            }
        }
        Ok(Some(newest))
    }

    /// A generation that is there: the hinted one, or the last of a listing.
    async fn start(&self, name: &RefName) -> Result<Option<u64>, StoreError> {
        // A hint that cannot be read is no hint; what it stands for is read from the store anyway.
        let hinted = self.objects.read(&hint(name)).await.ok().flatten();
        let hinted = hinted.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<u64>().ok());
        if let Some(hinted) = hinted.filter(|g| (1..=LAST).contains(g))
            && self.there(name, hinted).await?
        {
            return Ok(Some(hinted));
        }
        let (folder, mut after, mut last) = (folder(name), None, 0);
        loop {
            let listed = self.objects.list(&folder, after.as_ref(), PAGE).await?;
            for (_, generation) in
                listed.iter().filter_map(|(path, _)| entry_at(path)).filter(|(n, _)| n == name)
            {
                if generation != last + 1 {
                    return Err(StoreError::Absent { object: path(name, last + 1).to_string() });
                }
                last = generation;
            }
            match listed.last() {
                Some((path, _)) if listed.len() >= PAGE => after = Some(ObjectPath::new(path.as_str())),
                _ => return Ok((last > 0).then_some(last)),
            }
        }
    }

    async fn stale(&self, name: &RefName, expected: Option<u64>) -> StoreError {
        match self.newest(name).await {
            Ok(found) => StoreError::Stale { name: name.clone(), expected, found },
            Err(error) => error,
        }
    }

    /// The entry that a swap writes.
    async fn next(
        &self,
        name: &RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> Result<RefEntry, StoreError> {
        let parent = match expected {
            None => None,
            Some(generation) => match self.entry(name, generation).await? {
                Some(parent) => Some(parent),
                None => return Err(self.stale(name, expected).await),
            },
        };
        RefEntry::next(name, parent.as_ref(), update)
    }

    async fn swap_to(
        &self,
        name: &RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> Result<RefEntry, StoreError> {
        let next = self.next(name, expected, update).await?;
        let (path, bytes) = (path(name, next.generation), next.to_bytes());
        let created = match self.objects.create(&path, &bytes).await {
            Ok(created) => created,
            // It may have been written all the same, and not be durable yet: only another create tells.
            Err(error) => match self.objects.create(&path, &bytes).await {
                Ok(created) => created,
                Err(_) => return Err(error),
            },
        };
        self.swapped(expected, next, created).await
    }

    /// What became of a swap whose entry was written, or found to be there.
    async fn swapped(
        &self,
        expected: Option<u64>,
        next: RefEntry,
        created: Created,
    ) -> Result<RefEntry, StoreError> {
        let name = &next.name;
        if created == Created::Exists {
            return match self.entry(name, next.generation).await? {
                Some(there) if there.nonce == next.nonce && there.target == next.target => Ok(there),
                _ => Err(self.stale(name, expected).await),
            };
        }
        // The head has moved; without the hint the next reader searches a little longer, and of one generation there is nothing to
        // search.
        if next.generation > 1 {
            let _ = self.objects.replace(&hint(name), next.generation.to_string().as_bytes()).await;
        }
        Ok(next)
    }

    async fn swap_all(&self, batch: &[RefSwap]) -> Vec<Result<RefEntry, StoreError>> {
        let mut all = Vec::with_capacity(batch.len());
        let mut objects = Vec::with_capacity(batch.len());
        for RefSwap { name, expected, update } in batch {
            let next = self.next(name, *expected, update.clone()).await;
            if let Ok(next) = &next {
                objects.push((path(name, next.generation), next.to_bytes()));
            }
            all.push(next);
        }
        let objects: Vec<(ObjectPath, &[u8])> =
            objects.iter().map(|(path, bytes)| (path.clone(), bytes.as_slice())).collect();
        let mut created = self.objects.create_many(&objects).await.unwrap_or_default().into_iter();
        let mut done = Vec::with_capacity(batch.len());
        for (next, RefSwap { name, expected, update }) in all.into_iter().zip(batch) {
            done.push(match next {
                Ok(next) => match created.next() {
                    Some(created) => self.swapped(*expected, next, created).await,
                    // The batch failed, and any of it may have been written all the same: asked one by one, each is told by its nonce.
                    None => self.swap_to(name, *expected, update.clone()).await,
                },
                Err(error) => Err(error),
            });
        }
        done
    }

    async fn past(
        &self,
        name: &RefName,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<RefEntry>, StoreError> {
        let (mut generation, mut digest) = match before {
            None => (self.newest(name).await?.unwrap_or(0), None),
            Some(before) => {
                (before.saturating_sub(1), self.entry(name, before).await?.and_then(|e| e.parent))
            }
        };
        let mut past: Vec<RefEntry> = Vec::new();
        while past.len() < limit && generation > 0 {
            let object = path(name, generation).to_string();
            let Some(entry) = self.entry(name, generation).await? else {
                return Err(StoreError::Absent { object });
            };
            if digest.is_some_and(|digest: Digest| digest != entry.digest()) {
                let found = format!("generation {} was made after another one than this", generation + 1);
                return Err(StoreError::Corrupt { object, found });
            }
            digest = entry.parent;
            generation -= 1;
            past.push(entry);
        }
        Ok(past)
    }

    async fn names(&self, after: Option<&RefName>, limit: usize) -> Result<Vec<RefName>, StoreError> {
        let refs = ObjectPath::new("refs");
        let mut names: Vec<RefName> = Vec::new();
        // The generations of `a` start with ten zeros and no name below `a/` does: none stands among them, and all can be skipped.
        let mut from = after.map(|name| path(name, LAST));
        while names.len() < limit {
            let listed = self.objects.list(&refs, from.as_ref(), PAGE).await?;
            for (path, _) in &listed {
                if let Some((name, _)) = entry_at(path)
                    && names.last() != Some(&name)
                {
                    names.push(name);
                    if names.len() >= limit {
                        break;
                    }
                }
            }
            if listed.len() < PAGE {
                break;
            }
            from = listed.last().map(|(last, _)| match entry_at(last) {
                Some((name, _)) => path(&name, LAST),
                None => ObjectPath::new(last.as_str()),
            });
        }
        Ok(names)
    }
}

impl<O: Objects> Refs for Layout<O> {
    fn read<'a>(&'a self, name: &'a RefName) -> StoreFuture<'a, Option<RefEntry>> {
        Box::pin(async move {
            let Some(newest) = self.newest(name).await? else { return Ok(None) };
            match self.entry(name, newest).await? {
                Some(entry) => Ok(Some(entry)),
                None => Err(StoreError::Absent { object: path(name, newest).to_string() }),
            }
        })
    }

    fn swap<'a>(
        &'a self,
        name: &'a RefName,
        expected: Option<u64>,
        update: RefUpdate,
    ) -> StoreFuture<'a, RefEntry> {
        Box::pin(self.swap_to(name, expected, update))
    }

    fn swap_many<'a>(&'a self, batch: &'a [RefSwap]) -> StoreFuture<'a, Vec<Result<RefEntry, StoreError>>> {
        Box::pin(async move { Ok(self.swap_all(batch).await) })
    }

    fn history<'a>(
        &'a self,
        name: &'a RefName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<RefEntry>> {
        Box::pin(self.past(name, before, limit))
    }

    fn list<'a>(&'a self, after: Option<&'a RefName>, limit: usize) -> StoreFuture<'a, Vec<RefName>> {
        Box::pin(self.names(after, limit))
    }
}

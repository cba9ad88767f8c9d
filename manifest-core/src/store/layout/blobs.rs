//! Blobs as objects.

use super::super::{BlobKey, Blobs, Capabilities, Created, Cursor, Digest, ObjectPath, Objects, Page, Space};
use super::super::{Stat, StoreError, StoreFuture};
use super::Layout;

/// How often a put starts again because somebody deleted what it found.
const TRIES: usize = 8;

/// Where a blob stands.
fn path(key: BlobKey) -> ObjectPath {
    let digits = key.digest.to_string();
    let (shard, rest) = digits.split_at(2);
    ObjectPath::new(format!("{}/{shard}/{rest}", key.space))
}

/// The blob that stands at a path of its space.
fn key(space: Space, path: &str) -> Option<BlobKey> {
    let (shard, rest) = path.strip_prefix(space.as_str())?.strip_prefix('/')?.split_once('/')?;
    if shard.len() != 2 || rest.len() != 62 {
        return None;
    }
    let digest: Digest = format!("{shard}{rest}").parse().ok()?;
    Some(BlobKey::new(space, digest))
}

impl<O: Objects> Layout<O> {
    async fn put_key(&self, key: BlobKey, bytes: &[u8]) -> Result<(), StoreError> {
        let path = path(key);
        for _ in 0..TRIES {
            match self.put_path(&path, bytes).await? {
                Some(true) => return Ok(()),
                Some(false) => return Err(StoreError::Conflict { key }),
                None => {}
            }
        }
        let source = "it was deleted as often as it was found".into();
        Err(StoreError::Failed { operation: "put", object: key.to_string(), source })
    }
}

impl<O: Objects> Blobs for Layout<O> {
    fn capabilities(&self) -> Capabilities {
        self.objects.capabilities()
    }

    fn put<'a>(&'a self, key: BlobKey, bytes: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(self.put_key(key, bytes))
    }

    fn put_many<'a>(&'a self, batch: &'a [(BlobKey, &'a [u8])]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let objects: Vec<_> = batch.iter().map(|(key, bytes)| (path(*key), *bytes)).collect();
            let created = self.objects.create_many(&objects).await?;
            for (((key, bytes), (path, _)), created) in batch.iter().zip(&objects).zip(created) {
                if created == Created::New {
                    continue;
                }
                match self.same(path, bytes).await? {
                    Some(true) => {}
                    Some(false) => return Err(StoreError::Conflict { key: *key }),
                    None => self.put_key(*key, bytes).await?,
                }
            }
            Ok(())
        })
    }

    fn get(&self, key: BlobKey) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move { self.objects.read(&path(key)).await })
    }

    fn head(&self, key: BlobKey) -> StoreFuture<'_, Option<Stat>> {
        Box::pin(async move { self.objects.stat(&path(key)).await })
    }

    fn delete(&self, key: BlobKey) -> StoreFuture<'_, bool> {
        Box::pin(async move { self.objects.remove(&path(key)).await })
    }

    fn scan(&self, space: Space, after: Option<Cursor>, limit: usize) -> StoreFuture<'_, Page> {
        Box::pin(async move {
            let folder = ObjectPath::new(space.as_str());
            let after = after.map(|cursor| ObjectPath::new(cursor.as_str()));
            let limit = limit.max(1);
            let listed = self.objects.list(&folder, after.as_ref(), limit).await?;
            let mut page = Page::default();
            if listed.len() >= limit {
                page.next = listed.last().map(|(path, _)| Cursor::new(path.as_str()));
            }
            for (path, stat) in listed {
                match key(space, &path) {
                    Some(key) => page.blobs.push((key, stat)),
                    None => page.foreign.push(path),
                }
            }
            Ok(page)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_back_as_its_key() {
        let text = BlobKey::of_text(b"abc");
        assert!(path(text).as_str().starts_with("text/64/37b3ac38465133ffb63b75273a8db548c558465d79db03fd"));
        assert_eq!(key(Space::Text, path(text).as_str()), Some(text));
    }

    #[test]
    fn other_paths_are_no_keys() {
        let good = path(BlobKey::of_text(b"abc"));
        for bad in [
            good.as_str().to_uppercase(),
            good.as_str().replace("text/64/", "text/6/4"),
            good.as_str().replace("text/64/", "text/64"),
            format!("{good}0"),
            "text/../store-version".to_owned(),
            "text".to_owned(),
        ] {
            assert_eq!(key(Space::Text, &bad), None, "{bad}");
        }
        assert_eq!(key(Space::Node, good.as_str()), None);
    }
}

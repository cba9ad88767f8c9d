//! Folders that fail, lie, or are none.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use manifest_core::NodeId;
use manifest_core::store::{
    BlobKey, Blobs, Checked, Event, Lease, Leases, Moment, RefName, RefUpdate, Refs, Space, StoreError,
    block_on,
};
use manifest_store::FileStore;
use tempfile::TempDir;

const STORE: &str = "MANIFEST_TEST_STORE";

fn store() -> (TempDir, FileStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::create(folder.path().join("store")).unwrap();
    (folder, store)
}

fn put(store: &FileStore, text: &[u8]) -> Result<BlobKey, StoreError> {
    let key = BlobKey::of_text(text);
    block_on(store.put(key, text)).map(|()| key)
}

fn file_of(store: &FileStore, key: BlobKey) -> PathBuf {
    let digits = key.digest.to_string();
    store.path().join(key.space.as_str()).join(&digits[..2]).join(&digits[2..])
}

fn main_ref() -> RefName {
    RefName::new("main").unwrap()
}

fn commit() -> RefUpdate {
    RefUpdate::new(NodeId::from_digest(BlobKey::of_text(b"n").digest), Event::Commit)
}

fn unfinished(store: &FileStore) -> usize {
    fs::read_dir(store.path().join("tmp")).map_or(0, Iterator::count)
}

#[test]
fn what_is_no_store_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "x").unwrap();
    for path in [folder.path().join("absent"), file.clone(), file.join("below"), foreign.clone()] {
        let error = FileStore::open(&path).unwrap_err();
        let named = matches!(&error, StoreError::NotAStore { place, .. } if Path::new(place) == path);
        assert!(named, "{}: {error}", path.display());
    }
    let error = FileStore::create(&file).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    let error = FileStore::create(&foreign).unwrap_err();
    assert!(error.to_string().contains("thesis.txt"), "{error}");
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1, "a refused folder was written to");
    assert!(FileStore::create(file.join("below")).is_err());
}

#[test]
fn a_store_is_made_anywhere_and_twice() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    let first = FileStore::create(&deep).unwrap();
    let key = put(&first, b"kept").unwrap();
    let second = FileStore::create(&deep).unwrap();
    assert_eq!(block_on(second.get(key)).unwrap().as_deref(), Some(&b"kept"[..]));
    // Killed between the first folder and the marker.
    let half = folder.path().join("half");
    fs::create_dir_all(half.join("tmp")).unwrap();
    FileStore::create(&half).unwrap();
}

#[test]
fn another_version_is_refused_by_name() {
    let (_folder, store) = store();
    fs::write(store.path().join("store-version"), "manifest store 7\n").unwrap();
    for error in [FileStore::open(store.path()).unwrap_err(), FileStore::create(store.path()).unwrap_err()] {
        assert!(matches!(error, StoreError::OtherVersion { found: 7, supported: 1, .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("version 7") && text.contains("reads version 1"), "{text}");
        assert!(text.contains("use a newer program"), "{text}");
    }
    fs::write(store.path().join("store-version"), "photo library\n").unwrap();
    assert!(matches!(FileStore::open(store.path()), Err(StoreError::NotAStore { .. })));
}

#[test]
fn an_altered_object_is_named_and_replaced() {
    let (_folder, store) = store();
    let key = put(&store, b"the limit is 50").unwrap();
    fs::write(file_of(&store, key), b"the limit is 5").unwrap();
    let checked = Checked::new(&store).unwrap();
    let error = block_on(checked.get(key)).unwrap_err();
    assert!(error.to_string().contains(&key.to_string()), "{error}");
    assert!(matches!(put(&store, b"the limit is 50"), Err(StoreError::Conflict { .. })));
    assert!(block_on(store.delete(key)).unwrap());
    put(&store, b"the limit is 50").unwrap();
    assert!(block_on(checked.get(key)).unwrap().is_some());
}

#[test]
fn an_altered_head_is_named() {
    let (_folder, store) = store();
    block_on(store.swap(&main_ref(), None, commit())).unwrap();
    let file = store.path().join("refs/main/00000000000000000001");
    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    let error = block_on(store.read(&main_ref())).unwrap_err();
    assert!(error.to_string().contains("refs/main/00000000000000000001"), "{error}");
    assert!(block_on(store.swap(&main_ref(), Some(1), commit())).is_err(), "a swap built on a corrupt head");
}

#[test]
fn a_foreign_lease_stops_whoever_lists() {
    let (_folder, store) = store();
    let leases = Leases::of(&store);
    let now = Moment::from_unix_millis(1);
    let lease: Lease = block_on(leases.acquire("w", now, std::time::Duration::from_secs(9))).unwrap();
    fs::write(file_of(&store, lease.key()), b"garbage").unwrap();
    let error = block_on(leases.live(now)).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
}

#[test]
fn foreign_files_are_told_and_left_alone() {
    let (_folder, store) = store();
    let key = put(&store, b"mine").unwrap();
    let shard = file_of(&store, key).parent().unwrap().to_owned();
    let mut foreign = vec![shard.join(".DS_Store"), shard.join("x~"), store.path().join("text/notes")];
    fs::create_dir_all(store.path().join("text/zz/deep/er")).unwrap();
    foreign.push(store.path().join("text/zz/deep/er/file"));
    foreign.push(store.path().join("README"));
    for file in &foreign {
        fs::write(file, "x").unwrap();
    }
    let page = block_on(store.scan(Space::Text, None, 100)).unwrap();
    assert_eq!(page.blobs.len(), 1);
    let mut told = page.foreign;
    told.sort();
    let mut wanted: Vec<_> = foreign[..4]
        .iter()
        .map(|f| f.strip_prefix(store.path()).unwrap().to_str().unwrap().to_owned())
        .collect();
    wanted.sort();
    assert_eq!(told, wanted);
    assert!(foreign.iter().all(|file| file.exists()));
    // One page a name gives the same.
    let (mut after, mut names) = (None, 0);
    loop {
        let page = block_on(store.scan(Space::Text, after, 1)).unwrap();
        names += page.blobs.len() + page.foreign.len();
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(names, 5);
}

#[test]
fn what_is_in_the_way_of_a_folder_is_named() {
    let (_folder, store) = store();
    fs::write(store.path().join("text"), "x").unwrap();
    let error = put(&store, b"abc").unwrap_err();
    let cause = error.source().unwrap().to_string();
    assert!(cause.contains("text is in the way"), "{error}: {cause}");
    assert_eq!(unfinished(&store), 0);
}

#[test]
fn a_folder_that_vanishes_is_made_again() {
    let (_folder, store) = store();
    let key = put(&store, b"abc").unwrap();
    fs::remove_dir_all(store.path().join("text")).unwrap();
    fs::remove_dir_all(store.path().join("tmp")).unwrap();
    put(&store, b"abc").unwrap();
    fs::remove_dir_all(store.path().join("text")).unwrap();
    block_on(store.put_many(&[(key, &b"abc"[..])])).unwrap();
    assert!(block_on(store.exists(key)).unwrap());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn links_are_no_objects() {
        let (folder, store) = store();
        let outside = folder.path().join("outside");
        fs::write(&outside, "secret").unwrap();
        let key = BlobKey::of_text(b"secret");
        let file = file_of(&store, key);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        for target in [&outside, &folder.path().join("nowhere")] {
            symlink(target, &file).unwrap();
            let error = block_on(store.get(key)).unwrap_err();
            assert!(error.to_string().contains("symbolic link"), "{error}");
            assert!(block_on(store.head(key)).is_err());
            // A scan has it, so that whoever verifies comes upon it; a put does not go through it.
            assert_eq!(block_on(store.scan(Space::Text, None, 9)).unwrap().blobs.len(), 1);
            assert!(put(&store, b"secret").is_err());
            assert!(block_on(store.delete(key)).unwrap());
        }
        assert_eq!(fs::read(&outside).unwrap(), b"secret");
        put(&store, b"secret").unwrap();
    }

    #[test]
    fn nothing_is_written_through_a_link_to_a_folder() {
        let (folder, store) = store();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        symlink(&outside, store.path().join("text")).unwrap();
        let error = put(&store, b"abc").unwrap_err();
        assert!(error.source().unwrap().to_string().contains("no link"), "{error}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        // Nor does a listing go round in circles.
        fs::create_dir(store.path().join("node")).unwrap();
        symlink(store.path(), store.path().join("node/up")).unwrap();
        assert_eq!(block_on(store.scan(Space::Node, None, 9)).unwrap().foreign, ["node/up"]);
    }

    #[test]
    fn a_store_behind_a_link_is_a_store() {
        let (folder, store) = store();
        let link = folder.path().join("link");
        symlink(store.path(), &link).unwrap();
        let key = put(&store, b"abc").unwrap();
        assert!(block_on(FileStore::open(&link).unwrap().exists(key)).unwrap());
    }

    #[test]
    fn others_may_read_what_is_written() {
        let (_folder, store) = store();
        let plain = store.path().join("plain");
        fs::write(&plain, "x").unwrap();
        let key = put(&store, b"abc").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file_of(&store, key)), mode(&plain), "not as the user's mask has it");
    }

    /// One that may do less than the superuser, under whom tests may run.
    const NOBODY: u32 = 65_534;

    /// Runs a test of this executable in a process of its own, as nobody if this user may do anything. What it said.
    fn as_nobody(test: &str, store: &FileStore) -> String {
        // A copy beside the store: the executable itself may stand where nobody may go.
        let program = store.path().with_file_name("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let mut command = Command::new(&program);
        command.args(["--exact", test, "--ignored", "--nocapture"]).env(STORE, store.path());
        if fs::metadata(store.path()).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        said
    }

    fn set_modes(root: &Path, mode: u32) {
        fs::set_permissions(root, fs::Permissions::from_mode(mode)).unwrap();
        for entry in fs::read_dir(root).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                set_modes(&path, mode);
            }
        }
    }

    #[test]
    #[ignore = "a process of the test below"]
    fn locked_out() {
        let Some(path) = std::env::var_os(STORE) else { return };
        let store = FileStore::open(path).unwrap();
        let key = BlobKey::of_text(b"abc");
        assert_eq!(block_on(store.get(key)).unwrap().as_deref(), Some(&b"abc"[..]));
        let written = put(&store, b"other").map(drop);
        let swapped = block_on(store.swap(&main_ref(), None, commit())).map(drop);
        let deleted = block_on(store.delete(key)).map(drop);
        for found in [written, swapped, deleted] {
            assert!(matches!(found, Err(StoreError::Denied { .. })), "{found:?}");
        }
        println!("refused");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_read_all_the_same() {
        let (folder, store) = store();
        put(&store, b"abc").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        set_modes(store.path(), 0o555);
        let said = as_nobody("unix::locked_out", &store);
        set_modes(store.path(), 0o755);
        assert!(said.contains("refused"), "{said}");
    }

    #[test]
    #[ignore = "a process of the test below"]
    fn put_again() {
        let Some(path) = std::env::var_os(STORE) else { return };
        put(&FileStore::open(path).unwrap(), b"abc").unwrap();
        println!("it is young");
    }

    #[test]
    fn a_put_of_another_users_file_makes_it_young() {
        let (folder, store) = store();
        let key = put(&store, b"abc").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        set_modes(store.path(), 0o777);
        let before = block_on(store.head(key)).unwrap().unwrap().written;
        std::thread::sleep(std::time::Duration::from_millis(30));
        let said = as_nobody("unix::put_again", &store);
        assert!(said.contains("it is young"), "{said}");
        assert!(block_on(store.head(key)).unwrap().unwrap().written > before);
        assert_eq!(block_on(store.get(key)).unwrap().as_deref(), Some(&b"abc"[..]));
    }

    #[test]
    #[ignore = "a process of the test below"]
    fn fill() {
        let Some(path) = std::env::var_os(STORE) else { return };
        let store = FileStore::open(path).unwrap();
        let small = put(&store, b"small").unwrap();
        let large = vec![7; 100_000];
        let key = BlobKey::of_text(&large);
        let batch = [(BlobKey::of_text(b"first"), &b"first"[..]), (key, &large[..])];
        for found in [put(&store, &large).map(drop), block_on(store.put_many(&batch))] {
            match found {
                Err(error @ StoreError::Full { .. }) => {
                    assert!(error.to_string().contains("no room"), "{error}");
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(unfinished(&store), 0, "what did not fit is left behind");
        }
        assert!(!block_on(store.exists(key)).unwrap());
        assert!(block_on(store.exists(small)).unwrap());
        // What fits is still taken.
        put(&store, b"another").unwrap();
        block_on(store.swap(&main_ref(), None, commit())).unwrap();
        println!("filled");
    }

    /// The limit on a file's size stands for a disk without room: a write breaks off in the middle, and no superuser is excepted.
    #[test]
    fn a_full_disk_is_said_and_leaves_nothing_in_part() {
        let (_folder, store) = store();
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact unix::fill --ignored --nocapture"])
            .arg(std::env::current_exe().unwrap())
            .env(STORE, store.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("filled"),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let store = FileStore::open(store.path()).unwrap();
        assert_eq!(block_on(store.history(&main_ref(), None, 9)).unwrap().len(), 1);
    }
}

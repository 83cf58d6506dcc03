//! Whether an open store still lies where it was opened. What is written to a file that was removed is gone when the
//! file is closed, and nothing else would tell anybody.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::draft::Before;
use super::maintain::copy_into_what_there_is;
use super::{Store, StoreError};

/// What tells a file from every other one on this machine, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// That of the file at `path`; `None` where there is none.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(meta) => Ok(Some(Self { device: meta.dev(), inode: meta.ino() })),
            Err(fault)
                if matches!(
                    fault.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}

#[cfg(test)]
impl Identity {
    /// That of a store which is in no file.
    pub(super) fn nowhere() -> Self {
        Self { device: 0, inode: 0 }
    }
}

impl Store {
    /// Sees whether the file still lies at its path. If not, all that it holds is copied to a new file beside that.
    ///
    /// # Errors
    /// [`StoreError::Gone`] when the file was removed, moved or replaced.
    pub fn must_be_in_place(&self) -> Result<(), StoreError> {
        // A path that cannot be looked at for now says nothing, and a store that cannot be written is told by that.
        let Ok(there) = Identity::at(&self.path) else { return Ok(()) };
        if there == Some(self.identity) {
            return Ok(());
        }
        let path = self.path.clone();
        tracing::error!(
            "the store {} was removed, moved or replaced while it is in use: saving what it holds",
            path.display()
        );
        let rescue = free_place(&path);
        let save = |view| copy_into_what_there_is(&view, &rescue, Before::Nothing);
        match self.view().and_then(save) {
            Ok(()) => Err(StoreError::Gone { path, rescue }),
            Err(why) => Err(StoreError::Lost { path, why: Box::new(why) }),
        }
    }
}

/// Refuses to begin a new store where the last one was taken away and saved: it would be mistaken for that.
///
/// # Errors
/// [`StoreError::Rescued`] when there is no store, and a copy that was saved last.
pub(crate) fn must_not_have_been_rescued(path: &Path) -> Result<(), StoreError> {
    match rescues(path).take_while(|place| is_taken(place)).filter(|place| place.is_file()).last() {
        Some(rescue) if !path.exists() => {
            Err(StoreError::Rescued { path: path.to_owned(), rescue })
        }
        _ => Ok(()),
    }
}

/// A name beside the store that nothing has.
fn free_place(store: &Path) -> PathBuf {
    rescues(store).find(|place| !is_taken(place)).expect("there are names enough")
}

/// Whether something has that name, be it a link to nowhere.
fn is_taken(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok()
}

/// Where what a store holds is saved: one place for each time.
fn rescues(store: &Path) -> impl Iterator<Item = PathBuf> {
    (1_u64..).map(|number| store.with_file_name(format!("rescued-{number}.redb")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::samples;

    #[test]
    fn a_store_that_was_taken_away_is_told_and_saved() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["store.redb", "other.redb"].map(|name| folder.path().join(name));
        let store = Store::open(&path).unwrap();
        samples::fill(&store);
        let held = store.snapshot().unwrap();
        store.must_be_in_place().unwrap();

        fs::rename(&path, &other).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("rescued-1.redb")).unwrap();
        let gone = || match store.must_be_in_place() {
            Err(StoreError::Gone { rescue, .. }) => rescue,
            end => panic!("{end:?}"),
        };
        assert_eq!(gone(), folder.path().join("rescued-2.redb"), "moved");
        fs::rename(&other, &path).unwrap();
        store.must_be_in_place().unwrap();

        fs::remove_file(&path).unwrap();
        let rescue = gone();
        assert_eq!(rescue, folder.path().join("rescued-3.redb"), "removed");
        fs::write(&path, "something else").unwrap();
        gone();
        assert_eq!(fs::read(&path).unwrap(), b"something else", "what is there now stays");
        must_not_have_been_rescued(&path).unwrap();
        fs::remove_file(&path).unwrap();
        match must_not_have_been_rescued(&path) {
            Err(StoreError::Rescued { rescue, .. }) => {
                assert_eq!(rescue, folder.path().join("rescued-4.redb"), "the last");
            }
            end => panic!("{end:?}"),
        }
        drop(store);
        assert_eq!(Store::open(&rescue).unwrap().snapshot().unwrap(), held);
    }

    #[test]
    fn what_cannot_be_saved_is_told_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("games");
        fs::create_dir(&inner).unwrap();
        let store = Store::open(&inner.join("store.redb")).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        assert!(matches!(store.must_be_in_place(), Err(StoreError::Lost { .. })));
        assert!(!inner.exists());
    }
}

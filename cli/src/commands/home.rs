//! The folder in which `run` has its store: the user's, or a temporary one that goes when the command ends.
//!
//! A command that is killed cannot take its folder away. So the living hold a lock in theirs, and each run begins by
//! taking away those folders whose lock nobody holds any more.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use tempfile::TempDir;

use crate::context::Context;
use crate::error::ExpectedError;

/// How the names of temporary folders begin.
const PREFIX: &str = "sprague-";
/// The file in a temporary folder that is locked for as long as its command lives.
const LOCK: &str = "run.lock";

/// The folder of the store.
pub(super) enum Home {
    /// The user's.
    Kept(PathBuf),
    /// One that goes when the command ends.
    Temporary(Temporary),
}

/// A folder that goes when it is dropped.
pub(super) struct Temporary {
    folder: TempDir,
    /// Locked until the process ends, however it does.
    _lock: File,
}

impl Home {
    /// The folder that is named, or a temporary one.
    pub(super) fn open(dir: Option<PathBuf>) -> Result<Self, ExpectedError> {
        if let Some(dir) = dir {
            return Ok(Self::Kept(dir));
        }
        let folder = std::env::temp_dir();
        clear_away(&folder);
        match Temporary::make(&folder) {
            Ok(home) => Ok(Self::Temporary(home)),
            Err(source) => Err(ExpectedError::Temporary { folder, source }),
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Kept(dir) => dir,
            Self::Temporary(home) => home.folder.path(),
        }
    }

    pub(super) fn say_how_to_go_on(&self, context: &Context) {
        context.notes.hint(match self {
            Self::Kept(_) => "the same command goes on from here",
            Self::Temporary(_) => "with --dir DIR a run keeps its store and can be gone on with",
        });
    }
}

impl Temporary {
    fn make(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // It has its name only once it is locked: whoever finds it cannot come between.
        let nameless = folder.path().join("lock");
        let lock = File::create_new(&nameless)?;
        lock.lock()?;
        fs::rename(&nameless, folder.path().join(LOCK))?;
        Ok(Self { folder, _lock: lock })
    }
}

/// Takes away the temporary folders of this user's commands that were killed. What cannot be taken away stays.
fn clear_away(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for entry in ours {
        let folder = entry.path();
        if let Some(_lock) = lock_of_the_dead(&folder) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// The lock of a temporary folder of this user, if nobody else holds it. A link is none, nor is a folder without a lock: it is not
/// of a `run`, or has only just been made.
fn lock_of_the_dead(folder: &Path) -> Option<File> {
    let found = folder.symlink_metadata().ok()?;
    if !found.is_dir() || found.uid() != geteuid().as_raw() {
        return None;
    }
    let lock = File::open(folder.join(LOCK)).ok()?;
    match lock.try_lock() {
        Ok(()) => Some(lock),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folders_of_the_dead_are_taken_away() {
        let parent = tempfile::tempdir().unwrap();
        let living = Temporary::make(parent.path()).unwrap();
        let dead = parent.path().join("sprague-dead");
        let other = parent.path().join("sprague-of-somebody");
        let elsewhere = parent.path().join("elsewhere");
        for folder in [&dead, &other, &elsewhere] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("store.redb"), "").unwrap();
        }
        for folder in [&dead, &elsewhere] {
            fs::write(folder.join(LOCK), "").unwrap();
        }
        let link = parent.path().join("sprague-link");
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();

        clear_away(parent.path());
        assert!(!dead.exists());
        for kept in [living.folder.path(), &other, &elsewhere, &link] {
            assert!(kept.exists(), "{}", kept.display());
        }
    }

    #[test]
    fn a_folder_goes_with_its_command() {
        let parent = tempfile::tempdir().unwrap();
        drop(Temporary::make(parent.path()).unwrap());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}

//! A store that is made beside its place and put there when it is whole, so that a kill or a full disk
//! in the middle leaves no half of a store behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Store, StoreError};

/// What a draft finds in its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// Nothing. What somebody else puts there meanwhile stays: it may be a store that is in use by then.
    Nothing,
    /// The store that it was made of, which whoever makes it holds open.
    ItsSource,
}

/// Makes a file for `path`: `fill` is given the place of the draft, makes the file there and syncs it.
///
/// What is at `path` stays until the draft takes its place, and when anything goes wrong.
pub(super) fn put_in_place(
    path: &Path,
    before: Before,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let draft = draft_of(path);
    let io = |fault| StoreError::io(path.to_owned(), fault);
    // One may be left from a kill.
    remove(&draft).map_err(io)?;
    let filled = fill(&draft).and_then(|()| match before {
        Before::Nothing => take_free_place(&draft, path),
        Before::ItsSource => fs::rename(&draft, path).map_err(io),
    });
    if let Err(fault) = filled {
        // One that is in use is somebody else's.
        if !matches!(fault, StoreError::InUse(_)) {
            let _ = remove(&draft);
        }
        return Err(fault);
    }
    File::open(folder(path)).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Names a draft `path`, unless there is something by now.
fn take_free_place(draft: &Path, path: &Path) -> Result<(), StoreError> {
    let named = fs::hard_link(draft, path).and_then(|()| remove(draft));
    named.or_else(|fault| match fault.kind() {
        io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path.to_owned())),
        // Somebody else makes a store here, and took this draft for one that was left from a kill.
        io::ErrorKind::NotFound => Err(StoreError::InUse(path.to_owned())),
        // A file system on which a file has one name.
        _ => fs::rename(draft, path).map_err(|fault| StoreError::io(path.to_owned(), fault)),
    })
}

/// Makes a store at `path`, which `fill` writes into.
pub(super) fn make(
    path: &Path,
    before: Before,
    fill: impl FnOnce(&Store) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    put_in_place(path, before, |draft| {
        Store::create(draft).and_then(|store| fill(&store)).map_err(|fault| fault.of(path))
    })
}

/// Copies the bytes of a file, and syncs the copy.
pub(super) fn copy_bytes(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

fn draft_of(path: &Path) -> PathBuf {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    PathBuf::from(draft)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => Ok(()),
    }
}

/// The folder that a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

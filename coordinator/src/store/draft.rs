//! A store that is made beside its place and put there when it is whole, so that a kill or a full disk
//! in the middle leaves no half of a store behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Store, StoreError};

/// Makes a file for `path`: `fill` is given the place of the draft, makes the file there and syncs it.
///
/// What is at `path` stays until the draft takes its place, and when anything goes wrong.
pub(super) fn put_in_place(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let draft = draft_of(path);
    let io = |fault| StoreError::io(path.to_owned(), fault);
    // One may be left from a kill.
    remove(&draft).map_err(io)?;
    let filled = fill(&draft).and_then(|()| fs::rename(&draft, path).map_err(io));
    if let Err(fault) = filled {
        let _ = remove(&draft);
        return Err(fault);
    }
    File::open(folder(path)).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Makes a new store at `path`, which `fill` writes into.
pub(super) fn make(
    path: &Path,
    fill: impl FnOnce(&Store) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    put_in_place(path, |draft| {
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

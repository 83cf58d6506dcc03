//! What people do with a store beside running a coordinator on it: check, compact, back up, restore.

use std::fs;
use std::path::Path;

use super::draft::{self, Before};
use super::open::unless_damaged;
use super::row::{Row, put};
use super::view::View;
use super::{Reader, Store, StoreError};

/// What a copy may need beside the pages of its tables: the pages of the database itself, and room that a
/// file is given ahead.
const OVERHEAD: u64 = 2 << 20;

/// What a store holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Jobs.
    pub jobs: u64,
    /// Units of jobs that have not ended well.
    pub units: u64,
    /// Findings.
    pub findings: u64,
    /// Disputes.
    pub disputes: u64,
}

impl Contents {
    pub(super) fn count(&mut self, row: Row<'_>) {
        match row {
            Row::Job(..) => self.jobs += 1,
            Row::Unit(..) => self.units += 1,
            Row::Finding(..) => self.findings += 1,
            Row::Dispute(..) => self.disputes += 1,
            Row::Notes(..)
            | Row::Event(..)
            | Row::Distrusted(..)
            | Row::Drained(..)
            | Row::Need(..)
            | Row::Workers(..) => {}
        }
    }

    pub(super) fn of(view: &View<'_>) -> Result<Self, StoreError> {
        let mut contents = Self::default();
        view.walk(|row| {
            contents.count(row);
            Ok::<(), StoreError>(())
        })?;
        Ok(contents)
    }
}

/// A store that was found sound.
#[derive(Debug)]
pub struct Checked {
    /// What it holds.
    pub contents: Contents,
    /// Bytes of the file.
    pub bytes: u64,
    /// It, to see whether a coordinator can [go on](Store::restart) from it.
    pub store: Store,
}

/// Compares every page of the store at `path` with its checksum and reads every row.
///
/// # Errors
/// What is wrong with it. A coordinator that has it open keeps anybody else from checking it; it has
/// checked it when it started.
pub fn check(path: &Path) -> Result<Checked, StoreError> {
    let store = Store::open_existing(path)?;
    let read = || {
        let view = store.view()?;
        view.read_through()?;
        Contents::of(&view)
    };
    let contents = unless_damaged(path, read)??;
    Ok(Checked { contents, bytes: size(path)?, store })
}

/// The size of a store in bytes before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// Makes the file as small as what it holds. The old file stays until the new one is whole and synced.
///
/// # Errors
/// When the disk has no room for both, or the store cannot be used. It is then left as it was.
pub fn compact(path: &Path) -> Result<Compacted, StoreError> {
    // Held to the end, so that nobody writes into a file that is about to be replaced.
    let store = Store::open_existing(path)?;
    // Where a link leads, the file is: the link stays, and what it leads to is what gets smaller.
    let path = fs::canonicalize(path).map_err(|fault| StoreError::io(path.to_owned(), fault))?;
    let before = size(&path)?;
    copy(&store.view()?, &path, Before::ItsSource)?;
    Ok(Compacted { before, after: size(&path)? })
}

/// Copies the store at `path` to a new file `to`, as of one moment. A coordinator may go on writing.
///
/// The copy is read back before it gets its name.
///
/// # Errors
/// When `to` is there, the disk has no room, or the store cannot be read.
pub fn backup(path: &Path, to: &Path) -> Result<Contents, StoreError> {
    must_not_exist(to)?;
    let reader = Reader::open(path)?;
    copy(&reader.view()?, to, Before::Nothing)?;
    Ok(check(to)?.contents)
}

/// Puts a backup in the place of a store that is not there any more. The backup itself is only read.
///
/// # Errors
/// When there is a file at `path`, the disk has no room, or the backup is damaged or not a store.
pub fn restore(from: &Path, path: &Path) -> Result<Contents, StoreError> {
    must_not_exist(path)?;
    Store::must_exist(from)?;
    must_have_room(path, size(from)?)?;
    let mut contents = Contents::default();
    draft::put_in_place(path, Before::Nothing, |place| {
        draft::copy_bytes(from, place).map_err(|fault| StoreError::io(path.to_owned(), fault))?;
        contents = check(place).map_err(|fault| fault.of(from))?.contents;
        Ok(())
    })?;
    Ok(contents)
}

/// Copies all rows of a store to a new file at `to`.
pub(super) fn copy(view: &View<'_>, to: &Path, before: Before) -> Result<(), StoreError> {
    must_have_room(to, view.bytes()?)?;
    copy_into_what_there_is(view, to, before)
}

/// The same, and only the attempt tells whether there is room: for what would be lost otherwise.
pub(super) fn copy_into_what_there_is(
    view: &View<'_>,
    to: &Path,
    before: Before,
) -> Result<(), StoreError> {
    draft::make(to, before, |copy| {
        let fault = |fault: redb::Error| StoreError::new(to, fault);
        let write = copy.database.begin_write().map_err(|e| fault(e.into()))?;
        view.walk(|row| put(&write, row).map_err(fault))?;
        write.commit().map_err(|e| fault(e.into()))
    })
}

pub(super) fn must_not_exist(path: &Path) -> Result<(), StoreError> {
    if path.exists() { Err(StoreError::Exists(path.to_owned())) } else { Ok(()) }
}

/// Whether the disk of `path` has room for a store with tables of so many bytes.
fn must_have_room(path: &Path, bytes: u64) -> Result<(), StoreError> {
    let stats = rustix::fs::statvfs(draft::folder(path))
        .map_err(|fault| StoreError::io(path.to_owned(), fault.into()))?;
    room(path, bytes, stats.f_bavail.saturating_mul(stats.f_frsize))
}

fn room(path: &Path, bytes: u64, free: u64) -> Result<(), StoreError> {
    let needed = bytes.saturating_add(bytes / 4).saturating_add(OVERHEAD);
    if needed <= free {
        return Ok(());
    }
    Err(StoreError::NoRoom { path: path.to_owned(), needed, free })
}

fn size(path: &Path) -> Result<u64, StoreError> {
    let meta = fs::metadata(path).map_err(|fault| StoreError::io(path.to_owned(), fault))?;
    Ok(meta.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::samples;

    #[test]
    fn a_compacted_store_is_smaller_and_holds_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let store = Store::open(&path).unwrap();
        samples::fill(&store);
        samples::churn(&store);
        let before = store.snapshot().unwrap();
        assert!(matches!(compact(&path), Err(StoreError::InUse(_))), "its writer is there");
        drop(store);
        let sizes = compact(&path).unwrap();
        assert!(2 * sizes.after < sizes.before, "{sizes:?}");
        assert_eq!(Store::open(&path).unwrap().snapshot().unwrap(), before);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn a_store_that_a_link_leads_to_is_compacted_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["large.redb", "store.redb"].map(|name| folder.path().join(name));
        let store = Store::open(&file).unwrap();
        samples::fill(&store);
        samples::churn(&store);
        drop(store);
        std::os::unix::fs::symlink("large.redb", &link).unwrap();
        let sizes = compact(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().len(), sizes.after);
        Store::open(&link).unwrap();
    }

    #[test]
    fn a_copy_that_the_disk_has_no_room_for_is_not_begun() {
        let path = Path::new("store.redb");
        assert!(room(path, 100 << 20, 1 << 30).is_ok());
        for free in [0, 100 << 20] {
            assert!(matches!(room(path, 100 << 20, free), Err(StoreError::NoRoom { .. })));
        }
    }

    #[test]
    fn a_backup_beside_the_writer_restores_what_was_committed() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy, again] =
            ["store.redb", "copy.redb", "again.redb"].map(|name| folder.path().join(name));
        let store = Store::open(&path).unwrap();
        samples::fill(&store);
        let then = store.snapshot().unwrap();
        let contents = backup(&path, &copy).unwrap();
        assert_eq!(contents.findings, then.findings.len() as u64);
        samples::churn(&store);

        assert!(matches!(backup(&path, &copy), Err(StoreError::Exists(_))));
        assert!(matches!(restore(&copy, &path), Err(StoreError::Exists(_))));
        assert_eq!(restore(&copy, &again).unwrap(), contents);
        assert_eq!(Store::open(&again).unwrap().snapshot().unwrap(), then);
    }

    #[test]
    fn a_damaged_backup_is_not_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy, again] =
            ["store.redb", "copy.redb", "again.redb"].map(|name| folder.path().join(name));
        samples::fill(&Store::open(&path).unwrap());
        backup(&path, &copy).unwrap();
        let bytes = fs::read(&copy).unwrap();
        fs::write(&copy, &bytes[..bytes.len() / 2]).unwrap();
        let fault = restore(&copy, &again).unwrap_err();
        assert!(fault.to_string().contains("copy.redb"), "{fault}");
        assert!(!again.exists());
    }
}

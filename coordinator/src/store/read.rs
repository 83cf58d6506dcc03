//! Reading everything back: by the process that writes, and by others beside it.

use std::path::{Path, PathBuf};

use redb::{ReadOnlyDatabase, ReadableDatabase};

use super::open::{builder, unless_damaged};
use super::view::View;
use super::{Store, StoreError};
use crate::core::Snapshot;

impl Store {
    /// All that the store holds, read at one moment.
    ///
    /// # Errors
    /// When the file cannot be read or a row is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        unless_damaged(&self.path, || self.view()?.snapshot())?
    }

    pub(super) fn view(&self) -> Result<View<'_>, StoreError> {
        let read = self.database.begin_read();
        Ok(View {
            read: read.map_err(|fault| StoreError::new(&self.path, fault))?,
            path: &self.path,
        })
    }
}

/// A store that is only read. A coordinator may have it open and go on writing: what is read is what
/// it had committed at one moment.
pub struct Reader {
    database: ReadOnlyDatabase,
    pub(super) path: PathBuf,
}

impl Reader {
    /// Opens the store at `path` without ever writing to it.
    ///
    /// A store whose last writer was killed is first opened as one that is to be written, which puts it
    /// in order, and closed again.
    ///
    /// # Errors
    /// When there is no file, when it is not a store or of a newer schema, or when it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Store::must_exist(path)?;
        let open = || unless_damaged(path, || builder().open_read_only(path));
        let database = match open()? {
            Err(redb::DatabaseError::RepairAborted) => {
                drop(Store::open_existing(path)?);
                open()?
            }
            opened => opened,
        };
        let database = database.map_err(|fault| StoreError::new(path, fault))?;
        let reader = Self { database, path: path.to_owned() };
        unless_damaged(path, || reader.view()?.schema())??;
        Ok(reader)
    }

    /// All that the store holds, as of its last commit.
    ///
    /// # Errors
    /// When the file cannot be read or a row is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        unless_damaged(&self.path, || self.view()?.snapshot())?
    }

    pub(super) fn view(&self) -> Result<View<'_>, StoreError> {
        let read = self.database.begin_read();
        Ok(View {
            read: read.map_err(|fault| StoreError::new(&self.path, fault))?,
            path: &self.path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{UnitRecord, Write};
    use sprague_work::{Attempt, Dispute, JobId, Question, UnitId};

    fn unit(number: u32) -> Write {
        let record = UnitRecord::leased(Attempt(number));
        Write::Unit(UnitId { job: JobId(u64::from(number) / 2), number }, record)
    }

    #[test]
    fn what_is_committed_is_read_and_dropped_units_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let question = Question::new("cram 3x3").unwrap();
        let dispute =
            |note: &str| Dispute { question: question.clone(), note: note.into(), when: "".into() };
        let store = Store::open(&path).unwrap();
        let units = (0..6).map(unit);
        store.commit(&units.collect::<Vec<_>>()).unwrap();
        store
            .commit(&[
                Write::DropUnits(JobId(1)),
                Write::Dispute(dispute("a")),
                Write::Dispute(dispute("b")),
                Write::Need("mex".into(), 7),
                Write::Drained("a".into(), 0),
                Write::Drained("b".into(), 1),
                Write::ForgetDrained("a".into()),
            ])
            .unwrap();
        drop(store);

        let read = Store::open(&path).unwrap().snapshot().unwrap();
        let numbers: Vec<_> = read.units.iter().map(|(id, _)| id.number).collect();
        assert_eq!(numbers, [0, 1, 4, 5]);
        let notes: Vec<_> = read.disputes.iter().map(|dispute| dispute.note.as_str()).collect();
        assert_eq!(notes, ["a", "b"]);
        assert_eq!(read.needs, [("mex".to_owned(), 7)]);
        assert_eq!(read.drained, [("b".to_owned(), 1)]);
    }

    #[test]
    fn a_reader_beside_the_writer_sees_what_is_committed_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let missing = Reader::open(&path).map(drop);
        assert!(matches!(missing, Err(StoreError::Missing(_))));
        let store = Store::open(&path).unwrap();
        store.commit(&[Write::Need("mex".into(), 1)]).unwrap();
        let reader = Reader::open(&path).unwrap();
        let early = reader.view().unwrap();
        store.commit(&[Write::Need("mex".into(), 2)]).unwrap();
        assert_eq!(early.snapshot().unwrap().needs, [("mex".to_owned(), 1)]);
        assert_eq!(reader.snapshot().unwrap().needs, [("mex".to_owned(), 2)]);
        // Nor does it keep anybody from writing.
        drop(store);
        Store::open(&path).unwrap();
    }
}

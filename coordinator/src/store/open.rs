//! Opening the file: a new one, one of ours, or one to be refused.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use redb::{ConcurrencyMode, Database};

use super::draft::{self, Before};
use super::place::Identity;
use super::tables::{
    DISPUTES, DISTRUSTED, DRAINED, EVENTS, FINDINGS, JOBS, META, NEEDS, NOTES, PROGRAM, UNITS,
};
use super::{SCHEMA, StoreError};

/// Bytes of the database's own cache. Its default is a gigabyte, which a coordinator does not need.
const CACHE: usize = 64 << 20;

/// An open store. One process has it at a time; others may read it meanwhile, with [`Reader`](super::Reader).
#[derive(Debug)]
pub struct Store {
    pub(super) database: Database,
    pub(super) path: PathBuf,
    pub(super) identity: Identity,
}

impl Store {
    /// Opens the store at `path`, or makes one if there is no file.
    ///
    /// Every page of the file is compared with its checksum, which takes about a millisecond a mebibyte:
    /// what the disk has changed is refused, as a flipped digit would be a wrong value.
    ///
    /// # Errors
    /// When the file is open elsewhere, is not a store, is of a newer schema, is damaged, or cannot be
    /// read or written. The file is left as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            match draft::make(path, Before::Nothing, |_| Ok(())) {
                // Somebody else was faster. Whether it is still open there is seen below.
                Ok(()) | Err(StoreError::Exists(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        Self::open_existing(path)
    }

    /// Opens the store at `path`.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when there is no file.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Self::must_exist(path)?;
        let open = || builder().set_check_integrity_on_open(true).open(path);
        let database = unless_damaged(path, open)?.map_err(|fault| StoreError::new(path, fault))?;
        let store = Self::of(database, path)?;
        if unless_damaged(path, || store.view()?.schema())?? < SCHEMA {
            // What an older schema lacks is made: so far each was the one before and more tables.
            store.lay_out()?;
        }
        Ok(store)
    }

    /// Makes a store in a file that is empty or not there: a draft.
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let database = builder().create(path).map_err(|fault| StoreError::new(path, fault))?;
        let store = Self::of(database, path).map_err(|fault| match fault {
            // Somebody else makes a store here, and took this draft for one that was left from a kill.
            StoreError::Missing(path) => StoreError::InUse(path),
            fault => fault,
        })?;
        store.lay_out()?;
        Ok(store)
    }

    /// What was just opened at `path`.
    fn of(database: Database, path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        match Identity::at(&path) {
            Ok(Some(identity)) => Ok(Self { database, path, identity }),
            // Somebody has taken it away between.
            Ok(None) => Err(StoreError::Missing(path)),
            Err(fault) => Err(StoreError::io(path, fault)),
        }
    }

    /// Tells a file that is not there, or has nothing in it, from a store.
    pub(super) fn must_exist(path: &Path) -> Result<(), StoreError> {
        let path = path.to_owned();
        match std::fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.len() > 0 => Ok(()),
            Ok(meta) if meta.is_file() => {
                Err(StoreError::Foreign { path, why: "it is empty".to_owned() })
            }
            Ok(_) => Err(StoreError::Foreign { path, why: "it is not a file".to_owned() }),
            // Also where the folder is none.
            Err(fault)
                if matches!(
                    fault.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Err(StoreError::Missing(path))
            }
            Err(fault) => Err(StoreError::io(path, fault)),
        }
    }

    /// Makes all tables, so that readers need not tell a missing one from an empty one.
    pub(super) fn lay_out(&self) -> Result<(), StoreError> {
        let fault = |fault: redb::Error| StoreError::new(&self.path, fault);
        let write = self.database.begin_write().map_err(|e| fault(e.into()))?;
        {
            let mut meta = write.open_table(META).map_err(|e| fault(e.into()))?;
            meta.insert("program", PROGRAM).map_err(|e| fault(e.into()))?;
            meta.insert("schema", SCHEMA.to_string().as_str()).map_err(|e| fault(e.into()))?;
            write.open_table(JOBS).map_err(|e| fault(e.into()))?;
            write.open_table(UNITS).map_err(|e| fault(e.into()))?;
            write.open_table(FINDINGS).map_err(|e| fault(e.into()))?;
            write.open_table(DISPUTES).map_err(|e| fault(e.into()))?;
            write.open_table(NEEDS).map_err(|e| fault(e.into()))?;
            write.open_table(NOTES).map_err(|e| fault(e.into()))?;
            write.open_table(DRAINED).map_err(|e| fault(e.into()))?;
            write.open_table(EVENTS).map_err(|e| fault(e.into()))?;
            write.open_table(DISTRUSTED).map_err(|e| fault(e.into()))?;
        }
        write.commit().map_err(|e| fault(e.into()))
    }
}

/// The database panics on some damaged files where it could say so.
pub(super) fn unless_damaged<T>(path: &Path, read: impl FnOnce() -> T) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| StoreError::Damaged {
        path: path.to_owned(),
        why: "its pages do not fit together".to_owned(),
    })
}

/// How all open it: one writes, any number may read meanwhile.
pub(super) fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE).set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tables::WORKERS;
    use crate::store::{Reader, samples};

    #[test]
    fn a_new_store_opens_again_and_only_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let store = Store::open(&path).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::InUse(_))));
        drop(store);
        Store::open(&path).unwrap();
    }

    #[test]
    fn of_many_who_make_a_store_at_one_place_at_most_one_has_it_and_keeps_it() {
        for _ in 0..10 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store.redb");
            let start = std::sync::Barrier::new(4);
            let open = || {
                start.wait();
                Store::open(&path)
            };
            let opened: Vec<_> = std::thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(open));
                threads.map(|thread| thread.join().unwrap()).into_iter().collect()
            });
            let (mut stores, faults): (Vec<_>, Vec<_>) =
                opened.into_iter().partition(Result::is_ok);
            assert!(stores.len() <= 1, "{stores:?}");
            for fault in faults {
                assert!(matches!(fault, Err(StoreError::InUse(_))), "{fault:?}");
            }
            // Whoever has it has that which lies there, and not one that another has taken the place of.
            let again = Store::open(&path);
            assert_eq!(again.is_err(), stores.pop().is_some(), "{again:?}");
        }
    }

    #[test]
    fn files_that_are_not_stores_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        for bytes in [&b""[..], b"hello", &[0; 5000], &[0xff; 100_000]] {
            std::fs::write(&path, bytes).unwrap();
            let fault = Store::open(&path).unwrap_err();
            assert!(matches!(fault, StoreError::Foreign { .. }), "{fault}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    /// A filled store as a version with that schema left it.
    fn of_schema(schema: u64, path: &Path) {
        let store = Store::open(path).unwrap();
        samples::fill(&store);
        let write = store.database.begin_write().unwrap();
        write.open_table(META).unwrap().insert("schema", schema.to_string().as_str()).unwrap();
        for (since, table) in [(2, NOTES), (4, EVENTS)] {
            if schema < since {
                write.delete_table(table).unwrap();
            }
        }
        if schema < 3 {
            write.delete_table(DRAINED).unwrap();
        }
        if schema < 4 {
            write.delete_table(DISTRUSTED).unwrap();
        }
        if schema < 5 {
            write.open_table(META).unwrap().remove(WORKERS).unwrap();
        }
        write.commit().unwrap();
    }

    #[test]
    fn a_store_of_every_older_schema_is_read_and_brought_up_to_date() {
        for schema in 1..SCHEMA {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store.redb");
            of_schema(schema, &path);
            let read = Reader::open(&path).unwrap().snapshot().unwrap();
            let store = Store::open(&path).unwrap();
            assert_eq!(store.view().unwrap().schema().unwrap(), SCHEMA, "from {schema}");
            let migrated = store.snapshot().unwrap();
            assert_eq!(migrated, read, "from {schema}");
            assert_eq!((migrated.jobs.len(), migrated.findings.len()), (5, 5));
            let noted = |(_, unit): &(_, crate::core::UnitRecord)| {
                unit.done.as_ref().is_some_and(|done| !done.result.notes.is_empty())
            };
            assert_eq!(migrated.units.iter().any(noted), schema >= 2, "notes came with schema 2");
            assert_eq!(migrated.drained.is_empty(), schema < 3, "drained came with schema 3");
            assert_eq!(migrated.events.is_empty(), schema < 4, "events came with schema 4");
            assert_eq!(migrated.last_worker, 0, "the last number of a worker came with schema 5");
            store.commit(&[crate::core::Write::Need("mex".into(), 1)]).unwrap();
        }
    }

    #[test]
    fn databases_of_others_and_of_the_future_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other.redb");
        drop(Database::create(&other).unwrap());
        assert!(matches!(Store::open(&other), Err(StoreError::Foreign { .. })));

        let newer = folder.path().join("newer.redb");
        let store = Store::open(&newer).unwrap();
        let write = store.database.begin_write().unwrap();
        write.open_table(META).unwrap().insert("schema", "99").unwrap();
        write.commit().unwrap();
        drop(store);
        assert!(matches!(Store::open(&newer), Err(StoreError::Newer { .. })));
    }
}

//! Opening the file: a new one, one of ours, or one to be refused.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use redb::{Database, ReadableDatabase};

use super::tables::{DISPUTES, DRAINED, FINDINGS, JOBS, META, NEEDS, NOTES, PROGRAM, UNITS};
use super::{SCHEMA, StoreError};

/// Bytes of the database's own cache. Its default is a gigabyte, which a coordinator does not need.
const CACHE: usize = 64 << 20;

/// An open store. One process has it at a time.
#[derive(Debug)]
pub struct Store {
    pub(super) database: Database,
    pub(super) path: PathBuf,
}

impl Store {
    /// Opens the store at `path`, or makes one if there is no file.
    ///
    /// # Errors
    /// When the file is open elsewhere, is not a store, is of a newer schema, or cannot be read or
    /// written. The file is left as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0) {
            // Asked before anything is written: a file of another program stays as it is.
            let database = unless_damaged(path, || builder().open(path))?
                .map_err(|fault| StoreError::new(path, fault))?;
            let store = Self { database, path: path.to_owned() };
            if unless_damaged(path, || store.schema())?? < SCHEMA {
                // What an older schema lacks is made: so far each was the one before and more tables.
                store.lay_out()?;
            }
            Ok(store)
        } else {
            Self::make(path).map_err(|fault| fault.of(path))?;
            Self::open(path)
        }
    }

    /// Makes a store beside its place and then puts it there, so that a kill or a full disk in the
    /// middle leaves no half of a store behind.
    fn make(path: &Path) -> Result<(), StoreError> {
        let draft = path.with_extension("redb.new");
        let io = |fault| StoreError::io(path.to_owned(), fault);
        match std::fs::remove_file(&draft) {
            Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => return Err(io(fault)),
            _ => {}
        }
        let made = builder()
            .create(&draft)
            .map_err(|fault| StoreError::new(&draft, fault))
            .and_then(|database| Self { database, path: draft.clone() }.lay_out());
        if let Err(fault) = made {
            let _ = std::fs::remove_file(&draft);
            return Err(fault);
        }
        std::fs::rename(&draft, path).map_err(io)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        std::fs::File::open(folder.unwrap_or(Path::new(".")))
            .and_then(|folder| folder.sync_all())
            .map_err(io)
    }

    /// The schema of the file, which is this version's or an older one.
    fn schema(&self) -> Result<u64, StoreError> {
        let path = || self.path.clone();
        let fault = |fault: redb::Error| StoreError::new(&self.path, fault);
        let read = self.database.begin_read().map_err(|e| fault(e.into()))?;
        let meta = read
            .open_table(META)
            .map_err(|missing| StoreError::Foreign { path: path(), why: missing.to_string() })?;
        let field = |name: &str| -> Result<Option<String>, StoreError> {
            let row = meta.get(name).map_err(|e| fault(e.into()))?;
            Ok(row.map(|row| row.value().to_owned()))
        };
        match field("program")?.as_deref() {
            Some(PROGRAM) => {}
            other => {
                let why = format!("it says it is of {}", other.unwrap_or("no program"));
                return Err(StoreError::Foreign { path: path(), why });
            }
        }
        let schema = field("schema")?.unwrap_or_default();
        match schema.parse::<u64>() {
            Ok(found @ 1..=SCHEMA) => Ok(found),
            Ok(found) if found > SCHEMA => Err(StoreError::Newer { path: path(), found: schema }),
            _ => {
                Err(StoreError::Foreign { path: path(), why: format!("its schema is {schema:?}") })
            }
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
        }
        write.commit().map_err(|e| fault(e.into()))
    }
}

/// The database panics on some damaged files where it could say so.
pub(super) fn unless_damaged<T>(path: &Path, read: impl FnOnce() -> T) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| StoreError::Row {
        path: path.to_owned(),
        row: "the file itself".to_owned(),
        why: "its pages do not fit together".to_owned(),
    })
}

pub(super) fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn files_that_are_not_stores_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        for bytes in [&b"hello"[..], &[0; 5000], &[0xff; 100_000]] {
            std::fs::write(&path, bytes).unwrap();
            let fault = Store::open(&path).unwrap_err();
            assert!(matches!(fault, StoreError::Foreign { .. }), "{fault}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn a_store_of_an_older_schema_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let store = Store::open(&path).unwrap();
        let write = store.database.begin_write().unwrap();
        write.open_table(META).unwrap().insert("schema", "1").unwrap();
        write.delete_table(NOTES).unwrap();
        write.delete_table(DRAINED).unwrap();
        write.commit().unwrap();
        drop(store);
        Store::open(&path).unwrap().snapshot().unwrap();
        let store = Store::open(&path).unwrap();
        let read = store.database.begin_read().unwrap();
        let schema = read.open_table(META).unwrap().get("schema").unwrap().unwrap();
        assert_eq!(schema.value(), SCHEMA.to_string());
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

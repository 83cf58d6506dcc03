//! What can be wrong with a store.

use std::path::PathBuf;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("the store {0} is open in another process")]
    InUse(PathBuf),
    /// There is no file.
    #[error("there is no store {0}")]
    Missing(PathBuf),
    /// A file is there that must not be written over.
    #[error("{0} is there already")]
    Exists(PathBuf),
    /// The open file is not at its path any more. It is saved.
    #[error(
        "the store {path} was removed, moved or replaced while it was in use; all that it held is in {rescue}"
    )]
    Gone {
        /// Where it was.
        path: PathBuf,
        /// Where a copy of it is now.
        rescue: PathBuf,
    },
    /// The open file is not at its path any more, and cannot be saved.
    #[error(
        "the store {path} was removed, moved or replaced while it was in use, and what it held cannot be saved: {why}"
    )]
    Lost {
        /// Where it was.
        path: PathBuf,
        /// Why it cannot be saved.
        why: Box<Self>,
    },
    /// There is no file, and what it held when it was taken away lies beside its place.
    #[error(
        "the store {path} was taken away while it was in use, and all that it held is in {rescue}"
    )]
    Rescued {
        /// Where it was.
        path: PathBuf,
        /// Where a copy of it is.
        rescue: PathBuf,
    },
    /// The disk has no room for a copy.
    #[error("{path} needs {needed} bytes, and its folder has {free} free")]
    NoRoom {
        /// What would be made.
        path: PathBuf,
        /// What it needs.
        needed: u64,
        /// What there is.
        free: u64,
    },
    /// The file is not a store of this program.
    #[error("{path} is not a store of sprague: {why}")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The file was written by a newer version.
    #[error("the store {path} has schema {found}, this version reads up to {}", super::SCHEMA)]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its schema.
        found: String,
    },
    /// The disk is full.
    #[error("no space is left for the store {0}; nothing that was acknowledged is lost")]
    Full(PathBuf),
    /// The file, its folder or its disk cannot be written.
    #[error("the store {path} cannot be written: {why}")]
    ReadOnly {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The file is not as it was written.
    #[error("the store {path} is damaged: {why}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What the database said.
        why: String,
    },
    /// A row is not what it should be.
    #[error("the store {path} is damaged: {row}: {why}")]
    Row {
        /// Which file.
        path: PathBuf,
        /// Which row.
        row: String,
        /// What is wrong with it.
        why: String,
    },
    /// Anything else that the database says.
    #[error("the store {path} failed: {source}")]
    Database {
        /// Which file.
        path: PathBuf,
        /// What it said.
        source: Box<redb::Error>,
    },
}

impl StoreError {
    /// Sorts out what the database said.
    pub(super) fn new(path: &std::path::Path, source: impl Into<redb::Error>) -> Self {
        let path = path.to_owned();
        match source.into() {
            redb::Error::DatabaseAlreadyOpen => Self::InUse(path),
            redb::Error::Io(fault) => Self::io(path, fault),
            redb::Error::Corrupted(why) => Self::Damaged { path, why },
            fault @ redb::Error::UpgradeRequired(_) => {
                Self::Foreign { path, why: fault.to_string() }
            }
            source => Self::Database { path, source: Box::new(source) },
        }
    }

    /// The same fault, of the file that people know.
    pub(super) fn of(mut self, known: &std::path::Path) -> Self {
        let (Self::InUse(path)
        | Self::Full(path)
        | Self::Missing(path)
        | Self::Exists(path)
        | Self::NoRoom { path, .. }
        | Self::Gone { path, .. }
        | Self::Rescued { path, .. }
        | Self::Lost { path, .. }
        | Self::Damaged { path, .. }
        | Self::Foreign { path, .. }
        | Self::Newer { path, .. }
        | Self::ReadOnly { path, .. }
        | Self::Row { path, .. }
        | Self::Database { path, .. }) = &mut self;
        known.clone_into(path);
        self
    }

    pub(super) fn io(path: PathBuf, fault: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match fault.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::Full(path)
            }
            ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
                Self::ReadOnly { path, why: fault.to_string() }
            }
            // What redb says of a file that does not begin as its own do.
            ErrorKind::InvalidData => Self::Foreign { path, why: fault.to_string() },
            _ => Self::Database { path, source: Box::new(redb::Error::Io(fault)) },
        }
    }
}

//! Where a command writes its result: a file that is not there before it is whole, or standard output.

use std::fs::{FileType, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::ExpectedError;

/// Where a result goes that is bytes.
pub(super) enum Outlet {
    /// Standard output, on which nothing else is written then.
    Stdout,
    File(Draft),
}

impl Outlet {
    /// Makes sure that there can be written, before any work is done for it; `-` is standard output.
    pub(super) fn new(file: PathBuf, force: bool) -> Result<Self, ExpectedError> {
        if is_standard(&file) { Ok(Self::Stdout) } else { Draft::new(file, force).map(Self::File) }
    }
}

/// Whether a user means standard input or output and not a file.
pub(super) fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

/// A file that is not there before it is whole, and goes if it never is.
pub(super) struct Draft {
    file: PathBuf,
    /// Whether it may take the place of another one.
    force: bool,
    temporary: NamedTempFile,
}

impl Draft {
    /// Makes sure that the file can be written, before any work is done for it.
    fn new(file: PathBuf, force: bool) -> Result<Self, ExpectedError> {
        // A device or a pipe is never replaced, nor is what a link points to left behind.
        let replaceable = |kind: FileType| force && kind.is_file();
        if file.symlink_metadata().is_ok_and(|found| !replaceable(found.file_type())) {
            return Err(ExpectedError::Exists(file));
        }
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let temporary = folder.metadata().and_then(|_| {
            tempfile::Builder::new()
                .prefix(".sprague-")
                .permissions(Permissions::from_mode(0o666))
                .tempfile_in(folder)
        });
        match temporary {
            Ok(temporary) => Ok(Self { file, force, temporary }),
            Err(source) => Err(ExpectedError::Write { file, source }),
        }
    }

    /// Puts the bytes in the place of the file, all of them or none.
    pub(super) fn publish(mut self, bytes: &[u8]) -> Result<PathBuf, ExpectedError> {
        let written = self
            .temporary
            .write_all(bytes)
            .and_then(|()| self.temporary.as_file().sync_all())
            .and_then(|()| {
                let persisted = if self.force {
                    self.temporary.persist(&self.file)
                } else {
                    self.temporary.persist_noclobber(&self.file)
                };
                persisted.map_err(|fault| fault.error)
            });
        match written {
            Ok(_) => Ok(self.file),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
                Err(ExpectedError::Exists(self.file))
            }
            Err(source) => Err(ExpectedError::Write { file: self.file, source }),
        }
    }
}

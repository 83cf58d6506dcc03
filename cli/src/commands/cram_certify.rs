//! `sprague cram certify BOARD --out FILE`

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sprague_cram::certificate::certify;
use sprague_cram::{Limits, SolveError};
use tempfile::NamedTempFile;

use super::local::{Terms, watch};
use crate::args::CramCertifyArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{CertificateDocument, Deed};

pub(crate) async fn run(context: &Context, args: CramCertifyArgs) -> Result<Exit, ExpectedError> {
    let board = args.board;
    // Where nothing can be written is told before anything is searched.
    let draft = Draft::new(args.out, args.force)?;
    let begun = Instant::now();
    let terms = Terms { memory: args.memory, budget: args.budget, counted: "expansions" };
    let work = move |limits: &Limits<'_>| match certify(board, limits) {
        Err(SolveError::Cancelled) => None,
        ended => Some(ended),
    };
    let certified = watch(context, terms, work)
        .await?
        .map_err(|source| ExpectedError::Solve { memory: args.memory, source })?;
    let bytes = certified.certificate.to_bytes();
    let file = draft.publish(&bytes)?;
    context.printer.show(&CertificateDocument {
        deed: Deed::Written { expansions: certified.expansions },
        file,
        bytes: bytes.len() as u64,
        certificate: certified.certificate,
        seconds: begun.elapsed().as_secs_f64(),
    })?;
    Ok(Exit::Done)
}

/// A file that is not there before it is whole, and goes if it never is.
struct Draft {
    file: PathBuf,
    /// Whether it may take the place of another one.
    force: bool,
    temporary: NamedTempFile,
}

impl Draft {
    fn new(file: PathBuf, force: bool) -> Result<Self, ExpectedError> {
        // A device or a pipe is never replaced, nor is what a link points to left behind.
        let replaceable = |kind: std::fs::FileType| force && kind.is_file();
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
    fn publish(mut self, bytes: &[u8]) -> Result<PathBuf, ExpectedError> {
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

//! `sprague cram check FILE`

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sprague_cram::certificate::{Certificate, CheckError, Header, Reader};
use sprague_cram::{Board, Limits};

use super::draft::is_standard;
use super::local::{Terms, watch};
use crate::args::CramCheckArgs;
use crate::context::Context;
use crate::error::{CertificateFault, ExpectedError};
use crate::exit::Exit;
use crate::output::{CertificateDocument, Deed};

/// What is read at once.
const PIECE: usize = 1 << 16;

pub(crate) async fn run(context: &Context, args: CramCheckArgs) -> Result<Exit, ExpectedError> {
    let begun = Instant::now();
    let file = if is_standard(&args.file) { "standard input".into() } else { args.file.clone() };
    let terms = Terms { memory: args.memory, threads: 1, budget: None, counted: "entries checked" };
    let work = move |limits: &Limits<'_>| match check(&args.file, args.board, limits) {
        Err(ExpectedError::Certificate {
            source: CertificateFault::Check(CheckError::Cancelled),
            ..
        }) => None,
        ended => Some(ended),
    };
    let (certificate, bytes) = watch(context, terms, work).await??;
    context.printer.show(&CertificateDocument {
        deed: Deed::Checked,
        file,
        bytes,
        certificate,
        seconds: begun.elapsed().as_secs_f64(),
    })?;
    Ok(Exit::Done)
}

/// Reads and checks a certificate piece by piece. Returns it and its bytes.
fn check(
    path: &Path,
    board: Option<Board>,
    limits: &Limits<'_>,
) -> Result<(Certificate, u64), ExpectedError> {
    let unreadable = |source| ExpectedError::Read { file: path.to_owned(), source };
    let refused = |source| ExpectedError::Certificate { file: PathBuf::from(path), source };
    let mut file: Box<dyn Read> = if is_standard(path) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut reader = Reader::new(limits.memory);
    let mut piece = vec![0; PIECE];
    let mut bytes = 0;
    loop {
        let length = file.read(&mut piece).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        bytes += length as u64;
        reader.push(&piece[..length]).map_err(|fault| refused(fault.into()))?;
        if let (Some(asked), Some(Header { board: of, .. })) = (board, reader.header())
            && ![asked, asked.turned()].contains(&of)
        {
            return Err(refused(CertificateFault::Board { of, asked }));
        }
        reader.check(limits).map_err(|fault| refused(fault.into()))?;
    }
    let certificate = reader.finish().map_err(|fault| refused(fault.into()))?;
    Ok((certificate, bytes))
}

//! `sprague cram certify BOARD --out FILE`

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use sprague_cram::certificate::certify;
use sprague_cram::{Limits, SolveError};

use super::draft::Outlet;
use super::local::{Terms, watch};
use crate::args::{CramCertifyArgs, OutputFormat};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{CertificateDocument, Deed, Document, Paint};

pub(crate) async fn run(context: &Context, args: CramCertifyArgs) -> Result<Exit, ExpectedError> {
    let board = args.board;
    // Where nothing can be written is told before anything is searched.
    let outlet = Outlet::new(args.out.clone(), args.force)?;
    let is_text = context.printer.format() == OutputFormat::Text;
    if matches!(outlet, Outlet::Stdout) && (!is_text || io::stdout().is_terminal()) {
        return Err(ExpectedError::BytesOnStdout);
    }
    let begun = Instant::now();
    let terms = Terms {
        memory: args.memory,
        threads: args.threads,
        budget: args.budget,
        counted: "expansions",
    };
    let work = move |limits: &Limits<'_>| match certify(board, limits) {
        Err(SolveError::Cancelled) => None,
        ended => Some(ended),
    };
    let certified = watch(context, terms, work)
        .await?
        .map_err(|source| ExpectedError::Solve { memory: args.memory, source })?;
    let bytes = certified.certificate.to_bytes();
    let document = |file| CertificateDocument {
        deed: Deed::Written { expansions: certified.expansions },
        file,
        bytes: bytes.len() as u64,
        certificate: certified.certificate,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match outlet {
        Outlet::File(draft) => context.printer.show(&document(draft.publish(&bytes)?))?,
        Outlet::Stdout => {
            let mut out = io::stdout().lock();
            out.write_all(&bytes)?;
            out.flush()?;
            context.notes.say(&document("standard output".into()).text(Paint::Off));
        }
    }
    Ok(Exit::Done)
}

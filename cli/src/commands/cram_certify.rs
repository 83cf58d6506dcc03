//! `sprague cram certify BOARD --out FILE`

use std::time::Instant;

use sprague_cram::certificate::certify;
use sprague_cram::{Limits, SolveError};

use super::draft::Draft;
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

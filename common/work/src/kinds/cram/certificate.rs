//! Method `certificate`: a search writes a certificate, a checker that shares nothing with it reads the
//! bytes and follows them to the nimber.

use std::sync::atomic::{AtomicU64, Ordering};

use sprague_cram::certificate::{CheckError, Reader, certify};
use sprague_cram::{Board, Limits};

use super::{CramAnswer, search_limits, unanswered};
use crate::{Answer, RunEnd, RunLimits, UnitResult};

/// The name of the method.
pub(super) const METHOD: &str = "certificate";

/// Entries that are checked between two signs of progress: well below a second of work.
const STRETCH: u64 = 1 << 8;

/// Writes a certificate of a board and checks it.
pub(super) fn run(board: Board, limits: &RunLimits<'_>) -> RunEnd {
    let limits = search_limits(limits);
    let (file, expansions) = match certify(board, &limits) {
        Ok(certified) => (certified.certificate.to_bytes(), certified.expansions),
        Err(fault) => return unanswered(&fault),
    };
    match check(&file, expansions, &limits) {
        Ok(result) => RunEnd::Done(result),
        Err(Refusal::Cancelled) => RunEnd::Cancelled,
        Err(Refusal::Flawed(reason)) => RunEnd::Refused { reason },
    }
}

/// Why a certificate leads to no answer.
enum Refusal {
    Cancelled,
    Flawed(String),
}

/// Follows the bytes of a certificate, which it took this many expansions to find, to the answer.
fn check(file: &[u8], expansions: u64, limits: &Limits<'_>) -> Result<UnitResult, Refusal> {
    let flawed =
        |fault: &dyn std::fmt::Display| Refusal::Flawed(format!("its certificate: {fault}"));
    let mut reader = Reader::new(limits.memory);
    reader.push(file).map_err(|fault| flawed(&fault))?;
    let certificate = reader.finish().map_err(|fault| flawed(&fault))?;
    let entries = certificate.entries();
    // An entry is checked by generating its options, so that the count goes on.
    let uncounted = Limits { progress: &AtomicU64::new(0), ..*limits };
    for start in (0..entries).step_by(STRETCH as usize) {
        limits.progress.store(expansions + start, Ordering::Relaxed);
        certificate.check(start..start + STRETCH, &uncounted).map_err(|fault| match fault {
            CheckError::Cancelled => Refusal::Cancelled,
            fault => flawed(&fault),
        })?;
    }
    Ok(UnitResult {
        answer: Answer::of(&CramAnswer::nimber(certificate.nimber().get().into())),
        fingerprint: certificate.fingerprint(),
        entries,
        expansions: expansions + entries,
        notes: Vec::new(),
    })
}

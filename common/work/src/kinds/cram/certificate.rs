//! Method `certificate`: one unit searches and writes a certificate, others read it and check slices of it by the
//! rules alone. The answer is proven when every entry was checked.
//!
//! The certificate is in the notes of the first result. From there it goes into the task's briefing, so
//! that every process that checks has it once.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use sprague_cram::certificate::{Certificate, CheckError, Header, ReadError, Reader, certify};
use sprague_cram::{Board, Limits, Nimber};

use super::{CramAnswer, search_limits, unanswered};
use crate::{
    Answer, Conclusion, Contradiction, Driver, Part, RunEnd, RunLimits, UnitResult, Workplace,
};

/// The name of the method.
pub(super) const METHOD: &str = "certificate";

/// The fewest and the most entries of a slice: from some hundredths of a second to a second of work.
const SLICE: RangeInclusive<u64> = 1 << 11..=1 << 15;
/// The slices that a certificate is cut into if they are neither too small nor too large.
const SLICES: u64 = 64;
/// Entries that are checked between two signs of progress.
const STRETCH: u64 = 1 << 8;
/// Bytes of a batch of the briefing.
const BATCH: usize = 1 << 19;

/// The fields of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Piece {
    /// Find a certificate and write it.
    Write,
    /// Check the entries with these numbers.
    Check { from: u64, to: u64 },
}

/// What a checker answers when an entry does not hold.
#[derive(Debug, Serialize, Deserialize)]
struct Flawed {
    flaw: String,
}

/// The driver of a board.
#[derive(Debug)]
pub(super) struct Proving {
    board: Board,
    /// Whether the writing was given out.
    begun: bool,
    written: Option<Written>,
    /// The certificate in pieces.
    batches: Vec<Arc<[u8]>>,
}

/// What is known since there is a certificate.
#[derive(Debug)]
struct Written {
    header: Header,
    fingerprint: u64,
    /// The entries below this number were given out to be checked. Nothing was, if there is none: at least one
    /// slice has to be checked, even one without entries, as it takes more than entries to be read.
    given: Option<u64>,
    /// The slices that were checked, by their first entries: whatever is reported twice stands for nothing that was not reported.
    checked: BTreeMap<u64, u64>,
}

impl Written {
    /// The entries of a slice.
    fn slice(&self) -> u64 {
        (self.header.entries / SLICES).clamp(*SLICE.start(), *SLICE.end())
    }

    /// Whether every entry was checked.
    fn is_checked(&self) -> bool {
        let mut slices = self.checked.iter();
        let end = slices.try_fold(0, |end, (&from, &to)| (from <= end).then_some(to.max(end)));
        !self.checked.is_empty() && end.is_some_and(|end| end >= self.header.entries)
    }
}

impl Proving {
    pub(super) fn new(board: Board) -> Self {
        Self { board, begun: false, written: None, batches: Vec::new() }
    }

    /// Takes in a certificate that was written.
    fn take(&mut self, result: &UnitResult) -> Result<(), String> {
        let header = Header::of(&result.notes).map_err(|fault| fault.to_string())?;
        let (board, bytes) = (header.board, result.notes.len() as u64);
        if (board, header.bytes) != (self.board, bytes) {
            return Err(format!("{bytes} bytes are no certificate of {}", self.board));
        }
        if result.answer != answer(header.nimber) {
            return Err("the certificate says something else than its report".to_owned());
        }
        self.batches = result.notes.chunks(BATCH).map(Arc::from).collect();
        let fingerprint = result.fingerprint;
        self.written = Some(Written { header, fingerprint, given: None, checked: BTreeMap::new() });
        Ok(())
    }
}

fn answer(nimber: Nimber) -> Answer {
    Answer::of(&CramAnswer::nimber(nimber.get().into()))
}

impl Driver for Proving {
    fn next(&mut self) -> Option<Part> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(Part::of(&Piece::Write));
        }
        let written = self.written.as_mut()?;
        let (from, entries) = (written.given.unwrap_or(0), written.header.entries);
        if written.given.is_some() && from >= entries {
            return None;
        }
        let to = entries.min(from.saturating_add(written.slice()));
        written.given = Some(to);
        Some(Part::of(&Piece::Check { from, to }))
    }

    fn replan(&mut self, part: &Part) {
        self.begun = true;
        // Slices are given out in order, so all before this one were given out as well.
        if let (Ok(Piece::Check { to, .. }), Some(written)) = (part.read(), &mut self.written) {
            written.given = written.given.max(Some(to));
        }
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let board = self.board;
        let fault = |what: String| Contradiction(format!("the certificate of {board}: {what}"));
        self.begun = true;
        match part.read().map_err(|unread: serde_json::Error| fault(unread.to_string()))? {
            Piece::Write => self.take(result).map_err(fault),
            Piece::Check { from, to } => {
                let written = self.written.as_mut().ok_or_else(|| {
                    fault("a slice was checked before there was anything to check".to_owned())
                })?;
                if let Ok(Flawed { flaw }) = result.answer.read() {
                    return Err(fault(format!("it was checked and is wrong: {flaw}")));
                }
                if result.answer != answer(written.header.nimber) {
                    return Err(fault(format!("entries {from} to {to} were those of another one")));
                }
                written.given = written.given.max(Some(to));
                written.checked.insert(from, to);
                Ok(())
            }
        }
    }

    fn conclude(&self) -> Option<Conclusion> {
        let written = self.written.as_ref().filter(|written| written.is_checked())?;
        let Written { header, fingerprint, .. } = *written;
        Some(Conclusion { answer: answer(header.nimber), fingerprint })
    }

    fn total(&self) -> Option<u64> {
        let slices = |written: &Written| written.header.entries.div_ceil(written.slice()).max(1);
        self.written.as_ref().map(|written| 1 + slices(written))
    }

    fn briefing(&self) -> &[Arc<[u8]>] {
        &self.batches
    }
}

/// Runs a part in a worker's process.
pub(super) fn run(
    board: Board,
    part: &Part,
    limits: &RunLimits<'_>,
    workplace: &mut Workplace<'_>,
) -> RunEnd {
    let limits = search_limits(limits);
    match part.read() {
        Ok(Piece::Write) => write(board, &limits),
        Ok(Piece::Check { from, to }) => match read(board, &limits, workplace) {
            Ok(certificate) => {
                let end = check(&certificate, from, to, &limits);
                workplace.keep(certificate);
                end
            }
            Err(end) => end,
        },
        Err(fault) => RunEnd::Refused { reason: format!("no part of a certificate: {fault}") },
    }
}

/// Finds a certificate.
fn write(board: Board, limits: &Limits<'_>) -> RunEnd {
    match certify(board, limits) {
        Ok(certified) => RunEnd::Done(UnitResult {
            answer: answer(certified.certificate.nimber()),
            fingerprint: certified.certificate.fingerprint(),
            entries: certified.certificate.entries(),
            expansions: certified.expansions,
            notes: certified.certificate.to_bytes(),
        }),
        Err(fault) => unanswered(&fault),
    }
}

/// The certificate that a unit before has read, or that of the briefing.
fn read(
    board: Board,
    limits: &Limits<'_>,
    workplace: &mut Workplace<'_>,
) -> Result<Box<Certificate>, RunEnd> {
    if let Some(certificate) = workplace.take::<Certificate>() {
        return Ok(certificate);
    }
    let mut reader = Reader::new(limits.memory);
    for batch in workplace.mail.briefing() {
        reader.push(&batch).map_err(unreadable)?;
    }
    let certificate = reader.finish().map_err(unreadable)?;
    if certificate.board() != board {
        let of = certificate.board();
        return Err(RunEnd::Refused {
            reason: format!("a certificate of {of} proves nothing of {board}"),
        });
    }
    Ok(Box::new(certificate))
}

fn unreadable(fault: ReadError) -> RunEnd {
    match fault {
        ReadError::Memory { needed, .. } => RunEnd::OutOfMemory { needed },
        fault => RunEnd::Refused { reason: fault.to_string() },
    }
}

/// Checks a slice.
fn check(certificate: &Certificate, from: u64, to: u64, limits: &Limits<'_>) -> RunEnd {
    // The checker counts the entries of a stretch, the unit those of the slice.
    let uncounted = Limits { progress: &AtomicU64::new(0), ..*limits };
    for start in (from..to).step_by(STRETCH as usize) {
        match certificate.check(start..to.min(start + STRETCH), &uncounted) {
            Ok(()) => {}
            Err(CheckError::Cancelled) => return RunEnd::Cancelled,
            Err(flaw) => return checked(certificate, flawed(&flaw), start - from),
        }
        limits.progress.store(start - from, Ordering::Relaxed);
    }
    checked(certificate, answer(certificate.nimber()), to - from)
}

/// What a checker says of a slice of which it has looked at so many entries.
fn checked(certificate: &Certificate, answer: Answer, expansions: u64) -> RunEnd {
    RunEnd::Done(UnitResult {
        answer,
        fingerprint: certificate.fingerprint(),
        // The whole is counted where it was written.
        entries: 0,
        expansions,
        notes: Vec::new(),
    })
}

/// The answer of a checker that has found the certificate wrong: it contradicts whoever wrote it.
fn flawed(flaw: &CheckError) -> Answer {
    Answer::of(&Flawed { flaw: flaw.to_string() })
}

#[cfg(test)]
mod tests;

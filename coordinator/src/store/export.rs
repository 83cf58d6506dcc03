//! A store as lines of JSON, which can be appended to and rebuild it: [`import`](super::import) reads them.

use std::io::{self, Write};

use super::checksum::Checksum;
use super::line::{Begin, End, Line};
use super::maintain::Contents;
use super::open::unless_damaged;
use super::row::Row;
use super::tables::PROGRAM;
use super::view::View;
use super::{ExportError, Reader, SCHEMA, StoreError};

/// How far an export has come: what the next section need not repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportMark {
    pub(super) findings: u64,
    pub(super) disputes: u64,
    pub(super) ledger: String,
}

impl ExportMark {
    /// Nothing was exported yet.
    #[must_use]
    pub fn start() -> Self {
        Self { findings: 0, disputes: 0, ledger: Ledger::new().digits() }
    }
}

impl Reader {
    /// Writes one section of an export: the findings and disputes that came after `mark`, and all else as
    /// it is now. Gives what the whole export then holds.
    ///
    /// # Errors
    /// When `out` cannot be written, the store cannot be read, or the findings and disputes before `mark`
    /// are not those of this store.
    pub fn export(&self, out: &mut dyn Write, mark: &ExportMark) -> Result<Contents, ExportError> {
        unless_damaged(&self.path, || section(&self.view()?, out, mark))?
    }
}

fn section(
    view: &View<'_>,
    out: &mut dyn Write,
    mark: &ExportMark,
) -> Result<Contents, ExportError> {
    let ledger = ledger_of(view, mark)?;
    let mut section = Section { out, checksum: Checksum::new(), lines: 0 };
    let begin = Begin {
        program: PROGRAM.to_owned(),
        schema: SCHEMA,
        findings: mark.findings,
        disputes: mark.disputes,
    };
    section.line(&Line::Begin(begin))?;
    section.lines = 0;
    let mut contents = Contents::default();
    view.walk(|row| {
        contents.count(row);
        if known_before(row, mark) {
            return Ok(());
        }
        let line = Line::of(row).map_err(|fault| StoreError::Row {
            path: view.path.to_owned(),
            row: format!("{row:?}").chars().take(40).collect(),
            why: fault.to_string(),
        })?;
        Ok::<(), ExportError>(section.line(&line)?)
    })?;
    let end = End {
        lines: section.lines,
        findings: contents.findings,
        disputes: contents.disputes,
        checksum: section.checksum.digits(),
        ledger,
    };
    section.line(&Line::End(end))?;
    section.out.flush()?;
    Ok(contents)
}

/// The checksum of all findings and disputes, when those before `mark` have the one that it says.
fn ledger_of(view: &View<'_>, mark: &ExportMark) -> Result<String, ExportError> {
    let [mut all, mut known] = [Ledger::new(), Ledger::new()];
    let (mut findings, mut disputes) = (0, 0);
    view.walk(|row| {
        match row {
            Row::Finding(number, _) => findings = number + 1,
            Row::Dispute(number, _) => disputes = number + 1,
            _ => return Ok(()),
        }
        if known_before(row, mark) {
            known.add(row);
        }
        all.add(row);
        Ok::<(), StoreError>(())
    })?;
    let enough = findings >= mark.findings && disputes >= mark.disputes;
    if enough && known.digits() == mark.ledger { Ok(all.digits()) } else { Err(ExportError::Other) }
}

fn known_before(row: Row<'_>, mark: &ExportMark) -> bool {
    match row {
        Row::Finding(number, _) => number < mark.findings,
        Row::Dispute(number, _) => number < mark.disputes,
        _ => false,
    }
}

/// The checksum of findings and disputes: one each, so that either may grow.
#[derive(Clone, Copy)]
pub(super) struct Ledger {
    findings: Checksum,
    disputes: Checksum,
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self { findings: Checksum::new(), disputes: Checksum::new() }
    }

    /// Takes in a row, if it is a finding or a dispute.
    pub(super) fn add(&mut self, row: Row<'_>) {
        match row {
            Row::Finding(_, row) => self.findings.add(row),
            Row::Dispute(_, row) => self.disputes.add(row),
            _ => {}
        }
    }

    pub(super) fn digits(self) -> String {
        self.findings.digits() + &self.disputes.digits()
    }
}

/// A section that is being written.
struct Section<'a> {
    out: &'a mut dyn Write,
    checksum: Checksum,
    lines: u64,
}

impl Section<'_> {
    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        self.checksum.add(&bytes);
        self.lines += 1;
        Ok(())
    }
}

//! A store from the lines of an export.

use std::io::{self, BufRead, Read};
use std::path::Path;

use redb::WriteTransaction;

use super::checksum::Checksum;
use super::draft::{self, Before};
use super::export::Ledger;
use super::line::{Begin, End, Line, from_hex};
use super::maintain::{Contents, must_not_exist};
use super::row::{Row, clear_all_but_the_ledger, put};
use super::tables::PROGRAM;
use super::{ExportMark, SCHEMA, StoreError};

/// No line is longer: the notes of the largest report, in hexadecimal.
const LONGEST_LINE: u64 = 160 << 20;

/// Why an export cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read, or made.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The export cannot be read or written.
    #[error("the export cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// A line is not what an export has in its place.
    #[error("line {line} of the export cannot be used: {why}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The last section is not whole.
    #[error("the export ends after line {lines} in the middle of a section")]
    Torn {
        /// How many lines there are.
        lines: u64,
    },
    /// Nothing is in it.
    #[error("the export is empty")]
    Empty,
    /// What was exported before is not of this store.
    #[error("what was exported there before does not begin this store")]
    Other,
}

/// Makes a store at `path` from an export. Every section must be whole.
///
/// # Errors
/// When there is a file at `path`, or the export is torn, damaged, or not one.
pub fn import(export: &mut dyn BufRead, path: &Path) -> Result<Contents, ExportError> {
    must_not_exist(path)?;
    let mut contents = Contents::default();
    let mut wrong = None;
    let made = draft::make(path, Before::Nothing, |store| {
        let fault = |fault: redb::Error| StoreError::new(path, fault);
        let write = store.database.begin_write().map_err(|e| fault(e.into()))?;
        let read = read_sections(export, |step| match step {
            Step::Begin => clear_all_but_the_ledger(&write).map_err(fault),
            Step::Row(row) => put_new(&write, row, path),
        });
        if let Err(error) = read {
            wrong = Some(error);
            return Err(StoreError::Missing(path.to_owned()));
        }
        write.commit().map_err(|e| fault(e.into()))?;
        // What no coordinator could read is not put in place.
        let view = store.view()?;
        view.read_through()?;
        contents = Contents::of(&view)?;
        Ok(())
    });
    match (made, wrong) {
        (_, Some(wrong)) => Err(wrong),
        (made, None) => made.map(|()| contents).map_err(ExportError::from),
    }
}

/// How far an export has come, so that it can be appended to.
///
/// # Errors
/// When it is torn, damaged, or not one.
pub fn mark(export: &mut dyn BufRead) -> Result<ExportMark, ExportError> {
    read_sections(export, |_| Ok(()))
}

fn put_new(write: &WriteTransaction, row: Row<'_>, path: &Path) -> Result<(), StoreError> {
    put(write, row).map_err(|fault| StoreError::new(path, fault))
}

/// What an export says.
enum Step<'a> {
    /// A section begins: all but findings and disputes is told anew.
    Begin,
    Row(Row<'a>),
}

/// Reads an export to its end.
fn read_sections(
    export: &mut dyn BufRead,
    mut each: impl FnMut(Step<'_>) -> Result<(), StoreError>,
) -> Result<ExportMark, ExportError> {
    let mut reader = Lines { export, buffer: Vec::new(), count: 0 };
    let mut mark = ExportMark::start();
    let mut ledger = Ledger::new();
    let mut open: Option<Open> = None;
    while reader.next()? {
        let line = reader.count;
        let wrong = |why: &str| ExportError::Line { line, why: why.to_owned() };
        let text = std::str::from_utf8(&reader.buffer).map_err(|_| wrong("it is not UTF-8"))?;
        let parsed: Line<'_> =
            serde_json::from_str(text).map_err(|fault| wrong(&fault.to_string()))?;
        match (parsed, &mut open) {
            (Line::Begin(begin), None) => {
                check_begin(&begin, &mark).map_err(|why| wrong(&why))?;
                each(Step::Begin)?;
                let mut checksum = Checksum::new();
                checksum.add(&reader.buffer);
                open = Some(Open { checksum, lines: 0 });
            }
            (Line::End(end), Some(section)) => {
                let found = End {
                    lines: section.lines,
                    checksum: section.checksum.digits(),
                    ledger: ledger.digits(),
                    findings: mark.findings,
                    disputes: mark.disputes,
                };
                if end != found {
                    return Err(wrong("lines of its section are missing or were changed"));
                }
                mark.ledger = end.ledger;
                open = None;
            }
            (parsed, Some(section)) => {
                section.checksum.add(&reader.buffer);
                section.lines += 1;
                let notes = match &parsed {
                    Line::Notes { hex, .. } => {
                        from_hex(hex).ok_or_else(|| wrong("the notes are not hexadecimal"))?
                    }
                    _ => Vec::new(),
                };
                let row = row_of(&parsed, &notes).ok_or_else(|| wrong("a section in a section"))?;
                grow(&mut mark, row).ok_or_else(|| wrong("its number does not follow"))?;
                ledger.add(row);
                each(Step::Row(row))?;
            }
            (_, None) => return Err(wrong("it is outside of any section")),
        }
    }
    match (reader.count, open) {
        (0, _) => Err(ExportError::Empty),
        (lines, Some(_)) => Err(ExportError::Torn { lines }),
        (_, None) => Ok(mark),
    }
}

/// A section that has begun.
struct Open {
    checksum: Checksum,
    lines: u64,
}

fn check_begin(begin: &Begin, mark: &ExportMark) -> Result<(), String> {
    if begin.program != PROGRAM {
        return Err(format!("it is an export of {:?}", begin.program));
    }
    if begin.schema == 0 || begin.schema > SCHEMA {
        return Err(format!("its schema is {}, this version reads up to {SCHEMA}", begin.schema));
    }
    if (begin.findings, begin.disputes) != (mark.findings, mark.disputes) {
        return Err("it does not go on where the section before it ended".to_owned());
    }
    Ok(())
}

fn row_of<'a>(line: &'a Line<'a>, notes: &'a [u8]) -> Option<Row<'a>> {
    Some(match line {
        Line::Job { number, row } => Row::Job(*number, row.get().as_bytes()),
        Line::Unit { job, number, row } => Row::Unit((*job, *number), row.get().as_bytes()),
        Line::Notes { job, number, .. } => Row::Notes((*job, *number), notes),
        Line::Event { job, number, row } => Row::Event((*job, *number), row.get().as_bytes()),
        Line::Finding { number, row } => Row::Finding(*number, row.get().as_bytes()),
        Line::Dispute { number, row } => Row::Dispute(*number, row.get().as_bytes()),
        Line::Distrusted { worker, why } => Row::Distrusted(worker, why),
        Line::Drained { worker, place } => Row::Drained(worker, *place),
        Line::Need { class, bytes } => Row::Need(class, *bytes),
        Line::Workers { last } => Row::Workers(*last),
        Line::Begin(_) | Line::End(_) => return None,
    })
}

/// Counts a finding or a dispute, whose numbers have no gaps.
fn grow(mark: &mut ExportMark, row: Row<'_>) -> Option<()> {
    let (count, number) = match row {
        Row::Finding(number, _) => (&mut mark.findings, number),
        Row::Dispute(number, _) => (&mut mark.disputes, number),
        _ => return Some(()),
    };
    if *count != number {
        return None;
    }
    *count += 1;
    Some(())
}

/// Lines of bounded length, with their ends.
struct Lines<'a> {
    export: &'a mut dyn BufRead,
    buffer: Vec<u8>,
    count: u64,
}

impl Lines<'_> {
    /// Reads the next line; `false` when there is none.
    fn next(&mut self) -> Result<bool, ExportError> {
        self.buffer.clear();
        let mut line = (&mut *self.export).take(LONGEST_LINE);
        if line.read_until(b'\n', &mut self.buffer)? == 0 {
            return Ok(false);
        }
        self.count += 1;
        if self.buffer.last() == Some(&b'\n') {
            return Ok(true);
        }
        if self.buffer.len() as u64 == LONGEST_LINE {
            return Err(ExportError::Line { line: self.count, why: "it is too long".to_owned() });
        }
        Err(ExportError::Torn { lines: self.count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Write;
    use crate::store::{Reader, Store, samples};
    use std::path::PathBuf;

    fn folder() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let [path, again] = ["store.redb", "again.redb"].map(|name| folder.path().join(name));
        (folder, path, again)
    }

    fn export(path: &Path, mark: &ExportMark) -> Vec<u8> {
        let mut bytes = Vec::new();
        Reader::open(path).unwrap().export(&mut bytes, mark).unwrap();
        bytes
    }

    #[test]
    fn an_export_rebuilds_the_store_beside_its_writer() {
        let (_folder, path, again) = folder();
        let store = Store::open(&path).unwrap();
        samples::fill(&store);
        let bytes = export(&path, &ExportMark::start());
        let contents = import(&mut &bytes[..], &again).unwrap();
        assert_eq!(contents.findings, 5);
        let rebuilt = Store::open(&again).unwrap();
        assert_eq!(rebuilt.snapshot().unwrap(), store.snapshot().unwrap());
        drop(rebuilt);
        assert_eq!(export(&again, &ExportMark::start()), bytes);
    }

    #[test]
    fn an_export_that_is_appended_to_repeats_no_finding_and_rebuilds_the_store() {
        let (_folder, path, again) = folder();
        let store = Store::open(&path).unwrap();
        samples::fill(&store);
        let mut bytes = export(&path, &ExportMark::start());
        for number in [6, 7] {
            store.commit(&[Write::Finding(samples::finding(number))]).unwrap();
            store.commit(&[Write::DropUnits(sprague_work::JobId(number - 5))]).unwrap();
            let more = export(&path, &mark(&mut &bytes[..]).unwrap());
            let findings = String::from_utf8(more.clone()).unwrap();
            let findings = findings.lines().filter(|line| line.starts_with("{\"finding"));
            assert_eq!(findings.count(), 1);
            bytes.extend(more);
        }
        import(&mut &bytes[..], &again).unwrap();
        let rebuilt = Store::open(&again).unwrap();
        assert_eq!(rebuilt.snapshot().unwrap(), store.snapshot().unwrap());
    }

    #[test]
    fn an_export_of_another_store_is_not_appended_to() {
        let (_folder, path, again) = folder();
        samples::fill(&Store::open(&path).unwrap());
        let theirs = mark(&mut &export(&path, &ExportMark::start())[..]).unwrap();
        let store = Store::open(&again).unwrap();
        for number in [3, 2, 1, 4, 5, 6] {
            store.commit(&[Write::Finding(samples::finding(number))]).unwrap();
        }
        let reader = Reader::open(&again).unwrap();
        let fault = reader.export(&mut Vec::new(), &theirs).unwrap_err();
        assert!(matches!(fault, ExportError::Other), "{fault}");
    }

    #[test]
    fn an_export_that_was_cut_or_changed_anywhere_is_refused() {
        let (_folder, path, again) = folder();
        samples::fill(&Store::open(&path).unwrap());
        let bytes = export(&path, &ExportMark::start());
        for at in (0..50).map(|part| part * bytes.len() / 50) {
            let refused = import(&mut &bytes[..at], &again);
            assert!(refused.is_err() && !again.exists(), "cut at {at}");
        }
        // Digits and letters become others: still JSON, mostly of the right shape.
        for at in (0..500).map(|part| part * bytes.len() / 500) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let refused = import(&mut &changed[..], &again);
            assert!(refused.is_err() && !again.exists(), "changed at {at}");
        }
        import(&mut &bytes[..], &again).unwrap();
    }

    #[test]
    fn what_is_no_export_is_refused() {
        let (_folder, _, again) = folder();
        let later = r#"{"begin":{"program":"sprague","schema":99,"findings":0,"disputes":0}}"#;
        let other = r#"{"begin":{"program":"grocer","schema":1,"findings":0,"disputes":0}}"#;
        for text in ["", "\n", "{}\n", "eggs\n", &format!("{later}\n"), &format!("{other}\n")] {
            assert!(import(&mut text.as_bytes(), &again).is_err() && !again.exists(), "{text}");
        }
    }
}

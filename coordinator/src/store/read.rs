//! Reading everything back.

use redb::{ReadableDatabase, ReadableTable, TableDefinition};
use serde::de::DeserializeOwned;
use sprague_work::{JobId, UnitId};

use super::open::unless_damaged;
use super::tables::{DISPUTES, DRAINED, FINDINGS, JOBS, NEEDS, NOTES, UNITS};
use super::{Store, StoreError};
use crate::core::{Snapshot, UnitRecord};

impl Store {
    /// All that the store holds, read at one moment.
    ///
    /// # Errors
    /// When the file cannot be read or a row is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        unless_damaged(&self.path, || self.read_all())?
    }

    fn read_all(&self) -> Result<Snapshot, StoreError> {
        let fault = |fault: redb::Error| StoreError::new(&self.path, fault);
        let read = self.database.begin_read().map_err(|e| fault(e.into()))?;

        let mut units = Vec::new();
        let table = read.open_table(UNITS).map_err(|e| fault(e.into()))?;
        let notes = read.open_table(NOTES).map_err(|e| fault(e.into()))?;
        for entry in table.iter().map_err(|e| fault(e.into()))? {
            let (key, value) = entry.map_err(|e| fault(e.into()))?;
            let (job, number) = key.value();
            let id = UnitId { job: JobId(job), number };
            let mut unit: UnitRecord = self.row(&format!("unit {id}"), value.value())?;
            if let Some(done) = &mut unit.done
                && let Some(row) = notes.get(key.value()).map_err(|e| fault(e.into()))?
            {
                done.result.notes = row.value().to_owned();
            }
            units.push((id, unit));
        }

        Ok(Snapshot {
            jobs: self.rows(&read, "job", JOBS)?,
            units,
            findings: self.rows(&read, "finding", FINDINGS)?,
            disputes: self.rows(&read, "dispute", DISPUTES)?,
            needs: self.numbers(&read, NEEDS)?,
            drained: self.numbers(&read, DRAINED)?,
        })
    }

    fn numbers(
        &self,
        read: &redb::ReadTransaction,
        table: TableDefinition<'_, &str, u64>,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let fault = |fault: redb::Error| StoreError::new(&self.path, fault);
        let table = read.open_table(table).map_err(|e| fault(e.into()))?;
        let mut numbers = Vec::new();
        for entry in table.iter().map_err(|e| fault(e.into()))? {
            let (name, number) = entry.map_err(|e| fault(e.into()))?;
            numbers.push((name.value().to_owned(), number.value()));
        }
        Ok(numbers)
    }

    fn rows<T: DeserializeOwned>(
        &self,
        read: &redb::ReadTransaction,
        what: &str,
        table: TableDefinition<'_, u64, &[u8]>,
    ) -> Result<Vec<T>, StoreError> {
        let fault = |fault: redb::Error| StoreError::new(&self.path, fault);
        let table = read.open_table(table).map_err(|e| fault(e.into()))?;
        let mut rows = Vec::new();
        for entry in table.iter().map_err(|e| fault(e.into()))? {
            let (number, value) = entry.map_err(|e| fault(e.into()))?;
            rows.push(self.row(&format!("{what} {}", number.value()), value.value())?);
        }
        Ok(rows)
    }

    fn row<T: DeserializeOwned>(&self, name: &str, bytes: &[u8]) -> Result<T, StoreError> {
        serde_json::from_slice(bytes).map_err(|fault| StoreError::Row {
            path: self.path.clone(),
            row: name.to_owned(),
            why: fault.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{UnitOrigin, Write};
    use sprague_work::{Attempt, Dispute, Part, Question};

    fn unit(number: u32) -> Write {
        let record = UnitRecord {
            task: 0,
            part: Part::WHOLE,
            origin: UnitOrigin::Planned,
            attempt: Attempt(number),
            crashes: 0,
            need: 0,
            parked: None,
            replaced: false,
            done: None,
            late: Vec::new(),
        };
        Write::Unit(UnitId { job: JobId(u64::from(number) / 2), number }, record)
    }

    #[test]
    fn what_is_committed_is_read_and_dropped_units_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let question = Question::new("cram 3x3").unwrap();
        let dispute =
            |note: &str| Dispute { question: question.clone(), note: note.into(), when: "".into() };
        let store = Store::open(&path).unwrap();
        let units = (0..6).map(unit);
        store.commit(&units.collect::<Vec<_>>()).unwrap();
        store
            .commit(&[
                Write::DropUnits(JobId(1)),
                Write::Dispute(dispute("a")),
                Write::Dispute(dispute("b")),
                Write::Need("mex".into(), 7),
                Write::Drained("a".into(), 0),
                Write::Drained("b".into(), 1),
                Write::ForgetDrained("a".into()),
            ])
            .unwrap();
        drop(store);

        let read = Store::open(&path).unwrap().snapshot().unwrap();
        let numbers: Vec<_> = read.units.iter().map(|(id, _)| id.number).collect();
        assert_eq!(numbers, [0, 1, 4, 5]);
        let notes: Vec<_> = read.disputes.iter().map(|dispute| dispute.note.as_str()).collect();
        assert_eq!(notes, ["a", "b"]);
        assert_eq!(read.needs, [("mex".to_owned(), 7)]);
        assert_eq!(read.drained, [("b".to_owned(), 1)]);
    }
}

//! What a store holds at one moment: its schema, its rows, and all of it as the core wants it.

use std::ops::{Bound, RangeBounds};
use std::path::Path;

use redb::{
    ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata, TableDefinition,
    TableError,
};
use serde::de::DeserializeOwned;
use sprague_work::{JobId, UnitId};

use super::open::unless_damaged;
use super::row::Row;
use super::tables::{
    DISPUTES, DISTRUSTED, DRAINED, EVENTS, FINDINGS, JOBS, META, NEEDS, NOTES, PROGRAM, UNITS,
    WORKERS,
};
use super::{SCHEMA, StoreError};
use crate::core::{Snapshot, UnitRecord};

/// The store as of one commit, whatever is written meanwhile.
pub(super) struct View<'a> {
    pub(super) read: ReadTransaction,
    pub(super) path: &'a Path,
}

/// How many units are read at a time.
const SOME_UNITS: usize = 1000;

type Units = ReadOnlyTable<(u64, u32), &'static [u8]>;

impl View<'_> {
    /// The schema of the file, which is this version's or an older one.
    pub(super) fn schema(&self) -> Result<u64, StoreError> {
        let path = || self.path.to_owned();
        let meta = self
            .read
            .open_table(META)
            .map_err(|missing| StoreError::Foreign { path: path(), why: missing.to_string() })?;
        let field = |name: &str| -> Result<Option<String>, StoreError> {
            let row = meta.get(name).map_err(|fault| self.fault(fault))?;
            Ok(row.map(|row| row.value().to_owned()))
        };
        match field("program")?.as_deref() {
            Some(PROGRAM) => {}
            other => {
                let why = format!("it says it is of {}", other.unwrap_or("no program"));
                return Err(StoreError::Foreign { path: path(), why });
            }
        }
        let schema = field("schema")?.unwrap_or_default();
        match schema.parse::<u64>() {
            Ok(found @ 1..=SCHEMA) => Ok(found),
            Ok(found) if found > SCHEMA => Err(StoreError::Newer { path: path(), found: schema }),
            _ => {
                Err(StoreError::Foreign { path: path(), why: format!("its schema is {schema:?}") })
            }
        }
    }

    fn last_worker(&self) -> Result<Option<u64>, StoreError> {
        let meta = self.read.open_table(META).map_err(|fault| self.fault(fault))?;
        let Some(text) = meta.get(WORKERS).map_err(|fault| self.fault(fault))? else {
            return Ok(None);
        };
        let last = text.value().parse().map_err(|_| StoreError::Row {
            path: self.path.to_owned(),
            row: "the last number of a worker".to_owned(),
            why: format!("{:?} is not a number", text.value()),
        })?;
        Ok(Some(last))
    }

    /// Shows every row to `each`, table by table, the keys in order.
    pub(super) fn walk<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.walk_all_but_units(&mut each)?;
        let units = self.read.open_table(UNITS).map_err(|fault| self.fault(fault))?;
        self.paired(&units, .., |key, row| each(Row::Unit(key, row)))?;
        if let Some(notes) = self.since(2, NOTES)? {
            self.paired(&notes, .., |key, row| each(Row::Notes(key, row)))?;
        }
        Ok(())
    }

    /// Likewise, without units and their notes, of which there may be millions.
    fn walk_all_but_units<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.numbered(JOBS, |number, row| each(Row::Job(number, row)))?;
        if let Some(events) = self.since(4, EVENTS)? {
            self.paired(&events, .., |key, row| each(Row::Event(key, row)))?;
        }
        self.numbered(FINDINGS, |number, row| each(Row::Finding(number, row)))?;
        self.numbered(DISPUTES, |number, row| each(Row::Dispute(number, row)))?;
        if let Some(table) = self.named(4, DISTRUSTED)? {
            for entry in table.iter().map_err(|fault| self.fault(fault))? {
                let (worker, why) = entry.map_err(|fault| self.fault(fault))?;
                each(Row::Distrusted(worker.value(), why.value()))?;
            }
        }
        if let Some(table) = self.named(3, DRAINED)? {
            for entry in table.iter().map_err(|fault| self.fault(fault))? {
                let (worker, place) = entry.map_err(|fault| self.fault(fault))?;
                each(Row::Drained(worker.value(), place.value()))?;
            }
        }
        let needs = self.read.open_table(NEEDS).map_err(|fault| self.fault(fault))?;
        for entry in needs.iter().map_err(|fault| self.fault(fault))? {
            let (class, bytes) = entry.map_err(|fault| self.fault(fault))?;
            each(Row::Need(class.value(), bytes.value()))?;
        }
        if let Some(last) = self.last_worker()? {
            each(Row::Workers(last))?;
        }
        Ok(())
    }

    /// All that the store holds, read and understood.
    pub(super) fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let mut all = self.all_but_units()?;
        for units in self.units() {
            all.units.extend(units?);
        }
        Ok(all)
    }

    /// Reads and understands every row, and keeps none.
    pub(super) fn read_through(&self) -> Result<(), StoreError> {
        self.all_but_units()?;
        self.units().try_for_each(|units| units.map(drop))
    }

    /// Likewise, without units.
    pub(super) fn all_but_units(&self) -> Result<Snapshot, StoreError> {
        let mut all = Snapshot::default();
        self.walk_all_but_units(|row| self.take(&mut all, row))?;
        Ok(all)
    }

    /// All units with their notes, some at a time, in the order of their numbers, to the end or the first that is damaged.
    pub(super) fn units(
        &self,
    ) -> impl Iterator<Item = Result<Vec<(UnitId, UnitRecord)>, StoreError>> {
        let (mut last, mut is_over) = (None, false);
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let units = unless_damaged(self.path, || self.units_after(last)).flatten();
            match units.as_ref().map(|units| units.last()) {
                Ok(Some(&(id, _))) => last = Some(id),
                Ok(None) | Err(_) => is_over = true,
            }
            Some(units).filter(|units| !units.as_ref().is_ok_and(Vec::is_empty))
        })
    }

    fn units_after(&self, last: Option<UnitId>) -> Result<Vec<(UnitId, UnitRecord)>, StoreError> {
        let key = |id: UnitId| (id.job.0, id.number);
        let from = last.map_or(Bound::Unbounded, |id| Bound::Excluded(key(id)));
        let table = self.read.open_table(UNITS).map_err(|fault| self.fault(fault))?;
        let mut units: Vec<(UnitId, UnitRecord)> = Vec::new();
        let rows = table.range((from, Bound::Unbounded)).map_err(|fault| self.fault(fault))?;
        for entry in rows.take(SOME_UNITS) {
            let (key, row) = entry.map_err(|fault| self.fault(fault))?;
            let id = unit_id(key.value());
            units.push((id, self.read_row(|| format!("unit {id}"), row.value())?));
        }
        let (Some(&(first, _)), Some(&(last, _))) = (units.first(), units.last()) else {
            return Ok(units);
        };
        if let Some(notes) = self.since(2, NOTES)? {
            self.paired(&notes, key(first)..=key(last), |key, notes| {
                let at = units.binary_search_by_key(&unit_id(key), |(id, _)| *id);
                let unit = at.ok().map(|at| &mut units[at].1);
                if let Some(done) = unit.and_then(|unit| unit.done.as_mut()) {
                    done.result.notes = notes.to_owned();
                }
                Ok::<(), StoreError>(())
            })?;
        }
        Ok(units)
    }

    fn take(&self, all: &mut Snapshot, row: Row<'_>) -> Result<(), StoreError> {
        match row {
            Row::Job(number, row) => all.jobs.push(self.read_row(|| format!("job {number}"), row)?),
            // They are read by themselves.
            Row::Unit(..) | Row::Notes(..) => {}
            Row::Event((job, number), row) => {
                let event = self.read_row(|| format!("event {number} of job {job}"), row)?;
                all.events.push((JobId(job), number, event));
            }
            Row::Finding(number, row) => {
                all.findings.push(self.read_row(|| format!("finding {number}"), row)?);
            }
            Row::Dispute(number, row) => {
                all.disputes.push(self.read_row(|| format!("dispute {number}"), row)?);
            }
            Row::Distrusted(worker, why) => {
                all.distrusted.push((worker.to_owned(), why.to_owned()));
            }
            Row::Drained(worker, place) => all.drained.push((worker.to_owned(), place)),
            Row::Need(class, bytes) => all.needs.push((class.to_owned(), bytes)),
            Row::Workers(last) => all.last_worker = last,
        }
        Ok(())
    }

    /// How many bytes the tables take, as pages: about what a copy of them will need.
    pub(super) fn bytes(&self) -> Result<u64, StoreError> {
        let mut bytes = 0;
        let mut add = |stats: Result<redb::TableStats, redb::StorageError>| {
            let stats = stats.map_err(|fault| self.fault(fault))?;
            bytes += stats.stored_bytes() + stats.metadata_bytes() + stats.fragmented_bytes();
            Ok::<(), StoreError>(())
        };
        for table in [JOBS, FINDINGS, DISPUTES] {
            add(self.read.open_table(table).map_err(|fault| self.fault(fault))?.stats())?;
        }
        add(self.read.open_table(UNITS).map_err(|fault| self.fault(fault))?.stats())?;
        for (schema, table) in [(2, NOTES), (4, EVENTS)] {
            if let Some(table) = self.since(schema, table)? {
                add(table.stats())?;
            }
        }
        Ok(bytes)
    }

    /// A table of jobs' own that files have since this schema; `None` in an older one that is only read.
    fn since(
        &self,
        schema: u64,
        table: TableDefinition<'_, (u64, u32), &'static [u8]>,
    ) -> Result<Option<Units>, StoreError> {
        self.unless_older(schema, self.read.open_table(table))
    }

    /// A table with names as its keys, likewise.
    fn named<V: redb::Value + 'static>(
        &self,
        schema: u64,
        table: TableDefinition<'_, &'static str, V>,
    ) -> Result<Option<ReadOnlyTable<&'static str, V>>, StoreError> {
        self.unless_older(schema, self.read.open_table(table))
    }

    fn unless_older<T>(
        &self,
        schema: u64,
        table: Result<T, TableError>,
    ) -> Result<Option<T>, StoreError> {
        match table {
            Err(TableError::TableDoesNotExist(_)) if self.schema()? < schema => Ok(None),
            table => table.map(Some).map_err(|fault| self.fault(fault)),
        }
    }

    fn numbered<E: From<StoreError>>(
        &self,
        table: TableDefinition<'_, u64, &[u8]>,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let table = self.read.open_table(table).map_err(|fault| self.fault(fault))?;
        for entry in table.iter().map_err(|fault| self.fault(fault))? {
            let (number, row) = entry.map_err(|fault| self.fault(fault))?;
            each(number.value(), row.value())?;
        }
        Ok(())
    }

    fn paired<E: From<StoreError>>(
        &self,
        table: &Units,
        keys: impl RangeBounds<(u64, u32)>,
        mut each: impl FnMut((u64, u32), &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for entry in table.range(keys).map_err(|fault| self.fault(fault))? {
            let (key, row) = entry.map_err(|fault| self.fault(fault))?;
            each(key.value(), row.value())?;
        }
        Ok(())
    }

    fn read_row<T: DeserializeOwned>(
        &self,
        name: impl Fn() -> String,
        bytes: &[u8],
    ) -> Result<T, StoreError> {
        serde_json::from_slice(bytes).map_err(|fault| StoreError::Row {
            path: self.path.to_owned(),
            row: name(),
            why: fault.to_string(),
        })
    }

    fn fault(&self, fault: impl Into<redb::Error>) -> StoreError {
        StoreError::new(self.path, fault)
    }
}

fn unit_id((job, number): (u64, u32)) -> UnitId {
    UnitId { job: JobId(job), number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, samples};

    #[test]
    fn units_end_at_the_first_that_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.redb")).unwrap();
        samples::fill(&store);
        let write = store.database.begin_write().unwrap();
        write.open_table(UNITS).unwrap().insert((1, 3), &b"no row"[..]).unwrap();
        write.commit().unwrap();
        let view = store.view().unwrap();
        let told: Vec<bool> = view.units().take(5).map(|units| units.is_ok()).collect();
        assert_eq!(told, [false]);
    }
}

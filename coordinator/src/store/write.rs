//! Committing a batch of writes, all or nothing.

use redb::{ReadableTable, WriteTransaction};
use serde::Serialize;
use sprague_work::{JobId, UnitId};

use super::tables::{
    DISPUTES, DISTRUSTED, DRAINED, EVENTS, FINDINGS, JOBS, META, NEEDS, NOTES, UNITS, WORKERS,
};
use super::{Store, StoreError};
use crate::core::Write;

impl Store {
    /// Commits a batch. When this returns, the batch is on the disk.
    ///
    /// One transaction whatever the size of the batch: a durable commit costs milliseconds, its
    /// rows microseconds.
    ///
    /// # Errors
    /// When the disk is full or cannot be written. Nothing of the batch is kept then.
    pub fn commit(&self, batch: &[Write]) -> Result<(), StoreError> {
        self.try_commit(batch).map_err(|fault| StoreError::new(&self.path, fault))
    }

    fn try_commit(&self, batch: &[Write]) -> Result<(), redb::Error> {
        let mut transaction = self.database.begin_write()?;
        // Reopening after a kill is quick, and a torn write cannot be taken for a good one.
        transaction.set_quick_repair(true);
        // Most rows are units, and a table is better opened once than for each of its rows.
        let both =
            |one: &Write, next: &Write| matches!((one, next), (Write::Unit(..), Write::Unit(..)));
        for run in batch.chunk_by(both) {
            match run {
                [write] => apply(&transaction, write)?,
                units => put_units(&transaction, units)?,
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

fn apply(transaction: &WriteTransaction, write: &Write) -> Result<(), redb::Error> {
    match write {
        Write::Job(job) => {
            transaction.open_table(JOBS)?.insert(job.id.0, row(job).as_slice())?;
        }
        Write::Unit(..) => put_units(transaction, std::slice::from_ref(write))?,
        Write::DropJob(JobId(job)) => {
            let all = (*job, 0)..=(*job, u32::MAX);
            transaction.open_table(JOBS)?.remove(*job)?;
            for table in [UNITS, NOTES, EVENTS] {
                transaction.open_table(table)?.retain_in(all.clone(), |_, _| false)?;
            }
        }
        Write::DropUnit(UnitId { job, number }) => {
            transaction.open_table(UNITS)?.remove((job.0, *number))?;
        }
        Write::DropUnits(JobId(job)) => {
            let units = (*job, 0)..=(*job, u32::MAX);
            transaction.open_table(UNITS)?.retain_in(units.clone(), |_, _| false)?;
            transaction.open_table(NOTES)?.retain_in(units, |_, _| false)?;
        }
        Write::Finding(finding) => append(transaction, FINDINGS, &row(finding))?,
        Write::Dispute(dispute) => append(transaction, DISPUTES, &row(dispute))?,
        Write::Distrust(worker, why) => {
            transaction.open_table(DISTRUSTED)?.insert(worker.as_str(), why.as_str())?;
        }
        Write::Trust(worker) => {
            transaction.open_table(DISTRUSTED)?.remove(worker.as_str())?;
        }
        Write::Event(job, number, event) => {
            transaction.open_table(EVENTS)?.insert((job.0, *number), row(event).as_slice())?;
        }
        Write::DropEvent(job, number) => {
            transaction.open_table(EVENTS)?.remove((job.0, *number))?;
        }
        Write::Need(class, bytes) => {
            transaction.open_table(NEEDS)?.insert(class.as_str(), *bytes)?;
        }
        Write::LastWorker(last) => {
            transaction.open_table(META)?.insert(WORKERS, last.to_string().as_str())?;
        }
        Write::Drained(instance, number) => {
            transaction.open_table(DRAINED)?.insert(instance.as_str(), *number)?;
        }
        Write::ForgetDrained(instance) => {
            transaction.open_table(DRAINED)?.remove(instance.as_str())?;
        }
    }
    Ok(())
}

/// Writes units with their notes; `writes` are nothing else.
fn put_units(transaction: &WriteTransaction, writes: &[Write]) -> Result<(), redb::Error> {
    let mut units = transaction.open_table(UNITS)?;
    for write in writes {
        let Write::Unit(UnitId { job, number }, unit) = write else { continue };
        let key = (job.0, *number);
        units.insert(key, row(unit).as_slice())?;
        if let Some(done) = unit.done.as_ref().filter(|done| !done.result.notes.is_empty()) {
            transaction.open_table(NOTES)?.insert(key, done.result.notes.as_slice())?;
        }
    }
    Ok(())
}

fn append(
    transaction: &WriteTransaction,
    table: redb::TableDefinition<'_, u64, &[u8]>,
    row: &[u8],
) -> Result<(), redb::Error> {
    let mut table = transaction.open_table(table)?;
    let last = table.last()?.map(|(number, _)| number.value());
    table.insert(last.map_or(0, |last| last + 1), row)?;
    Ok(())
}

fn row(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).expect("records are plain data with string keys")
}

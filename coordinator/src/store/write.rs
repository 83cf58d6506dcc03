//! Committing a batch of writes, all or nothing.

use redb::{ReadableTable, WriteTransaction};
use serde::Serialize;
use sprague_work::{JobId, UnitId};

use super::tables::{DISPUTES, FINDINGS, JOBS, NEEDS, UNITS};
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
        for write in batch {
            apply(&transaction, write)?;
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
        Write::Unit(UnitId { job, number }, unit) => {
            transaction.open_table(UNITS)?.insert((job.0, *number), row(unit).as_slice())?;
        }
        Write::DropUnits(JobId(job)) => {
            transaction.open_table(UNITS)?.retain_in((*job, 0)..=(*job, u32::MAX), |_, _| false)?;
        }
        Write::Finding(finding) => append(transaction, FINDINGS, &row(finding))?,
        Write::Dispute(dispute) => append(transaction, DISPUTES, &row(dispute))?,
        Write::Need(class, bytes) => {
            transaction.open_table(NEEDS)?.insert(class.as_str(), *bytes)?;
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

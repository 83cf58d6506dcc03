//! Every row of every table as it is, whatever it says: what copies, exports and counts go by.

use redb::WriteTransaction;

use super::tables::{
    DISPUTES, DISTRUSTED, DRAINED, EVENTS, FINDINGS, JOBS, META, NEEDS, NOTES, UNITS, WORKERS,
};

/// A row of one of the tables. What `meta` says of the file itself is left out, as every file makes its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row<'a> {
    Job(u64, &'a [u8]),
    Unit((u64, u32), &'a [u8]),
    Notes((u64, u32), &'a [u8]),
    Event((u64, u32), &'a [u8]),
    Finding(u64, &'a [u8]),
    Dispute(u64, &'a [u8]),
    Distrusted(&'a str, &'a str),
    Drained(&'a str, u64),
    Need(&'a str, u64),
    /// The last number that was given to a worker.
    Workers(u64),
}

/// Writes a row into its table.
pub(super) fn put(transaction: &WriteTransaction, row: Row<'_>) -> Result<(), redb::Error> {
    match row {
        Row::Job(number, row) => drop(transaction.open_table(JOBS)?.insert(number, row)?),
        Row::Unit(key, row) => drop(transaction.open_table(UNITS)?.insert(key, row)?),
        Row::Notes(key, row) => drop(transaction.open_table(NOTES)?.insert(key, row)?),
        Row::Event(key, row) => drop(transaction.open_table(EVENTS)?.insert(key, row)?),
        Row::Finding(number, row) => drop(transaction.open_table(FINDINGS)?.insert(number, row)?),
        Row::Dispute(number, row) => drop(transaction.open_table(DISPUTES)?.insert(number, row)?),
        Row::Distrusted(worker, why) => {
            drop(transaction.open_table(DISTRUSTED)?.insert(worker, why)?);
        }
        Row::Drained(worker, place) => {
            drop(transaction.open_table(DRAINED)?.insert(worker, place)?);
        }
        Row::Need(class, bytes) => drop(transaction.open_table(NEEDS)?.insert(class, bytes)?),
        Row::Workers(last) => {
            drop(transaction.open_table(META)?.insert(WORKERS, last.to_string().as_str())?);
        }
    }
    Ok(())
}

/// Takes away what later says everything about anew: all but findings and disputes.
pub(super) fn clear_all_but_the_ledger(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    transaction.open_table(JOBS)?.retain(|_, _| false)?;
    transaction.open_table(UNITS)?.retain(|_, _| false)?;
    transaction.open_table(NOTES)?.retain(|_, _| false)?;
    transaction.open_table(EVENTS)?.retain(|_, _| false)?;
    transaction.open_table(DISTRUSTED)?.retain(|_, _| false)?;
    transaction.open_table(DRAINED)?.retain(|_, _| false)?;
    transaction.open_table(NEEDS)?.retain(|_, _| false)?;
    transaction.open_table(META)?.remove(WORKERS)?;
    Ok(())
}

//! The tables of the file. Keys are ordered; rows are JSON, so that a field can be added and a file
//! read by eye.

use std::path::{Path, PathBuf};

use redb::TableDefinition;

/// The version of the layout. A file of an older one is brought up to it, one of a newer one refused.
pub const SCHEMA: u64 = 5;

/// What the file says of itself, `program` and `schema`, and the last number of a worker, [`WORKERS`].
pub(super) const META: TableDefinition<'_, &str, &str> = TableDefinition::new("meta");

/// Job number to job.
pub(super) const JOBS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("jobs");

/// (Job number, unit number) to unit.
pub(super) const UNITS: TableDefinition<'_, (u64, u32), &[u8]> = TableDefinition::new("units");

/// (Job number, unit number) to the notes of its result, for units that have any.
pub(super) const NOTES: TableDefinition<'_, (u64, u32), &[u8]> = TableDefinition::new("notes");

/// Running number to finding. Only ever appended.
pub(super) const FINDINGS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("findings");

/// Running number to dispute. Only ever appended.
pub(super) const DISPUTES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("disputes");

/// (Job number, running number) to event. The oldest of a job go first.
pub(super) const EVENTS: TableDefinition<'_, (u64, u32), &[u8]> = TableDefinition::new("events");

/// Name of a worker that is not trusted to why.
pub(super) const DISTRUSTED: TableDefinition<'_, &str, &str> = TableDefinition::new("distrusted");

/// Memory class to bytes.
pub(super) const NEEDS: TableDefinition<'_, &str, u64> = TableDefinition::new("needs");

/// Instance of a drained worker to its number in the order of draining.
pub(super) const DRAINED: TableDefinition<'_, &str, u64> = TableDefinition::new("drained");

/// The name in [`META`] of the last number that was given to a worker; it is not there before the first.
pub(super) const WORKERS: &str = "workers";

/// The value of `program` in [`META`].
pub(super) const PROGRAM: &str = "sprague";

/// Where the store of a coordinator's folder is.
#[must_use]
pub fn in_folder(dir: &Path) -> PathBuf {
    dir.join("store.redb")
}

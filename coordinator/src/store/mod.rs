//! The store: one redb file that holds jobs, units, findings, disputes and remembered needs.
//!
//! Everything else in the coordinator is rebuilt from it. Nothing above this module knows redb. The
//! layout is described in docs/store.md; its version is [`SCHEMA`].

mod checksum;
#[cfg(test)]
mod damage;
mod draft;
mod error;
mod export;
#[cfg(test)]
mod frozen;
mod import;
mod line;
mod maintain;
mod open;
mod place;
mod read;
mod restart;
mod row;
#[cfg(test)]
mod samples;
mod tables;
mod view;
mod write;

pub use error::StoreError;
pub use export::ExportMark;
pub use import::{ExportError, import, mark};
pub use maintain::{Checked, Compacted, Contents, backup, check, compact, restore};
pub use open::Store;
pub(crate) use place::must_not_have_been_rescued;
pub use read::Reader;
pub use restart::RestartError;
pub use tables::{SCHEMA, in_folder};

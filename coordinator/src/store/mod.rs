//! The store: one redb file that holds jobs, units, findings, disputes and remembered needs.
//!
//! Everything else in the coordinator is rebuilt from it. Nothing above this module knows redb. The
//! layout is described in docs/store.md; its version is [`SCHEMA`].

mod error;
#[cfg(test)]
mod frozen;
mod open;
mod read;
mod tables;
mod write;

pub use error::StoreError;
pub use open::Store;
pub use tables::SCHEMA;

//! The commands, one file each.

pub(crate) mod access;
mod clock;
pub(crate) mod completions;
pub(crate) mod cram_certify;
pub(crate) mod cram_check;
pub(crate) mod cram_position;
mod draft;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod follow;
pub(crate) mod geography;
mod home;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod launch;
mod lines;
mod local;
pub(crate) mod man;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod store;
pub(crate) mod submit;
pub(crate) mod values;
pub(crate) mod verify;
pub(crate) mod worker;
pub(crate) mod workers;

pub(crate) use launch::HostsError;

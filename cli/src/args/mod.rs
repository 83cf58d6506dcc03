//! The command line as typed. What the flags mean is the business of the commands.

mod access;
mod cluster;
mod details;
mod direct;
mod examples;
mod global;
mod job;
mod quantity;
mod root;
mod store;
mod values;

pub(crate) use access::{AccessNoun, AccessVerb};
pub(crate) use cluster::{
    AccessArg, EventsArgs, IdArgs, JobArgs, JobVerb, ServeArgs, WorkerArgs, WorkerIdArgs,
    WorkerNoun, WorkerVerb,
};
pub(crate) use details::DetailArgs;
pub(crate) use direct::{
    CramCertifyArgs, CramCheckArgs, CramNoun, CramPositionArgs, CramVerb, GeographyNoun,
    GeographyPositionArgs, GeographyVerb,
};
pub(crate) use global::{ColorWhen, Global, LogFormat, OutputFormat};
pub(crate) use job::{RunArgs, SubmitArgs};
pub(crate) use quantity::Memory;
pub(crate) use root::{Cli, Command, CompletionsArgs, ManArgs};
pub(crate) use store::{DirArg, StoreNoun, StoreVerb};
pub(crate) use values::{ExportArgs, ExportFormat, ValuesArgs, VerifyArgs};

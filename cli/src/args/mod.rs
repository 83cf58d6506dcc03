//! The command line as typed. What the flags mean is the business of the commands.

mod access;
mod cluster;
mod cram;
mod details;
mod examples;
mod geography;
mod global;
mod job;
mod launch;
mod quantity;
mod root;
mod store;
mod values;

pub(crate) use access::{AccessNoun, AccessVerb};
pub(crate) use cluster::{
    AccessArg, EventsArgs, IdArgs, JobArgs, JobVerb, ServeArgs, WorkerArgs, WorkerIdArgs,
    WorkerNoun, WorkerVerb,
};
pub(crate) use cram::{CramCertifyArgs, CramCheckArgs, CramNoun, CramPositionArgs, CramVerb};
pub(crate) use details::DetailArgs;
pub(crate) use geography::{
    ConstructForm, ConstructVerb, DigraphArgs, DrawingArgs, DrawingFormat, GeographyConstructArgs,
    GeographyDrawArgs, GeographyGenerateArgs, GeographyNoun, GeographyPlayArgs,
    GeographyPositionArgs, GeographyVerb, GraphFormat,
};
pub(crate) use global::{ColorWhen, Global, LogFormat, OutputFormat};
pub(crate) use job::{RunArgs, SubmitArgs};
pub(crate) use launch::{
    LaunchComposeArgs, LaunchK8sArgs, LaunchNoun, LaunchSlurmArgs, LaunchSshArgs,
    LaunchSystemdArgs, LaunchVerb, ServiceArgs, SystemdRole,
};
pub(crate) use quantity::{Memory, enough_for_threads, threads};
pub(crate) use root::{Cli, Command, CompletionsArgs, ManArgs};
pub(crate) use store::{DirArg, StoreNoun, StoreVerb};
pub(crate) use values::{ExportArgs, ExportFormat, ValuesArgs, VerifyArgs};

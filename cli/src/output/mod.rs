//! What the program writes, and in which form. Results go to standard output in every form that
//! `--output` knows; progress, notes and logs go to standard error.

mod access;
mod certificate;
mod document;
mod drawing;
mod events;
mod fault;
mod foreign;
mod game;
mod graph;
mod job;
mod launch;
mod notes;
mod paint;
mod position;
mod printer;
mod served;
mod store;
mod table;
mod values;
mod workers;

pub(crate) use access::AccessChange;
pub(crate) use certificate::{CertificateDocument, Deed};
pub(crate) use document::Document;
pub(crate) use drawing::{Place, WrittenGraph};
pub(crate) use events::EventsDocument;
pub(crate) use fault::LineFault;
pub(crate) use foreign::ForeignFile;
pub(crate) use game::{PlayedGame, Winner};
pub(crate) use graph::GraphDocument;
pub(crate) use job::{
    ExplanationsDocument, JobDocument, JobResult, JobsDocument, Submitted, done, known_so_far,
};
pub(crate) use launch::{Launched, LaunchedWorkers};
pub(crate) use notes::Notes;
pub(crate) use paint::{Paint, Tone};
pub(crate) use position::PositionDocument;
pub(crate) use printer::{Printer, fail, fail_as_json};
pub(crate) use served::Served;
pub(crate) use store::StoreDocument;
pub(crate) use values::{ValuesDocument, as_csv, as_markdown};
pub(crate) use workers::{WorkerDocument, WorkersDocument};

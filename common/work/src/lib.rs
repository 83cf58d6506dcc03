//! What a question, a job, a unit, a report and a value are; one module a job kind.
//!
//! This is where a game meets the cluster. The game crates know nothing of units, the coordinator
//! and the worker know nothing of games: both only know the [`Kind`] trait and the [`Registry`] of
//! all kinds. Adding a job is adding a module below [`kinds`] and a line in the registry.
//!
//! ```
//! use sprague_work::{JobOptions, Registry};
//!
//! let registry = Registry::standard();
//! let words = ["cram", "3x3..3x5"].map(String::from);
//! let job = registry.parse(&words, &JobOptions::default())?;
//! assert_eq!(job.questions().count(), 3);
//! # Ok::<(), sprague_work::JobError>(())
//! ```

mod answer;
mod check;
mod finding;
mod id;
mod job;
mod kind;
pub mod kinds;
mod ledger;
mod literature;
mod method;
mod question;
mod registry;
mod report;
mod table;
mod unit;
mod value;
mod workplace;

pub use answer::{Agreement, Answer, AnswerError};
pub use check::{Check, Weight};
pub use finding::{Effort, Finding};
pub use id::{Attempt, JobId, ParseIdError, UnitId, WorkerId};
pub use job::{JobError, JobOptions, JobSpec, JobState, MAX_REDUNDANCY, MAX_TASKS, Task};
pub use kind::{
    Conclusion, Contradiction, Driver, Form, Kind, Planning, RunEnd, RunLimits, THREAD_STACK,
};
pub use ledger::judge;
pub use method::{Method, MethodName, independent};
pub use question::{Question, QuestionError};
pub use registry::{Registry, capability};
pub use report::{Ending, Report, UnitResult, Usage};

pub use table::{Align, Column, Table, counted, shortened};
pub use unit::{Part, UnitInput};
pub use value::{Dispute, Standing, Value};
pub use workplace::{Mail, NoMail, Workplace};

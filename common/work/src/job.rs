//! A job: what a user submits, as words and as the tasks that the words mean.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::table::shortened;
use crate::{MethodName, Question, QuestionError};

/// The most tasks that a job may have. A larger wish is several jobs.
pub const MAX_TASKS: usize = 10_000;

/// What the flags of `run` and `submit` say about a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobOptions {
    /// The methods to use; empty for enough independent ones to confirm each value.
    #[serde(default)]
    pub methods: Vec<MethodName>,
    /// How many seconds the job may run, from its first lease, before it is stopped.
    #[serde(default)]
    pub budget_seconds: Option<u64>,
    /// How many distinct workers must give the same result for each unit; 0 is as 1.
    #[serde(default)]
    pub redundancy: u32,
}

/// The most workers that may be asked to agree on a unit.
pub const MAX_REDUNDANCY: u32 = 8;

impl JobOptions {
    /// How many workers must agree on each unit, at least one.
    #[must_use]
    pub fn times(&self) -> u32 {
        self.redundancy.clamp(1, MAX_REDUNDANCY)
    }
}

/// One question by one method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The question.
    pub question: Question,
    /// The method.
    pub method: MethodName,
}

/// A job as its words were meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobSpec {
    /// The name of the kind that read the words.
    pub kind: String,
    /// The words, as a user would type them again.
    pub words: String,
    /// How the kind shows the result: one of the names that it gives to its tables.
    pub view: String,
    /// Questions x methods, in the order in which they are begun.
    pub tasks: Vec<Task>,
    /// What the flags said.
    pub options: JobOptions,
}

impl JobSpec {
    /// The questions, each once, in order.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        let mut seen = BTreeSet::new();
        self.tasks.iter().map(|task| &task.question).filter(move |question| seen.insert(*question))
    }
}

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Submitted; no unit of it was leased yet.
    Queued,
    /// Some unit was leased.
    Running,
    /// Every task has its finding.
    Done,
    /// What is left of it cannot be done: its units are parked with a reason.
    Failed,
    /// A contradiction stopped it. All evidence is kept.
    Disputed,
    /// An operator cancelled it.
    Cancelled,
    /// Its budget ran out, or its coordinator was told to stop for good.
    Stopped,
}

impl JobState {
    /// Whether nothing more is done of the job, unless it is submitted again.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }

    /// Whether the job never goes on. One that is stopped or failed does when it is submitted again.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Disputed | Self::Cancelled)
    }
}

impl fmt::Display for JobState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Disputed => "disputed",
            Self::Cancelled => "cancelled",
            Self::Stopped => "stopped",
        })
    }
}

/// What was typed, as far as a message repeats it.
fn short(typed: &str) -> Cow<'_, str> {
    shortened(typed, 60)
}

/// Why words are no job.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// No words at all.
    #[error("no job was named: say for example {0}")]
    Empty(&'static str),
    /// No kind knows these words.
    #[error("no job is called {:?}: the jobs are {}", short(words), known.join(", "))]
    Unknown {
        /// What was typed.
        words: String,
        /// The forms of all kinds.
        known: Vec<&'static str>,
    },
    /// A board or a range of boards cannot be read.
    #[error("{:?} is not a board: {source}", short(text))]
    Board {
        /// What was typed.
        text: String,
        /// What is wrong with it.
        source: sprague_cram::BoardError,
    },
    /// A range without one of its ends.
    #[error("{:?} is not a range of boards: it has two ends, such as 3x3..3x10", short(.0))]
    OpenRange(String),
    /// A range whose second end is a number.
    #[error(
        "{:?} is not a range of boards: its second end is a board, too, as in {}",
        short(text),
        short(meant)
    )]
    HalfRange {
        /// What was typed.
        text: String,
        /// What is likely meant.
        meant: String,
    },
    /// A range that runs backwards.
    #[error(
        "the range {:?} is empty: its second board must be at least as large each way",
        short(.0)
    )]
    EmptyRange(String),
    /// A word that is not a number in range.
    #[error("{:?} is no {what} from {least} to {most}", short(text))]
    Number {
        /// What was typed.
        text: String,
        /// What it should be, such as `number of vertices`.
        what: &'static str,
        /// The least that is accepted.
        least: u64,
        /// The most that is accepted.
        most: u64,
    },
    /// A flag that the job has no use for.
    #[error("{job} takes no {}: what it takes is {}", short(flag), known.join(", "))]
    Flag {
        /// The job.
        job: &'static str,
        /// What was typed.
        flag: String,
        /// The flags that it has, or what it has instead.
        known: Vec<&'static str>,
    },
    /// A flag, or a word behind its name, that the job needs.
    #[error("{job} needs {what}: say for example `{example}`")]
    Lacks {
        /// The job.
        job: &'static str,
        /// What is missing, as the form of the job names it.
        what: &'static str,
        /// A job that is complete.
        example: &'static str,
    },
    /// The flags ask for what cannot be.
    #[error("{0}")]
    RuledOut(String),
    /// The kind has no such method.
    #[error("{kind} has no method {:?}: its methods are {}", short(method), known.join(", "))]
    Method {
        /// The kind.
        kind: String,
        /// What was typed.
        method: String,
        /// What could have been.
        known: Vec<&'static str>,
    },
    /// The job compares fixed methods, so it takes no choice of them.
    #[error("{0} compares fixed methods: leave out --method")]
    FixedMethods(&'static str),
    /// The question cannot be answered by that method.
    #[error("{method} cannot answer {question}: {reason}")]
    Unfit {
        /// The question.
        question: Question,
        /// The method.
        method: MethodName,
        /// Why not.
        reason: String,
    },
    /// More tasks than [`MAX_TASKS`].
    #[error("the job has {0} tasks, the most is {MAX_TASKS}: submit it in parts")]
    TooLarge(usize),
    /// The job's words do not make a question.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

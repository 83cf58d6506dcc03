//! What a kind of job is: the one trait by which a game meets the cluster.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::{
    Agreement, Answer, Check, Finding, JobError, JobOptions, JobSpec, Method, MethodName, Part,
    Question, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// A form of words that a kind understands, for help and errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The words, with capitals for what is to be filled in: `cram BOARDS`.
    pub words: &'static str,
    /// A real example: `cram 3x3..3x10`.
    pub example: &'static str,
    /// One line on what it does.
    pub about: &'static str,
}

impl Form {
    /// That what is to be filled in was left out.
    pub(crate) fn lacks(&self) -> JobError {
        let end = self.words.find(|c: char| c.is_ascii_uppercase()).unwrap_or(self.words.len());
        let (job, what) = self.words.split_at(end);
        JobError::Lacks { job: job.trim_end(), what, example: self.example }
    }
}

/// What a unit may use while it runs.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits<'a> {
    /// Bytes that its tables may take together.
    pub memory: u64,
    /// Set when the unit is to stop; looked at many times a second.
    pub cancel: &'a AtomicBool,
    /// The unit's own progress, in expansions: it must not stand still.
    pub progress: &'a AtomicU64,
    /// How many threads it may use at once, if its method can use more than one.
    pub threads: usize,
}

/// The most bytes of stack that each further thread of a unit takes.
pub const THREAD_STACK: usize = sprague_cram::THREAD_STACK;

/// How a unit ended, as the kind sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// It ran to its end.
    Done(UnitResult),
    /// Its tables would not fit.
    OutOfMemory {
        /// The least bytes of tables with which it would have come further.
        needed: u64,
    },
    /// It was told to stop.
    Cancelled,
    /// It is not a unit that this version can run.
    Refused {
        /// Why.
        reason: String,
    },
}

/// Two results that cannot both be true, met while merging: what, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction(pub String);

/// What all units of a task say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The answer.
    pub answer: Answer,
    /// The fingerprint of all the work.
    pub fingerprint: u64,
}

/// When a driver is asked for its next part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planning {
    /// Some time before a slot is free. The same part gives the same result wherever and whenever it
    /// is run, which is checked when it happens to be run twice.
    Ahead,
    /// When a slot is free, as each result changes what is best done next. What a part gives
    /// depends on what was known where it was run.
    OnDemand,
}

/// The state machine of one task: which units it takes, and what they say together.
///
/// It is deterministic and does no I/O. After a restart it is made anew and told what had happened:
/// [`replan`](Self::replan) for every part that it had given out, [`split`](Self::split) for every one that was split, then
/// [`absorb`](Self::absorb) for every part that was done, in the order in which that happened. A task whose parts are known from
/// the start simply lists them; one whose next part depends on earlier results (the effort of many
/// workers on one board) looks at what it has absorbed.
pub trait Driver: Send {
    /// The next part to be done; `None` when nothing can be given out now. Called lazily, so a task
    /// of a million parts needs no list of them.
    fn next(&mut self) -> Option<Part>;

    /// Tells a new driver that `part` had been given out before a restart.
    fn replan(&mut self, part: &Part);

    /// Takes in the result of a part.
    ///
    /// # Errors
    /// When the result cannot be true beside those that came before it.
    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction>;

    /// What all parts say together, once the last one that is needed was absorbed.
    fn conclude(&self) -> Option<Conclusion>;

    /// What the parts that are done say already, in a few words for people; `None` while that is nothing.
    fn known(&self) -> Option<String> {
        None
    }

    /// How many parts there are in all, as far as that is known.
    fn total(&self) -> Option<u64>;

    /// Tells it the findings that its task [needs](Kind::needs), in that order, before it is asked for its
    /// next part: once, and once more after a restart.
    fn learn(&mut self, findings: &[&Finding]) {
        let _ = findings;
    }

    /// What the parts that are done say together now that the job's budget is used up; `None` if nothing that
    /// could stand as a finding.
    fn settle(&self) -> Option<Conclusion> {
        None
    }

    /// When it is asked for its next part.
    fn planning(&self) -> Planning {
        Planning::Ahead
    }

    /// Whether a part that it gave out, and that is not done, is not needed any more.
    fn is_unwanted(&self, part: &Part) -> bool {
        let _ = part;
        false
    }

    /// Whether a part that it gave out can be [split](Self::split).
    fn splits(&self, part: &Part) -> bool {
        let _ = part;
        false
    }

    /// Smaller parts in the place of one that [splits](Self::splits) and that no slot has the memory for, those that need the
    /// most last: together with what was given out before they say what it would have said. After a restart it
    /// is asked again, and the same parts are those that it gave out then.
    fn split(&mut self, part: &Part) -> Vec<Part> {
        let _ = part;
        Vec::new()
    }

    /// What every process must be told before it runs a part: batches, to which only ever more are
    /// appended. Each process gets all of them in order, and all again after its worker lost the
    /// connection.
    fn briefing(&self) -> &[Arc<[u8]>] {
        &[]
    }
}

/// A kind of job.
///
/// `parse` and `driver` are called by the coordinator, `run` by a worker's child process, `compare`,
/// `combine` and `checks` by the ledger, `table` by the command line.
pub trait Kind: Send + Sync {
    /// Its name: the first words of its questions.
    fn name(&self) -> &'static str;

    /// The forms of words that it understands.
    fn forms(&self) -> &'static [Form];

    /// Its methods.
    fn methods(&self) -> &'static [Method];

    /// Reads a job's words; `None` when they are not for this kind.
    ///
    /// # Errors
    /// When they are for this kind but cannot be meant.
    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>>;

    /// Whether the question is one of this kind's.
    fn owns(&self, question: &Question) -> bool;

    /// The state machine of a task, at its start.
    ///
    /// # Errors
    /// When the question or the method is not one that this version knows.
    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError>;

    /// The tasks whose findings must be there before the task begins. The job that a task is in has them as well.
    fn needs(&self, task: &Task) -> Vec<Task> {
        let _ = task;
        Vec::new()
    }

    /// Runs a unit. If its task is planned [`Ahead`](Planning::Ahead), the same input gives the same
    /// result and fingerprint, on every machine, under every memory limit under which it ends and
    /// whatever it finds in its workplace.
    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        workplace: &mut Workplace<'_>,
    ) -> RunEnd;

    /// Under which name the memory that a unit turned out to need is remembered for the like of it.
    fn memory_class(&self, input: &UnitInput) -> String {
        format!("{} by {}", input.question, input.method)
    }

    /// How two answers to one question stand to each other.
    fn compare(&self, a: &Answer, b: &Answer) -> Agreement;

    /// The answer that says most of several that do not contradict each other; `answers` is not
    /// empty.
    fn combine(&self, answers: &[&Answer]) -> Answer;

    /// Whether an answer by one of its methods is proven by what was checked without a search.
    fn certifies(&self, method: &Method, answer: &Answer) -> bool {
        let _ = answer;
        method.certifies
    }

    /// The checks that the answer must pass, and how they come out.
    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check>;

    /// Values as a table, in one of the views that `parse` gives to jobs.
    fn table(&self, view: &str, values: &[Value]) -> Table;

    /// The method of that name.
    fn method(&self, name: &MethodName) -> Option<&'static Method> {
        self.methods().iter().find(|method| method.name == name.as_str())
    }

    /// The methods that users are told of: what rests on another method's code alone is a variant
    /// of it, for comparisons.
    fn offered_methods(&self) -> Vec<&'static Method> {
        let is_variant = |method: &Method| match method.rests_on {
            [code] => *code != method.name && self.method(&MethodName::new(*code)).is_some(),
            _ => false,
        };
        self.methods().iter().filter(|method| !is_variant(method)).collect()
    }
}

//! The thread of a child that runs units and reports how they ended, as far as it lives to tell.

use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use sprague_proto::v1::{self, slot_event::Event};
use sprague_work::{Ending, Registry, Report, RunEnd, RunLimits, Workplace};

use super::post::{Post, Running, TaskMail};
use crate::caps::Budget;
use crate::usage::Meter;

/// A unit to run.
pub(super) struct Assignment {
    pub(super) unit: v1::Unit,
    pub(super) running: Arc<Running>,
}

/// The most bytes of an answer, which is stored as text and shown to people. What is larger belongs into the notes.
const LARGEST_ANSWER: usize = 2 << 20;

/// What the last panic said and where it was.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// The longest words of a panic that go into a report, in characters.
const LONGEST_WORDS: usize = 500;

/// Keeps what panics say for the report, and where.
pub(super) fn remember_panics() {
    panic::set_hook(Box::new(|info| {
        let words: String =
            info.to_string().replace('\n', " ").chars().take(LONGEST_WORDS).collect();
        let _ = writeln!(io::stderr(), "{words}");
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
    }));
}

/// Runs what is assigned, one unit at a time, for as long as there are assignments.
pub(super) fn solve(
    registry: &Registry,
    budget: Budget,
    threads: u32,
    post: &Post,
    assignments: &Receiver<Assignment>,
) {
    // What a unit leaves for the next one of the same task.
    let mut kept = None;
    let mut task = v1::TaskId::default();
    for Assignment { unit, running } in assignments {
        if unit.task_id() != task {
            kept = None;
            task = unit.task_id();
        }
        let meter = Meter::start();
        let mail = TaskMail { post, task };
        let workplace = Workplace { kept: &mut kept, mail: &mail };
        let ending = run(registry, budget, threads, &unit, &running, workplace);
        let report = Report { ending, usage: meter.read() };
        post.end();
        let message = v1::Report::new(running.id, &report);
        let sent = match answer_bytes(&message) {
            bytes if bytes > LARGEST_ANSWER => {
                Err(format!("{bytes} bytes, the most is {LARGEST_ANSWER}"))
            }
            _ => post.tell(Event::Report(message)).map_err(|fault| fault.to_string()),
        };
        if let Err(fault) = sent {
            let reason = format!("its answer cannot be sent: {fault}");
            let report = Report { ending: Ending::Refused { reason }, ..report };
            post.tell(Event::Report(v1::Report::new(running.id, &report)))
                .expect("one sentence is not too large to be sent");
        }
    }
}

fn run(
    registry: &Registry,
    budget: Budget,
    threads: u32,
    unit: &v1::Unit,
    running: &Running,
    mut workplace: Workplace<'_>,
) -> Ending {
    let input = match unit.input() {
        Ok(input) => input,
        Err(fault) => return Ending::Refused { reason: fault.to_string() },
    };
    let Some(kind) = registry.kind_of(&input.question) else {
        let reason = format!("no kind of this version knows the question {:?}", unit.question);
        return Ending::Refused { reason };
    };
    if kind.method(&input.method).is_none() {
        let reason = format!("{} has no method {:?} in this version", kind.name(), unit.method);
        return Ending::Refused { reason };
    }
    let limits = RunLimits {
        memory: budget.tables(),
        cancel: &running.cancel,
        progress: &running.progress,
        threads: threads as usize,
    };
    // A kind that panicked is not used again: the supervisor replaces the process.
    match panic::catch_unwind(AssertUnwindSafe(|| kind.run(&input, &limits, &mut workplace))) {
        Ok(RunEnd::Done(result)) => Ending::Done(result),
        Ok(RunEnd::OutOfMemory { needed }) => {
            Ending::OutOfMemory { cap: budget.cap(), needed: budget.cap_for(needed) }
        }
        Ok(RunEnd::Cancelled) => Ending::Cancelled,
        Ok(RunEnd::Refused { reason }) => Ending::Refused { reason },
        Err(_) => Ending::Crashed { how: last_panic() },
    }
}

/// The bytes of the answer of a report, if it has one.
fn answer_bytes(report: &v1::Report) -> usize {
    match &report.ending {
        Some(v1::report::Ending::Done(done)) => done.answer.len(),
        _ => 0,
    }
}

fn last_panic() -> String {
    let words = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    words.unwrap_or_else(|| "panicked without a word".to_owned())
}

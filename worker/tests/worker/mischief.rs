//! A kind of job whose units misbehave in every way that the worker has to live through.

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sprague_work::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method,
    MethodName, Part, Question, Registry, RunEnd, RunLimits, Table, Task, UnitInput, UnitResult,
    Value, Workplace,
};

/// The kind. Its questions are `mischief DEED`.
struct Mischief;

/// The only kind that these tests' workers know.
pub(crate) fn registry() -> Registry {
    Registry::new(vec![Arc::new(Mischief)])
}

/// What a unit is to do it with.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tools {
    /// Bytes, or milliseconds.
    pub(crate) amount: u64,
    /// Where to write the number of the process, as a sign of having begun.
    pub(crate) file: Option<PathBuf>,
}

/// What a well-behaved unit answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The process that it ran in.
    pub(crate) pid: u32,
    /// The bytes that it was allowed for tables.
    pub(crate) memory: u64,
}

/// An answer of any size.
#[derive(Serialize)]
struct Boast {
    words: String,
}

/// A unit that does a deed.
pub(crate) fn unit(deed: &str, tools: &Tools) -> UnitInput {
    UnitInput {
        question: Question::new(format!("mischief {deed}")).unwrap(),
        method: MethodName::new("do"),
        part: Part::of(tools),
    }
}

fn run(deed: &str, tools: &Tools, limits: &RunLimits<'_>) -> RunEnd {
    if let Some(file) = &tools.file {
        fs::write(file, format!("{}\n", std::process::id())).unwrap();
    }
    let bytes = usize::try_from(tools.amount).unwrap();
    match deed {
        "answer" => {}
        // Touches memory and gives it back.
        "touch" => drop(black_box(vec![1_u8; bytes])),
        "sleep" => sleep(Duration::from_millis(tools.amount)),
        "spin" => {
            let mut cancelled = false;
            while !cancelled {
                limits.progress.fetch_add(1, Ordering::Relaxed);
                cancelled = limits.cancel.load(Ordering::Relaxed);
            }
            return RunEnd::Cancelled;
        }
        "ignore-cancel" => loop {
            limits.progress.fetch_add(1, Ordering::Relaxed);
        },
        "grow" => {
            let mut all = Vec::new();
            loop {
                all.push(black_box(1_u64));
            }
        }
        "unchecked-table" => drop(black_box(vec![0_u8; bytes])),
        "table" => {
            if !zeroed_table_fits(bytes) {
                return RunEnd::OutOfMemory { needed: tools.amount };
            }
        }
        "panic" => panic!("the ninth {}", "wave"),
        "abort" => std::process::abort(),
        "overflow" => {
            black_box(deep(0));
        }
        "exit" => std::process::exit(3),
        "die" => {
            use rustix::process::{Signal, getpid, kill_process};
            kill_process(getpid(), Signal::KILL).unwrap();
            sleep(Duration::from_secs(60));
        }
        "chatter" => {
            println!("{}", "what is no message ".repeat(20));
            sleep(Duration::from_secs(60));
        }
        "boast" => return done(Answer::of(&Boast { words: "x".repeat(bytes) })),
        other => return RunEnd::Refused { reason: format!("no deed is called {other}") },
    }
    done(Answer::of(&Told { pid: std::process::id(), memory: limits.memory }))
}

fn done(answer: Answer) -> RunEnd {
    RunEnd::Done(UnitResult {
        answer,
        fingerprint: 7,
        entries: 1,
        expansions: 1,
        notes: Vec::new(),
    })
}

/// Each call has its place on the stack, which the optimiser must not take away.
fn deep(level: u64) -> u64 {
    let here = black_box([level; 16]);
    if level == u64::MAX { 0 } else { deep(level + 1) + black_box(here)[3] }
}

#[expect(unsafe_code, reason = "stable Rust has no safe zeroed allocation that can fail")]
fn zeroed_table_fits(bytes: usize) -> bool {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    let layout = Layout::array::<u64>(bytes / 8).unwrap();
    assert!(layout.size() > 0);
    // SAFETY: the layout has a size.
    let table = black_box(unsafe { alloc_zeroed(layout) });
    if table.is_null() {
        return false;
    }
    // SAFETY: just allocated with this layout, and not used any more.
    unsafe { dealloc(table, layout) };
    true
}

impl Kind for Mischief {
    fn name(&self) -> &'static str {
        "mischief"
    }

    fn forms(&self) -> &'static [Form] {
        &[]
    }

    fn methods(&self) -> &'static [Method] {
        &[Method { name: "do", about: "does it", rests_on: &[], certifies: false }]
    }

    fn parse(&self, _: &[String], _: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        None
    }

    fn owns(&self, question: &Question) -> bool {
        question.as_str().starts_with("mischief ")
    }

    fn driver(&self, _: &Task) -> Result<Box<dyn Driver>, JobError> {
        Err(JobError::Empty("nothing: units are leased by the tests themselves"))
    }

    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        _workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        let deed = input.question.as_str().trim_start_matches("mischief ");
        match input.part.read() {
            Ok(tools) => run(deed, &tools, limits),
            Err(fault) => RunEnd::Refused { reason: fault.to_string() },
        }
    }

    fn compare(&self, _: &Answer, _: &Answer) -> Agreement {
        Agreement::Compatible
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        answers[0].clone()
    }

    fn checks(&self, _: &Question, _: &Answer) -> Vec<Check> {
        Vec::new()
    }

    fn table(&self, _: &str, _: &[Value]) -> Table {
        Table::default()
    }
}

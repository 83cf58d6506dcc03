//! Commands that name a job by its words.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sprague_work::{JobOptions, MAX_REDUNDANCY, MethodName};

use super::{AccessArg, DetailArgs, Memory, examples, quantity};

/// What is wished for: shared by everything that starts a job.
#[derive(Clone, Debug, Args)]
pub(crate) struct WishArgs {
    /// The job in words, such as `cram 3x3..3x10`
    #[arg(required = true, value_name = "JOB")]
    words: Vec<String>,

    /// The methods to use, parted by commas [default: enough independent ones to confirm each value]
    #[arg(long = "method", value_name = "NAME", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,

    /// Stop after this time in whole seconds, everything found being kept: `90s`, `10min`, `2h`
    #[arg(long, value_name = "TIME", value_parser = quantity::budget)]
    pub(crate) budget: Option<Duration>,

    /// Have N distinct workers do each unit that can be compared, and believe what N agree on; one that
    /// the others outvote gets no more units [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::whole(1..=MAX_REDUNDANCY))]
    pub(crate) redundancy: Option<u32>,

    #[command(flatten)]
    details: DetailArgs,
}

impl WishArgs {
    /// The words of the job with the flags that belong to them.
    pub(crate) fn job(&self) -> Vec<String> {
        self.details.behind(&self.words)
    }

    /// What the flags say about the job.
    pub(crate) fn options(&self) -> JobOptions {
        JobOptions {
            methods: self.methods.iter().map(MethodName::new).collect(),
            budget_seconds: self.budget.map(|budget| budget.as_secs()),
            redundancy: self.redundancy.unwrap_or(0),
        }
    }
}

/// Do a job here, show its progress and print its result
///
/// Starts a coordinator in this process and worker processes beside it, submits the job, waits, and
/// stops everything again. What works here works on a cluster: it is the same code.
///
/// The first Ctrl-C stops kindly, the second at once; with --dir everything found is kept.
#[derive(Debug, Args)]
#[command(after_help = examples::jobs("run"), after_long_help = examples::jobs_with_codes("run"))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) wish: WishArgs,

    /// Worker processes to start [default: the cores of this machine, divided by the threads]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count)]
    pub(crate) workers: Option<NonZeroUsize>,

    /// Threads that each worker may use, where its method can use more than one: they share its memory
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads, default_value = "1")]
    pub(crate) threads: u32,

    /// Memory that each worker may take: `512MiB`, `4GiB` [default: four fifths of what this machine
    /// or its cgroup has, divided by the workers]
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here)]
    pub(crate) memory: Option<Memory>,

    /// Keep the store here, and go on from what it holds [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// Submit a job to a running coordinator and print its number
#[derive(Debug, Args)]
#[command(after_help = examples::jobs("submit"))]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    pub(crate) wish: WishArgs,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

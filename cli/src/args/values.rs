//! Commands that read what the store holds.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sprague_work::JobId;

use super::{AccessArg, DetailArgs, quantity};

/// Show values with their standing and the methods behind them
///
/// Of a question that nothing is known of yet nothing is shown, and standard error says what finds it. That is no failure: the exit code
/// is 0, and with `--output json` the list is empty.
#[derive(Debug, Args)]
pub(crate) struct ValuesArgs {
    /// Only these questions, in the words of a job: `cram 3x3..3x5` [default: all]
    #[arg(value_name = "QUESTION")]
    words: Vec<String>,

    /// Read the store in this folder of a coordinator, which may be running or not, instead of asking it
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// The coordinator's operator.access
    // The environment may name one beside --dir, so the two do not exclude each other.
    #[arg(long, value_name = "FILE", env = "SPRAGUE_ACCESS", hide_env_values = true)]
    #[arg(required_unless_present = "dir")]
    pub(crate) access: Option<PathBuf>,
    #[command(flatten)]
    details: DetailArgs,
}

impl ValuesArgs {
    /// The words of the questions with the flags that belong to them.
    pub(crate) fn job(&self) -> Vec<String> {
        self.details.behind(&self.words)
    }
}

/// Have a value proven, or found by one more method
///
/// Where a method certifies its answers, as `certificate` does for Cram, workers write a certificate and check
/// it by the rules alone, and the value becomes `certified`. Elsewhere a method that is independent of
/// those that have answered answers too; where none has, the first one answers, and the same command again
/// asks another. Follows the job to its end, with the exit code of the job.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague verify cram 3x14 --access games/operator.access\n  \
                        sprague verify geography sweep 8 --access games/operator.access")]
pub(crate) struct VerifyArgs {
    /// One question, in the words of a job: `cram 3x14`
    #[arg(required = true, value_name = "QUESTION")]
    words: Vec<String>,

    /// Stop after this time in whole seconds: `90s`, `10min`, `2h`
    #[arg(long, value_name = "TIME", value_parser = quantity::budget)]
    pub(crate) budget: Option<Duration>,

    #[command(flatten)]
    pub(crate) access: AccessArg,

    #[command(flatten)]
    details: DetailArgs,
}

impl VerifyArgs {
    /// The words of the question with the flags that belong to them.
    pub(crate) fn job(&self) -> Vec<String> {
        self.details.behind(&self.words)
    }
}

/// Write values to standard output, to be kept or published
///
/// Refuses with exit code 3 when one of the values is disputed.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Only the values of this job [default: all]
    #[arg(value_name = "JOB")]
    pub(crate) job: Option<JobId>,

    /// The form of the export
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) format: ExportFormat,

    /// Export disputed values as well
    #[arg(long)]
    pub(crate) include_disputed: bool,

    #[command(flatten)]
    pub(crate) access: AccessArg,
}

/// How an export is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One JSON value, with all findings and checks
    #[default]
    Json,
    /// One JSON value a line for each value, likewise
    Jsonl,
    /// One row for each value, without findings; several things in one cell are parted by `;`
    Csv,
    /// Tables in Markdown, one for each kind of question
    Md,
}

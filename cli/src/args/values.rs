//! Commands that read what the store holds.

use clap::{Args, ValueEnum};
use sprague_work::JobId;

use super::AccessArg;

/// Show values with their standing and the methods behind them
#[derive(Debug, Args)]
pub(crate) struct ValuesArgs {
    /// Only these questions, in the words of a job: `cram 3x3..3x5` [default: all]
    #[arg(value_name = "QUESTION")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) access: AccessArg,
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
    /// One row for each value, without findings
    Csv,
    /// Tables in Markdown, one for each kind of question
    Md,
}

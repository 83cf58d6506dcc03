//! Flags that every command takes.

use clap::{ArgAction, Args, ValueEnum};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Global {
    /// How to write results and errors
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) output: OutputFormat,

    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorWhen,

    /// Say more on standard error; twice for more still
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,

    /// No progress, and of the log only errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// How to write the log on standard error
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) log_format: LogFormat,
}

/// How results are written to standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// Exactly one JSON value, errors included
    Json,
    /// One JSON value a line
    Jsonl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

//! The log: `tracing` to standard error.
//!
//! `SPRAGUE_LOG` takes what the flags cannot say, in the words of `tracing-subscriber`'s filters.

use std::io::{self, Write};

use indicatif::MultiProgress;
use tracing::Level;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::args::{ColorWhen, Global, LogFormat};
use crate::context::Context;
use crate::output::Paint;

/// How much a role tells of itself when nobody said how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Talk {
    /// It ends with a result: only what is amiss.
    Command,
    /// It runs for weeks: also what happens.
    Daemon,
}

/// The variable of the environment that says more exactly than the flags what is to be told.
const VARIABLE: &str = "SPRAGUE_LOG";

/// Starts the log of this process. A variable that is no filter is told and not followed: work of days shall not
/// wait for a word of the log.
pub(crate) fn start(context: &Context, talk: Talk) {
    let by_flags = || EnvFilter::new(filter(level(&context.global, talk)));
    let asked = asked_for();
    let (filter, amiss) = match asked.as_deref().map(EnvFilter::try_new) {
        None => (by_flags(), None),
        Some(Ok(filter)) => (filter, None),
        Some(Err(fault)) => (by_flags(), Some(fault)),
    };
    let colours = Paint::for_stream(context.global.color, &io::stderr()) == Paint::On;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        // It would tell on standard error that standard error cannot be written, and panic over that.
        .log_internal_errors(false)
        .with_writer(BesideBars(context.bars.clone()));
    let started = match context.global.log_format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    started.expect("the log is started once");
    if let (Some(fault), Some(asked)) = (amiss, asked) {
        tracing::warn!(
            "{VARIABLE} is left aside: {asked:?} is no filter such as sprague=debug: {fault}"
        );
    }
}

/// The words of the variable, if it has any: one that is empty is as none.
fn asked_for() -> Option<String> {
    // What is no text becomes text that is no filter.
    let words = std::env::var_os(VARIABLE)?.to_string_lossy().into_owned();
    (!words.is_empty()).then_some(words)
}

fn level(global: &Global, talk: Talk) -> Level {
    match (global.quiet, global.verbose, talk) {
        (true, ..) => Level::ERROR,
        (false, 0, Talk::Command) => Level::WARN,
        (false, 0, Talk::Daemon) | (false, 1, Talk::Command) => Level::INFO,
        (false, 1, Talk::Daemon) | (false, 2, Talk::Command) => Level::DEBUG,
        _ => Level::TRACE,
    }
}

/// What the program says itself on this level. The libraries that it stands on say what is amiss, and only on the
/// last level all that they do: each frame of each connection is theirs.
fn filter(level: Level) -> String {
    let of_others = if level == Level::TRACE { level } else { level.min(Level::WARN) };
    format!("{of_others},sprague={level}")
}

/// The flags with which a worker process tells as much as this one.
pub(crate) fn flags_for_worker(global: &Global) -> Vec<String> {
    let mut flags = match global.verbose {
        // A worker is a daemon, which says one level more by itself.
        0 => vec!["--quiet".to_owned()],
        1 => vec![],
        more => vec![format!("-{}", "v".repeat(usize::from(more) - 1))],
    };
    let format = match global.log_format {
        LogFormat::Text => "text",
        LogFormat::Json => "json",
    };
    let color = match global.color {
        ColorWhen::Always => "always",
        ColorWhen::Auto | ColorWhen::Never => "never",
    };
    flags.extend(["--log-format", format, "--color", color].map(str::to_owned));
    flags
}

/// Standard error, with the progress bars out of the way for as long as a line is written.
struct BesideBars(MultiProgress);

impl<'a> MakeWriter<'a> for BesideBars {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(&self.0)
    }
}

struct Line<'a>(&'a MultiProgress);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

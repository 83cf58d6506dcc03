//! A computation in this process that a person may have to wait for: it says how far it is, and ends when its time is
//! over or somebody wants it to.

use std::future::pending;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar};
use sprague_cram::Limits;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::args::Memory;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::progress::LINE_EVERY;
use crate::stop::StopSignals;

/// How long a computation that was asked to end may take for it.
const GRACE: Duration = Duration::from_secs(3);

/// What a computation may take and what it counts.
pub(super) struct Terms {
    pub(super) memory: Memory,
    pub(super) threads: u32,
    /// Without one it goes on for ever.
    pub(super) budget: Option<Duration>,
    /// What there are more and more of, such as `expansions`.
    pub(super) counted: &'static str,
}

/// Runs a computation on a thread of its own, which returns nothing if its limits told it to end before it was done.
///
/// A signal asks it to end and waits for that a moment, since it may itself wait for a file that nobody writes; a second
/// one does not wait.
pub(super) async fn watch<T: Send + 'static>(
    context: &Context,
    terms: Terms,
    work: impl FnOnce(&Limits<'_>) -> Option<T> + Send + 'static,
) -> Result<T, ExpectedError> {
    let mut signals = StopSignals::listen()?;
    let cancel = Arc::new(AtomicBool::new(false));
    let progress = Arc::new(AtomicU64::new(0));
    let mut running = {
        let (cancel, progress, memory) = (cancel.clone(), progress.clone(), terms.memory.tables());
        let threads = terms.threads as usize;
        tokio::task::spawn_blocking(move || {
            work(&Limits { memory, cancel: &cancel, progress: &progress, threads })
        })
    };
    let pace = Pace::new(context);
    let mut due = interval(pace.every());
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    due.tick().await;
    let over = async {
        match terms.budget {
            Some(budget) => sleep(budget).await,
            None => pending().await,
        }
    };
    tokio::pin!(over);
    let patience = sleep(Duration::MAX);
    tokio::pin!(patience);
    let mut end = None;
    let result = loop {
        tokio::select! {
            result = &mut running => break result.map_err(|fault| ExpectedError::System {
                what: "wait for a thread",
                source: fault.into(),
            })?,
            _ = due.tick() => pace.tell(progress.load(Ordering::Relaxed), terms.counted),
            () = signals.next() => match end.replace(ExpectedError::Interrupted) {
                Some(ExpectedError::Interrupted) => break None,
                _ => {
                    cancel.store(true, Ordering::Relaxed);
                    patience.as_mut().reset(Instant::now() + GRACE);
                }
            },
            () = &mut patience => break None,
            () = &mut over, if end.is_none() => {
                end = Some(ExpectedError::OutOfTime);
                cancel.store(true, Ordering::Relaxed);
            }
        }
    };
    pace.clear();
    result.ok_or(end.unwrap_or(ExpectedError::Interrupted))
}

/// Where and how often the count is told.
enum Pace<'a> {
    Terminal(ProgressBar),
    Lines(&'a Context),
}

impl<'a> Pace<'a> {
    fn new(context: &'a Context) -> Self {
        if !context.global.quiet && std::io::stderr().is_terminal() {
            Self::Terminal(context.bars.add(ProgressBar::new_spinner()))
        } else {
            Self::Lines(context)
        }
    }

    fn every(&self) -> Duration {
        match self {
            Self::Terminal(_) => Duration::from_millis(200),
            Self::Lines(_) => LINE_EVERY,
        }
    }

    fn tell(&self, count: u64, counted: &str) {
        let line = format!("{} {counted}", HumanCount(count));
        match self {
            Self::Terminal(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            Self::Lines(context) => context.notes.say(&line),
        }
    }

    /// Leaves the terminal as it was.
    fn clear(self) {
        if let Self::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}

//! Following a job to its end, with its progress on standard error.

use tokio::time::{Instant, interval_at};

use crate::context::Context;
use crate::error::ExpectedError;
use crate::progress::{LINE_EVERY, Progress};
use crate::remote::{Job, Watch};
use crate::stop::StopSignals;

/// Why the following ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    /// The job has ended.
    ToItsEnd,
    /// A signal came first. The job goes on.
    ToASignal,
}

/// Follows a job until it ends, a signal comes, or `failure` resolves. `seen` gets the job at each
/// change.
pub(crate) async fn follow(
    context: &Context,
    mut watch: Watch,
    stop: &mut StopSignals,
    failure: impl Future<Output = ExpectedError>,
    mut seen: impl FnMut(&Job) -> Result<(), ExpectedError>,
) -> Result<Followed, ExpectedError> {
    let mut progress = Progress::new(context);
    let mut lines = interval_at(Instant::now() + LINE_EVERY, LINE_EVERY);
    tokio::pin!(failure);
    let end = loop {
        tokio::select! {
            job = watch.next() => match job {
                Ok(Some(job)) => {
                    progress.update(&job);
                    if let Err(fault) = seen(&job) {
                        break Err(fault);
                    }
                }
                Ok(None) => break Ok(Followed::ToItsEnd),
                Err(fault) => break Err(fault.into()),
            },
            _ = lines.tick() => progress.line_is_due(watch.is_away()),
            () = stop.next() => break Ok(Followed::ToASignal),
            fault = &mut failure => break Err(fault),
        }
    };
    progress.clear();
    end
}

//! What the log of a coordinator says of jobs: their events once they are on the disk, and orders on their way.
//! Each line names the job, and the unit, attempt and worker where there are any.

use sprague_work::WorkerId;

use crate::core::{Event, Happening, Order, Write};

/// Tells the events among what was just committed.
pub(crate) fn tell_events(writes: &[Write]) {
    for write in writes {
        let Write::Event(job, _, Event { what, .. }) = write else { continue };
        let tried = what.tried();
        let (unit, attempt) = (what.unit(), tried.map(|tried| tried.attempt.0));
        let worker = tried.map(|tried| tried.worker.as_str());
        let number = tried.and_then(|tried| tried.number).map(|id| id.0);
        // A level is a part of where a line is written, so each has a line of its own.
        macro_rules! tell {
            ($level:ident) => {
                tracing::$level!(
                    job = job.0,
                    unit,
                    attempt,
                    worker,
                    number,
                    event = what.name(),
                    "{what}"
                )
            };
        }
        match what {
            Happening::Disputed { .. } => tell!(error),
            Happening::EndedBadly { .. }
            | Happening::TakenAway { .. }
            | Happening::Outvoted { .. }
            | Happening::OutOfMemory { .. }
            | Happening::Parked { .. } => tell!(warn),
            _ => tell!(info),
        }
    }
}

/// Tells, to those who want to know much, what a worker is ordered, when it is.
///
/// Its number is told as well: others may have its name.
pub(crate) fn tell_order(number: WorkerId, worker: &str, order: &Order) {
    let (unit, attempt, what) = match order {
        Order::Lease(unit, attempt, ..) => (unit, attempt, "leased"),
        Order::Cancel(unit, attempt) => (unit, attempt, "called back"),
        Order::Acknowledge(unit, attempt) => (unit, attempt, "its report is kept"),
        Order::Brief(..) | Order::Hear(..) | Order::Forget(_) => return,
    };
    let (job, unit) = (unit.job.0, unit.number);
    tracing::debug!(job, unit, attempt = attempt.0, worker, number = number.0, "{what}");
}

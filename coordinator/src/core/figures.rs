//! The numbers by which a coordinator is watched from outside: what there is, and how often what happened.

use sprague_work::{JobState, Standing};

use super::event::Happening;
use super::job::Place;
use super::{Core, WorkerState};

/// How often things happened, in this life of the coordinator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Leases that were given.
    pub leases: u64,
    /// Units that ended well.
    pub units_done: u64,
    /// Attempts that needed more memory than their slot had.
    pub out_of_memory: u64,
    /// Attempts that crashed or stood still.
    pub ended_badly: u64,
    /// Attempts whose worker went away with them.
    pub taken_away: u64,
    /// Units that are not tried any more.
    pub parked: u64,
    /// Units that were split.
    pub split: u64,
    /// Results that others outvoted.
    pub outvoted: u64,
    /// Findings.
    pub findings: u64,
    /// Disputes.
    pub disputes: u64,
}

impl Tally {
    pub(super) fn count(&mut self, what: &Happening) {
        let counter = match what {
            Happening::Found { .. } => &mut self.findings,
            Happening::Disputed { .. } => &mut self.disputes,
            Happening::OutOfMemory { .. } => &mut self.out_of_memory,
            Happening::EndedBadly { .. } => &mut self.ended_badly,
            Happening::TakenAway { .. } => &mut self.taken_away,
            Happening::Outvoted { .. } => &mut self.outvoted,
            Happening::Parked { .. } => &mut self.parked,
            Happening::Split { .. } => &mut self.split,
            Happening::Submitted { .. }
            | Happening::Resumed
            | Happening::Started
            | Happening::Ended { .. } => return,
        };
        *counter += 1;
    }
}

/// What there is at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Jobs in each state.
    pub jobs: Vec<(JobState, u64)>,
    /// Units that wait for a slot or for their worker, are at a worker, and are not tried any more.
    pub waiting: u64,
    /// See [`waiting`](Self::waiting).
    pub running: u64,
    /// See [`waiting`](Self::waiting).
    pub parked: u64,
    /// Workers that can be given units, are on their way out, and have lost their connection.
    pub present: u64,
    /// See [`present`](Self::present).
    pub draining: u64,
    /// See [`present`](Self::present).
    pub lost: u64,
    /// Workers that are not trusted, of those that are connected.
    pub distrusted: u64,
    /// Slots of connected workers.
    pub slots: u64,
    /// Bytes that running units have resident.
    pub memory: u64,
    /// Values that something contradicts.
    pub disputed: u64,
    /// How often what happened.
    pub tally: Tally,
}

impl Core {
    /// The numbers of now. Looks at every job, worker and unit that is held.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let mut figures = Figures { tally: self.tally, ..Figures::default() };
        for state in [
            JobState::Queued,
            JobState::Running,
            JobState::Done,
            JobState::Failed,
            JobState::Disputed,
            JobState::Cancelled,
            JobState::Stopped,
        ] {
            let jobs = self.jobs.values().filter(|job| job.state == state).count();
            figures.jobs.push((state, jobs as u64));
        }
        for job in self.open_jobs() {
            for unit in job.units.values() {
                match &unit.place {
                    Place::Ready | Place::Awaited { .. } => figures.waiting += 1,
                    Place::Leased(lease) => {
                        figures.running += 1;
                        figures.memory += lease.memory;
                    }
                    Place::Parked(_) => figures.parked += 1,
                }
            }
        }
        for worker in self.fleet.workers.values() {
            match worker.state {
                WorkerState::Present if !worker.trusted => figures.distrusted += 1,
                WorkerState::Present => figures.present += 1,
                WorkerState::Draining => figures.draining += 1,
                WorkerState::Lost(_) => figures.lost += 1,
            }
            if !matches!(worker.state, WorkerState::Lost(_)) {
                figures.slots += u64::from(worker.introduction.slots);
            }
        }
        let disputed =
            self.values().iter().filter(|value| value.standing == Standing::Disputed).count();
        figures.disputed = disputed as u64;
        figures
    }
}

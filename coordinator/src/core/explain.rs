//! Why the units of a job that do not run do not run, with what can be done about it.

use std::collections::BTreeMap;

use sprague_work::{JobId, JobState};

use super::job::{Job, Place, Unit};
use super::lease::bytes;
use super::machine::NoSuchJob;
use super::outgrown::{Slots, awaits_split, lacking};
use super::quorum::redundancy;
use super::{Core, WorkerState};

/// What keeps units from running. The numbers are those of docs/operations.md.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// R1: no worker is connected.
    NoWorker,
    /// R2: every slot that could take it is busy.
    AllBusy,
    /// R3: it needs more memory than the largest slot has.
    NoSlotLargeEnough {
        /// What is needed, in bytes.
        need: u64,
        /// What there is, in bytes.
        largest: u64,
        /// What there is has been looked for only among those workers that have not done it yet: several must agree on it.
        of_others: bool,
        /// It is split unless a larger slot comes.
        splits: bool,
    },
    /// R4: it was parked, because it ended badly too often or was refused.
    Parked(String),
    /// R5: no worker that is connected can run it.
    NoAbility(String),
    /// R6: its worker lost the connection and may come back.
    Awaited,
    /// R7: all workers are on their way out.
    AllDraining,
    /// R8: the job has ended.
    Ended {
        /// How.
        state: JobState,
        /// Why, when it did not end well.
        why: Option<String>,
    },
    /// R9: every worker that could take it has done it, and others have to agree.
    NoOtherWorker {
        /// How many have to agree.
        wanted: usize,
        /// A name that several connected workers share, which makes them one.
        shared_name: Option<String>,
    },
    /// R10: no connected worker is trusted.
    NoneTrusted,
    /// R11: it was parked, because too many workers went away with it.
    TakenAway(String),
}

/// A reason, and how many units it keeps from running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is in the way.
    pub reason: Reason,
    /// Of how many units.
    pub units: u64,
}

impl Reason {
    /// Its number.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoWorker => "R1",
            Self::AllBusy => "R2",
            Self::NoSlotLargeEnough { .. } => "R3",
            Self::Parked(_) => "R4",
            Self::NoAbility(_) => "R5",
            Self::Awaited => "R6",
            Self::AllDraining => "R7",
            Self::Ended { .. } => "R8",
            Self::NoOtherWorker { .. } => "R9",
            Self::NoneTrusted => "R10",
            Self::TakenAway(_) => "R11",
        }
    }

    /// What is in the way, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::NoWorker => "no worker is connected".to_owned(),
            Self::AllBusy => "every slot that could take it is busy".to_owned(),
            Self::NoSlotLargeEnough { need, largest, of_others, .. } => {
                let of_others = if *of_others { " of those that have not done it yet" } else { "" };
                let (need, largest) = (bytes(*need), bytes(*largest));
                format!("it needs a slot of at least {need}, the largest{of_others} has {largest}")
            }
            Self::Parked(why) | Self::TakenAway(why) => format!("it is parked: {why}"),
            Self::NoAbility(ability) => format!("no connected worker can run {ability}"),
            Self::Awaited => "its worker lost the connection and is awaited".to_owned(),
            Self::AllDraining => "all workers are draining".to_owned(),
            Self::Ended { state, why: None } => format!("the job has ended: {state}"),
            Self::Ended { why: Some(why), .. } => format!("the job has ended: {why}"),
            Self::NoOtherWorker { wanted, shared_name: None } => {
                format!("{wanted} workers must agree on it, and it waits for another one")
            }
            Self::NoOtherWorker { wanted, shared_name: Some(name) } => format!(
                "{wanted} workers must agree on it, and those that share the name {name} count as one"
            ),
            Self::NoneTrusted => "no connected worker is trusted".to_owned(),
        }
    }

    /// What to do about it; empty when time will do.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoOtherWorker { shared_name: Some(_), .. } => {
                "give each worker a name of its own with `--name`, or none".to_owned()
            }
            Self::AllBusy => {
                "wait, or start more workers: jobs have the slots in the order of their numbers".to_owned()
            }
            Self::NoWorker | Self::AllDraining | Self::NoOtherWorker { .. } => {
                "start one with `sprague worker --access FILE`".to_owned()
            }
            Self::NoSlotLargeEnough { need, splits, .. } => {
                let otherwise = if *splits { "; otherwise it is split into smaller units" } else { "" };
                format!("start a worker with `--memory {}` or more{otherwise}", bytes(*need))
            }
            Self::Parked(_) => {
                "mend the cause, then submit the same job again: it goes on from here".to_owned()
            }
            Self::TakenAway(_) => "see in the logs of the workers whether it ends their processes, or have machines that stay \
                                   for longer, then submit the same job again: it goes on from here"
                .to_owned(),
            Self::NoAbility(_) => "start workers of the coordinator's version".to_owned(),
            Self::NoneTrusted => {
                "start others, or trust one again with `sprague worker trust ID`".to_owned()
            }
            Self::Ended { state: JobState::Failed | JobState::Stopped, .. } => {
                "submit the same job again: it goes on from here".to_owned()
            }
            Self::Ended { state: JobState::Cancelled, .. } => {
                "submit it again: the values that it found are not computed again".to_owned()
            }
            Self::Ended { state: JobState::Disputed, .. } => {
                "`sprague values` shows the findings that contradict each other".to_owned()
            }
            Self::Awaited | Self::Ended { .. } => String::new(),
        }
    }
}

impl Core {
    /// Why the units of a job that do not run do not run; empty when all run.
    ///
    /// # Errors
    /// When there is no such job.
    pub fn explain(&self, id: JobId) -> Result<Vec<Explanation>, NoSuchJob> {
        let job = self.jobs.get(&id).ok_or(NoSuchJob(id))?;
        let mut reasons: BTreeMap<Reason, u64> = BTreeMap::new();
        if job.state.is_final() {
            reasons.insert(Reason::Ended { state: job.state, why: job.reason.clone() }, 0);
        }
        let to_be_done = job.units.values().filter(|_| !job.state.is_over());
        for unit in to_be_done {
            let reason = match &unit.place {
                Place::Ready if !job.state.is_final() => self.why_waiting(job, unit),
                Place::Awaited { .. } => Reason::Awaited,
                Place::Parked(why) if unit.departures >= self.settings.most_departures() => {
                    Reason::TakenAway(why.clone())
                }
                Place::Parked(why) => Reason::Parked(why.clone()),
                Place::Ready | Place::Leased(_) => continue,
            };
            *reasons.entry(reason).or_default() += 1;
        }
        Ok(reasons.into_iter().map(|(reason, units)| Explanation { reason, units }).collect())
    }

    fn why_waiting(&self, job: &Job, unit: &Unit) -> Reason {
        let run = &job.tasks[unit.task];
        let connected =
            || self.fleet.workers.values().filter(|w| !matches!(w.state, WorkerState::Lost(_)));
        if connected().next().is_none() {
            return Reason::NoWorker;
        }
        if self.fleet.present().next().is_none() {
            let any = connected().any(|w| w.state == WorkerState::Present);
            return if any { Reason::NoneTrusted } else { Reason::AllDraining };
        }
        let Some(ability) = &run.ability else {
            return Reason::NoAbility(run.task.question.to_string());
        };
        let Some(slots) = Slots::of(&self.fleet, run) else {
            return Reason::NoAbility(ability.clone());
        };
        match slots.largest_for(unit) {
            Some(largest) if let Some(need) = lacking(&self.fleet, job, unit) => {
                let splits = awaits_split(&self.fleet, job, unit);
                let of_others = !unit.witnesses.is_empty();
                Reason::NoSlotLargeEnough { need, largest, of_others, splits }
            }
            None => {
                let names = unit.witnesses.iter().map(|witness| &witness.worker);
                let shared_name =
                    names.filter(|name| self.fleet.namesakes(name) > 1).min().cloned();
                Reason::NoOtherWorker { wanted: redundancy(job, unit), shared_name }
            }
            Some(_) => Reason::AllBusy,
        }
    }
}

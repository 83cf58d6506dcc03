//! What a worker owes: the attempts that it runs, and the reports that nobody has acknowledged.
//!
//! Knows nothing of connections. A report is kept until the coordinator has it in its store, over
//! as many connections as that takes.

use std::collections::BTreeMap;

use sprague_proto::v1::{self, AttemptId, TaskId};
use sprague_work::{Ending, Report, Usage};

use crate::slot::{Slot, TaskBriefing};

/// The most reports that may wait for their acknowledgement.
const MOST_REPORTS: usize = 4096;

/// A report that is not acknowledged.
#[derive(Debug)]
struct Kept {
    report: v1::Report,
    /// Whether it was sent over the connection of now.
    sent: bool,
}

/// The slots with their attempts, and the reports to hand over.
#[derive(Debug)]
pub(super) struct Duty {
    slots: Vec<Slot>,
    /// Attempt to slot.
    running: BTreeMap<AttemptId, usize>,
    reports: BTreeMap<AttemptId, Kept>,
    /// What the coordinator has said of tasks, over the connection of now.
    briefings: BTreeMap<TaskId, TaskBriefing>,
}

impl Duty {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        let (running, reports) = (BTreeMap::new(), BTreeMap::new());
        Self { slots, running, reports, briefings: BTreeMap::new() }
    }

    /// Takes on an attempt. Without a free slot, or when `leaving`, it is handed back as cancelled.
    pub(super) fn lease(&mut self, unit: v1::Unit, leaving: bool) {
        let id = unit.id.unwrap_or_default();
        if self.running.contains_key(&id) {
            return;
        }
        if let Some(kept) = self.reports.get_mut(&id) {
            // Its report must have been lost on the way.
            kept.sent = false;
            return;
        }
        match self.free_slot(id.job).filter(|_| !leaving) {
            Some(slot) => {
                self.running.insert(id, slot);
                let briefing = self.briefings.entry(unit.task_id()).or_default().clone();
                self.slots[slot].run(unit, briefing);
            }
            None => {
                let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
                self.keep(v1::Report::new(id, &report));
            }
        }
    }

    fn free_slot(&self, job: u64) -> Option<usize> {
        let busy = |slot: &usize| self.running.values().any(|taken| taken == slot);
        (0..self.slots.len())
            .filter(|slot| !busy(slot))
            .min_by_key(|&slot| self.slots[slot].distance(job))
    }

    /// Cancels an attempt, if it still runs.
    pub(super) fn cancel(&mut self, id: AttemptId) {
        if let Some(&slot) = self.running.get(&id) {
            self.slots[slot].cancel(id);
        }
    }

    /// Cancels everything that runs.
    pub(super) fn cancel_all(&mut self) {
        for (&id, &slot) in &self.running {
            self.slots[slot].cancel(id);
        }
    }

    /// Batches of a task's briefing have come.
    pub(super) fn brief(&mut self, v1::Briefing { task, first, batches }: v1::Briefing) {
        self.briefings.entry(task.unwrap_or_default()).or_default().append(first, batches);
    }

    /// A job has ended: nobody needs its briefings.
    pub(super) fn forget(&mut self, job: u64) {
        self.briefings.retain(|task, _| task.job != job);
    }

    /// A unit of another worker, or that of one of the slots, tells something.
    pub(super) fn hear(&mut self, hearsay: &v1::Hearsay, teller: Option<usize>) {
        for &slot in self.running.values().filter(|&&slot| Some(slot) != teller) {
            self.slots[slot].hear(hearsay);
        }
    }

    /// An attempt has ended.
    pub(super) fn ended(&mut self, slot: usize, report: v1::Report) {
        self.running.retain(|_, taken| *taken != slot);
        self.keep(report);
    }

    fn keep(&mut self, report: v1::Report) {
        self.reports.insert(report.id.unwrap_or_default(), Kept { report, sent: false });
    }

    /// The report of an attempt is in the coordinator's store.
    pub(super) fn acknowledged(&mut self, id: AttemptId) {
        self.reports.remove(&id);
    }

    /// A new connection: all that is not acknowledged is to be sent again, and briefings come anew.
    pub(super) fn send_again(&mut self) {
        self.briefings.clear();
        for kept in self.reports.values_mut() {
            kept.sent = false;
        }
    }

    /// Offers the reports that were not sent to `send`, until it takes no more.
    pub(super) fn send_reports(&mut self, mut send: impl FnMut(v1::Report) -> bool) {
        for kept in self.reports.values_mut().filter(|kept| !kept.sent) {
            if !send(kept.report.clone()) {
                return;
            }
            kept.sent = true;
        }
    }

    /// How far each attempt that runs has come.
    pub(super) fn progress(&self) -> impl Iterator<Item = v1::Progress> {
        self.running.values().filter_map(|&slot| self.slots[slot].progress())
    }

    /// The attempts that run.
    pub(super) fn running(&self) -> Vec<AttemptId> {
        self.running.keys().copied().collect()
    }

    /// Whether nothing runs.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Whether nothing runs and every report is acknowledged.
    pub(super) fn is_done(&self) -> bool {
        self.is_idle() && self.reports.is_empty()
    }

    /// Whether the coordinator takes reports but acknowledges none.
    pub(super) fn is_overdue(&self) -> bool {
        self.reports.len() > MOST_REPORTS
    }

    /// The slots, to be ended.
    pub(super) fn into_slots(self) -> Vec<Slot> {
        self.slots
    }
}

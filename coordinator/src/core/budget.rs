//! How long jobs have been running, and what becomes of those that may not run longer.

use sprague_work::{JobId, JobState};

use super::job::Job;
use super::{Core, Now, Reason, Write};

/// How often the running time of a job is written, in milliseconds: a kill loses as much of it.
const RECORD_TIME_EVERY: u64 = 10_000;
/// The same for a job with a budget, which would be exceeded by that.
const RECORD_BUDGET_EVERY: u64 = 1_000;

impl Core {
    /// A budget is used by a job that runs, and also by one that could not run if every slot were free: else it would wait for
    /// ever. The time for which others are before it is not charged to it.
    pub(super) fn charge_waiting_jobs(&mut self, now: Now) {
        let passed = now.moment.since(std::mem::replace(&mut self.last_tick, now.moment));
        let has_budget = |job: &&Job| job.spec.options.budget_seconds.is_some();
        let waiting = self.open_jobs().filter(has_budget).filter(|job| {
            let why = job.running_since.is_none().then(|| self.why_idle(job)).flatten();
            why.is_some_and(|why| why.reason != Reason::AllBusy)
        });
        for id in waiting.map(|job| job.id).collect::<Vec<_>>() {
            if let Some(job) = self.jobs.get_mut(&id) {
                job.ran_before += passed;
            }
        }
    }

    /// Ends the jobs whose budget is used up.
    pub(super) fn stop_spent_jobs(&mut self, now: Now) {
        let spent = self.open_jobs().filter(|job| {
            let used = job.milliseconds(now.moment).saturating_sub(job.budget_from);
            let budget = job.spec.options.budget_seconds;
            budget.is_some_and(|budget| used >= budget.saturating_mul(1000))
        });
        for id in spent.map(|job| job.id).collect::<Vec<_>>() {
            self.settle_tasks(now, id);
            if self.jobs.get(&id).is_none_or(|job| job.state.is_final()) {
                continue;
            }
            self.end_job(now, id, JobState::Stopped, Some("its budget is used up".to_owned()));
        }
    }

    /// Makes findings of what the parts that are done say, where that can stand.
    fn settle_tasks(&mut self, now: Now, id: JobId) {
        let Some(job) = self.jobs.get(&id) else { return };
        let settled = job
            .tasks
            .iter()
            .enumerate()
            .filter_map(|(index, task)| Some((index, task.driver.as_ref()?.settle()?)));
        for (index, conclusion) in settled.collect::<Vec<_>>() {
            self.conclude(now, id, index, conclusion);
        }
    }

    /// How long jobs have been running is written now and then, so that a kill loses little of it.
    pub(super) fn record_running_time(&mut self, now: Now) {
        for id in &self.open {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            let running = job.milliseconds(now.moment);
            let every = match job.spec.options.budget_seconds {
                Some(_) => RECORD_BUDGET_EVERY,
                None => RECORD_TIME_EVERY,
            };
            if running >= job.recorded + every {
                job.recorded = running;
                self.effects.writes.push(Write::Job(job.record(now.moment)));
            }
        }
    }
}

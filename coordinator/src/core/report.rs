//! What a report of a worker changes.

use sprague_work::{
    Attempt, Conclusion, Dispute, Ending, Finding, JobId, JobState, Question, Report, Task, UnitId,
    UnitResult, Usage, WorkerId,
};

use super::job::{Place, TaskRun, Unit};
use super::outgrown::Slots;
use super::plan::memory_class;
use super::quorum::Vote;
use super::second_try::asks_another;
use super::settled::{Settled, shown};
use super::{Core, DoneRecord, Happening, Now, Order, Tried, UnitRecord, Write};

/// How many results of attempts without a lease are kept for one unit.
const MOST_LATE: usize = 4;

/// The program's version, as findings carry it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Core {
    /// An attempt ended. Every report is acknowledged, also one that changes nothing.
    ///
    /// Only the unit's last attempt counts. The result of an older one is compared with the one
    /// that counts, as the same work must give the same result; a difference is a dispute.
    pub fn report(
        &mut self,
        now: Now,
        id: WorkerId,
        unit: UnitId,
        attempt: Attempt,
        report: Report,
    ) {
        self.effects.orders.push((id, Order::Acknowledge(unit, attempt)));
        if let Some(worker) = self.fleet.workers.get_mut(&id) {
            worker.winding_down.remove(&(unit, attempt));
            if worker.leases.get(&unit) == Some(&attempt) {
                worker.leases.remove(&unit);
            }
        }
        // What it was leased was taken back when the trust in it was lost.
        if !self.is_trusted(&self.fleet.name(id)) {
            return;
        }
        let Some(job) = self.jobs.get(&unit.job) else { return };
        let known = job.units.get(&unit.number).filter(|known| known.attempt == attempt);
        // How an attempt ended badly is heard once, though a worker says it until it is told that it is known.
        let is_out = |unit: &Unit| matches!(unit.place, Place::Leased(_) | Place::Awaited { .. });
        let is_done = matches!(report.ending, Ending::Done(_));
        let counts = known.is_some_and(|unit| is_done || is_out(unit));
        match (job.state, report.ending) {
            (JobState::Queued | JobState::Running, ending) if counts => {
                self.settle_attempt(now, id, unit, attempt, Report { ending, ..report });
            }
            // What a stopped or failed job is told is there when it goes on.
            (JobState::Stopped | JobState::Failed, ending @ Ending::Done(_)) if counts => {
                self.settle_attempt(now, id, unit, attempt, Report { ending, ..report });
            }
            (_, Ending::Done(result)) => self.compare_late(now, unit, attempt, result),
            _ => {}
        }
    }

    /// The end of the attempt that counts.
    fn settle_attempt(
        &mut self,
        now: Now,
        id: WorkerId,
        unit: UnitId,
        attempt: Attempt,
        report: Report,
    ) {
        match report.ending {
            Ending::Done(result) => {
                let worker = self.fleet.name(id);
                if let Some(worker) = self.fleet.workers.get_mut(&id) {
                    worker.units_done += 1;
                }
                match self.vote(now, unit, attempt, self.fleet.named(id), &result) {
                    Vote::Enough => {
                        self.accept(
                            now,
                            unit,
                            Accepted { attempt, worker, usage: report.usage, result },
                        );
                    }
                    Vote::Waits => {}
                    Vote::Hopeless => self.dispute_votes(now, unit),
                }
            }
            Ending::OutOfMemory { cap, needed } => {
                let attempt = Tried::new(unit, attempt, self.fleet.named(id));
                self.enlarge(now, unit, attempt, needed.max(cap.saturating_add(1)));
            }
            Ending::Crashed { how } => {
                self.retry_after_crash(now, unit, self.fleet.named(id), &how);
            }
            Ending::Cancelled => {
                if let Some(job) = self.jobs.get_mut(&unit.job) {
                    job.put(unit.number, Place::Ready);
                }
                self.effects.visible = true;
            }
            Ending::Refused { reason } => {
                self.park(now, unit, format!("refused: {reason}"));
            }
        }
    }

    /// The result of a unit: into the driver, into the store, and into a finding if it is the last.
    fn accept(&mut self, now: Now, unit: UnitId, accepted: Accepted) {
        let Accepted { attempt, worker, usage, result } = accepted;
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        let Some(mut known) = job.take(unit.number) else { return };
        let (job_number, number) = (unit.job.0, unit.number);
        tracing::debug!(job = job_number, unit = number, attempt = attempt.0, worker, "counts");
        let late = std::mem::take(&mut known.late);
        job.totals.units_done += 1;
        self.tally.units_done += 1;
        job.totals.expansions = job.totals.expansions.saturating_add(result.expansions);
        job.totals.cpu_seconds += usage.cpu_seconds;

        let task = &mut job.tasks[known.task];
        task.effort.add(&result, &usage);
        if !task.workers.contains(&worker) {
            task.workers.insert(worker.clone());
        }
        let question = task.task.question.clone();
        let absorbed = task.driver.as_mut().map(|driver| {
            let merged = driver.absorb(&known.part, &result);
            (merged, driver.conclude())
        });
        task.exhausted = false;
        let driven = task.is_driven();
        let settled = Settled::new(known.task, attempt, &result);
        let done = DoneRecord { attempt, worker, result, usage, merged: job.merged };
        job.merged += 1;
        self.write_last(unit, UnitRecord { done: Some(done), ..known.record() });
        for (old, late) in late {
            self.compare(now, &question, unit, &settled, (old, &late));
        }
        // A part whose result depends on when it is run is never compared with another run of it.
        if driven {
            self.drop_unwanted(unit.job, known.task);
        } else if let Some(job) = self.jobs.get_mut(&unit.job) {
            job.settled.insert(unit.number, settled);
        }
        match absorbed {
            Some((Err(contradiction), _)) => self.dispute(now, &question, contradiction.0),
            Some((Ok(()), Some(conclusion))) => {
                self.conclude(now, unit.job, known.task, conclusion);
            }
            Some((Ok(()), None)) | None => {}
        }
    }

    /// Writes a unit that is not to be done any more: the last that the core knows of most of it.
    pub(super) fn write_last(&mut self, unit: UnitId, record: UnitRecord) {
        self.effects.writes.push(Write::Unit(unit, record));
        self.effects.visible = true;
    }

    /// Takes back the units of a task that its driver does not need any more.
    fn drop_unwanted(&mut self, id: JobId, index: usize) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let Some(driver) = job.tasks[index].driver.as_ref() else { return };
        let unwanted = job
            .units
            .iter()
            .filter(|(_, unit)| unit.task == index && driver.is_unwanted(&unit.part));
        for number in unwanted.map(|(&number, _)| number).collect::<Vec<_>>() {
            let unit = job.unit_id(number);
            if let Some(Unit { place: Place::Leased(lease), attempt, .. }) = job.take(number) {
                self.fleet.call_back(&mut self.effects, lease.worker, unit, attempt);
            }
            self.effects.writes.push(Write::DropUnit(unit));
        }
    }

    /// A task has its answer: a finding, and the job's end if it was the last task.
    pub(super) fn conclude(&mut self, now: Now, id: JobId, index: usize, conclusion: Conclusion) {
        let Some(job) = self.jobs.get_mut(&id).filter(|job| !job.state.is_over()) else {
            return;
        };
        let task = &mut job.tasks[index];
        task.finish();
        let finding = Finding {
            question: task.task.question.clone(),
            method: task.task.method.clone(),
            effort: task.effort,
            answer: conclusion.answer,
            fingerprint: format!("{:016x}", conclusion.fingerprint),
            workers: task.workers.iter().cloned().collect(),
            when: now.stamp(),
            version: VERSION.to_owned(),
        };
        let question = finding.question.clone();
        let answer = finding.answer.in_short();
        let task = task.task.clone();
        let all_in = job.tasks.iter().all(TaskRun::is_finished);
        self.effects.writes.push(Write::Finding(finding.clone()));
        self.book.add_finding(finding);
        let method = task.method.clone();
        let found = Happening::Found { question: question.clone(), method, answer };
        self.note(now, id, found);
        if self.book.is_disputed(&self.registry, &question) {
            self.stop_disputed(now, &question);
            return;
        }
        if all_in {
            self.end_job(now, id, JobState::Done, None);
        }
        self.finish_elsewhere(now, &task);
    }

    /// Other jobs with a task that now has its finding need not compute it.
    fn finish_elsewhere(&mut self, now: Now, task: &Task) {
        let mut all_in = Vec::new();
        for id in &self.open {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            let same = |run: &TaskRun| run.task == *task && !run.is_finished();
            let Some(index) = job.tasks.iter().position(same) else { continue };
            job.tasks[index].finish();
            let open = job.units.iter().filter(|(_, unit)| unit.task == index);
            for number in open.map(|(&number, _)| number).collect::<Vec<_>>() {
                let Some(unit) = job.take(number) else { continue };
                let replaced = UnitRecord { replaced: true, ..unit.record() };
                let id = job.unit_id(number);
                self.effects.writes.push(Write::Unit(id, replaced));
                if let Unit { place: Place::Leased(lease), attempt, .. } = unit {
                    self.fleet.call_back(&mut self.effects, lease.worker, id, attempt);
                }
            }
            if job.tasks.iter().all(TaskRun::is_finished) {
                all_in.push(job.id);
            }
        }
        for id in all_in {
            self.end_job(now, id, JobState::Done, None);
        }
    }

    /// The result of an attempt that had lost its lease.
    fn compare_late(&mut self, now: Now, unit: UnitId, attempt: Attempt, result: UnitResult) {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        if let Some(settled) = job.settled.get(&unit.number).cloned() {
            let question = job.tasks[settled.task as usize].task.question.clone();
            self.compare(now, &question, unit, &settled, (attempt, &result));
        } else if let Some(known) = job.units.get_mut(&unit.number)
            // What is driven need not say the same.
            && !job.tasks[known.task].is_driven()
            && known.late.len() < MOST_LATE
        {
            known.late.push((attempt, result));
            self.write_unit(unit);
        }
    }

    fn compare(
        &mut self,
        now: Now,
        question: &Question,
        unit: UnitId,
        settled: &Settled,
        (attempt, late): (Attempt, &UnitResult),
    ) {
        if settled.agrees(late) {
            let (job, unit) = (unit.job.0, unit.number);
            tracing::info!(
                job,
                unit,
                attempt = attempt.0,
                "a late report agrees with the one that counts"
            );
        } else {
            let late = shown(attempt, &late.answer, late.fingerprint);
            let note = format!("of unit {unit}, {}, {late}", settled.shown());
            self.dispute(now, question, note);
        }
    }

    /// Records a contradiction, and stops the jobs that it concerns.
    fn dispute(&mut self, now: Now, question: &Question, note: String) {
        let dispute = Dispute { question: question.clone(), note, when: now.stamp() };
        self.effects.writes.push(Write::Dispute(dispute.clone()));
        let Dispute { question, note, .. } = dispute.clone();
        self.book.add_dispute(dispute);
        for id in self.open_jobs_on(&question) {
            let (question, note) = (question.clone(), note.clone());
            self.note(now, id, Happening::Disputed { question, note });
        }
        self.stop_disputed(now, &question);
    }

    /// As many workers as may be asked have done a unit, and not enough of them agree.
    fn dispute_votes(&mut self, now: Now, unit: UnitId) {
        let note = self.votes(unit);
        let Some(job) = self.jobs.get(&unit.job) else { return };
        let Some(known) = job.units.get(&unit.number) else { return };
        let question = job.tasks[known.task].task.question.clone();
        self.dispute(now, &question, note);
    }

    fn stop_disputed(&mut self, now: Now, question: &Question) {
        for id in self.open_jobs_on(question) {
            let reason = format!("{question} is disputed");
            self.end_job(now, id, JobState::Disputed, Some(reason));
        }
        // What was taken for done is not to be relied on any more either.
        for job in self.jobs.values_mut().filter(|job| job.state == JobState::Done) {
            if job.spec.questions().any(|asked| asked == question) {
                job.state = JobState::Disputed;
                job.reason = Some(format!("{question} is disputed"));
                self.effects.writes.push(Write::Job(job.record(now.moment)));
            }
        }
    }

    /// A unit needs a larger slot: the need is remembered for its like, once another worker has said the same where no slot
    /// is as large.
    fn enlarge(&mut self, now: Now, unit: UnitId, attempt: Tried, need: u64) {
        let Some(job) = self.jobs.get_mut(&unit.job) else { return };
        let Some(known) = job.units.get_mut(&unit.number) else { return };
        known.failed_at.insert(attempt.worker.clone());
        known.starved_at.insert(attempt.worker.clone());
        let need = known.need.max(need);
        let slots = Slots::of(&self.fleet, &job.tasks[known.task]);
        let largest = slots.and_then(|slots| slots.largest_for(known)).unwrap_or(0);
        // Where all workers are of one machine, one speaks for all.
        let believed = need <= largest
            || self.settings.fixed_fleet
            || job
                .units
                .get(&unit.number)
                .is_some_and(|known| !asks_another(&self.fleet, job, known));
        if believed && let Some(known) = job.units.get_mut(&unit.number) {
            known.need = need;
            job.largest_need = job.largest_need.max(need);
            let task = &job.tasks[known.task].task;
            if let Some(class) = memory_class(&self.registry, task, &known.part) {
                let remembered = self.needs.entry(class.clone()).or_default();
                *remembered = need.max(*remembered);
                self.effects.writes.push(Write::Need(class, *remembered));
            }
        }
        self.put_back(unit);
        self.note(now, unit.job, Happening::OutOfMemory { attempt, need });
    }
}

/// A result that counts, and where it comes from.
struct Accepted {
    attempt: Attempt,
    /// The name of the worker.
    worker: String,
    usage: Usage,
    result: UnitResult,
}

//! A new job, or an old one that goes on.

use std::collections::BTreeSet;

use sprague_work::{JobError, JobId, JobSpec, JobState, Registry, Task, capability};

use super::job::{Job, Place, Reserved, TaskRun};
use super::{Core, Happening, JobTotals, Now, Write};

/// Which job a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its number.
    pub job: JobId,
    /// It is an earlier submission of the same words and methods that was not complete, and that
    /// now goes on.
    pub resumed: bool,
}

impl Core {
    /// Takes on a job.
    ///
    /// A job with the same tasks that is queued or running is that job; one that was stopped or
    /// failed goes on from where it was. What a method has found of a question is not computed
    /// again.
    ///
    /// # Errors
    /// When a task of it is not one that its kind knows.
    pub fn submit(&mut self, now: Now, spec: JobSpec) -> Result<Submitted, JobError> {
        if let Some(job) = self.same_unfinished(&spec) {
            self.resume(now, job, spec);
            return Ok(Submitted { job, resumed: true });
        }
        self.forget_old_jobs();
        let last = self.jobs.keys().next_back().map_or(0, |id| id.0);
        let id = JobId(last + 1);
        let tasks = self.task_runs(&spec)?;
        let job = Job {
            id,
            spec,
            state: JobState::Queued,
            reason: None,
            submitted: now.stamp(),
            running_since: None,
            ran_before: 0,
            budget_from: 0,
            recorded: 0,
            tasks_done_before: 0,
            tasks,
            units: std::collections::BTreeMap::new(),
            ready: super::ready::Ready::default(),
            settled: std::collections::BTreeMap::new(),
            largest_need: 0,
            next_unit: 0,
            reserved: Reserved::default(),
            totals: JobTotals::default(),
            merged: 0,
            events: std::collections::VecDeque::new(),
        };
        let submitted = Happening::Submitted { words: job.spec.words.clone() };
        self.effects.writes.push(Write::Job(job.record(now.moment)));
        self.effects.visible = true;
        self.jobs.insert(id, job);
        self.open.insert(id);
        self.note(now, id, submitted);
        self.end_if_known(now, id);
        Ok(Submitted { job: id, resumed: false })
    }

    fn same_unfinished(&self, spec: &JobSpec) -> Option<JobId> {
        let unfinished = |state| {
            matches!(
                state,
                JobState::Queued | JobState::Running | JobState::Stopped | JobState::Failed
            )
        };
        self.jobs
            .values()
            .rfind(|job| {
                unfinished(job.state) && job.spec.tasks == spec.tasks && job.spec.view == spec.view
            })
            .map(|job| job.id)
    }

    fn resume(&mut self, now: Now, id: JobId, spec: JobSpec) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        // It keeps its words: `cram 9x5` goes on as the `cram 5x9` that it was submitted as.
        job.spec.options = spec.options;
        job.budget_from = job.milliseconds(now.moment);
        if job.state.is_final() {
            job.state = JobState::Queued;
            job.reason = None;
            self.open.insert(id);
            let parked = job.units.iter().filter(|(_, u)| matches!(u.place, Place::Parked(_)));
            for number in parked.map(|(&number, _)| number).collect::<Vec<_>>() {
                job.put(number, Place::Ready);
                if let Some(unit) = job.units.get_mut(&number) {
                    unit.crashes = 0;
                    unit.departures = 0;
                    unit.failed_at.clear();
                }
            }
        }
        self.effects.writes.push(Write::Job(job.record(now.moment)));
        self.effects.visible = true;
        self.note(now, id, Happening::Resumed);
        self.end_if_known(now, id);
    }

    /// Ends a job at once when nothing of it is left to do, or when it concerns what is disputed.
    pub(super) fn end_if_known(&mut self, now: Now, id: JobId) {
        let Some(job) = self.jobs.get(&id) else { return };
        let disputed = job.spec.questions().find(|q| self.book.is_disputed(&self.registry, q));
        if let Some(question) = disputed {
            let reason = format!("{question} is disputed");
            self.end_job(now, id, JobState::Disputed, Some(reason));
        } else if !job.tasks.is_empty() && job.tasks.iter().all(TaskRun::is_finished) {
            self.end_job(now, id, JobState::Done, None);
        }
    }

    /// The tasks of a job at their start; those that are known are finished.
    pub(super) fn task_runs(&self, spec: &JobSpec) -> Result<Vec<TaskRun>, JobError> {
        let run = |task: &Task| {
            let known = self.book.knows(&task.question, &task.method);
            Ok(TaskRun {
                task: task.clone(),
                ability: ability(&self.registry, task),
                finished: known,
                driver: if known { None } else { Some(driver(&self.registry, task)?) },
                needs: needs(&self.registry, task),
                exhausted: false,
                effort: sprague_work::Effort::default(),
                workers: BTreeSet::new(),
                indivisible: BTreeSet::new(),
                siblings: Vec::new(),
            })
        };
        let mut runs: Vec<TaskRun> = spec.tasks.iter().map(run).collect::<Result<_, JobError>>()?;
        let mut by_question: std::collections::BTreeMap<_, Vec<usize>> =
            std::collections::BTreeMap::new();
        for (at, task) in spec.tasks.iter().enumerate() {
            by_question.entry(&task.question).or_default().push(at);
        }
        for (at, run) in runs.iter_mut().enumerate() {
            run.siblings = by_question[&run.task.question].clone();
            run.siblings.retain(|&other| other != at);
        }
        Ok(runs)
    }
}

/// The capability that a worker must have for a task.
fn ability(registry: &Registry, task: &Task) -> Option<String> {
    let kind = registry.kind_of(&task.question)?;
    Some(capability(kind.name(), task.method.as_str()))
}

fn needs(registry: &Registry, task: &Task) -> Vec<Task> {
    registry.kind_of(&task.question).map(|kind| kind.needs(task)).unwrap_or_default()
}

fn driver(registry: &Registry, task: &Task) -> Result<Box<dyn sprague_work::Driver>, JobError> {
    let kind = registry
        .kind_of(&task.question)
        .ok_or_else(|| registry.unknown(task.question.to_string()))?;
    kind.driver(task)
}

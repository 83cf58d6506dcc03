//! A slot as the session holds it: what runs in it, and what ran last.

use sprague_proto::v1;

use super::engine::{Engine, TaskBriefing};

/// A slot. Dropping it ends what runs in it.
#[derive(Debug)]
pub(crate) struct Slot {
    /// `None` once it is waited for.
    engine: Option<Box<dyn Engine>>,
    /// The job whose unit it ran last: its engine may hold tables of use to the next one.
    job: Option<u64>,
    /// The task of that unit.
    task: v1::TaskId,
    /// Whether the attempt that runs was already cancelled.
    cancelled: bool,
}

impl Slot {
    /// A slot in which nothing has run.
    pub(crate) fn new(engine: Box<dyn Engine>) -> Self {
        Self { engine: Some(engine), job: None, task: v1::TaskId::default(), cancelled: false }
    }

    /// Runs an attempt, after its task's briefing. The slot must be free.
    pub(crate) fn run(&mut self, unit: v1::Unit, briefing: TaskBriefing) {
        self.job = unit.id.map(|id| id.job);
        self.task = unit.task_id();
        self.cancelled = false;
        if let Some(engine) = &mut self.engine {
            engine.run(unit, briefing);
        }
    }

    /// Cancels the attempt, if it is the one that runs. Once is enough.
    pub(crate) fn cancel(&mut self, id: v1::AttemptId) {
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.cancelled) {
            self.cancelled = true;
            engine.cancel(id);
        }
    }

    /// Passes on what another unit of the same task tells.
    pub(crate) fn hear(&mut self, hearsay: &v1::Hearsay) {
        if let Some(engine) = self.engine.as_mut().filter(|_| hearsay.task == Some(self.task)) {
            engine.hear(hearsay);
        }
    }

    /// How far the attempt that runs has come.
    pub(crate) fn progress(&self) -> Option<v1::Progress> {
        self.engine.as_ref()?.progress()
    }

    /// How well the slot suits a unit of a job, less being better: it may hold tables of the same
    /// job, or of none, or would have to let go of those of another.
    pub(crate) fn distance(&self, job: u64) -> u8 {
        match self.job {
            Some(last) if last == job => 0,
            None => 1,
            Some(_) => 2,
        }
    }

    /// Ends whatever it computes. [`join`](Self::join) waits for it.
    pub(crate) fn stop(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.stop();
        }
    }

    /// Waits until what ran in it has ended. Blocks.
    pub(crate) fn join(mut self) {
        self.stop();
        if let Some(engine) = self.engine.take() {
            engine.join();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.stop();
    }
}

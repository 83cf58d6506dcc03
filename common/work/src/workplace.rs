//! What a unit finds where it runs: what the unit before it left, and news of the others.

use std::any::Any;

/// What units of one task say to each other while they run on different workers.
///
/// All of it is bytes that only the kind reads.
pub trait Mail {
    /// The batches that have come from the task's driver since this was last asked in this process,
    /// see [`Driver::briefing`](crate::Driver::briefing).
    fn briefing(&self) -> Vec<Vec<u8>>;

    /// What others have told since this was last asked. Any of it may be lost on the way.
    fn hear(&self) -> Vec<Vec<u8>>;

    /// Tells the others something that saves them work and that they can do without.
    fn tell(&self, message: Vec<u8>);
}

/// Nobody else is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMail;

impl Mail for NoMail {
    fn briefing(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn tell(&self, _message: Vec<u8>) {}
}

/// What a unit finds where it runs.
pub struct Workplace<'a> {
    /// What the unit before it, of the same task and in the same process, left for it: tables, for
    /// example. It counts in the process's memory, so a unit that has no use for it drops it.
    pub kept: &'a mut Option<Box<dyn Any>>,
    /// The way to the others.
    pub mail: &'a dyn Mail,
}

impl Workplace<'_> {
    /// Takes what was left, if it is a `T`.
    pub fn take<T: Any>(&mut self) -> Option<Box<T>> {
        self.kept.take()?.downcast().ok()
    }

    /// Leaves something for the next unit.
    pub fn keep<T: Any>(&mut self, left: Box<T>) {
        *self.kept = Some(left);
    }
}

impl std::fmt::Debug for Workplace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workplace").field("kept", &self.kept.is_some()).finish_non_exhaustive()
    }
}

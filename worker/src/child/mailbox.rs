//! What has come for the task that a child works on and that its unit has not read yet.

use sprague_proto::v1::{Briefing, Hearsay, TaskId};

/// The most bytes of hearsay that wait to be read. What finds no room is lost, as hearsay may be.
const MOST_HEARSAY: usize = 4 << 20;

/// The mail of one task.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    task: TaskId,
    briefing: Vec<Vec<u8>>,
    heard: Vec<Vec<u8>>,
    /// The bytes of `heard`.
    heard_bytes: usize,
}

impl Mailbox {
    /// Is for this task from now on. Mail for another one is thrown away.
    pub(super) fn turn_to(&mut self, task: TaskId) {
        if self.task != task {
            *self = Self { task, ..Self::default() };
        }
    }

    /// Batches have come. They may come before the first unit of their task.
    pub(super) fn brief(&mut self, Briefing { task, batches, .. }: Briefing) {
        self.turn_to(task.unwrap_or_default());
        self.briefing.extend(batches);
    }

    /// Something was told by another worker.
    pub(super) fn hear(&mut self, Hearsay { task, message }: Hearsay) {
        if task == Some(self.task) && self.heard_bytes + message.len() <= MOST_HEARSAY {
            self.heard_bytes += message.len();
            self.heard.push(message);
        }
    }

    pub(super) fn take_briefing(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.briefing)
    }

    pub(super) fn take_heard(&mut self) -> Vec<Vec<u8>> {
        self.heard_bytes = 0;
        std::mem::take(&mut self.heard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: TaskId = TaskId { job: 1, task: 0 };
    const B: TaskId = TaskId { job: 1, task: 1 };

    #[test]
    fn mail_of_another_task_is_thrown_away() {
        let mut mailbox = Mailbox::default();
        mailbox.brief(Briefing { task: Some(A), first: 0, batches: vec![vec![1]] });
        mailbox.turn_to(A);
        mailbox.hear(Hearsay { task: Some(A), message: vec![2] });
        mailbox.hear(Hearsay { task: Some(B), message: vec![3] });
        assert_eq!(mailbox.take_briefing(), [[1]]);
        assert_eq!(mailbox.take_heard(), [[2]]);
        mailbox.brief(Briefing { task: Some(A), first: 1, batches: vec![vec![4]] });
        mailbox.turn_to(B);
        assert!(mailbox.take_briefing().is_empty());
    }

    #[test]
    fn hearsay_that_nobody_reads_is_bounded() {
        let mut mailbox = Mailbox::default();
        mailbox.turn_to(A);
        for _ in 0..100 {
            mailbox.hear(Hearsay { task: Some(A), message: vec![0; MOST_HEARSAY / 10] });
        }
        assert_eq!(mailbox.take_heard().len(), 10);
    }
}

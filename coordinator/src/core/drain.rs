//! Workers that are to get no more leases, whatever becomes of their connection and of the coordinator.

use sprague_work::WorkerId;

use super::fleet::Worker;
use super::{Core, NoSuchWorker, WorkerState, Write};

/// How many drained workers are remembered. Each is one process, which does not come back once it
/// has ended.
const MOST_DRAINED: usize = 1000;

impl Core {
    /// An operator wants a worker to get no more leases, as long as its process lives.
    ///
    /// # Errors
    /// When there is no such worker.
    pub fn drain(&mut self, id: WorkerId) -> Result<(), NoSuchWorker> {
        let worker = self.fleet.workers.get_mut(&id).ok_or(NoSuchWorker(id))?;
        stop_leasing(worker);
        let instance = worker.introduction.instance.clone();
        self.effects.visible = true;
        let known = &mut self.fleet.drained;
        if known.contains_key(&instance) {
            return Ok(());
        }
        let number = known.values().max().map_or(0, |last| last + 1);
        known.insert(instance.clone(), number);
        self.effects.writes.push(Write::Drained(instance, number));
        while known.len() > MOST_DRAINED
            && let Some(first) = known.iter().min_by_key(|(_, number)| **number)
        {
            let first = first.0.clone();
            known.remove(&first);
            self.effects.writes.push(Write::ForgetDrained(first));
        }
        Ok(())
    }

    /// A worker says that it is about to stop and wants no more leases. Nobody need remember it: over
    /// another connection it would say so again.
    pub fn leave(&mut self, id: WorkerId) {
        if let Some(worker) = self.fleet.workers.get_mut(&id) {
            stop_leasing(worker);
            self.effects.visible = true;
        }
    }
}

fn stop_leasing(worker: &mut Worker) {
    worker.draining = true;
    if worker.state == WorkerState::Present {
        worker.state = WorkerState::Draining;
    }
}

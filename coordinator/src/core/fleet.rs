//! The workers that the coordinator knows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sprague_work::{Attempt, JobId, UnitId, WorkerId};

use super::{Effects, Moment, Order};

/// How a worker introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Drawn at random when it started, the same over its reconnections.
    pub instance: String,
    /// For people.
    pub name: String,
    /// The name of its machine; empty if it does not say.
    pub machine: String,
    /// The version of its program.
    pub version: String,
    /// How many units it runs at a time.
    pub slots: u32,
    /// The hard cap of each slot, in bytes.
    pub slot_memory: u64,
    /// What it can run: `kind/method`.
    pub capabilities: BTreeSet<String>,
    /// What it still runs from before a reconnection.
    pub running: Vec<(UnitId, Attempt)>,
}

/// A worker as what outlives it names it. Others may have its name, and none has its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) id: WorkerId,
    pub(super) name: String,
}

/// Whether a worker can be given units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// It can.
    Present,
    /// It was told, or said itself, that it is to get no more.
    Draining,
    /// Its connection is gone; it may come back until this moment.
    Lost(Moment),
}

/// A worker.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) introduction: Introduction,
    pub(super) state: WorkerState,
    /// It is to get no more leases, also after it lost its connection and came back.
    pub(super) draining: bool,
    /// No result of it was outvoted, since an operator last trusted it. Else it gets no more leases.
    pub(super) trusted: bool,
    /// Attempts that it was told to stop and may still be busy with.
    pub(super) winding_down: BTreeSet<(UnitId, Attempt)>,
    /// Which of its connections is the present one.
    pub(super) session: u64,
    /// What it holds the lease of.
    pub(super) leases: BTreeMap<UnitId, Attempt>,
    pub(super) units_done: u64,
    /// How many batches of the briefings of tasks it was given over its present connection.
    pub(super) briefed: BTreeMap<(JobId, usize), usize>,
}

impl Worker {
    pub(super) fn free_slots(&self) -> usize {
        match self.state {
            WorkerState::Present if !self.trusted => 0,
            WorkerState::Present => {
                (self.introduction.slots as usize).saturating_sub(self.busy_slots())
            }
            WorkerState::Draining | WorkerState::Lost(_) => 0,
        }
    }

    /// The slots that cannot take anything, for what they run or were told to stop.
    pub(super) fn busy_slots(&self) -> usize {
        self.leases.len() + self.winding_down.len()
    }
}

/// All workers, by number.
#[derive(Debug, Default)]
pub(super) struct Fleet {
    pub(super) workers: BTreeMap<WorkerId, Worker>,
    by_instance: HashMap<String, WorkerId>,
    by_machine: HashMap<String, BTreeSet<WorkerId>>,
    /// The instances that an operator wants to get no more leases, numbered in the order of that.
    pub(super) drained: BTreeMap<String, u64>,
    /// The last number that was given to a worker, by this coordinator or by one before it.
    pub(super) last: u64,
}

impl Fleet {
    /// Enters a worker, or a new connection of one that is known. Gives its number and the number
    /// of the connection.
    pub(super) fn enter(&mut self, introduction: Introduction) -> (WorkerId, u64) {
        let known = self.by_instance.get(&introduction.instance).copied();
        let drained = self.drained.contains_key(&introduction.instance);
        let id = known.unwrap_or_else(|| {
            self.last += 1;
            WorkerId(self.last)
        });
        self.by_instance.insert(introduction.instance.clone(), id);
        self.leave_machine(id);
        if !introduction.machine.is_empty() {
            self.by_machine.entry(introduction.machine.clone()).or_default().insert(id);
        }
        let worker = self.workers.entry(id).or_insert_with(|| Worker {
            introduction: Introduction::default(),
            state: WorkerState::Present,
            draining: drained,
            trusted: true,
            winding_down: BTreeSet::new(),
            session: 0,
            leases: BTreeMap::new(),
            units_done: 0,
            briefed: BTreeMap::new(),
        });
        worker.state = if worker.draining { WorkerState::Draining } else { WorkerState::Present };
        worker.briefed.clear();
        worker.introduction = introduction;
        worker.session += 1;
        (id, worker.session)
    }

    /// Tells a worker to stop an attempt: its slot is free again when it says so.
    pub(super) fn call_back(
        &mut self,
        effects: &mut Effects,
        id: WorkerId,
        unit: UnitId,
        attempt: Attempt,
    ) {
        effects.orders.push((id, Order::Cancel(unit, attempt)));
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.leases.remove(&unit);
            worker.winding_down.insert((unit, attempt));
        }
    }

    /// Lets the workers forget what they were told of a job.
    pub(super) fn forget_job(&mut self, effects: &mut Effects, job: JobId) {
        for (&id, worker) in &mut self.workers {
            let known = worker.briefed.len();
            worker.briefed.retain(|&(of, _), _| of != job);
            if worker.briefed.len() < known {
                // In the order in which the briefings go.
                effects.at_once.push((id, Order::Forget(job)));
            }
        }
    }

    fn leave_machine(&mut self, id: WorkerId) {
        let Some(machine) = self.workers.get(&id).map(|w| &w.introduction.machine) else { return };
        if let Some(there) = self.by_machine.get_mut(machine) {
            there.remove(&id);
            if there.is_empty() {
                self.by_machine.remove(machine);
            }
        }
    }

    /// The workers that are known to be on the same machine as a worker, itself not among them.
    pub(super) fn on_machine_of(&self, worker: &Worker) -> impl Iterator<Item = WorkerId> {
        let there = self.by_machine.get(&worker.introduction.machine);
        let instance = &worker.introduction.instance;
        let itself = self.by_instance.get(instance).copied();
        there.into_iter().flatten().copied().filter(move |&id| Some(id) != itself)
    }

    /// How many connected workers have that name.
    pub(super) fn namesakes(&self, name: &str) -> usize {
        self.connected().filter(|worker| worker.introduction.name == name).count()
    }

    /// Workers that have not lost their connection.
    pub(super) fn connected(&self) -> impl Iterator<Item = &Worker> {
        self.workers.values().filter(|worker| !matches!(worker.state, WorkerState::Lost(_)))
    }

    pub(super) fn forget(&mut self, id: WorkerId) {
        self.leave_machine(id);
        if let Some(worker) = self.workers.remove(&id) {
            self.by_instance.remove(&worker.introduction.instance);
        }
    }

    /// Workers that are connected, trusted and not on their way out.
    pub(super) fn present(&self) -> impl Iterator<Item = &Worker> {
        self.workers.values().filter(|w| w.state == WorkerState::Present && w.trusted)
    }

    /// The bytes of the largest slot that could run something of this capability.
    pub(super) fn largest_slot(&self, capability: &str) -> Option<u64> {
        self.largest_slot_of(capability, |_| true)
    }

    /// The same of some workers.
    pub(super) fn largest_slot_of(
        &self,
        capability: &str,
        is_one: impl Fn(&Introduction) -> bool,
    ) -> Option<u64> {
        self.present()
            .map(|worker| &worker.introduction)
            .filter(|worker| worker.capabilities.contains(capability) && is_one(worker))
            .map(|worker| worker.slot_memory)
            .max()
    }

    pub(super) fn name(&self, id: WorkerId) -> String {
        let worker = self.workers.get(&id);
        worker.map_or_else(|| format!("worker {id}"), |worker| worker.introduction.name.clone())
    }

    pub(super) fn named(&self, id: WorkerId) -> Named {
        Named { id, name: self.name(id) }
    }
}

//! The faults of a simulated cluster, one after the other as chance decides, until it is left in peace.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use turmoil::Sim;

use crate::chance::Chance;
use crate::cluster::{COORDINATOR, WORKERS};

/// How long there is trouble.
pub(crate) const TROUBLED: Duration = Duration::from_secs(40);

/// The usual latency of a link: the most of it.
const LATENCY: Duration = Duration::from_millis(40);

/// What can be wrong with the link between a worker and the coordinator.
#[derive(Clone, Copy, Debug)]
enum Broken {
    /// Nothing passes.
    Cut,
    /// Nothing passes to the coordinator.
    Mute,
    /// Nothing passes to the worker.
    Deaf,
    /// Everything is late.
    Slow,
    /// Everything stays where it is, and comes at once in the end.
    Held,
}

const ALL_BROKEN: [Broken; 5] =
    [Broken::Cut, Broken::Mute, Broken::Deaf, Broken::Slow, Broken::Held];

/// What is wrong just now, and what will be.
pub(crate) struct Trouble {
    chance: Chance,
    /// When the next fault comes.
    next: Duration,
    /// The hosts that are down, and until when.
    down: BTreeMap<&'static str, Duration>,
    /// The workers whose link is broken, how and until when.
    broken: BTreeMap<&'static str, (Broken, Duration)>,
    /// Seconds that the coordinator's clock on the wall is ahead.
    clock: Arc<AtomicI64>,
    faults: u32,
}

impl Trouble {
    pub(crate) fn new(chance: Chance, clock: Arc<AtomicI64>) -> Self {
        Self {
            chance,
            next: Duration::from_secs(1),
            down: BTreeMap::new(),
            broken: BTreeMap::new(),
            clock,
            faults: 0,
        }
    }

    /// How many faults there were.
    pub(crate) fn faults(&self) -> u32 {
        self.faults
    }

    /// Ends the faults whose time is over, and begins one when its time has come.
    pub(crate) fn pass(&mut self, sim: &mut Sim<'_>, now: Duration) {
        let quiet = now >= TROUBLED;
        let over = |until: Duration| quiet || until <= now;
        for (host, until) in std::mem::take(&mut self.down) {
            if over(until) {
                tracing::info!(host, "is there again");
                sim.bounce(host);
            } else {
                self.down.insert(host, until);
            }
        }
        for (worker, (how, until)) in std::mem::take(&mut self.broken) {
            if over(until) {
                tracing::info!(worker, ?how, "is well again");
                heal(sim, worker, how);
            } else {
                self.broken.insert(worker, (how, until));
            }
        }
        if now >= self.next && !quiet {
            self.next = now + self.chance.milliseconds(200, 3000);
            self.begin(sim, now);
        }
    }

    fn begin(&mut self, sim: &mut Sim<'_>, now: Duration) {
        self.faults += 1;
        let worker = *self.chance.pick(&WORKERS);
        match self.chance.below(10) {
            0 | 1 => self.crash(sim, now, COORDINATOR),
            2 | 3 => self.crash(sim, now, worker),
            4 => self.set_clock(),
            _ => self.break_link(sim, now, worker),
        }
    }

    fn crash(&mut self, sim: &mut Sim<'_>, now: Duration, host: &'static str) {
        if self.down.contains_key(host) {
            return;
        }
        let lasts = self.chance.milliseconds(10, 6000);
        tracing::info!(host, ?lasts, "is killed");
        sim.crash(host);
        self.down.insert(host, now + lasts);
    }

    /// Up to thirty years to either side.
    fn set_clock(&self) {
        let decades = i64::try_from(self.chance.below(60 * 365 * 86400)).unwrap();
        let ahead = decades - 30 * 365 * 86400;
        tracing::info!(ahead, "the clock on the wall is set");
        self.clock.store(ahead, Ordering::Relaxed);
    }

    fn break_link(&mut self, sim: &Sim<'_>, now: Duration, worker: &'static str) {
        if self.broken.contains_key(worker) {
            return;
        }
        let how = *self.chance.pick(&ALL_BROKEN);
        let lasts = self.chance.milliseconds(100, 20_000);
        tracing::info!(worker, ?how, ?lasts, "is not well connected");
        self.broken.insert(worker, (how, now + lasts));
        match how {
            Broken::Cut => sim.partition(worker, COORDINATOR),
            Broken::Mute => sim.partition_oneway(worker, COORDINATOR),
            Broken::Deaf => sim.partition_oneway(COORDINATOR, worker),
            Broken::Slow => {
                let latency = self.chance.milliseconds(200, 3000);
                sim.set_link_latency(worker, COORDINATOR, latency);
            }
            Broken::Held => sim.hold(worker, COORDINATOR),
        }
    }
}

fn heal(sim: &Sim<'_>, worker: &'static str, how: Broken) {
    match how {
        Broken::Cut => sim.repair(worker, COORDINATOR),
        Broken::Mute => sim.repair_oneway(worker, COORDINATOR),
        Broken::Deaf => sim.repair_oneway(COORDINATOR, worker),
        Broken::Slow => sim.set_link_latency(worker, COORDINATOR, LATENCY),
        Broken::Held => sim.release(worker, COORDINATOR),
    }
}

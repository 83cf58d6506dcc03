//! The world around the core: workers as they see themselves, a disk, and what can happen.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use sprague_coordinator::core::{
    Core, Introduction, Moment, Now, Order, Settings, Snapshot, UnitRecord, Write,
};
use sprague_work::{Attempt, Ending, JobOptions, Report, UnitId, UnitInput, Usage, WorkerId};

use crate::sum::{registry, right};

/// One thing that happens.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Submit(u8),
    Enter(u8),
    Lose(u8),
    /// A worker ends the n-th thing it holds, well or not.
    End(u8, u8, How),
    /// A report that was sent before is sent again.
    Repeat(u8),
    Wait(u16),
    /// The coordinator is killed; what the last batch came to may or may not have been committed.
    Kill {
        committed: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    Done,
    Crash,
    OutOfMemory,
    Cancelled,
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let how = prop_oneof![
        8 => Just(How::Done),
        1 => Just(How::Crash),
        1 => Just(How::OutOfMemory),
        1 => Just(How::Cancelled),
    ];
    prop_oneof![
        2 => (1u8..6).prop_map(Step::Submit),
        2 => (0u8..4).prop_map(Step::Enter),
        1 => (0u8..4).prop_map(Step::Lose),
        8 => (0u8..4, any::<u8>(), how).prop_map(|(worker, at, how)| Step::End(worker, at, how)),
        2 => any::<u8>().prop_map(Step::Repeat),
        2 => (0u16..9000).prop_map(Step::Wait),
        1 => any::<bool>().prop_map(|committed| Step::Kill { committed }),
    ]
}

/// A worker as it sees itself.
#[derive(Default)]
pub(crate) struct Peer {
    /// Its number and connection, while connected.
    pub(crate) here: Option<(WorkerId, u64)>,
    pub(crate) holds: BTreeMap<(UnitId, Attempt), UnitInput>,
}

/// The world around the core.
pub(crate) struct World {
    pub(crate) core: Core,
    pub(crate) now: u64,
    pub(crate) disk: Snapshot,
    pub(crate) peers: Vec<Peer>,
    pub(crate) sent: Vec<(u8, UnitId, Attempt, Report)>,
    pub(crate) last_attempt: BTreeMap<UnitId, Attempt>,
    pub(crate) ended: BTreeSet<UnitId>,
}

pub(crate) const GENEROUS: u64 = 1 << 40;

pub(crate) fn settings() -> Settings {
    Settings { lease: Duration::from_secs(20), crash_limit: u32::MAX, ..Settings::default() }
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            core: Core::new(registry(), settings()),
            now: 0,
            disk: Snapshot::default(),
            peers: (0..4).map(|_| Peer::default()).collect(),
            sent: Vec::new(),
            last_attempt: BTreeMap::new(),
            ended: BTreeSet::new(),
        }
    }

    pub(crate) fn moment(&self) -> Now {
        Now { moment: Moment(self.now), wall: SystemTime::UNIX_EPOCH }
    }

    pub(crate) fn take(&mut self, step: &Step) {
        let now = self.moment();
        match *step {
            Step::Submit(parts) => {
                let words = ["sum".to_owned(), parts.to_string()];
                let spec = registry().parse(&words, &JobOptions::default()).unwrap();
                self.core.submit(now, spec).unwrap();
            }
            Step::Enter(peer) => self.enter(peer),
            Step::Lose(peer) => {
                if let Some((id, session)) = self.peers[peer as usize].here.take() {
                    self.core.lose(now, id, session);
                }
            }
            Step::End(peer, at, how) => self.end(peer, at, how),
            Step::Repeat(at) => {
                if !self.sent.is_empty() {
                    let (peer, unit, attempt, report) =
                        self.sent[at as usize % self.sent.len()].clone();
                    if let Some((id, _)) = self.peers[peer as usize].here {
                        self.core.report(now, id, unit, attempt, report);
                    }
                }
            }
            Step::Wait(milliseconds) => {
                self.now += u64::from(milliseconds);
                self.core.tick(self.moment());
            }
            Step::Kill { committed } => {
                self.core.settle(now);
                let effects = self.core.take_effects();
                if committed {
                    // On the disk, but nobody was told.
                    self.commit(effects.writes);
                }
                for peer in &mut self.peers {
                    peer.here = None;
                }
                self.core = Core::restore(registry(), settings(), self.moment(), self.disk.clone())
                    .unwrap();
            }
        }
        self.settle();
    }

    fn enter(&mut self, number: u8) {
        let now = self.moment();
        let peer = &mut self.peers[number as usize];
        let introduction = Introduction {
            instance: number.to_string(),
            name: format!("peer {number}"),
            version: String::new(),
            slots: u32::from(number % 2) + 1,
            slot_memory: GENEROUS,
            capabilities: ["sum/up", "sum/down"].map(str::to_owned).into(),
            running: peer.holds.keys().copied().collect(),
        };
        peer.here = Some(self.core.enter(now, introduction));
    }

    fn end(&mut self, number: u8, at: u8, how: How) {
        let now = self.moment();
        let peer = &mut self.peers[number as usize];
        if peer.holds.is_empty() {
            return;
        }
        let key = *peer.holds.keys().nth(at as usize % peer.holds.len()).unwrap();
        let input = peer.holds.remove(&key).unwrap();
        let ending = match how {
            How::Done => Ending::Done(right(&input)),
            How::Crash => Ending::Crashed { how: "signal 11".to_owned() },
            How::OutOfMemory => Ending::OutOfMemory { cap: 1 << 20, needed: 1 << 21 },
            How::Cancelled => Ending::Cancelled,
        };
        let report = Report { ending, usage: Usage::default() };
        self.sent.push((number, key.0, key.1, report.clone()));
        if let Some((id, _)) = peer.here {
            self.core.report(now, id, key.0, key.1, report);
        }
    }

    pub(crate) fn settle(&mut self) {
        self.core.settle(self.moment());
        let effects = self.core.take_effects();
        self.commit(effects.writes);
        let mut cancelled = Vec::new();
        for (id, order) in effects.orders {
            let peer = self.peers.iter_mut().find(|peer| peer.here.is_some_and(|h| h.0 == id));
            match order {
                Order::Lease(unit, attempt, _, input) => {
                    assert!(!self.ended.contains(&unit), "{unit} had ended and is leased again");
                    let last = self.last_attempt.insert(unit, attempt).unwrap_or_default();
                    assert!(attempt > last, "attempt {attempt} of {unit} after {last}");
                    peer.expect("leases go to connected workers")
                        .holds
                        .insert((unit, attempt), input);
                }
                Order::Cancel(unit, attempt) => {
                    if let Some(peer) = peer {
                        peer.holds.remove(&(unit, attempt));
                        cancelled.push((id, unit, attempt));
                    }
                }
                Order::Acknowledge(..) | Order::Brief(..) | Order::Hear(..) | Order::Forget(..) => {
                }
            }
        }
        for &(id, unit, attempt) in &cancelled {
            let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
            self.core.report(self.moment(), id, unit, attempt, report);
        }
        if !cancelled.is_empty() {
            self.settle();
        }
        for peer in self.peers.iter().filter(|peer| peer.here.is_some()) {
            let id = peer.here.unwrap().0;
            let view = self.core.workers().into_iter().find(|view| view.id == id).unwrap();
            assert!(view.busy <= view.slots, "more leases than slots");
        }
    }

    fn commit(&mut self, writes: Vec<Write>) {
        for write in writes {
            match write {
                Write::Job(job) => {
                    self.disk.jobs.retain(|known| known.id != job.id);
                    self.disk.jobs.push(job);
                    self.disk.jobs.sort_by_key(|job| job.id);
                }
                Write::Unit(id, unit) => self.commit_unit(id, unit),
                Write::DropUnit(unit) => self.disk.units.retain(|(id, _)| *id != unit),
                Write::DropUnits(job) => self.disk.units.retain(|(id, _)| id.job != job),
                Write::Finding(finding) => self.disk.findings.push(finding),
                Write::Dispute(dispute) => self.disk.disputes.push(dispute),
                Write::Need(class, bytes) => {
                    self.disk.needs.retain(|(known, _)| *known != class);
                    self.disk.needs.push((class, bytes));
                }
            }
        }
    }

    fn commit_unit(&mut self, id: UnitId, unit: UnitRecord) {
        if unit.done.is_some() {
            self.ended.insert(id);
        }
        let known = self.disk.units.iter().position(|(known, _)| *known == id);
        if let Some(at) = known {
            assert!(unit.attempt >= self.disk.units[at].1.attempt, "{id} went back");
            self.disk.units[at].1 = unit;
        } else {
            self.disk.units.push((id, unit));
            self.disk.units.sort_by_key(|(id, _)| *id);
        }
    }

    /// No more trouble: everybody is here and does what is asked.
    pub(crate) fn finish(&mut self) {
        for peer in 0..4 {
            self.take(&Step::Enter(peer));
        }
        for _ in 0..400 {
            for peer in 0..4 {
                self.take(&Step::End(peer, 0, How::Done));
            }
            self.take(&Step::Wait(1000));
        }
    }
}

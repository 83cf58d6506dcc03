//! The world around the core: workers as they see themselves, a disk, and what can happen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use sprague_coordinator::core::{
    Core, Effects, Introduction, Moment, Now, Order, Settings, Snapshot, UnitRecord, Write,
};
use sprague_work::{
    Attempt, Ending, JobOptions, Registry, Report, UnitId, UnitInput, UnitResult, Usage, WorkerId,
};

use crate::counting::sum::{SUM, right};
use crate::demand::{self, COVER};
use crate::halves::{self, HALVES, WHOLE};

/// One thing that happens.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Submit(u8),
    /// A job whose parts depend on what is known when they are asked for.
    Demand(u8),
    /// A job whose units are split where no slot is large enough for them.
    Halves(u8),
    Enter(u8),
    Lose(u8),
    /// A worker says that it is about to go.
    Leave(u8),
    /// A worker ends the n-th thing it holds, well or not.
    End(u8, u8, How),
    /// A report that was sent before is sent again.
    Repeat(u8),
    Wait(u16),
    /// From now on the disk takes its time, or does not any more.
    Disk {
        slow: bool,
    },
    /// A slow disk has committed a batch.
    Commit,
    /// The coordinator is killed; of the batches that were on their way to the disk the first have
    /// come there, but nobody was told.
    Kill {
        commits: u8,
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
        1 => (1u8..20).prop_map(Step::Demand),
        1 => (1u8..20).prop_map(Step::Halves),
        2 => (0u8..4).prop_map(Step::Enter),
        1 => (0u8..4).prop_map(Step::Lose),
        1 => (0u8..4).prop_map(Step::Leave),
        8 => (0u8..4, any::<u8>(), how).prop_map(|(worker, at, how)| Step::End(worker, at, how)),
        2 => any::<u8>().prop_map(Step::Repeat),
        2 => (0u16..9000).prop_map(Step::Wait),
        1 => any::<bool>().prop_map(|slow| Step::Disk { slow }),
        4 => Just(Step::Commit),
        1 => any::<u8>().prop_map(|commits| Step::Kill { commits }),
    ]
}

/// A worker as it sees itself.
#[derive(Default)]
pub(crate) struct Peer {
    /// Its number and connection, while connected.
    pub(crate) here: Option<(WorkerId, u64)>,
    /// It has said that it is about to go, and does not come back.
    leaving: bool,
    /// How many processes were in its place before.
    life: u32,
    pub(crate) holds: BTreeMap<(UnitId, Attempt), UnitInput>,
}

/// A batch on its way to the disk.
struct Uncommitted {
    number: u64,
    writes: Vec<Write>,
    /// The orders that wait for the commit, each with the connection that it is for.
    orders: Vec<(WorkerId, u64, Order)>,
}

/// The world around the core.
pub(crate) struct World {
    pub(crate) core: Core,
    pub(crate) now: u64,
    pub(crate) disk: Snapshot,
    slow: bool,
    uncommitted: VecDeque<Uncommitted>,
    /// The last batch that is on the disk, in this life of the coordinator.
    committed: u64,
    pub(crate) peers: Vec<Peer>,
    pub(crate) sent: Vec<(u8, UnitId, Attempt, Report)>,
    pub(crate) last_attempt: BTreeMap<UnitId, Attempt>,
    pub(crate) ended: BTreeSet<UnitId>,
    /// How often each unit has crashed.
    pub(crate) crashes: BTreeMap<UnitId, u32>,
}

/// The memory that a number of a unit that can be halved needs; all other units need less.
pub(crate) const A_NUMBER: u64 = 1 << 30;

/// How many numbers there is room for in a slot of a worker: every other one has none for the smallest unit that cannot be
/// split.
fn room(number: u8) -> u64 {
    if number.is_multiple_of(2) { WHOLE - 1 } else { WHOLE + 2 }
}

pub(crate) fn registry() -> Registry {
    Registry::new(vec![Arc::new(SUM), Arc::new(COVER), Arc::new(HALVES)])
}

/// What a unit comes to if it is run now.
fn result(input: &UnitInput, now: u64) -> UnitResult {
    let question = &input.question;
    if COVER.numbers(question).is_some() {
        demand::result(input, now)
    } else if HALVES.numbers(question).is_some() {
        halves::right(input)
    } else {
        right(input)
    }
}

/// How a unit ends that nothing else happens to, in a slot of so many bytes.
fn end(input: &UnitInput, cap: u64, now: u64) -> Ending {
    let halved = HALVES.numbers(&input.question).is_some();
    let needed = if halved { halves::size(&input.part) * A_NUMBER } else { 0 };
    if needed > cap {
        Ending::OutOfMemory { cap, needed }
    } else {
        Ending::Done(result(input, now))
    }
}

pub(crate) fn settings() -> Settings {
    Settings {
        lease: Duration::from_secs(20),
        crash_limit: u32::MAX,
        departure_limit: u32::MAX,
        split_after: Duration::from_secs(3),
        ..Settings::default()
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            core: Core::new(registry(), settings()),
            now: 0,
            disk: Snapshot::default(),
            slow: false,
            uncommitted: VecDeque::new(),
            committed: 0,
            peers: (0..4).map(|_| Peer::default()).collect(),
            sent: Vec::new(),
            last_attempt: BTreeMap::new(),
            ended: BTreeSet::new(),
            crashes: BTreeMap::new(),
        }
    }

    pub(crate) fn moment(&self) -> Now {
        Now { moment: Moment(self.now), wall: SystemTime::UNIX_EPOCH }
    }

    pub(crate) fn take(&mut self, step: &Step) {
        let now = self.moment();
        match *step {
            Step::Submit(parts) => self.submit("sum", parts),
            Step::Demand(numbers) => self.submit("cover", numbers),
            Step::Halves(numbers) => self.submit("halves", numbers),
            Step::Enter(peer) => self.enter(peer),
            Step::Lose(peer) => {
                if let Some((id, session)) = self.peers[peer as usize].here.take() {
                    self.core.lose(now, id, session);
                }
            }
            Step::Leave(peer) => {
                let peer = &mut self.peers[peer as usize];
                if let Some((id, _)) = peer.here {
                    peer.leaving = true;
                    self.core.leave(id);
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
            Step::Disk { slow } => self.slow = slow,
            Step::Commit => self.commit_next(),
            Step::Kill { commits } => self.kill(commits),
        }
        self.settle();
    }

    pub(crate) fn submit(&mut self, kind: &str, size: u8) {
        let words = [kind.to_owned(), size.to_string()];
        let spec = registry().parse(&words, &JobOptions::default()).unwrap();
        self.core.submit(self.moment(), spec).unwrap();
    }

    fn kill(&mut self, commits: u8) {
        self.decide();
        let reached = usize::from(commits) % (self.uncommitted.len() + 1);
        for Uncommitted { writes, .. } in
            self.uncommitted.drain(..).take(reached).collect::<Vec<_>>()
        {
            self.write(writes);
        }
        for peer in &mut self.peers {
            peer.here = None;
        }
        self.committed = 0;
        self.core =
            Core::restore(registry(), settings(), self.moment(), self.disk.clone()).unwrap();
    }

    fn enter(&mut self, number: u8) {
        let now = self.moment();
        let peer = &mut self.peers[number as usize];
        if std::mem::take(&mut peer.leaving) {
            if let Some((id, session)) = peer.here {
                self.core.lose(now, id, session);
            }
            peer.holds.clear();
            peer.life += 1;
        }
        let introduction = Introduction {
            instance: format!("{number}, life {}", peer.life),
            name: format!("peer {number}"),
            machine: format!("machine {}", number / 2),
            version: String::new(),
            slots: u32::from(number % 2) + 1,
            slot_memory: room(number) * A_NUMBER,
            capabilities: ["sum/up", "sum/down", "cover/pieces", "halves/pieces"]
                .map(str::to_owned)
                .into(),
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
            How::Done => end(&input, room(number) * A_NUMBER, self.now),
            How::Crash => Ending::Crashed { how: "signal 11".to_owned() },
            How::OutOfMemory => Ending::OutOfMemory { cap: 1 << 20, needed: 1 << 21 },
            How::Cancelled => Ending::Cancelled,
        };
        let report = Report { ending, usage: Usage::default() };
        if matches!(how, How::Crash) {
            *self.crashes.entry(key.0).or_default() += 1;
        }
        self.sent.push((number, key.0, key.1, report.clone()));
        if let Some((id, _)) = peer.here {
            self.core.report(now, id, key.0, key.1, report);
        }
    }

    /// Lets the core decide, and the disk commit if it is not slow, until nothing more comes of it.
    pub(crate) fn settle(&mut self) {
        self.decide();
        while !self.slow && !self.uncommitted.is_empty() {
            self.commit_next();
            self.decide();
        }
        for peer in self.peers.iter().filter(|peer| peer.here.is_some()) {
            let id = peer.here.unwrap().0;
            let view = self.core.workers().into_iter().find(|view| view.id == id).unwrap();
            assert!(view.busy <= view.slots, "more leases than slots");
        }
    }

    /// Takes what the events so far come to: some orders go at once, the rest to the disk.
    fn decide(&mut self) {
        self.core.committed(self.committed);
        self.core.settle(self.moment());
        let Effects { number, writes, at_once, orders, .. } = self.core.take_effects();
        for (id, order) in at_once {
            let may_be_forgotten = match order {
                Order::Lease(_, attempt, ..) => attempt == Attempt(1),
                Order::Brief(..) | Order::Hear(..) | Order::Forget(..) => true,
                Order::Cancel(..) | Order::Acknowledge(..) => false,
            };
            assert!(may_be_forgotten, "{order:?} does not wait for the disk");
            self.obey(id, order);
        }
        if writes.is_empty() && orders.is_empty() {
            return;
        }
        let here: BTreeMap<_, _> = self.peers.iter().filter_map(|peer| peer.here).collect();
        let address = |(id, order)| here.get(&id).map(|&session| (id, session, order));
        let orders = orders.into_iter().filter_map(address).collect();
        self.uncommitted.push_back(Uncommitted { number, writes, orders });
    }

    /// The disk has the next batch, so its orders are sent.
    fn commit_next(&mut self) {
        let Some(Uncommitted { number, writes, orders }) = self.uncommitted.pop_front() else {
            return;
        };
        self.write(writes);
        self.committed = number;
        for (id, session, order) in orders {
            if self.peers.iter().any(|peer| peer.here == Some((id, session))) {
                self.obey(id, order);
            }
        }
    }

    /// A worker hears an order.
    fn obey(&mut self, id: WorkerId, order: Order) {
        let peer = self.peers.iter_mut().find(|peer| peer.here.is_some_and(|h| h.0 == id));
        match order {
            Order::Lease(unit, attempt, _, input) => {
                assert!(!self.ended.contains(&unit), "{unit} had ended and is leased again");
                let last = self.last_attempt.insert(unit, attempt).unwrap_or_default();
                assert!(attempt > last, "attempt {attempt} of {unit} after {last}");
                peer.expect("leases go to connected workers").holds.insert((unit, attempt), input);
            }
            Order::Cancel(unit, attempt) => {
                if let Some(peer) = peer
                    && peer.holds.remove(&(unit, attempt)).is_some()
                {
                    let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
                    self.core.report(self.moment(), id, unit, attempt, report);
                }
            }
            Order::Acknowledge(..) | Order::Brief(..) | Order::Hear(..) | Order::Forget(..) => {}
        }
    }

    fn write(&mut self, writes: Vec<Write>) {
        for write in writes {
            match write {
                Write::Job(job) => {
                    self.disk.jobs.retain(|known| known.id != job.id);
                    self.disk.jobs.push(job);
                    self.disk.jobs.sort_by_key(|job| job.id);
                }
                Write::Unit(id, unit) => self.commit_unit(id, unit),
                Write::DropUnit(unit) => self.disk.units.retain(|(id, _)| *id != unit),
                Write::DropJob(job) => {
                    self.disk.jobs.retain(|known| known.id != job);
                    self.disk.units.retain(|(id, _)| id.job != job);
                    self.disk.events.retain(|(of, ..)| *of != job);
                }
                Write::DropUnits(job) => self.disk.units.retain(|(id, _)| id.job != job),
                Write::Finding(finding) => self.disk.findings.push(finding),
                Write::Dispute(dispute) => self.disk.disputes.push(dispute),
                Write::Distrust(worker, why) => self.disk.distrusted.push((worker, why)),
                Write::Trust(worker) => self.disk.distrusted.retain(|(name, _)| *name != worker),
                Write::Event(job, number, event) => {
                    let last = self.disk.events.iter().rfind(|(of, ..)| *of == job);
                    assert!(
                        last.is_none_or(|(_, last, _)| number == last + 1),
                        "events are in order"
                    );
                    self.disk.events.push((job, number, event));
                }
                Write::DropEvent(job, number) => {
                    self.disk.events.retain(|&(of, known, _)| (of, known) != (job, number));
                }
                Write::Need(class, bytes) => {
                    self.disk.needs.retain(|(known, _)| *known != class);
                    self.disk.needs.push((class, bytes));
                }
                Write::Drained(instance, number) => self.disk.drained.push((instance, number)),
                Write::LastWorker(last) => self.disk.last_worker = last,
                Write::ForgetDrained(instance) => {
                    self.disk.drained.retain(|(known, _)| *known != instance);
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
        self.take(&Step::Disk { slow: false });
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

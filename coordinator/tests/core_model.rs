//! The core against random histories: workers that come, go, crash, lie in wait and repeat
//! themselves, and a coordinator that is killed before or after a commit.
//!
//! Whatever happens, attempts of a unit only grow, no unit is leased again once its end was
//! committed, every result is counted once, and when the trouble is over every job comes to the
//! right answer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use sprague_coordinator::core::{
    Core, Introduction, Moment, Now, Order, Settings, Snapshot, UnitRecord, Write,
};
use sprague_work::{
    Agreement, Answer, Attempt, Check, Conclusion, Contradiction, Driver, Ending, Form, JobError,
    JobId, JobOptions, JobSpec, JobState, Kind, Method, MethodName, Part, Question, Registry,
    Report, RunEnd, RunLimits, Standing, Table, Task, UnitId, UnitInput, UnitResult, Usage, Value,
    WorkerId,
};

/// A kind whose questions are `sum N`: the sum of 0..N, a unit for each number.
struct Sum;

const METHODS: [Method; 2] = [
    Method { name: "up", about: "", rests_on: &["up"] },
    Method { name: "down", about: "", rests_on: &["down"] },
];

#[derive(Serialize, Deserialize)]
struct Total {
    total: u64,
}

struct SumDriver {
    parts: u64,
    next: u64,
    absorbed: u64,
    total: u64,
}

impl Driver for SumDriver {
    fn next(&mut self) -> Option<Part> {
        let part = (self.next < self.parts).then(|| Part::of(&self.next));
        self.next += u64::from(part.is_some());
        part
    }

    fn replan(&mut self, part: &Part) {
        self.next = self.next.max(part.read::<u64>().unwrap() + 1);
    }

    fn absorb(&mut self, _part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        self.absorbed += 1;
        self.total += result.answer.read::<Total>().unwrap().total;
        if self.absorbed > self.parts {
            return Err(Contradiction("a part was counted twice".to_owned()));
        }
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        let answer = Answer::of(&Total { total: self.total });
        (self.absorbed == self.parts).then_some(Conclusion { answer, fingerprint: self.total })
    }

    fn total(&self) -> Option<u64> {
        Some(self.parts)
    }
}

fn parts(question: &Question) -> Option<u64> {
    question.as_str().strip_prefix("sum ")?.parse().ok()
}

impl Kind for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn forms(&self) -> &'static [Form] {
        &[]
    }

    fn methods(&self) -> &'static [Method] {
        &METHODS
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        let question = Question::new(words.join(" ")).ok()?;
        let tasks = METHODS
            .iter()
            .map(|method| Task { question: question.clone(), method: MethodName::from(method) });
        Some(Ok(JobSpec {
            kind: "sum".to_owned(),
            words: words.join(" "),
            view: String::new(),
            tasks: tasks.collect(),
            options: options.clone(),
        }))
    }

    fn owns(&self, question: &Question) -> bool {
        parts(question).is_some()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let parts = parts(&task.question).unwrap();
        Ok(Box::new(SumDriver { parts, next: 0, absorbed: 0, total: 0 }))
    }

    fn run(&self, _input: &UnitInput, _limits: &RunLimits<'_>) -> RunEnd {
        unreachable!("the model answers itself")
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        if a == b { Agreement::Confirms } else { Agreement::Contradicts }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        answers[0].clone()
    }

    fn checks(&self, _question: &Question, _answer: &Answer) -> Vec<Check> {
        Vec::new()
    }

    fn table(&self, _view: &str, _values: &[Value]) -> Table {
        Table::default()
    }
}

fn registry() -> Registry {
    Registry::new(vec![Arc::new(Sum)])
}

fn right(input: &UnitInput) -> UnitResult {
    let number: u64 = input.part.read().unwrap();
    UnitResult {
        answer: Answer::of(&Total { total: number }),
        fingerprint: number,
        entries: 1,
        expansions: 1,
    }
}

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
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
enum How {
    Done,
    Crash,
    OutOfMemory,
    Cancelled,
}

fn step() -> impl Strategy<Value = Step> {
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
struct Peer {
    /// Its number and connection, while connected.
    here: Option<(WorkerId, u64)>,
    holds: BTreeMap<(UnitId, Attempt), UnitInput>,
}

/// The world around the core.
struct World {
    core: Core,
    now: u64,
    disk: Snapshot,
    peers: Vec<Peer>,
    sent: Vec<(u8, UnitId, Attempt, Report)>,
    last_attempt: BTreeMap<UnitId, Attempt>,
    ended: BTreeSet<UnitId>,
}

const GENEROUS: u64 = 1 << 40;

fn settings() -> Settings {
    Settings { lease: Duration::from_secs(20), crash_limit: u32::MAX, ..Settings::default() }
}

impl World {
    fn new() -> Self {
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

    fn moment(&self) -> Now {
        Now { moment: Moment(self.now), wall: SystemTime::UNIX_EPOCH }
    }

    fn take(&mut self, step: &Step) {
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

    fn settle(&mut self) {
        self.core.settle(self.moment());
        let effects = self.core.take_effects();
        self.commit(effects.writes);
        for (id, order) in effects.orders {
            let peer = self.peers.iter_mut().find(|peer| peer.here.is_some_and(|h| h.0 == id));
            match order {
                Order::Lease(unit, attempt, input) => {
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
                    }
                }
                Order::Acknowledge(..) => {}
            }
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
    fn finish(&mut self) {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_history_ends_in_the_right_answers(steps in proptest::collection::vec(step(), 0..120)) {
        let mut world = World::new();
        for step in &steps {
            world.take(step);
        }
        world.finish();
        for job in world.core.jobs(world.moment()) {
            prop_assert_eq!(job.state, JobState::Done, "{:?}", job);
            for value in world.core.values_of(job.id).unwrap() {
                let n = parts(&value.question).unwrap();
                prop_assert_eq!(value.standing, Standing::Confirmed);
                prop_assert_eq!(value.answer.read::<Total>().unwrap().total, n * (n - 1) / 2);
                let methods: BTreeSet<_> = value.findings.iter().map(|f| &f.method).collect();
                prop_assert_eq!(methods.len(), value.findings.len(), "a finding is there twice");
                for finding in &value.findings {
                    prop_assert_eq!(finding.effort.units, n, "every unit counts once");
                }
            }
        }
        // A restart after the end changes nothing.
        let again = Core::restore(registry(), settings(), world.moment(), world.disk.clone());
        prop_assert_eq!(again.unwrap().values(), world.core.values());
    }
}

/// A world with one connected worker of one slot that holds the only unit of a job.
fn one_lease() -> (World, UnitId, UnitInput) {
    let mut world = World::new();
    world.take(&Step::Submit(1));
    world.take(&Step::Enter(0));
    let (unit, input) = {
        let ((unit, attempt), input) = world.peers[0].holds.first_key_value().unwrap();
        assert_eq!(*attempt, Attempt(1));
        (*unit, input.clone())
    };
    (world, unit, input)
}

fn done(result: UnitResult) -> Report {
    Report { ending: Ending::Done(result), usage: Usage::default() }
}

#[test]
fn a_unit_of_a_lost_worker_is_leased_again_and_a_late_report_is_compared_only() {
    let (mut world, unit, input) = one_lease();
    let lost = world.peers[0].here.unwrap();
    world.take(&Step::Lose(0));
    world.take(&Step::Enter(1));
    world.take(&Step::Wait(6000));
    assert!(world.peers[1].holds.contains_key(&(unit, Attempt(2))));

    // The old attempt ends first, then the one that counts, and they agree.
    world.core.report(world.moment(), lost.0, unit, Attempt(1), done(right(&input)));
    world.settle();
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().units.done, 0);
    world.take(&Step::End(1, 0, How::Done));
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().totals.units_done, 1);
    assert!(world.core.values().iter().all(|value| value.standing != Standing::Disputed));
}

#[test]
fn a_late_report_that_differs_is_a_dispute() {
    let (mut world, unit, input) = one_lease();
    let lost = world.peers[0].here.unwrap();
    world.take(&Step::Lose(0));
    world.take(&Step::Enter(1));
    world.take(&Step::Wait(6000));
    world.take(&Step::End(1, 0, How::Done));
    let lie = UnitResult { fingerprint: 99, ..right(&input) };
    world.core.report(world.moment(), lost.0, unit, Attempt(1), done(lie));
    world.settle();
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().state, JobState::Disputed);
    let value = world.core.value(&input.question).unwrap();
    assert_eq!(value.standing, Standing::Disputed);
    assert!(value.disputes[0].contains("attempt 1"), "{:?}", value.disputes);
}

#[test]
fn a_worker_that_comes_back_in_time_keeps_its_lease() {
    let (mut world, unit, _) = one_lease();
    world.take(&Step::Kill { committed: true });
    world.take(&Step::Enter(1));
    world.take(&Step::Enter(0));
    assert!(world.peers[0].holds.contains_key(&(unit, Attempt(1))));
    world.take(&Step::End(0, 0, How::Done));
    assert_eq!(world.core.job(world.moment(), unit.job).unwrap().totals.attempts, 2);
}

#[test]
fn a_unit_that_stands_still_loses_its_lease_and_one_that_moves_does_not() {
    let (mut world, unit, _) = one_lease();
    let (id, _) = world.peers[0].here.unwrap();
    for expansions in 1..6 {
        world.now += 15_000;
        world.core.progress(world.moment(), id, unit, Attempt(1), (expansions, 0));
        world.core.tick(world.moment());
        world.settle();
    }
    assert!(world.peers[0].holds.contains_key(&(unit, Attempt(1))));
    for _ in 0..3 {
        world.now += 15_000;
        world.core.progress(world.moment(), id, unit, Attempt(1), (5, 0));
        world.core.tick(world.moment());
        world.settle();
    }
    assert!(!world.peers[0].holds.contains_key(&(unit, Attempt(1))));
}

#[test]
fn a_unit_that_always_crashes_is_parked_and_its_job_fails() {
    let mut world = World::new();
    world.core = Core::new(registry(), Settings { crash_limit: 3, ..settings() });
    world.take(&Step::Submit(1));
    world.take(&Step::Enter(0));
    for _ in 0..20 {
        world.take(&Step::End(0, 0, How::Crash));
    }
    let job = world.core.job(world.moment(), JobId(1)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Failed, 6));
    assert!(job.reason.unwrap().contains("3 times"));
    let explained = world.core.explain(JobId(1)).unwrap();
    assert!(explained.iter().any(|e| e.reason.code() == "R4" && e.units == 2), "{explained:?}");

    // Submitted again it goes on, and can now end well.
    world.take(&Step::Submit(1));
    for _ in 0..4 {
        world.take(&Step::End(0, 0, How::Done));
    }
    assert_eq!(world.core.job(world.moment(), JobId(1)).unwrap().state, JobState::Done);
}

#[test]
fn what_was_found_is_not_computed_again() {
    let (mut world, _, _) = one_lease();
    for _ in 0..4 {
        world.take(&Step::End(0, 0, How::Done));
    }
    world.take(&Step::Submit(1));
    let job = world.core.job(world.moment(), JobId(2)).unwrap();
    assert_eq!((job.state, job.totals.attempts), (JobState::Done, 0));
}

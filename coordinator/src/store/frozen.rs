//! The store on a disk that freezes: from its n-th sync on nothing is written any more, as when a
//! machine loses its power. Every n there is, and for each what was written since the last sync is
//! there, is not there, or some of it is.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use redb::{ConcurrencyMode, StorageBackend};
use sprague_work::{
    Attempt, Ending, JobOptions, NoMail, Registry, Report, RunEnd, RunLimits, UnitId, UnitInput,
    Usage, WorkerId, Workplace,
};

use super::Store;
use super::open::builder;
use super::place::Identity;
use crate::core::{Core, Effects, Introduction, Moment, Now, Order, Settings};

/// A disk in memory.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<Platter>>);

#[derive(Clone, Debug, Default)]
struct Platter {
    /// What is there when the power goes.
    synced: Vec<u8>,
    /// What a reader sees.
    seen: Vec<u8>,
    /// What has been done since the last sync, in order.
    since: Vec<Change>,
    syncs: usize,
    /// At which sync the power goes.
    freezes_at: Option<usize>,
    is_frozen: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Length(usize),
    Bytes(usize, Vec<u8>),
}

/// Which of the changes since the last sync a power cut leaves.
#[derive(Clone, Copy, Debug)]
enum Left {
    None,
    All,
    /// Those at even places.
    Even,
    /// Those at odd places.
    Odd,
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Self::Length(length) => to.resize(*length, 0),
            Self::Bytes(at, bytes) => {
                // A write beyond the end whose change of length was lost makes the file longer.
                to.resize(to.len().max(at + bytes.len()), 0);
                to[*at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

impl Disk {
    /// Lets the power go at the n-th sync from now.
    fn freeze_after(&self, syncs: usize) {
        let mut platter = self.0.lock().unwrap();
        platter.freezes_at = Some(platter.syncs + syncs);
    }

    /// The disk after the power was cut and came back.
    fn after_the_cut(&self, left: Left) -> Self {
        let platter = self.0.lock().unwrap();
        let mut bytes = platter.synced.clone();
        for (place, change) in platter.since.iter().enumerate() {
            let stays = match left {
                Left::None => false,
                Left::All => true,
                Left::Even => place % 2 == 0,
                Left::Odd => place % 2 == 1,
            };
            if stays {
                change.apply(&mut bytes);
            }
        }
        let platter = Platter { synced: bytes.clone(), seen: bytes, ..Platter::default() };
        Self(Arc::new(Mutex::new(platter)))
    }

    fn change(&self, change: Change) -> Result<(), io::Error> {
        let mut platter = self.0.lock().unwrap();
        if platter.is_frozen {
            return Err(frozen());
        }
        change.apply(&mut platter.seen);
        platter.since.push(change);
        Ok(())
    }
}

fn frozen() -> io::Error {
    io::Error::other("the power is gone")
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64, io::Error> {
        Ok(self.0.lock().unwrap().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        let at = offset as usize;
        let platter = self.0.lock().unwrap();
        let bytes = platter.seen.get(at..at + out.len());
        out.copy_from_slice(bytes.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> Result<(), io::Error> {
        self.change(Change::Length(length as usize))
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        let mut platter = self.0.lock().unwrap();
        let platter = &mut *platter;
        // The power goes after the writes that this sync was to make safe, and before it has.
        platter.is_frozen |= platter.freezes_at == Some(platter.syncs);
        if platter.is_frozen {
            return Err(frozen());
        }
        platter.syncs += 1;
        for change in platter.since.drain(..) {
            change.apply(&mut platter.synced);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        self.change(Change::Bytes(offset as usize, data.to_vec()))
    }
}

/// A store on a disk; a new one if the disk is empty.
fn store_on(disk: &Disk) -> Store {
    let is_new = disk.0.lock().unwrap().seen.is_empty();
    // A disk in memory has no locks, and nobody to share it with.
    let mut alone = builder();
    alone.set_concurrency_mode(ConcurrencyMode::ExclusiveWriter);
    let database = alone.create_with_backend(disk.clone()).unwrap();
    let store =
        Store { database, path: PathBuf::from("a disk in memory"), identity: Identity::nowhere() };
    if is_new {
        store.lay_out().unwrap();
    }
    store
}

/// A coordinator with one worker, which has one slot and runs real units.
struct Life {
    core: Core,
    store: Store,
    seconds: u64,
    worker: Option<WorkerId>,
    /// What was acknowledged, in all lives.
    acknowledged: Vec<UnitId>,
}

/// The power went before the jobs came to their end.
struct Cut;

impl Life {
    /// A coordinator as the store leaves it.
    fn begin(store: Store, seconds: u64, acknowledged: Vec<UnitId>) -> Self {
        let snapshot = store.snapshot().unwrap();
        for id in &acknowledged {
            let job = snapshot.jobs.iter().find(|job| job.id == id.job).unwrap();
            let unit = snapshot.units.iter().find(|(known, _)| known == id);
            let is_there = unit.map_or(job.state.is_final(), |(_, unit)| unit.done.is_some());
            assert!(is_there, "{id} was acknowledged and is not done");
        }
        let now = Now { moment: Moment(0), wall: SystemTime::UNIX_EPOCH };
        let settings = Settings::default();
        let core = Core::restore(Registry::standard(), settings, now, snapshot).unwrap();
        Self { core, store, seconds, worker: None, acknowledged }
    }

    fn now(&self) -> Now {
        let wall = SystemTime::UNIX_EPOCH + Duration::from_secs(self.seconds);
        Now { moment: Moment(self.seconds * 1000), wall }
    }

    /// Submits a job, which is there already in a later life, and works until it is done.
    fn live(&mut self) -> Result<(), Cut> {
        let words = ["cram".to_owned(), "2x3,3x3,2x5,1x7".to_owned()];
        let spec = Registry::standard().parse(&words, &JobOptions::default()).unwrap();
        let job = self.core.submit(self.now(), spec).unwrap().job;
        let capabilities = Registry::standard().capabilities().into_iter().collect();
        let introduction = Introduction {
            instance: "one".to_owned(),
            slots: 1,
            slot_memory: 1 << 30,
            capabilities,
            ..Introduction::default()
        };
        self.worker = Some(self.core.enter(self.now(), introduction).0);
        for _ in 0..200 {
            let lease = self.turn()?;
            if self.core.job(self.now(), job).unwrap().state.is_final() {
                return Ok(());
            }
            match (lease, self.worker) {
                (Some((unit, attempt, input)), Some(worker)) => {
                    self.core.report(self.now(), worker, unit, attempt, run(&input));
                }
                _ => {
                    // What the worker of the life before had is awaited for a while.
                    self.seconds += 1;
                    self.core.tick(self.now());
                }
            }
        }
        panic!("the job does not come to its end");
    }

    /// Commits what has come, then hears the orders: the lease among them, if there is one.
    fn turn(&mut self) -> Result<Option<(UnitId, Attempt, UnitInput)>, Cut> {
        self.core.settle(self.now());
        let Effects { number, writes, at_once, orders, .. } = self.core.take_effects();
        self.store.commit(&writes).map_err(|_| Cut)?;
        self.core.committed(number);
        let mut lease = None;
        for (_, order) in at_once.into_iter().chain(orders) {
            match order {
                Order::Lease(unit, attempt, _, input) => lease = Some((unit, attempt, input)),
                Order::Acknowledge(unit, _) => self.acknowledged.push(unit),
                _ => {}
            }
        }
        Ok(lease)
    }

    /// The values with their findings, but for what differs from life to life: time, workers and order.
    fn values(&self) -> Vec<String> {
        let values = self.core.values().into_iter().map(|mut value| {
            for finding in &mut value.findings {
                finding.when = String::new();
                finding.workers = Vec::new();
            }
            value.findings.sort_by(|one, other| one.method.cmp(&other.method));
            format!("{value:?}")
        });
        values.collect()
    }
}

fn run(input: &UnitInput) -> Report {
    let registry = Registry::standard();
    let kind = registry.kind_of(&input.question).unwrap();
    let limits =
        RunLimits { memory: 1 << 24, cancel: &false.into(), progress: &0.into(), threads: 1 };
    let mut workplace = Workplace { kept: &mut None, mail: &NoMail };
    let RunEnd::Done(result) = kind.run(input, &limits, &mut workplace) else {
        panic!("{input:?} has a result");
    };
    Report { ending: Ending::Done(result), usage: Usage::default() }
}

#[test]
fn whenever_the_power_goes_nothing_acknowledged_is_lost_and_all_ends_as_without() {
    let mut undisturbed = Life::begin(store_on(&Disk::default()), 0, Vec::new());
    assert!(undisturbed.live().is_ok());
    let expected = undisturbed.values();
    assert_eq!(expected.len(), 4);
    let mut cuts = 0;
    for sync in 0.. {
        let disk = Disk::default();
        let store = store_on(&disk);
        disk.freeze_after(sync);
        let mut first = Life::begin(store, 0, Vec::new());
        if first.live().is_ok() {
            break;
        }
        cuts += 1;
        for left in [Left::None, Left::All, Left::Even, Left::Odd] {
            let disk = disk.after_the_cut(left);
            let acknowledged = first.acknowledged.clone();
            let mut second = Life::begin(store_on(&disk), first.seconds, acknowledged);
            assert!(second.live().is_ok(), "the power stays");
            assert_eq!(second.values(), expected, "after sync {sync} with {left:?} of the writes");
        }
    }
    assert!(cuts > 20, "{cuts} cuts");
}

//! From a store to a core that goes on from it.
//!
//! Units are read some at a time and are not kept as they are read: a job of a million of them takes a gigabyte as the
//! store has it, and a tenth of that in a core.

use sprague_work::Registry;

use super::open::unless_damaged;
use super::{Store, StoreError};
use crate::core::{Core, Now, Restoration, RestoreError, Settings};

/// Why no coordinator can go on from a store.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is sound, but its content does not fit together.
    #[error("no coordinator can go on from the store: {0}")]
    Content(#[from] RestoreError),
}

impl Store {
    /// The core as it was at the last commit, see [`Core::restore`].
    ///
    /// # Errors
    /// When the file cannot be read, a row is damaged, or the content does not fit together.
    pub fn restart(
        &self,
        registry: Registry,
        settings: Settings,
        now: Now,
    ) -> Result<Core, RestartError> {
        let view = self.view()?;
        let all_but_units = unless_damaged(&self.path, || view.all_but_units())??;
        let mut restoration = Restoration::begin(registry, settings, now, all_but_units)?;
        for units in view.units() {
            for (id, record) in units? {
                restoration.unit(id, record)?;
            }
        }
        Ok(restoration.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use sprague_work::{
        Attempt, Ending, JobId, JobOptions, MethodName, NoMail, Report, RunEnd, RunLimits, UnitId,
        UnitInput, UnitResult, Usage, WorkerId, Workplace,
    };

    use super::*;
    use crate::core::{Effects, Introduction, Moment, Order};
    use crate::store::samples;

    const NOW: Now = Now { moment: Moment(0), wall: SystemTime::UNIX_EPOCH };

    fn restart(store: &Store) -> Core {
        store.restart(Registry::standard(), Settings::default(), NOW).unwrap()
    }

    #[test]
    fn it_is_the_core_of_a_whole_snapshot() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.redb")).unwrap();
        assert!(restart(&store).has_no_jobs());
        samples::fill(&store);
        let snapshot = store.snapshot().unwrap();
        let whole =
            Core::restore(Registry::standard(), Settings::default(), NOW, snapshot).unwrap();
        let core = restart(&store);
        assert_eq!(core.jobs(NOW), whole.jobs(NOW));
        assert_eq!(core.values(), whole.values());
        assert_eq!(core.jobs(NOW).iter().map(|job| job.units.done).sum::<u64>(), 100);
    }

    /// A core with a worker, and the store of it.
    struct Life {
        core: Core,
        store: Store,
        worker: WorkerId,
    }

    impl Life {
        fn begin(store: Store) -> Self {
            let mut core = restart(&store);
            let introduction = Introduction {
                instance: "one".to_owned(),
                slots: 8,
                slot_memory: 1 << 30,
                capabilities: Registry::standard().capabilities().into_iter().collect(),
                ..Introduction::default()
            };
            let worker = core.enter(NOW, introduction).0;
            Self { core, store, worker }
        }

        /// Commits what has come, and gives the leases that it came to.
        fn turn(&mut self) -> Vec<(UnitId, Attempt, UnitInput)> {
            self.core.settle(NOW);
            let Effects { number, writes, at_once, orders, .. } = self.core.take_effects();
            self.store.commit(&writes).unwrap();
            self.core.committed(number);
            let leases = at_once.into_iter().chain(orders).filter_map(|(_, order)| match order {
                Order::Lease(unit, attempt, _, input) => Some((unit, attempt, input)),
                _ => None,
            });
            leases.collect()
        }

        fn report(&mut self, unit: UnitId, attempt: Attempt, result: UnitResult) {
            let report = Report { ending: Ending::Done(result), usage: Usage::default() };
            self.core.report(NOW, self.worker, unit, attempt, report);
        }
    }

    fn run(input: &UnitInput) -> UnitResult {
        let registry = Registry::standard();
        let kind = registry.kind_of(&input.question).unwrap();
        let limits =
            RunLimits { memory: 1 << 28, cancel: &false.into(), progress: &0.into(), threads: 1 };
        let mut workplace = Workplace { kept: &mut None, mail: &NoMail };
        match kind.run(input, &limits, &mut workplace) {
            RunEnd::Done(result) => result,
            _ => panic!("{input:?} has a result"),
        }
    }

    #[test]
    fn parts_that_follow_from_a_result_are_not_given_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.redb")).unwrap();
        let mut first = Life::begin(store);
        let options =
            JobOptions { methods: vec![MethodName::new("certificate")], ..JobOptions::default() };
        let words = ["cram".to_owned(), "3x14".to_owned()];
        let spec = Registry::standard().parse(&words, &options).unwrap();
        let job = first.core.submit(NOW, spec).unwrap().job;
        let [(unit, attempt, input)] = &first.turn()[..] else { panic!("one unit writes") };
        let written = run(input);
        first.report(*unit, *attempt, written.clone());
        let checks = first.turn();
        assert!(checks.len() > 1, "{checks:?}");

        // The slices that were given out are known to whoever comes next, and are done once.
        let Life { store, .. } = first;
        let mut second = Life::begin(store);
        assert!(second.turn().is_empty());
        let counts = second.core.job(NOW, job).unwrap().units;
        assert_eq!((counts.done, counts.waiting), (1, checks.len() as u64));
        let checked = UnitResult { notes: Vec::new(), ..written };
        for (unit, attempt, _) in checks {
            assert_eq!(second.core.job(NOW, job).unwrap().tasks, (1, 0));
            second.report(unit, attempt, checked.clone());
        }
        assert_eq!(second.core.job(NOW, job).unwrap().tasks, (1, 1));
    }

    #[test]
    fn more_units_than_are_read_at_a_time_have_their_notes() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.redb")).unwrap();
        let batch: Vec<_> = (0..2500).map(|number| samples::unit(1, number)).collect();
        store.commit(&batch).unwrap();
        let units = store.snapshot().unwrap().units;
        let numbers = units.iter().map(|(id, _)| *id);
        assert!(numbers.eq((0..2500).map(|number| UnitId { job: JobId(1), number })));
        for (id, unit) in units {
            let notes = unit.done.map(|done| done.result.notes.len());
            assert_eq!(notes, (id.number % 2 == 1).then_some(600), "{id}");
        }
    }
}

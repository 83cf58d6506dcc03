//! Nothing is decided by the clock on the wall: a coordinator whose clock jumps by decades orders what one orders
//! whose clock runs well.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod counting;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use sprague_coordinator::core::{Core, Introduction, Moment, Now, Order, Settings};
use sprague_work::{Attempt, Ending, JobOptions, Registry, Report, UnitId, Usage, WorkerId};

use counting::sum::{SUM, right};

/// What happens in a second of a worker's life.
#[derive(Clone, Copy, Debug)]
enum Second {
    /// Its oldest unit ends.
    Ends,
    /// Its oldest unit gets on.
    GetsOn,
    /// Nothing: leases come nearer to their end.
    Still,
    /// Its connection is lost, and it comes back after some seconds.
    Lost(u64),
}

fn second() -> impl Strategy<Value = Second> {
    prop_oneof![
        Just(Second::Ends),
        Just(Second::GetsOn),
        Just(Second::Still),
        (1_u64..10).prop_map(Second::Lost),
    ]
}

fn introduction(registry: &Registry) -> Introduction {
    Introduction {
        instance: "worker".to_owned(),
        name: "worker".to_owned(),
        slots: 2,
        slot_memory: 1 << 30,
        capabilities: registry.capabilities().into_iter().collect(),
        ..Introduction::default()
    }
}

/// All orders of a history, by the clock whose seconds since 1970 are these, again and again.
fn orders(history: &[Second], clock: &[u64]) -> Vec<(WorkerId, Order)> {
    let registry = Registry::new(vec![Arc::new(SUM)]);
    let settings = Settings { lease: Duration::from_secs(5), ..Settings::default() };
    let mut core = Core::new(registry.clone(), settings);
    let (mut seconds, mut readings) = (0, clock.iter().cycle());
    let mut later = |by: u64| {
        seconds += by;
        let wall = SystemTime::UNIX_EPOCH + Duration::from_secs(*readings.next().unwrap());
        Now { moment: Moment(seconds * 1000), wall }
    };
    let options = JobOptions { budget_seconds: Some(60), ..JobOptions::default() };
    let spec = registry.parse(&["sum".to_owned(), "20".to_owned()], &options).unwrap();
    core.submit(later(0), spec).unwrap();
    let (mut worker, mut session) = core.enter(later(0), introduction(&registry));
    let mut holds: Vec<(UnitId, Attempt, _)> = Vec::new();
    let mut all = Vec::new();
    for (expansions, &second) in history.iter().enumerate() {
        let mut now = later(1);
        match second {
            Second::Ends if !holds.is_empty() => {
                let (unit, attempt, input) = holds.remove(0);
                let report =
                    Report { ending: Ending::Done(right(&input)), usage: Usage::default() };
                core.report(now, worker, unit, attempt, report);
            }
            Second::GetsOn => {
                if let Some(&(unit, attempt, _)) = holds.first() {
                    core.progress(now, worker, unit, attempt, (1 + expansions as u64, 0));
                }
            }
            Second::Lost(away) => {
                core.lose(now, worker, session);
                now = later(away);
                core.tick(now);
                holds.clear();
                (worker, session) = core.enter(now, introduction(&registry));
            }
            Second::Ends | Second::Still => {}
        }
        core.tick(now);
        core.settle(now);
        for (to, order) in core.take_effects().orders {
            match &order {
                Order::Lease(unit, attempt, _, input) => {
                    holds.push((*unit, *attempt, input.clone()));
                }
                Order::Cancel(unit, attempt) => {
                    holds.retain(|(held, of, _)| (held, of) != (unit, attempt));
                    let report = Report { ending: Ending::Cancelled, usage: Usage::default() };
                    core.report(now, to, *unit, *attempt, report);
                }
                _ => {}
            }
            all.push((to, order));
        }
    }
    all
}

proptest! {
    #[test]
    fn a_clock_that_jumps_changes_no_order(
        history in prop::collection::vec(second(), 0..100),
        jumps in prop::collection::vec(0_u64..1 << 40, 1..20),
    ) {
        let steady: Vec<u64> = (0..200).map(|second| 1_800_000_000 + second).collect();
        prop_assert_eq!(orders(&history, &jumps), orders(&history, &steady));
    }
}

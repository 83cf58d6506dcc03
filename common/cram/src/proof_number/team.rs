//! Several threads that search together: one table, one goal, each on its own way.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::SolveError;
use crate::limits::Meter;
use crate::proof_number::Engine;
use crate::proof_number::search::{Found, Search};
use crate::shape::Bits;

/// What came of a stretch.
#[derive(Debug)]
pub(crate) struct Stretch<B, T> {
    /// What the first thread has that was done, or the first thread if none was.
    pub(crate) result: T,
    /// What all have found out that was dear enough to tell.
    pub(crate) found: Vec<Found<B>>,
}

/// The bytes of the stack of each further thread of a search: several times what the longest games take.
pub const THREAD_STACK: usize = 1 << 20;

/// Who works on a stretch, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    /// At most as many as the engine has.
    pub(crate) threads: usize,
    /// After how many expansions each begins anew at the root.
    pub(crate) expansions: u64,
    /// How often each begins.
    pub(crate) restarts: u64,
}

impl Team {
    /// The most restarts of a stretch: those who are done first wait for the last, who may take a restart's time longer.
    const MOST_RESTARTS: u64 = 8;

    /// A single thread has nobody to wait for and comes back after every restart.
    pub(crate) fn new(threads: usize, expansions: u64) -> Self {
        let restarts = if threads > 1 { Self::MOST_RESTARTS } else { 1 };
        Self { threads, expansions, restarts }
    }

    /// Ends before it has taken much more than so many expansions in all.
    pub(crate) fn within(self, expansions: u64) -> Self {
        let each = expansions.div_ceil(self.threads as u64);
        let expansions = self.expansions.min(each).max(1);
        Self { expansions, restarts: self.restarts.min(each / expansions), ..self }
    }
}

/// How one thread came to its end.
struct End<B, T> {
    expansions: u64,
    flow: Result<ControlFlow<T, T>, SolveError>,
    found: Vec<Found<B>>,
}

impl<B: Bits> Engine<B> {
    /// Lets a team work until its time is up, or until one of its threads is done ([`ControlFlow::Break`]), and counts the expansions.
    ///
    /// # Errors
    ///
    /// That of the first thread that has one.
    pub(crate) fn stretch<T: Send>(
        &self,
        meter: &mut Meter<'_>,
        team: Team,
        work: impl Fn(&mut Search<'_, B>) -> Result<ControlFlow<T, T>, SolveError> + Sync,
    ) -> Result<Stretch<B, T>, SolveError> {
        let is_done = AtomicBool::new(false);
        let limits = *meter.limits();
        let one = &|thread: usize| {
            let meter = Meter::shared(&limits, team.expansions, &is_done);
            let mut search = Search::new(self, thread, meter);
            let mut flow = work(&mut search);
            for _ in 1..team.restarts {
                if !matches!(flow, Ok(ControlFlow::Continue(_))) {
                    break;
                }
                search.meter.extend(team.expansions);
                flow = work(&mut search);
            }
            let flow = flow.and_then(|flow| search.meter.report().map(|()| flow));
            if !matches!(flow, Ok(ControlFlow::Continue(_))) {
                is_done.store(true, Ordering::Relaxed);
            }
            let Search { meter, found, .. } = search;
            End { expansions: meter.expansions(), flow, found }
        };
        let ends: Vec<End<B, T>> = thread::scope(|scope| {
            let thread = || thread::Builder::new().stack_size(THREAD_STACK);
            // Where there is no room for one more thread, there are fewer.
            let others: Vec<_> = (1..team.threads)
                .map_while(|number| thread().spawn_scoped(scope, move || one(number)).ok())
                .collect();
            let first = one(0);
            let others = others.into_iter().map(|other| other.join().expect("no search panics"));
            [first].into_iter().chain(others).collect()
        });
        meter.add(ends.iter().map(|end| end.expansions).sum());
        let (mut done, mut undone) = (None, None);
        let mut found = Vec::new();
        for end in ends {
            found.extend(end.found);
            match end.flow? {
                ControlFlow::Break(result) => done = done.or(Some(result)),
                ControlFlow::Continue(result) => undone = undone.or(Some(result)),
            }
        }
        let result = done.or(undone).expect("the first thread has a result");
        Ok(Stretch { result, found })
    }
}

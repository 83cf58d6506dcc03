//! Several threads that search together: one table, one goal, each on its own way.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::SolveError;
use crate::limits::Meter;
use crate::proof_number::search::{Found, Search};
use crate::proof_number::{Engine, Place};
use crate::shape::Bits;

/// What came of a stretch.
#[derive(Debug)]
pub(crate) struct Stretch<B, T> {
    /// What the first thread has that was done, or the first thread if none was.
    pub(crate) result: T,
    /// What all have found out that was dear enough to tell.
    pub(crate) found: Vec<Found<B>>,
    /// Where all were at the end, from the root on.
    pub(crate) way: Vec<Place>,
}

/// The bytes of the stack of each further thread of a search: several times what the longest games take.
pub const THREAD_STACK: usize = 1 << 20;

/// How one thread came to its end.
struct End<B, T> {
    expansions: u64,
    flow: Result<ControlFlow<T, T>, SolveError>,
    found: Vec<Found<B>>,
    way: Vec<Place>,
}

impl<B: Bits> Engine<B> {
    /// Lets so many threads work for so many expansions each, or until one is done ([`ControlFlow::Break`]), and counts them.
    ///
    /// # Errors
    ///
    /// That of the first thread that has one.
    pub(crate) fn stretch<T: Send>(
        &self,
        meter: &mut Meter<'_>,
        threads: usize,
        expansions: u64,
        work: impl Fn(&mut Search<'_, B>) -> Result<ControlFlow<T, T>, SolveError> + Sync,
    ) -> Result<Stretch<B, T>, SolveError> {
        let is_done = AtomicBool::new(false);
        let limits = *meter.limits();
        let one = || {
            let mut search = Search::new(self, Meter::shared(&limits, expansions, &is_done));
            let flow = work(&mut search).and_then(|flow| {
                search.meter.report()?;
                Ok(flow)
            });
            if !matches!(flow, Ok(ControlFlow::Continue(_))) {
                is_done.store(true, Ordering::Relaxed);
            }
            let Search { meter, found, mut way, .. } = search;
            way.reverse();
            End { expansions: meter.expansions(), flow, found, way }
        };
        let ends: Vec<End<B, T>> = thread::scope(|scope| {
            let thread = || thread::Builder::new().stack_size(THREAD_STACK);
            // Where there is no room for one more thread, there are fewer.
            let others: Vec<_> =
                (1..threads).map_while(|_| thread().spawn_scoped(scope, one).ok()).collect();
            let first = one();
            let others = others.into_iter().map(|other| other.join().expect("no search panics"));
            [first].into_iter().chain(others).collect()
        });
        meter.add(ends.iter().map(|end| end.expansions).sum());
        let (mut done, mut undone) = (None, None);
        let (mut found, mut way) = (Vec::new(), Vec::new());
        for end in ends {
            found.extend(end.found);
            way.extend(end.way);
            match end.flow? {
                ControlFlow::Break(result) => done = done.or(Some(result)),
                ControlFlow::Continue(result) => undone = undone.or(Some(result)),
            }
        }
        let result = done.or(undone).expect("the first thread has a result");
        Ok(Stretch { result, found, way })
    }
}

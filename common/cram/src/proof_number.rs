//! Method `proof-number`: the nimber from wins and losses of couples, the most proving first.
//!
//! As in method `couples`, a shape and a Nim heap of n make a couple that is lost exactly when the nimber of the
//! shape is n, and an option of several components becomes a couple by valuing all but the largest. Everything
//! else is its own:
//!
//! * the order is that of proof numbers, first guessed from the size of the shape;
//! * of each shape the table keeps which nimbers are still possible, and one look at the options of a couple strikes
//!   out all nimbers that options are known to have and all that are too great for the number of options;
//! * every option is reduced first, see `reduce`;
//! * the table has a fixed size: it forgets, and never says what has not been proven.
//!
//! An expansion is one generation of the options of a couple; an entry is a shape in the table at the end. The
//! fingerprint is that of the components of the position with their nimbers, as what else was found depends on the
//! size of the table.

mod bucket;
mod crowd;
mod expand;
mod facts;
mod foresight;
mod guess;
mod memory;
mod numbers;
mod order;
mod places;
mod reduce;
mod search;
mod slots;
mod switches;
mod table;
mod team;

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::limits::Meter;
use crate::memo::Budget;
use crate::shape::{Bits, Frame, Shape};
use crate::solve::{Answer, Solved};
use crate::theory::Symmetry;
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

use crowd::Crowd;
pub(crate) use facts::Possible;
use guess::Experience;
use numbers::Known;
pub(crate) use numbers::NEVER;
pub(crate) use numbers::Numbers;
pub(crate) use search::{Found, LOST, Search};
pub use switches::{Switch, Switches};
use table::Table;
pub use team::THREAD_STACK;
pub(crate) use team::Team;

/// Values a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    switches: Switches,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let engine = Engine::new(frame, cells, switches, limits)?;
    let mut meter = Meter::new(limits);
    let mut fingerprint = fingerprint::EMPTY;
    let nimber = engine.nimber_of(&mut meter, cells, |shape, nimber| {
        fingerprint = fingerprint::with(fingerprint, shape.cells().wide(), u64::from(nimber.get()));
    })?;
    Ok(Solved {
        answer: Answer::Nimber(nimber),
        entries: engine.table.entries() as u64,
        expansions: meter.expansions(),
        table_bytes: engine.table.bytes() as u64,
        fingerprint,
    })
}

/// What lives on from one search to the next: the table with all that was learnt.
#[derive(Debug)]
pub(crate) struct Engine<B> {
    frame: Frame<B>,
    /// Where shapes that fit 64 bits are expanded, if `frame` has more.
    narrow: Option<Frame<u64>>,
    switches: Switches,
    table: Table<B>,
    /// How many threads search at once.
    pub(crate) threads: usize,
    /// That of each thread.
    experience: Box<[Mutex<Experience>]>,
    /// Where they are, and those elsewhere that search the same.
    crowd: Crowd,
}

impl<B: Bits> Engine<B> {
    /// An engine for subsets of `cells`, whose table takes at most the memory that the limits allow.
    ///
    /// # Errors
    ///
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub(crate) fn new(
        frame: Frame<B>,
        cells: B,
        switches: Switches,
        limits: &Limits<'_>,
    ) -> Result<Self, SolveError> {
        let subsets = 1_u64 << cells.count().min(60);
        let table = Table::new(&frame, limits.memory, subsets, &mut Budget::new(limits))?;
        let threads = limits.threads.max(1);
        let experience = (0..threads).map(|_| Mutex::new(Experience::new())).collect();
        let narrow = frame.narrow();
        Ok(Self { frame, narrow, switches, table, threads, experience, crowd: Crowd::new() })
    }

    /// The geometry of the cells.
    pub(crate) fn frame(&self) -> &Frame<B> {
        &self.frame
    }

    /// The number of shapes in the table.
    pub(crate) fn entries(&self) -> u64 {
        self.table.entries() as u64
    }

    /// The cells of a shape in the narrow frame, if there is one and it holds them.
    #[inline]
    fn in_narrow_frame(&self, shape: Shape<B>) -> Option<(&Frame<u64>, u64)> {
        let frame = self.narrow.as_ref()?;
        Some((frame, frame.holding(shape.cells().wide())?))
    }

    /// The nimbers that a shape may have, as far as the table knows.
    #[inline]
    pub(crate) fn possible(&self, shape: Shape<B>) -> Possible {
        if shape.is_single_move() {
            return Possible::only(Nimber::ONE);
        }
        self.known(shape).0
    }

    /// The nimbers that a shape of four or more cells may have, and all that the table has on it.
    #[inline]
    fn known(&self, shape: Shape<B>) -> (Possible, Option<Known>) {
        let known = self.table.get(shape);
        let possible =
            known.map_or_else(|| self.possible_unsearched(shape), |known| known.possible);
        (possible, known)
    }

    /// The nimbers that a shape may have on which the table has nothing.
    #[inline]
    fn possible_unsearched(&self, shape: Shape<B>) -> Possible {
        let possible = Possible::of_size(shape.size());
        if !self.switches.half_turn {
            return possible;
        }
        match self.frame.half_turn(shape) {
            Symmetry::Zero => Possible::only(Nimber::ZERO),
            Symmetry::NotZero => possible.without(Nimber::ZERO),
            Symmetry::Nothing => possible,
        }
    }

    /// Whether at least two to this power of expansions were spent on a shape, as far as the table knows.
    fn has_cost(&self, shape: Shape<B>, least: u32) -> bool {
        self.table.get(shape).is_some_and(|known| known.numbers.work() >= least)
    }

    /// Takes in what others have found out.
    pub(crate) fn learn(
        &self,
        shape: Shape<B>,
        possible: Possible,
        heap: Nimber,
        numbers: Numbers,
    ) {
        self.table.put(shape, possible, heap, numbers, LEARNT_WORK);
    }
}

/// After how many expansions a search begins anew at its root. It soon is where it was, but on its way it sees what has
/// become of the numbers of options that were searched below others: 5x9 takes a fifth fewer expansions.
pub(crate) const RESTART: u64 = 1 << 11;
/// A stretch between two restarts is never less than this part of all work so far.
const RESTART_SHARE: u64 = 1 << 8;

/// The work that a shape is taken to have cost others, in expansions: more than most, so that it is not the first to go.
const LEARNT_WORK: u64 = 1 << 8;

impl<B: Bits> Engine<B> {
    /// The nimber of a set of cells; tells `each` the shapes that it comes down to.
    pub(crate) fn nimber_of(
        &self,
        meter: &mut Meter<'_>,
        cells: B,
        mut each: impl FnMut(Shape<B>, Nimber),
    ) -> Result<Nimber, SolveError> {
        let cells = reduce::reduced(&self.frame, self.switches, cells).cells;
        let mut sum = Nimber::ZERO;
        for component in self.frame.components(cells) {
            let shape = self.frame.canonical(component);
            let nimber = self.search_on(meter, |search| search.nimber(shape))?;
            each(shape, nimber);
            sum ^= nimber;
        }
        Ok(sum)
    }

    /// Whether who is to move loses a couple, however long it takes to find out.
    pub(crate) fn is_lost(
        &self,
        meter: &mut Meter<'_>,
        shape: Shape<B>,
        heap: Nimber,
    ) -> Result<bool, SolveError> {
        self.search_on(meter, |search| {
            let numbers = search.search(shape, heap, Numbers { win: NEVER, loss: NEVER })?;
            Ok((!numbers.are_open()).then_some(numbers.loss == 0))
        })
    }

    /// Searches stretch after stretch until there is an answer. The stretches grow, so that a table that is too small for the board
    /// ends with an answer too.
    fn search_on<T: Send>(
        &self,
        meter: &mut Meter<'_>,
        search: impl Fn(&mut Search<'_, B>) -> Result<Option<T>, SolveError> + Sync,
    ) -> Result<T, SolveError> {
        // Most searches are short: the others come when there is work for them.
        let mut threads = 1;
        loop {
            let expansions = RESTART.max(meter.expansions() / RESTART_SHARE);
            let stretch = self.stretch(meter, Team::new(threads, expansions), |thread| {
                Ok(match search(thread)? {
                    Some(answer) => ControlFlow::Break(Some(answer)),
                    None => ControlFlow::Continue(None),
                })
            })?;
            if let Some(answer) = stretch.result {
                return Ok(answer);
            }
            threads = self.threads;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::Board;

    #[test]
    fn any_number_of_threads_gives_the_same_answers() {
        let answer = |board: &str, memory: usize, threads: usize| {
            let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
            let limits = Limits { memory, cancel: &cancel, progress: &progress, threads };
            let position = board.parse::<Board>().unwrap().position();
            let solved = solve::<u64>(&position, Switches::default(), &limits).unwrap();
            assert_eq!(solved.expansions, progress.load(std::sync::atomic::Ordering::Relaxed));
            (solved.answer, solved.fingerprint)
        };
        for board in ["3x10", "3x12", "4x8", "5x6"] {
            let alone = answer(board, 1 << 22, 1);
            for threads in [2, 3, 9] {
                assert_eq!(answer(board, 1 << 22, threads), alone, "{board} in {threads} threads");
                assert_eq!(answer(board, 1 << 15, threads), alone, "{board} with a scant table");
            }
        }
    }

    #[test]
    fn shapes_expanded_in_the_narrow_frame_have_the_same_options() {
        let limits = Limits {
            memory: 1 << 22,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
            threads: 1,
        };
        let frame = Frame::<u128>::new(3, 40);
        let cells = frame.holding((1 << 33) - 1).unwrap();
        let found = |in_narrow_frame: bool| {
            let switches = Switches::default();
            let mut engine = Engine::new(frame.clone(), cells, switches, &limits).unwrap();
            engine.narrow = engine.narrow.filter(|_| in_narrow_frame);
            assert_eq!(engine.in_narrow_frame(frame.canonical(cells)).is_some(), in_narrow_frame);
            let mut meter = Meter::new(&limits);
            let nimber = engine.nimber_of(&mut meter, cells, |_, _| {}).unwrap();
            (nimber, engine.entries(), meter.expansions())
        };
        assert_eq!(found(true), found(false));
    }

    #[test]
    fn a_couple_is_decided_however_long_it_takes() {
        let limits = Limits {
            memory: 1 << 22,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
            threads: 1,
        };
        let position = "3x11".parse::<Board>().unwrap().position();
        let frame = Frame::<u64>::of(&position);
        let cells = frame.cells(&position);
        let engine = Engine::new(frame.clone(), cells, Switches::default(), &limits).unwrap();
        let mut meter = Meter::new(&limits);
        // A search before it, whose end must not be taken for that of the next one.
        engine.nimber_of(&mut meter, 0b11_011, |_, _| {}).unwrap();
        let board = frame.canonical(cells);
        let mut is_lost = |heap| engine.is_lost(&mut meter, board, Nimber::new(heap)).unwrap();
        let lost: Vec<bool> = (0..4).map(&mut is_lost).collect();
        assert!(meter.expansions() > 2 * RESTART, "longer than a stretch");
        let nimber = engine.nimber_of(&mut meter, cells, |_, _| {}).unwrap();
        let expected: Vec<bool> = (0..4).map(|heap| nimber == Nimber::new(heap)).collect();
        assert_eq!(lost, expected);
    }
}

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

mod expand;
mod facts;
mod guess;
mod memory;
mod order;
mod reduce;
mod search;
mod switches;
mod table;

use crate::limits::Meter;
use crate::memo::Budget;
use crate::shape::{Bits, Frame, Shape};
use crate::solve::{Answer, Solved};
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

pub(crate) use facts::Possible;
use guess::Experience;
pub(crate) use guess::FURTHER_OPTION;
pub(crate) use search::{Found, LOST, OpenOption, Search, WON, decided, found};
pub use switches::{Switch, Switches};
pub(crate) use table::NEVER;
pub use table::Numbers;
use table::Table;

/// Values a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    switches: Switches,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let mut engine = Engine::new(frame, cells, switches, limits)?;
    let mut search = engine.search(Meter::new(limits));
    let mut fingerprint = fingerprint::EMPTY;
    let nimber = search.nimber_of(cells, |shape, nimber| {
        fingerprint = fingerprint::with(fingerprint, shape.cells().wide(), u64::from(nimber.get()));
    })?;
    search.meter.report()?;
    let expansions = search.meter.expansions();
    Ok(Solved {
        answer: Answer::Nimber(nimber),
        entries: engine.table.entries() as u64,
        expansions,
        table_bytes: engine.table.bytes() as u64,
        fingerprint,
    })
}

/// What lives on from one search to the next: the table with all that was learnt.
#[derive(Debug)]
pub(crate) struct Engine<B> {
    frame: Frame<B>,
    switches: Switches,
    table: Table<B>,
    experience: Experience,
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
        let table = Table::new(limits.memory, subsets, &mut Budget::new(limits))?;
        Ok(Self { frame, switches, table, experience: Experience::new() })
    }

    /// The geometry of the cells.
    pub(crate) fn frame(&self) -> &Frame<B> {
        &self.frame
    }

    /// The number of shapes in the table.
    pub(crate) fn entries(&self) -> u64 {
        self.table.entries() as u64
    }

    /// A search that goes on until `meter` says that it is over.
    pub(crate) fn search<'a>(&'a mut self, meter: Meter<'a>) -> Search<'a, B> {
        Search::new(&self.frame, self.switches, &mut self.table, &mut self.experience, meter)
    }

    /// Takes in what others have found out.
    pub(crate) fn learn(
        &mut self,
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

impl<B: Bits> Search<'_, B> {
    /// The nimber of a set of cells; tells `each` the shapes that it comes down to.
    pub(crate) fn nimber_of(
        &mut self,
        cells: B,
        mut each: impl FnMut(Shape<B>, Nimber),
    ) -> Result<Nimber, SolveError> {
        let frame = self.frame;
        let cells = reduce::reduced(frame, self.switches, cells).cells;
        let mut sum = Nimber::ZERO;
        for component in frame.components(cells) {
            let shape = frame.canonical(component);
            let nimber = loop {
                self.begin_stretch();
                if let Some(nimber) = self.nimber(shape)? {
                    break nimber;
                }
            };
            each(shape, nimber);
            sum ^= nimber;
        }
        Ok(sum)
    }

    /// Whether who is to move loses a couple, however long it takes to find out.
    pub(crate) fn is_lost(&mut self, shape: Shape<B>, heap: Nimber) -> Result<bool, SolveError> {
        loop {
            self.begin_stretch();
            let numbers = self.search(shape, heap, Numbers { win: NEVER, loss: NEVER })?;
            if !numbers.are_open() {
                return Ok(numbers.loss == 0);
            }
        }
    }

    /// Sets the end at which the search is to begin anew at its root: more and more seldom, so that a table that is too small for the board
    /// ends with an answer too.
    fn begin_stretch(&mut self) {
        self.meter.allow(RESTART.max(self.meter.expansions() / RESTART_SHARE));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::Board;

    #[test]
    fn a_couple_is_decided_however_long_it_takes() {
        let limits = Limits {
            memory: 1 << 22,
            cancel: &AtomicBool::new(false),
            progress: &AtomicU64::new(0),
        };
        let position = "3x11".parse::<Board>().unwrap().position();
        let frame = Frame::<u64>::of(&position);
        let cells = frame.cells(&position);
        let mut engine = Engine::new(frame.clone(), cells, Switches::default(), &limits).unwrap();
        let mut search = engine.search(Meter::new(&limits));
        // A search before it, whose end must not be taken for that of the next one.
        search.nimber_of(0b11_011, |_, _| {}).unwrap();
        let board = frame.canonical(cells);
        let lost: Vec<bool> =
            (0..4).map(|heap| search.is_lost(board, Nimber::new(heap)).unwrap()).collect();
        assert!(search.meter.expansions() > 2 * RESTART, "longer than a stretch");
        let nimber = search.nimber_of(cells, |_, _| {}).unwrap();
        let expected: Vec<bool> = (0..4).map(|heap| nimber == Nimber::new(heap)).collect();
        assert_eq!(lost, expected);
    }
}

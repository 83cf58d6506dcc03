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
mod reduce;
mod search;
mod table;

use crate::limits::Meter;
use crate::memo::Budget;
use crate::shape::{Bits, Frame, Shape};
use crate::solve::{Answer, Solved};
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

use search::Search;
use table::Table;

/// Parts of the engine that can be turned off to see what they save. The answer does not depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Strike out cells that do not change the nimber.
    pub reductions: bool,
    /// Which of several ways options that are equally proving are ordered: 0 as the dominoes come, every other number in an
    /// order of its own. Counts of a search say something of the method only if they do so in several of them.
    pub ties: u64,
}

impl Default for Switches {
    fn default() -> Self {
        Self { reductions: true, ties: 0 }
    }
}

/// Values a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    switches: Switches,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let mut engine = Engine::new(&frame, cells, switches, limits)?;
    let mut fingerprint = fingerprint::EMPTY;
    let nimber = engine.nimber_of(cells, |shape, nimber| {
        fingerprint = fingerprint::with(fingerprint, shape.cells().wide(), u64::from(nimber.get()));
    })?;
    engine.search.meter.report()?;
    Ok(Solved {
        answer: Answer::Nimber(nimber),
        entries: engine.search.table.entries() as u64,
        expansions: engine.search.meter.expansions(),
        table_bytes: engine.search.table.bytes() as u64,
        fingerprint,
    })
}

/// A search that values one set of cells after the other and keeps what it learns.
#[derive(Debug)]
pub(crate) struct Engine<'a, B> {
    search: Search<'a, B>,
}

impl<'a, B: Bits> Engine<'a, B> {
    /// An engine for subsets of `cells`.
    pub(crate) fn new(
        frame: &'a Frame<B>,
        cells: B,
        switches: Switches,
        limits: &Limits<'a>,
    ) -> Result<Self, SolveError> {
        let subsets = 1_u64 << cells.count().min(60);
        let table = Table::new(limits.memory, subsets, &mut Budget::new(limits))?;
        Ok(Self { search: Search::new(frame, switches, table, Meter::new(limits)) })
    }

    /// The nimber of a set of cells; tells `each` the shapes that it comes down to.
    pub(crate) fn nimber_of(
        &mut self,
        cells: B,
        mut each: impl FnMut(Shape<B>, Nimber),
    ) -> Result<Nimber, SolveError> {
        let frame = self.search.frame;
        let cells =
            if self.search.switches.reductions { reduce::reduced(frame, cells) } else { cells };
        let mut sum = Nimber::ZERO;
        for component in frame.components(cells) {
            let shape = frame.canonical(component);
            let nimber = self.search.nimber(shape)?;
            each(shape, nimber);
            sum ^= nimber;
        }
        Ok(sum)
    }
}

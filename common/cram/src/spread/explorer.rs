//! The engine of one worker, which works on slices and keeps its table from one to the next.

use crate::limits::Meter;
use crate::proof_number::{
    Engine, Found, LOST, NEVER, Numbers, OpenOption, Possible, Search, Switches, WON, decided,
    found,
};
use crate::shape::{Bits, Frame, Shape};
use crate::solve::fits_narrow;
use crate::spread::facts::{self, Fact, FactsError};
use crate::spread::goal::Goal;
use crate::{Board, Limits, Nimber, SolveError};

/// A piece of work: a goal, and how far to go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// What is asked.
    pub goal: Goal,
    /// The proof numbers at which something else would be more proving.
    pub limits: Numbers,
    /// Up to how many expansions to go on although the numbers have reached their limits: handing over is not for nothing.
    pub least: u64,
    /// After how many expansions to end in any case.
    pub budget: u64,
    /// From how many expansions on what was found out goes into the report.
    pub dear: u64,
    /// After how many expansions to tell the others what was found out.
    pub step: u64,
    /// From how many expansions on that is worth telling.
    pub worth: u64,
}

/// A part of a slice, after which the others are told, and heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was found out, in bytes for [`Explorer::learn`].
    pub facts: Vec<u8>,
    /// Expansions of the slice so far.
    pub expansions: u64,
    /// What came of the slice, if this was its last step.
    pub explored: Option<Explored>,
}

/// What came of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// The goal with every nimber folded into the heap that is known by now.
    pub goal: Goal,
    /// How far it is from being decided; a number is 0 if it is.
    pub numbers: Numbers,
    /// Its options that are not decided, if it is a couple that is not decided; all others are won.
    pub options: Vec<(Goal, Numbers)>,
    /// What it was dear to find out, in bytes that only [`Explorer::learn`] and [`Tree`](super::Tree) read.
    pub facts: Vec<u8>,
    /// Expansions.
    pub expansions: u64,
    /// Shapes that are new in the explorer's table.
    pub entries: u64,
}

/// A worker's engine for one board.
#[derive(Debug)]
pub struct Explorer {
    engine: Words,
    /// The slice that is being worked on.
    at: Option<At>,
}

/// The board's cells in a word of the size that they need.
#[derive(Debug)]
enum Words {
    Narrow(Engine<u64>),
    Wide(Engine<u128>),
}

/// How far a slice has come.
#[derive(Debug)]
struct At {
    slice: Slice,
    expansions: u64,
    /// What the table had before.
    entries: u64,
    /// What goes into the report.
    facts: Vec<Fact>,
}

impl Explorer {
    /// An engine whose table takes at most `limits.memory` bytes.
    ///
    /// # Errors
    /// [`SolveError::OutOfMemory`] if there is no room for the least table.
    pub fn new(board: &Board, limits: &Limits<'_>) -> Result<Self, SolveError> {
        let position = board.position();
        let engine = if fits_narrow(&position) {
            Words::Narrow(engine(Frame::of(&position), limits)?)
        } else {
            Words::Wide(engine(Frame::of(&position), limits)?)
        };
        Ok(Self { engine, at: None })
    }

    /// Takes in what others have found out on the same board.
    ///
    /// # Errors
    /// When the bytes are no facts; nothing was learnt then.
    pub fn learn(&mut self, bytes: &[u8]) -> Result<(), FactsError> {
        let facts = facts::read(bytes)?;
        match &mut self.engine {
            Words::Narrow(engine) => learn(engine, facts),
            Words::Wide(engine) => learn(engine, facts),
        }
        Ok(())
    }

    /// Begins a slice; one that was not ended is left.
    pub fn begin(&mut self, slice: Slice) {
        let entries = match &self.engine {
            Words::Narrow(engine) => engine.entries(),
            Words::Wide(engine) => engine.entries(),
        };
        self.at = Some(At { slice, expansions: 0, entries, facts: Vec::new() });
    }

    /// Expansions so far of the slice that was begun.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.at.as_ref().map_or(0, |at| at.expansions)
    }

    /// Goes on with the slice that was begun, for a few milliseconds.
    ///
    /// # Errors
    /// [`SolveError::Cancelled`] soon after the caller asks for it, [`SolveError::ForeignShape`] if the goal has a shape that is
    /// not one of the board's. The slice is left then; what was learnt stays in the table.
    ///
    /// # Panics
    /// If no slice was begun.
    pub fn step(&mut self, limits: &Limits<'_>) -> Result<Step, SolveError> {
        let mut at = self.at.take().expect("a slice was begun");
        let step = match &mut self.engine {
            Words::Narrow(engine) => step(engine, &mut at, limits),
            Words::Wide(engine) => step(engine, &mut at, limits),
        }?;
        if step.explored.is_none() {
            self.at = Some(at);
        }
        Ok(step)
    }

    /// Works on a slice to its end, alone.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn explore(&mut self, slice: Slice, limits: &Limits<'_>) -> Result<Explored, SolveError> {
        self.begin(slice);
        loop {
            if let Some(explored) = self.step(limits)?.explored {
                return Ok(explored);
            }
        }
    }
}

fn engine<B: Bits>(frame: Frame<B>, limits: &Limits<'_>) -> Result<Engine<B>, SolveError> {
    let cells = frame.all();
    Engine::new(frame, cells, Switches::default(), limits)
}

fn learn<B: Bits>(engine: &mut Engine<B>, facts: Vec<Fact>) {
    for Fact { shape, possible, open } in facts {
        let (heap, numbers) = open.unwrap_or((Nimber::ZERO, LOST));
        // What lies beyond the board is no shape of it.
        if let Some(shape) = engine.frame().shape_of(shape) {
            engine.learn(shape, possible, heap, numbers);
        }
    }
}

fn step<B: Bits>(
    engine: &mut Engine<B>,
    at: &mut At,
    limits: &Limits<'_>,
) -> Result<Step, SolveError> {
    let slice = &at.slice;
    let end = (at.expansions + slice.step).min(slice.budget);
    let mut search = engine.search(Meter::between(limits, at.expansions, end));
    search.dear = slice.worth;
    let mut shapes: Vec<Shape<B>> = Vec::new();
    for &shape in slice.goal.shapes() {
        shapes.push(search.frame.shape_of(shape).ok_or(SolveError::ForeignShape)?);
    }
    shapes.sort_by_key(|shape| shape.size());
    let goal = value_smaller(&mut search, shapes, slice.goal.heap())?;
    let mut options = Vec::new();
    let mut numbers = match *goal.shapes.as_slice() {
        [] if goal.heap == Nimber::ZERO => LOST,
        [] => WON,
        [shape] => couple(&mut search, shape, goal.heap, slice)?,
        // The step came to its end before the smaller shapes were valued.
        _ => slice.limits.capped(),
    };
    let is_last = !numbers.are_open()
        || search.meter.expansions() >= slice.budget
        || (search.meter.expansions() >= slice.least && !slice.limits.exceed(numbers));
    if let ([shape], true, true) = (goal.shapes.as_slice(), is_last, numbers.are_open()) {
        let (possible, open) = search.open_options(*shape, goal.heap)?;
        match decided(goal.heap, possible) {
            Some(decided) => numbers = decided,
            None => options = distinct(open),
        }
    }
    if let [shape] = *goal.shapes.as_slice() {
        let possible = search.possible(shape).and(found(goal.heap, numbers));
        search.tell(Found { shape, possible, heap: goal.heap, numbers, work: u64::MAX });
    }
    search.meter.report()?;
    at.expansions = search.meter.expansions();
    let found = search.found.iter().map(|found| (found.work, fact(found)));
    let found: Vec<(u64, Fact)> = found.collect();
    at.facts.extend(found.iter().filter(|(work, _)| *work >= slice.dear).map(|(_, fact)| *fact));
    let facts = facts::write(found.into_iter().map(|(_, fact)| fact).collect());
    let explored = is_last.then(|| Explored {
        goal: goal.wide(),
        numbers,
        options,
        facts: facts::write(std::mem::take(&mut at.facts)),
        expansions: at.expansions,
        entries: engine.entries() - at.entries,
    });
    Ok(Step { facts, expansions: at.expansions, explored })
}

fn fact<B: Bits>(found: &Found<B>) -> Fact {
    Fact {
        shape: found.shape.cells().wide(),
        possible: found.possible,
        open: found.numbers.are_open().then_some((found.heap, found.numbers)),
    }
}

/// A goal in words of the engine's size.
struct Sum<B> {
    shapes: Vec<Shape<B>>,
    heap: Nimber,
}

impl<B: Bits> Sum<B> {
    fn wide(&self) -> Goal {
        Goal::new(self.shapes.iter().map(|shape| shape.cells().wide()).collect(), self.heap)
    }
}

/// Values all shapes but the last, which is the largest, and folds what is known into the heap.
fn value_smaller<B: Bits>(
    search: &mut Search<'_, B>,
    mut shapes: Vec<Shape<B>>,
    mut heap: Nimber,
) -> Result<Sum<B>, SolveError> {
    let mut unknown = Vec::new();
    let largest = shapes.pop();
    for shape in shapes.into_iter().map(Some).chain([largest]).flatten() {
        let nimber = match largest {
            Some(largest) if largest == shape => search.possible(shape).nimber(),
            _ => search.nimber(shape)?,
        };
        match nimber {
            Some(nimber) => {
                heap ^= nimber;
                // Told in any case: the goal as it was given out is decided or refined by it.
                let possible = Possible::only(nimber);
                let numbers = LOST;
                search.tell(Found { shape, possible, heap: nimber, numbers, work: u64::MAX });
            }
            None => unknown.push(shape),
        }
    }
    Ok(Sum { shapes: unknown, heap })
}

/// Searches a couple up to its limits or the end of the step, and beyond its limits if they were reached at once.
fn couple<B: Bits>(
    search: &mut Search<'_, B>,
    shape: Shape<B>,
    heap: Nimber,
    slice: &Slice,
) -> Result<Numbers, SolveError> {
    let mut limits = slice.limits;
    loop {
        let numbers = search.search(shape, heap, limits)?;
        if !numbers.are_open() || search.meter.is_over() || search.meter.expansions() >= slice.least
        {
            return Ok(numbers);
        }
        limits = Numbers { win: wider(limits.win), loss: wider(limits.loss) };
    }
}

/// The options, each once.
fn distinct<B: Bits>(open: Vec<OpenOption<B>>) -> Vec<(Goal, Numbers)> {
    let mut options: Vec<(Goal, Numbers)> = Vec::new();
    for OpenOption { shapes, heap, numbers } in open {
        let goal = Sum { shapes, heap }.wide();
        if !options.iter().any(|(other, _)| *other == goal) {
            options.push((goal, numbers));
        }
    }
    options
}

fn wider(limit: u32) -> u32 {
    limit.saturating_add(limit / 4 + 1).min(NEVER)
}

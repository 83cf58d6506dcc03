//! One board on many workers by `proof-number`: between the tree of `sprague_cram::spread` and the units of a task.
//!
//! A part is a slice of work, a result what came of it. The tree is the driver's state; what one worker reports is
//! in the briefing of the others, and what it finds on its way is mail.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sprague_cram::spread::{Explored, Explorer, Goal, Numbers, Slice, Step, Tree};
use sprague_cram::{Board, Limits, Nimber, SolveError};

use super::{CramAnswer, search_limits, unanswered};
use crate::{
    Answer, Conclusion, Contradiction, Driver, Part, Planning, RunEnd, RunLimits, UnitResult,
    Workplace,
};

/// The driver of a board.
#[derive(Debug)]
pub(super) struct Spread {
    board: Board,
    tree: Tree,
    /// Goals that were given out before a restart and are not known to be done.
    before_restart: Vec<Goal>,
}

/// A goal as it is written in parts and results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GoalFields {
    /// The cells of each shape in hexadecimal, see [`Goal`].
    shapes: Vec<String>,
    heap: u8,
}

/// The fields of a part.
#[derive(Debug, Serialize, Deserialize)]
struct SliceFields {
    #[serde(flatten)]
    goal: GoalFields,
    /// The proof numbers, winning and losing, at which to stop.
    limits: [u32; 2],
    least: u64,
    budget: u64,
    dear: u64,
    step: u64,
    worth: u64,
}

/// The fields of a result. Its facts are in its notes.
#[derive(Debug, Serialize, Deserialize)]
struct ExploredFields {
    #[serde(flatten)]
    goal: GoalFields,
    /// The proof numbers, winning and losing.
    numbers: [u32; 2],
    options: Vec<(GoalFields, [u32; 2])>,
}

/// Something that is no goal.
#[derive(Debug, thiserror::Error)]
enum FieldsError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{0:?} is not a shape in hexadecimal")]
    Shape(String),
}

impl GoalFields {
    fn of(goal: &Goal) -> Self {
        let shapes = goal.shapes().iter().map(|shape| format!("{shape:x}")).collect();
        Self { shapes, heap: goal.heap().get() }
    }

    fn read(&self) -> Result<Goal, FieldsError> {
        let shape = |text: &String| {
            u128::from_str_radix(text, 16).map_err(|_| FieldsError::Shape(text.clone()))
        };
        let shapes = self.shapes.iter().map(shape).collect::<Result<_, _>>()?;
        Ok(Goal::new(shapes, Nimber::new(self.heap)))
    }
}

fn pair(numbers: Numbers) -> [u32; 2] {
    [numbers.win, numbers.loss]
}

fn numbers([win, loss]: [u32; 2]) -> Numbers {
    Numbers { win, loss }
}

fn part(slice: &Slice) -> Part {
    let &Slice { ref goal, limits, least, budget, dear, step, worth } = slice;
    let goal = GoalFields::of(goal);
    Part::of(&SliceFields { goal, limits: pair(limits), least, budget, dear, step, worth })
}

fn slice(part: &Part) -> Result<Slice, FieldsError> {
    let SliceFields { goal, limits, least, budget, dear, step, worth } = part.read()?;
    Ok(Slice { goal: goal.read()?, limits: numbers(limits), least, budget, dear, step, worth })
}

fn result(explored: Explored) -> UnitResult {
    let Explored { goal, numbers, options, facts, expansions, entries } = explored;
    let fields = ExploredFields {
        goal: GoalFields::of(&goal),
        numbers: pair(numbers),
        options: options.iter().map(|(goal, n)| (GoalFields::of(goal), pair(*n))).collect(),
    };
    // What was done depends on what was known: there is nothing that a second run would repeat.
    UnitResult { answer: Answer::of(&fields), fingerprint: 0, entries, expansions, notes: facts }
}

fn explored(result: &UnitResult) -> Result<Explored, String> {
    let fields: ExploredFields = result.answer.read().map_err(|fault| fault.to_string())?;
    let options = fields.options.iter().map(|(goal, n)| Ok((goal.read()?, numbers(*n))));
    let read = || -> Result<Explored, FieldsError> {
        Ok(Explored {
            goal: fields.goal.read()?,
            numbers: numbers(fields.numbers),
            options: options.collect::<Result<_, FieldsError>>()?,
            facts: result.notes.clone(),
            expansions: result.expansions,
            entries: result.entries,
        })
    };
    read().map_err(|fault| fault.to_string())
}

/// Whether there is anything to be found out: a single cell has no moves.
pub(super) fn is_worth_while(board: Board) -> bool {
    board.cells() > 1
}

impl Spread {
    pub(super) fn new(board: Board) -> Self {
        Self { board, tree: Tree::new(&board), before_restart: Vec::new() }
    }
}

impl Driver for Spread {
    fn next(&mut self) -> Option<Part> {
        for goal in std::mem::take(&mut self.before_restart) {
            self.tree.hold(&goal);
        }
        self.tree.next_slice().map(|slice| part(&slice))
    }

    fn replan(&mut self, part: &Part) {
        if let Ok(slice) = slice(part) {
            self.before_restart.push(slice.goal);
        }
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let board = self.board;
        let fault = |what: String| Contradiction(format!("a report on {board}: {what}"));
        let slice = slice(part).map_err(|unread| fault(unread.to_string()))?;
        let explored = explored(result).map_err(fault)?;
        if let Some(at) = self.before_restart.iter().position(|goal| *goal == slice.goal) {
            self.before_restart.swap_remove(at);
        }
        let absorbed = self.tree.absorb(&slice.goal, &explored);
        absorbed.map_err(|contradiction| fault(contradiction.to_string()))
    }

    fn conclude(&self) -> Option<Conclusion> {
        let nimber = self.tree.nimber()?;
        let answer = Answer::of(&CramAnswer::nimber(nimber.get().into()));
        Some(Conclusion { answer, fingerprint: self.tree.fingerprint() })
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn planning(&self) -> Planning {
        Planning::OnDemand
    }

    fn is_unwanted(&self, part: &Part) -> bool {
        slice(part).is_ok_and(|slice| !self.tree.is_held(&slice.goal))
    }

    fn briefing(&self) -> &[Arc<[u8]>] {
        self.tree.batches()
    }
}

/// Runs a part in a worker's process.
pub(super) fn run(
    board: Board,
    part: &Part,
    limits: &RunLimits<'_>,
    workplace: &mut Workplace<'_>,
) -> RunEnd {
    let slice = match slice(part) {
        Ok(slice) => slice,
        Err(fault) => return RunEnd::Refused { reason: format!("no part of a board: {fault}") },
    };
    let limits = search_limits(limits);
    let mut explorer = match workplace
        .take::<Explorer>()
        .map_or_else(|| Explorer::new(&board, &limits).map(Box::new), Ok)
    {
        Ok(explorer) => explorer,
        Err(fault) => return unanswered(&fault),
    };
    let end = explore(&mut explorer, slice, &limits, workplace);
    workplace.keep(explorer);
    match end {
        Ok(explored) => RunEnd::Done(result(explored)),
        Err(fault) => unanswered(&fault),
    }
}

fn explore(
    explorer: &mut Explorer,
    slice: Slice,
    limits: &Limits<'_>,
    workplace: &Workplace<'_>,
) -> Result<Explored, SolveError> {
    for batch in workplace.mail.briefing() {
        learn(explorer, &batch);
    }
    explorer.begin(slice);
    loop {
        for message in workplace.mail.hear() {
            learn(explorer, &message);
        }
        let Step { facts, explored, .. } = explorer.step(limits)?;
        if !facts.is_empty() {
            workplace.mail.tell(facts);
        }
        if let Some(explored) = explored {
            return Ok(explored);
        }
    }
}

/// What cannot be read saves no work; nothing depends on it.
fn learn(explorer: &mut Explorer, message: &[u8]) {
    let _ = explorer.learn(message);
}

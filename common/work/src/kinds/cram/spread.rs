//! One board on many workers by `proof-number`: between the effort of `sprague_cram::spread` and the units of a task.
//!
//! A part is a slice of work, a result what came of it. The effort is the driver's state; what one worker reports is
//! in the briefing of the others, and what it finds on its way is mail.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sprague_cram::spread::{Effort, Explored, Explorer, Slice, Step};
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
    effort: Effort,
    /// Slices that were given out before a restart and are not known to be done.
    before_restart: Vec<Slice>,
}

/// The fields of a part.
#[derive(Debug, Serialize, Deserialize)]
struct SliceFields {
    rank: u32,
    budget: u64,
    dear: u64,
    step: u64,
    worth: u64,
}

/// What a unit says for people; what it found is in its notes.
#[derive(Debug, Serialize, Deserialize)]
struct Explanation {
    found: String,
}

fn part(slice: Slice) -> Part {
    let Slice { rank, budget, dear, step, worth } = slice;
    Part::of(&SliceFields { rank, budget, dear, step, worth })
}

/// The slice of a part; nothing if the part is of a version that had other ones.
fn slice(part: &Part) -> Option<Slice> {
    let SliceFields { rank, budget, dear, step, worth } = part.read().ok()?;
    Some(Slice { rank, budget, dear, step, worth })
}

fn result(explored: Explored) -> UnitResult {
    let Explored { facts, expansions, entries } = explored;
    let found = format!("{} bytes of facts", facts.len());
    let answer = Answer::of(&Explanation { found });
    // What was done depends on what was known: there is nothing that a second run would repeat.
    UnitResult { answer, fingerprint: 0, entries, expansions, notes: facts }
}

/// Whether there is anything to be found out: a single cell has no moves.
pub(super) fn is_worth_while(board: Board) -> bool {
    board.cells() > 1
}

/// What it says of a board that its nimber, which is at most `greatest`, is none of these ascending ones.
fn not_worth(refuted: &[Nimber], greatest: u8) -> Option<String> {
    let mut most = greatest;
    let mut below = refuted;
    while let [rest @ .., last] = below
        && last.get() == most
    {
        (below, most) = (rest, most.checked_sub(1)?);
    }
    let mut known = Vec::new();
    if !below.is_empty() {
        let list = below.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        known.push(format!("not worth {list}"));
    }
    if most < greatest {
        known.push(format!("worth {most} at most"));
    }
    if below.first() == Some(&Nimber::ZERO) {
        known.push("so the next player wins".to_owned());
    }
    (!known.is_empty()).then(|| known.join(", "))
}

impl Spread {
    pub(super) fn new(board: Board) -> Self {
        Self { board, effort: Effort::new(&board), before_restart: Vec::new() }
    }
}

impl Driver for Spread {
    fn next(&mut self) -> Option<Part> {
        for slice in std::mem::take(&mut self.before_restart) {
            self.effort.hold(&slice);
        }
        self.effort.next_slice().map(part)
    }

    fn replan(&mut self, part: &Part) {
        self.before_restart.extend(slice(part));
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let UnitResult { expansions, entries, .. } = *result;
        let explored = Explored { facts: result.notes.clone(), expansions, entries };
        let absorbed = match slice(part) {
            Some(slice) => {
                self.before_restart.retain(|other| *other != slice);
                self.effort.absorb(&slice, &explored)
            }
            // The facts of an older version are as good as any.
            None => self.effort.learn(&explored),
        };
        let board = self.board;
        absorbed
            .map_err(|contradiction| Contradiction(format!("a report on {board}: {contradiction}")))
    }

    fn conclude(&self) -> Option<Conclusion> {
        let nimber = self.effort.nimber()?;
        let answer = Answer::of(&CramAnswer::nimber(nimber.get().into()));
        Some(Conclusion { answer, fingerprint: self.effort.fingerprint() })
    }

    fn known(&self) -> Option<String> {
        not_worth(&self.effort.refuted(), self.board.cells() as u8 / 2)
    }

    fn total(&self) -> Option<u64> {
        None
    }

    fn planning(&self) -> Planning {
        Planning::OnDemand
    }

    fn is_unwanted(&self, _part: &Part) -> bool {
        self.effort.nimber().is_some()
    }

    fn briefing(&self) -> &[Arc<[u8]>] {
        self.effort.batches()
    }
}

/// Runs a part in a worker's process.
pub(super) fn run(
    board: Board,
    part: &Part,
    limits: &RunLimits<'_>,
    workplace: &mut Workplace<'_>,
) -> RunEnd {
    let Some(slice) = slice(part) else {
        return RunEnd::Refused { reason: "its part is not a slice of a board".to_owned() };
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
    // What cannot be read saves no work; nothing depends on it.
    for batch in workplace.mail.briefing() {
        let _ = explorer.learn(&batch);
    }
    explorer.begin(slice);
    loop {
        for message in workplace.mail.hear() {
            let _ = explorer.learn(&message);
        }
        let Step { message, explored, .. } = explorer.step(limits)?;
        workplace.mail.tell(message);
        if let Some(explored) = explored {
            return Ok(explored);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refuted_is_said_in_a_few_words() {
        let known = |refuted: &[u8]| {
            let refuted: Vec<Nimber> = refuted.iter().copied().map(Nimber::new).collect();
            not_worth(&refuted, 8)
        };
        assert_eq!(known(&[]), None);
        assert_eq!(known(&[1, 3]).unwrap(), "not worth 1, 3");
        assert_eq!(known(&[0, 2]).unwrap(), "not worth 0, 2, so the next player wins");
        assert_eq!(known(&[7, 8]).unwrap(), "worth 6 at most");
        assert_eq!(
            known(&[0, 6, 7, 8]).unwrap(),
            "not worth 0, worth 5 at most, so the next player wins"
        );
    }
}

//! Method `couples`: the nimber from wins and losses of couples, depth first.
//!
//! A couple (shape, n) is the sum of a shape and a Nim heap of n. It is lost for the player to move (P)
//! exactly when the nimber of the shape is n, so the nimber is found by asking couple after couple.
//! Lemoine and Viennot, "Nimbers are inevitable", arXiv 1011.5841.
//!
//! * An option of several components becomes a couple again: all components but the largest are valued
//!   first and their nimbers go into the heap.
//! * Options whose nimbers the table knows are looked at first; if one of them decides the couple nothing is searched.
//! * The others follow in a fixed order: the least sum of squares of the components' cells first, which
//!   has splits before the rest, ties as the dominoes come.
//! * The heap's own options come last, and only those of which no known option of the shape says that
//!   they are won.
//!
//! An expansion is one generation of the options of a couple's shape; an entry is a couple that the search decided.

use crate::limits::Meter;
use crate::memo::{Budget, Memo};
use crate::shape::{Bits, Frame, Parts, Shape};
use crate::solve::{Answer, Solved};
use crate::{Limits, Nimber, Position, SolveError, fingerprint};

/// Values a position with words of `B`'s size.
pub(crate) fn solve<B: Bits>(
    position: &Position,
    limits: &Limits<'_>,
) -> Result<Solved, SolveError> {
    let frame = Frame::<B>::of(position);
    let cells = frame.cells(position);
    let mut couples = Couples::new(&frame, limits)?;
    let mut nimber = Nimber::ZERO;
    for component in frame.components(cells) {
        nimber ^= couples.nimber(frame.canonical(component))?;
    }
    couples.meter.report()?;
    Ok(Solved {
        answer: Answer::Nimber(nimber),
        entries: couples.decided,
        expansions: couples.meter.expansions(),
        table_bytes: couples.budget.peak(),
        fingerprint: couples.facts.iter().fold(fingerprint::EMPTY, |all, (shape, facts)| {
            fingerprint::with(all, shape.cells().wide(), facts.lost_or_unknown)
        }),
    })
}

/// What is known of the couples of a shape.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Bit n is clear if (shape, n) is known to be won. If the nimber is known, only its bit is set.
    lost_or_unknown: u64,
}

impl Default for Facts {
    fn default() -> Self {
        Self { lost_or_unknown: u64::MAX }
    }
}

impl Facts {
    /// The nimber, if it is known.
    #[inline]
    fn nimber(self) -> Option<Nimber> {
        self.lost_or_unknown
            .is_power_of_two()
            .then(|| Nimber::new(self.lost_or_unknown.trailing_zeros() as u8))
    }

    /// Whether the couple with this heap is lost, if that is known.
    #[inline]
    fn is_lost(self, heap: Nimber) -> Option<bool> {
        if self.lost_or_unknown & bit(heap) == 0 {
            Some(false)
        } else {
            self.lost_or_unknown.is_power_of_two().then_some(true)
        }
    }
}

/// The bit of a heap; none for heaps beyond the word, of which nothing is kept.
#[inline]
fn bit(heap: Nimber) -> u64 {
    1_u64.checked_shl(u32::from(heap.get())).unwrap_or(0)
}

/// The search and what it knows.
#[derive(Debug)]
struct Couples<'a, B> {
    frame: &'a Frame<B>,
    budget: Budget,
    meter: Meter<'a>,
    /// What the couples decided so far say of each shape.
    facts: Memo<B, Facts>,
    /// The couples decided by search.
    decided: u64,
    /// The options still to be searched, of all couples on the way from the root to where the search is.
    waiting: Vec<Waiting<B>>,
}

/// An option of a couple that has to be searched.
#[derive(Clone, Copy, Debug)]
struct Waiting<B> {
    /// The sum of the squares of the components' cells.
    weight: u32,
    /// The components, the largest last.
    parts: Parts<B>,
}

impl<'a, B: Bits> Couples<'a, B> {
    fn new(frame: &'a Frame<B>, limits: &Limits<'a>) -> Result<Self, SolveError> {
        let mut budget = Budget::new(limits);
        Ok(Self {
            frame,
            facts: Memo::new(&mut budget)?,
            budget,
            meter: Meter::new(limits),
            decided: 0,
            waiting: Vec::new(),
        })
    }

    /// What the table says of a shape.
    #[inline]
    fn facts(&self, shape: Shape<B>) -> Facts {
        if shape.size() < 4 {
            return Facts { lost_or_unknown: bit(Nimber::ONE) };
        }
        self.facts.get(shape).unwrap_or_default()
    }

    /// The nimber of a shape: couple after couple until one is lost.
    fn nimber(&mut self, shape: Shape<B>) -> Result<Nimber, SolveError> {
        if let Some(nimber) = self.facts(shape).nimber() {
            return Ok(nimber);
        }
        let mut heap = 0;
        while !self.is_lost(shape, Nimber::new(heap))? {
            heap += 1;
        }
        Ok(Nimber::new(heap))
    }

    /// Whether a couple is lost, that is, whether the nimber of the shape is that of the heap.
    ///
    /// Recursion goes no deeper than the dominoes that fit the shape and the sizes of the heaps.
    fn is_lost(&mut self, shape: Shape<B>, heap: Nimber) -> Result<bool, SolveError> {
        if u32::from(heap.get()) > shape.size() / 2 {
            // No nimber exceeds the length of the longest game.
            return Ok(false);
        }
        if let Some(is_lost) = self.facts(shape).is_lost(heap) {
            return Ok(is_lost);
        }
        let start = self.waiting.len();
        let is_lost = self.search(shape, heap, start)?;
        self.waiting.truncate(start);

        let mut facts = self.facts(shape);
        if is_lost {
            facts.lost_or_unknown = bit(heap);
        } else {
            facts.lost_or_unknown &= !bit(heap);
        }
        if bit(heap) != 0 {
            self.decided += 1;
            self.facts.insert(shape, facts, &mut self.budget)?;
        }
        Ok(is_lost)
    }

    /// Searches a couple; leaves options in `waiting` from `start` on.
    fn search(&mut self, shape: Shape<B>, heap: Nimber, start: usize) -> Result<bool, SolveError> {
        self.meter.expand()?;
        // The nimbers of options of the shape, as far as they are known.
        let mut options = 0_u128;
        for domino in self.frame.dominoes(shape.cells()) {
            let mut parts = self.frame.parts(shape, domino);
            let mut sum = Some(Nimber::ZERO);
            let mut weight = 0;
            for &part in parts.as_slice() {
                weight += part.size() * part.size();
                sum = match (sum, self.facts(part).nimber()) {
                    (Some(sum), Some(nimber)) => Some(sum ^ nimber),
                    _ => None,
                };
            }
            match sum {
                Some(sum) if sum == heap => return Ok(false),
                Some(sum) => options |= 1 << sum.get(),
                None => {
                    parts.as_mut_slice().sort_unstable_by_key(|part| part.size());
                    self.waiting.push(Waiting { weight, parts });
                }
            }
        }
        self.waiting[start..].sort_by_key(|option| option.weight);
        for next in start..self.waiting.len() {
            let Waiting { parts, .. } = self.waiting[next];
            let (&largest, smaller) =
                parts.as_slice().split_last().expect("an option without components is known");
            let mut rest = heap;
            for &part in smaller {
                rest ^= self.nimber(part)?;
            }
            if self.is_lost(largest, rest)? {
                return Ok(false);
            }
        }
        for less in 0..heap.get() {
            // An option worth `less` answers the heap's move to it.
            if options >> less & 1 == 0 && self.is_lost(shape, Nimber::new(less))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

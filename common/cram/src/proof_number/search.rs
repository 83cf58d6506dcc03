//! The search: df-pn over couples.
//!
//! A couple has two numbers, the work still seen to show that the player to move wins and the work still
//! seen to show that the player to move loses. A win needs one lost option: its number is the least of the
//! options' losing numbers. A loss needs all options to be won: its number is the greatest of the options' winning
//! numbers and a unit for each further option. (The sum of the numbers, as in the first df-pn, counts
//! work many times that several options share.) The search goes down to the most proving option until its numbers
//! reach the point where another one would be more so.
//! Nagai, "Df-pn algorithm for searching AND/OR trees", 2002; Ueda, Hashimoto, Hashimoto, Iida, "Weak
//! proof-number search", 2008; Kishimoto, Winands, Müller, Saito, ICGA J. 35(3), 2012.
//!
//! The numbers of the options stay in the search's own memory while it is below their couple, so that
//! options that push each other out of the table do no harm. Games end, so there are no cycles.

use std::slice::SliceIndex;
use std::sync::{MutexGuard, PoisonError};

use crate::limits::Meter;
use crate::proof_number::Engine;
use crate::proof_number::crowd::Crowd;
use crate::proof_number::expand::Child;
use crate::proof_number::facts::Possible;
use crate::proof_number::guess::{Experience, FURTHER_OPTION};
use crate::proof_number::numbers::{Known, NEVER, Numbers};
use crate::shape::{Bits, Shape, mix};
use crate::{Nimber, SolveError};

/// The player to move wins.
pub(crate) const WON: Numbers = Numbers { win: 0, loss: NEVER };
/// The player to move loses.
pub(crate) const LOST: Numbers = Numbers { win: NEVER, loss: 0 };

/// The search and what it knows.
#[derive(Debug)]
pub(crate) struct Search<'a, B> {
    pub(crate) engine: &'a Engine<B>,
    /// Where the others are, if there are any.
    crowd: Option<&'a Crowd>,
    /// What this thread has found, for its guesses.
    experience: MutexGuard<'a, Experience>,
    pub(crate) meter: Meter<'a>,
    /// The undecided options of all couples on the way from the root to where the search is: at most the dominoes of a
    /// shape for each of at most 64 plies.
    pub(super) children: Vec<Child<B>>,
    /// The components of the options that are being looked up.
    pub(super) parts: Vec<Shape<B>>,
    /// The smaller components of the sums among them.
    pub(super) smaller: Vec<Shape<B>>,
    /// What was found out at the cost of at least `dear` expansions each, in that order.
    pub(crate) found: Vec<Found<B>>,
    /// From how many expansions on something is kept in `found`.
    pub(crate) dear: u64,
}

impl<'a, B: Bits> Search<'a, B> {
    /// A search by one of the engine's threads, counted from 0, that keeps what it finds out nowhere but in the engine's table.
    pub(super) fn new(engine: &'a Engine<B>, thread: usize, meter: Meter<'a>) -> Self {
        let experience = &engine.experience[thread];
        Self {
            engine,
            crowd: (engine.threads > 1 || engine.crowd.has_others()).then_some(&engine.crowd),
            // Counts are as good as any, whatever became of who counted.
            experience: experience.lock().unwrap_or_else(PoisonError::into_inner),
            meter,
            children: Vec::new(),
            parts: Vec::new(),
            smaller: Vec::new(),
            found: Vec::new(),
            dear: u64::MAX,
        }
    }

    /// The nimber of a shape: couple after couple until one nimber is left. Nothing if the search came to its end
    /// before.
    pub(crate) fn nimber(&mut self, shape: Shape<B>) -> Result<Option<Nimber>, SolveError> {
        let mut possible = self.possible(shape);
        loop {
            if let Some(nimber) = possible.nimber() {
                return Ok(Some(nimber));
            }
            if self.meter.is_over() {
                return Ok(None);
            }
            let heap = possible.least();
            let limits = Numbers { win: NEVER, loss: NEVER };
            let numbers = self.search(shape, heap, limits)?;
            // The table may have lost what the search has just found out.
            possible = possible.and(self.possible(shape)).and(found(heap, numbers));
        }
    }

    /// The nimbers that a shape may have, as far as the table knows.
    #[inline]
    pub(crate) fn possible(&self, shape: Shape<B>) -> Possible {
        self.engine.possible(shape)
    }

    /// The numbers of a couple, guessed if the table has none; nothing if the couple is known to be won.
    #[inline]
    pub(super) fn numbers(&self, shape: Shape<B>, heap: Nimber) -> Option<Numbers> {
        let (possible, known) = self.engine.known(shape);
        self.numbers_given(shape, heap, possible, known)
    }

    /// The numbers of a couple, given what is possible for its shape and what the table has on it: guessed if it has
    /// none; nothing if the couple is known to be won.
    #[inline]
    pub(super) fn numbers_given(
        &self,
        shape: Shape<B>,
        heap: Nimber,
        possible: Possible,
        known: Option<Known>,
    ) -> Option<Numbers> {
        possible.has(heap).then(|| {
            known
                .and_then(|known| known.numbers(heap))
                .unwrap_or_else(|| self.experience.couple(shape.size(), possible, heap))
        })
    }

    /// Searches a couple until it is decided, one of its numbers reaches its limit, or the search comes to its end.
    ///
    /// Recursion goes no deeper than the dominoes that fit the shape and the sizes of the heaps.
    pub(crate) fn search(
        &mut self,
        shape: Shape<B>,
        heap: Nimber,
        limits: Numbers,
    ) -> Result<Numbers, SolveError> {
        let before = self.meter.expansions();
        let mut possible = self.possible(shape);
        if let Some(numbers) = decided(heap, possible) {
            return Ok(numbers);
        }
        let (children, smaller) = (self.children.len(), self.smaller.len());
        possible = self.push_options(shape, heap, possible)?;
        let numbers = match decided(heap, possible) {
            Some(numbers) => numbers,
            None => {
                self.find_places(children..);
                let numbers = self.descend(children, limits)?;
                possible = possible.and(found(heap, numbers));
                numbers
            }
        };
        self.children.truncate(children);
        self.smaller.truncate(smaller);
        let work = self.meter.expansions() - before;
        if work >= self.dear {
            self.found.push(Found { shape, possible, heap, numbers, work });
        }
        if let Some(nimber) = possible.nimber() {
            self.experience.note(shape.size(), nimber);
        }
        self.engine.table.put(shape, possible, heap, numbers, work);
        Ok(numbers)
    }

    /// Puts the options of a couple that are not decided at the end of `children`, of which some may be missing if it turns out to be
    /// decided itself, and returns what is possible for its shape now.
    #[inline]
    pub(super) fn push_options(
        &mut self,
        shape: Shape<B>,
        heap: Nimber,
        possible: Possible,
    ) -> Result<Possible, SolveError> {
        self.meter.expand()?;
        let start = self.children.len();
        let possible = self.expand(shape, heap, possible);
        if self.engine.switches.ties != 0 && self.children.len() > start {
            let turn = mix(shape.cells().hash64() ^ self.engine.switches.ties);
            let options = &mut self.children[start..];
            options.rotate_left((turn % options.len() as u64) as usize);
        }
        if decided(heap, possible).is_none() {
            self.push_heap_options(shape, heap, possible);
        }
        Ok(possible)
    }

    /// Puts the heap's own options that are not decided at the end of `children`.
    fn push_heap_options(&mut self, shape: Shape<B>, heap: Nimber, possible: Possible) {
        for less in (0..heap.get()).map(Nimber::new) {
            if possible.has(less)
                && let Some(numbers) = self.numbers(shape, less)
            {
                self.children.push(Child::couple(shape, less, numbers));
            }
        }
    }

    /// Asks where some of the options are, if it matters.
    fn find_places(&mut self, options: impl SliceIndex<[Child<B>], Output = [Child<B>]>) {
        if self.crowd.is_some() {
            self.children[options].iter_mut().for_each(Child::find_place);
        }
    }

    /// Searches the options from `start` on, the most proving first, until their couple is decided or
    /// one of its numbers reaches its limit or the search comes to its end.
    fn descend(&mut self, start: usize, limits: Numbers) -> Result<Numbers, SolveError> {
        while let Some(state) = self.state(start) {
            if state.numbers.win >= limits.win
                || state.numbers.loss >= limits.loss
                || self.meter.is_over()
            {
                return Ok(state.numbers);
            }
            let at = start + state.most_proving;
            let limits = Numbers {
                win: limits.loss - state.others,
                // A little beyond the second: going to and fro between two equals costs their options each time. And beyond its own
                // number in any case, as it may have been chosen because others are at the least.
                loss: limits
                    .win
                    .min(state.second + (state.second / 8).max(1))
                    .max(self.children[at].numbers.loss + 1),
            };
            let presence = self.crowd.map(|crowd| crowd.enter(self.children[at].place));
            let numbers = self.visit(at, limits)?;
            drop(presence);
            if numbers.loss == 0 {
                return Ok(WON);
            }
            if numbers.win == 0 {
                self.children.swap_remove(at);
            } else {
                self.children[at].numbers = numbers;
            }
        }
        Ok(LOST)
    }

    /// What the options from `start` on say of their couple; nothing if there are none.
    #[inline]
    fn state(&self, start: usize) -> Option<State> {
        let children = &self.children[start..];
        match self.crowd {
            None => State::of(children, |child| child.numbers.loss),
            Some(crowd) => State::of(children, |child| crowd.loss(child.place, child.numbers)),
        }
    }

    /// Searches one of the options, of which a sum is made a couple first.
    fn visit(&mut self, at: usize, limits: Numbers) -> Result<Numbers, SolveError> {
        let child = self.children[at];
        let Some(smaller) = child.smaller() else {
            return self.search(child.shape, child.heap, limits);
        };
        let mut heap = child.heap;
        for part in smaller {
            match self.nimber(self.smaller[part])? {
                Some(nimber) => heap ^= nimber,
                None => return Ok(child.numbers),
            }
        }
        self.children[at] = Child::couple(child.shape, heap, child.numbers);
        self.find_places(at..=at);
        Ok(match self.possible(child.shape).nimber() {
            Some(nimber) if nimber == heap => LOST,
            _ => self.numbers(child.shape, heap).unwrap_or(WON),
        })
    }
}

/// What was found out about a shape and a couple of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<B> {
    pub(crate) shape: Shape<B>,
    pub(crate) possible: Possible,
    pub(crate) heap: Nimber,
    pub(crate) numbers: Numbers,
    /// The expansions that it cost.
    pub(crate) work: u64,
}

/// The numbers of a couple that is decided by what is possible for its shape.
#[inline]
pub(crate) fn decided(heap: Nimber, possible: Possible) -> Option<Numbers> {
    if !possible.has(heap) {
        Some(WON)
    } else if possible.nimber().is_some() {
        Some(LOST)
    } else {
        None
    }
}

/// What the numbers of a couple say of the nimber of its shape.
#[inline]
pub(crate) fn found(heap: Nimber, numbers: Numbers) -> Possible {
    if numbers.loss == 0 {
        Possible::only(heap)
    } else if numbers.win == 0 {
        Possible::ALL.without(heap)
    } else {
        Possible::ALL
    }
}

/// What the options of a couple say of it.
pub(super) struct State {
    /// The couple's numbers.
    numbers: Numbers,
    /// The option to search next: that of the least losing number as it is seen.
    pub(super) most_proving: usize,
    /// The least losing number of the others, as it is seen.
    second: u32,
    /// What the other options add to the losing number of the couple.
    others: u32,
}

impl State {
    /// Nothing if there are no options. `seen` is the losing number by which an option is chosen.
    #[inline]
    pub(super) fn of<B>(children: &[Child<B>], seen: impl Fn(&Child<B>) -> u32) -> Option<Self> {
        let others = (children.len().checked_sub(1)? as u32) * FURTHER_OPTION;
        let (mut least_seen, mut second, mut most_proving) = (NEVER, NEVER, 0);
        let (mut least, mut greatest) = (NEVER, 0);
        for (at, child) in children.iter().enumerate() {
            let Numbers { win, loss } = child.numbers;
            greatest = greatest.max(win);
            least = least.min(loss);
            let seen = seen(child);
            if seen < least_seen {
                (least_seen, second, most_proving) = (seen, least_seen, at);
            } else {
                second = second.min(seen);
            }
        }
        Some(Self {
            numbers: Numbers { win: least, loss: greatest + others }.capped(),
            most_proving,
            second,
            others,
        })
    }
}

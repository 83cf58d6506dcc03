//! The child step: the options of a couple, reduced, split, looked up and folded into couples again.
//!
//! Components whose nimbers are known go into the heap. What remains is nothing (the nimber of the option is known), one
//! component (a couple) or several (a sum, whose smaller components have to be valued first).

use std::ops::Range;

use crate::Nimber;
use crate::proof_number::crowd::Place;
use crate::proof_number::facts::Possible;
use crate::proof_number::guess::Experience;
use crate::proof_number::numbers::Numbers;
use crate::proof_number::order::{Domino, Dominoes};
use crate::proof_number::reduce::{Reduced, reduced};
use crate::proof_number::search::Search;
use crate::shape::{Bits, Frame, Shape};

/// An option of a couple that is not decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<B> {
    /// The component, the largest one of a sum.
    pub(crate) shape: Shape<B>,
    pub(crate) numbers: Numbers,
    /// The heap, everything known folded into it.
    pub(crate) heap: Nimber,
    /// Where that is, once it was asked for.
    pub(super) place: Place,
    /// Where the smaller components of a sum begin in the search's list.
    smaller: u32,
    /// How many there are.
    smaller_len: u32,
}

impl<B: Bits> Child<B> {
    /// A couple.
    #[inline]
    pub(super) fn couple(shape: Shape<B>, heap: Nimber, numbers: Numbers) -> Self {
        Self { shape, numbers, heap, place: Place::default(), smaller: 0, smaller_len: 0 }
    }

    /// Asks where it is.
    #[inline]
    pub(super) fn find_place(&mut self) {
        self.place = Place::of(self.shape, self.heap);
    }

    /// Where the search's list has the smaller components, if this is a sum.
    #[inline]
    pub(crate) fn smaller(&self) -> Option<Range<usize>> {
        let start = self.smaller as usize;
        (self.smaller_len > 0).then(|| start..start + self.smaller_len as usize)
    }
}

/// Options whose components are asked for together before the first of them is looked up.
const TOGETHER: usize = 4;

impl<B: Bits> Search<'_, B> {
    /// Puts the options of a couple that are not decided at the end of `children` and returns what the
    /// others say of the shape's nimber.
    ///
    /// Ends as soon as one option turns out to be lost: then the heap is not among what is returned.
    #[inline]
    pub(super) fn expand(&mut self, shape: Shape<B>, heap: Nimber, possible: Possible) -> Possible {
        // Of a board that takes 128 bits nearly every shape fits 64, in half the time.
        match self.engine.in_narrow_frame(shape) {
            Some((frame, cells)) => self.expand_in(frame, cells, heap, possible),
            None => self.expand_in(&self.engine.frame, shape.cells(), heap, possible),
        }
    }

    /// [`expand`](Self::expand) of the cells of a shape in a frame that holds them.
    fn expand_in<W: Bits>(
        &mut self,
        frame: &Frame<W>,
        cells: W,
        heap: Nimber,
        possible: Possible,
    ) -> Possible {
        // The nimbers of the options that are known, how many are not, and the nimbers that those may have.
        let (mut values, mut unknown) = (Possible::NONE, 0);
        let mut reach = if self.engine.switches.reach { Possible::NONE } else { Possible::ALL };
        let mut dominoes = Dominoes::of(frame, cells);
        loop {
            let mut options = [(Nimber::ZERO, 0); TOGETHER];
            let mut len = 0;
            self.parts.clear();
            for domino in dominoes.by_ref().take(TOGETHER) {
                let value = self.split(frame, cells, domino);
                options[len] = (value, self.parts.len());
                len += 1;
            }
            if len == 0 {
                return possible.after_options(values, unknown, reach);
            }
            let mut start = 0;
            for &(value, end) in &options[..len] {
                match self.fold(value, start..end, heap) {
                    Folded::Known(value) if value == heap => {
                        return possible.without_all(values.with(heap));
                    }
                    Folded::Known(value) => values = values.with(value),
                    Folded::Unknown(among, child) => {
                        unknown += 1;
                        reach = reach.or(among);
                        self.children.extend(child);
                    }
                }
                start = end;
            }
        }
    }

    /// Puts the components of four or more cells that a domino leaves at the end of `parts`, asks for what the table has
    /// on them, and returns the nimber of the others.
    #[inline]
    fn split<W: Bits>(&mut self, frame: &Frame<W>, cells: W, domino: Domino<W>) -> Nimber {
        let left = cells & !domino.cells;
        let Reduced { cells: rest, keeps_together } = reduced(frame, self.engine.switches, left);
        if domino.keeps_together && keeps_together {
            return self.part(frame, rest);
        }
        // The shape is connected, so every component touches something that is gone.
        let landmarks = frame.around(cells & !rest);
        frame
            .components_at(rest & frame.around(rest), landmarks)
            .fold(Nimber::ZERO, |value, component| value ^ self.part(frame, component))
    }

    /// Puts a component of four or more cells at the end of `parts`, or returns its nimber.
    #[inline]
    fn part<W: Bits>(&mut self, frame: &Frame<W>, component: W) -> Nimber {
        if component.has_at_most_three() {
            return Nimber::ONE;
        }
        let part = frame.canonical(component);
        let part = part.resized().expect("the table's words are no smaller than the frame's");
        self.engine.table.prefetch(part);
        self.parts.push(part);
        Nimber::ZERO
    }

    /// Looks up the components of an option and folds those of known nimber into its value so far.
    #[inline]
    fn fold(&mut self, value: Nimber, parts: Range<usize>, heap: Nimber) -> Folded<B> {
        if parts.len() == 1 {
            // As most options are: a couple without more ado.
            let part = self.parts[parts.start];
            let (possible, known) = self.engine.known(part);
            return match possible.nimber() {
                Some(nimber) => Folded::Known(value ^ nimber),
                None => {
                    let heap = heap ^ value;
                    let numbers = self.numbers_given(part, heap, possible, known);
                    let child = numbers.map(|numbers| Child::couple(part, heap, numbers));
                    Folded::Unknown(possible.plus(value), child)
                }
            };
        }
        let mut value = value;
        let first = self.smaller.len();
        for at in parts {
            let part = self.parts[at];
            match self.possible(part).nimber() {
                Some(nimber) => value ^= nimber,
                None => match self.smaller[first..].iter().position(|&other| other == part) {
                    // A component and its copy are worth nothing.
                    Some(copy) if self.engine.switches.copies => {
                        self.smaller.swap_remove(first + copy);
                    }
                    _ => self.smaller.push(part),
                },
            }
        }
        let among = match &self.smaller[first..] {
            [_, _, ..] if !self.engine.switches.reach => Possible::ALL,
            parts => parts
                .iter()
                .fold(Possible::only(value), |among, &part| among.sums(self.possible(part))),
        };
        if self.smaller.len() == first {
            Folded::Known(value)
        } else if !among.has(heap) {
            self.smaller.truncate(first);
            Folded::Unknown(among, None)
        } else {
            Folded::Unknown(among, self.sum(first, heap ^ value))
        }
    }

    /// The option of the components in `smaller` from `first` on, and a heap; nothing if another thread has just won it.
    fn sum(&mut self, first: usize, heap: Nimber) -> Option<Child<B>> {
        let parts = &mut self.smaller[first..];
        parts.sort_unstable_by_key(|part| part.size());
        let cells = parts.iter().map(|part| part.size()).sum();
        let largest = self.smaller.pop().expect("a sum has components");
        let smaller_len = (self.smaller.len() - first) as u32;
        let numbers =
            if smaller_len == 0 { self.numbers(largest, heap)? } else { Experience::sum(cells) };
        let child = Child::couple(largest, heap, numbers);
        Some(Child { smaller: first as u32, smaller_len, ..child })
    }
}

/// What the table makes of an option.
enum Folded<B> {
    /// Its nimber.
    Known(Nimber),
    /// The nimbers that it may have, and the couple or sum; no such if it is won although its nimber is not known.
    Unknown(Possible, Option<Child<B>>),
}

//! The child step: the options of a couple, reduced, split, looked up and folded into couples again.
//!
//! Components whose nimbers are known go into the heap. What remains is nothing (the nimber of the option is known), one
//! component (a couple) or several (a sum, whose smaller components have to be valued first).

use std::ops::Range;

use crate::Nimber;
use crate::proof_number::facts::Possible;
use crate::proof_number::guess;
use crate::proof_number::reduce::reduced;
use crate::proof_number::search::{Search, numbers};
use crate::proof_number::table::Numbers;
use crate::shape::{Bits, Shape};

/// An option of a couple that is not decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<B> {
    /// The component, the largest one of a sum.
    pub(crate) shape: Shape<B>,
    pub(crate) numbers: Numbers,
    /// The heap, everything known folded into it.
    pub(crate) heap: Nimber,
    /// Where the smaller components of a sum begin in the search's list.
    smaller: u32,
    /// How many there are.
    smaller_len: u32,
}

impl<B> Child<B> {
    /// A couple.
    #[inline]
    pub(super) fn couple(shape: Shape<B>, heap: Nimber, numbers: Numbers) -> Self {
        Self { shape, numbers, heap, smaller: 0, smaller_len: 0 }
    }

    /// Where the search's list has the smaller components, if this is a sum.
    #[inline]
    pub(crate) fn smaller(&self) -> Option<Range<usize>> {
        let start = self.smaller as usize;
        (self.smaller_len > 0).then(|| start..start + self.smaller_len as usize)
    }
}

/// Options whose components are asked for together before the first of them is looked up.
const TOGETHER: usize = 8;

impl<B: Bits> Search<'_, B> {
    /// Puts the options of a couple that are not decided at the end of `children` and returns what the
    /// others say of the shape's nimber.
    ///
    /// Ends as soon as one option turns out to be lost: then the heap is not among what is returned.
    pub(super) fn expand(&mut self, shape: Shape<B>, heap: Nimber, possible: Possible) -> Possible {
        // The nimbers of options, as far as they are known, and how many options are left.
        let mut values = Possible::NONE;
        let mut unknown = 0;
        let mut dominoes = self.frame.dominoes(shape.cells());
        loop {
            let mut ends = [0; TOGETHER];
            let mut options = 0;
            self.parts.clear();
            for domino in dominoes.by_ref().take(TOGETHER) {
                self.split(shape.cells(), domino);
                ends[options] = self.parts.len();
                options += 1;
            }
            if options == 0 {
                return possible.after_options(values, unknown);
            }
            let mut start = 0;
            for &end in &ends[..options] {
                match self.fold(start..end, heap) {
                    Folded::Known(value) if value == heap => return possible.without(heap),
                    Folded::Known(value) => values = values.with(value),
                    Folded::Unknown(child) => {
                        unknown += 1;
                        self.children.extend(child);
                    }
                }
                start = end;
            }
        }
    }

    /// Puts the components that a domino leaves at the end of `parts` and asks for what the table has on
    /// them.
    #[inline]
    fn split(&mut self, cells: B, domino: B) {
        let frame = self.frame;
        let mut rest = cells & !domino;
        if self.switches.reductions {
            rest = reduced(frame, rest);
        }
        // The shape is connected, so every component touches something that is gone.
        let landmarks = frame.around(cells & !rest);
        for component in frame.components_at(rest & frame.around(rest), landmarks) {
            let part = frame.canonical(component);
            self.table.prefetch(part);
            self.parts.push(part);
        }
    }

    /// Looks up the components of an option and folds those of known nimber into the heap.
    #[inline]
    fn fold(&mut self, parts: Range<usize>, heap: Nimber) -> Folded<B> {
        let mut sum = heap;
        let first = self.smaller.len();
        if parts.len() == 1 {
            // As most options are: a couple without more ado.
            let part = self.parts[parts.start];
            if part.is_single_move() {
                return Folded::Known(Nimber::ONE);
            }
            let (possible, known) = self.known(part);
            return match possible.nimber() {
                Some(nimber) => Folded::Known(nimber),
                None => Folded::Unknown(
                    numbers(part, heap, possible, known)
                        .map(|numbers| Child::couple(part, heap, numbers)),
                ),
            };
        }
        for at in parts {
            let part = self.parts[at];
            match self.possible(part).nimber() {
                Some(nimber) => sum ^= nimber,
                None => match self.smaller[first..].iter().position(|&other| other == part) {
                    // A component and its copy are worth nothing.
                    Some(copy) => drop(self.smaller.swap_remove(first + copy)),
                    None => self.smaller.push(part),
                },
            }
        }
        match self.smaller.len() - first {
            0 => Folded::Known(sum ^ heap),
            1 => {
                let part = self.smaller[first];
                self.smaller.truncate(first);
                let numbers = self.numbers(part, sum);
                Folded::Unknown(numbers.map(|numbers| Child::couple(part, sum, numbers)))
            }
            _ => {
                let parts = &mut self.smaller[first..];
                parts.sort_unstable_by_key(|part| part.size());
                let cells: u32 = parts.iter().map(|part| part.size()).sum();
                let largest = self.smaller.pop().expect("there are several");
                Folded::Unknown(Some(Child {
                    shape: largest,
                    numbers: guess::sum(cells),
                    heap: sum,
                    smaller: first as u32,
                    smaller_len: (self.smaller.len() - first) as u32,
                }))
            }
        }
    }
}

/// What the table makes of an option.
enum Folded<B> {
    /// Its nimber.
    Known(Nimber),
    /// A couple or a sum; nothing if it is won although its nimber is not known.
    Unknown(Option<Child<B>>),
}

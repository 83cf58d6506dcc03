//! The order in which an expansion looks at the dominoes of a shape: an option that decides at once is to come
//! early, so that the others need not be generated.
//!
//! Options of small components are the likeliest to be known. So dominoes that cut the shape come first, and of
//! either kind those nearest to the middle. Whether a domino cuts is read off the ten cells around it, for all
//! dominoes at once. It may be wrong in one way: what is apart around the domino may hang together elsewhere.

use crate::shape::{Bits, Frame};

/// The dominoes of a shape, the most promising first.
#[derive(Clone, Debug)]
pub(super) struct Dominoes<B> {
    /// Dominoes by their first cells: those along the lines that cut, those across that cut, and the others.
    firsts: [FromMiddle<B>; 4],
    /// Which of them are next.
    kind: usize,
    /// The dominoes along and across the lines whose first cell is bit 0.
    domino: [B; 2],
}

/// A domino of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Domino<B> {
    pub(super) cells: B,
    /// Whether the rest of the shape is in one piece for certain.
    pub(super) keeps_together: bool,
}

impl<B: Bits> Dominoes<B> {
    /// The dominoes that fit into a shape, its cells in the corner of the frame.
    #[inline]
    pub(super) fn of(frame: &Frame<B>, cells: B) -> Self {
        let up = |cells: B| frame.to_down(cells);
        let down = |cells: B| frame.to_up(cells);
        // The first cells of dominoes see the cells around them: those before and after them on their line, ...
        let (before, after) = (frame.to_right(cells), frame.to_left(cells));
        let beyond = frame.to_left(after);
        // ... and on the lines above and below.
        let (above, above_before, above_after) = (up(cells), up(before), up(after));
        let (below, below_before, below_after) = (down(cells), down(before), down(after));

        let along = cells & after;
        let along_cuts = along
            & are_apart(
                [before, above, above_after, beyond, below_after, below],
                [above_before, up(beyond), down(beyond), below_before],
            );
        let across = cells & below;
        let across_cuts = across
            & are_apart(
                [above, after, below_after, down(below), below_before, before],
                [above_after, down(below_after), down(below_before), above_before],
            );
        let middle = cells.last() / 2;
        Self {
            firsts: [along_cuts, across_cuts, along & !along_cuts, across & !across_cuts]
                .map(|members| FromMiddle { members, middle }),
            kind: 0,
            domino: [frame.along(), frame.across()],
        }
    }
}

/// Of six cells around a domino, given in their order for many dominoes at once, whether they fall into several pieces:
/// the second is next to the third and the fifth to the sixth, the others are linked by the corners between them.
#[inline]
fn are_apart<B: Bits>(beside: [B; 6], corners: [B; 4]) -> B {
    let [a, b, c, d, e, f] = beside;
    let [ab, cd, de, fa] = corners;
    let ends = [a & !(ab & b), b & !c, c & !(cd & d), d & !(de & e), e & !f, f & !(fa & a)];
    // Every piece has an end, but for one that goes all around.
    let (mut one, mut several) = (B::EMPTY, B::EMPTY);
    for end in ends {
        several |= one & end;
        one |= end;
    }
    several
}

impl<B: Bits> Iterator for Dominoes<B> {
    type Item = Domino<B>;

    #[inline]
    fn next(&mut self) -> Option<Domino<B>> {
        while self.kind < self.firsts.len() {
            if let Some(first) = self.firsts[self.kind].next() {
                return Some(Domino {
                    cells: self.domino[self.kind % 2] << first,
                    keeps_together: self.kind >= 2,
                });
            }
            self.kind += 1;
        }
        None
    }
}

/// The members of a set from a middle outwards.
#[derive(Clone, Copy, Debug)]
struct FromMiddle<B> {
    members: B,
    middle: u32,
}

impl<B: Bits> FromMiddle<B> {
    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.members.is_empty() {
            return None;
        }
        // As good as random, so better computed than decided.
        let above = (self.members >> self.middle).first();
        let below = B::BITS - (self.members << 1 << (B::BITS - 1 - self.middle)).length();
        let member = if above <= below { self.middle + above } else { self.middle - 1 - below };
        self.members ^= B::ONE << member;
        Some(member)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::shape::tests::connected;

    proptest! {
        #[test]
        fn every_domino_comes_once(((short, long), cells) in connected()) {
            let frame = Frame::<u128>::new(short, long);
            let cells = frame.canonical(cells).cells();
            let in_order: Vec<_> = Dominoes::of(&frame, cells).map(|domino| domino.cells).collect();
            let dominoes: BTreeSet<_> = frame.dominoes(cells).collect();
            prop_assert_eq!(in_order.len(), dominoes.len());
            prop_assert_eq!(BTreeSet::from_iter(in_order), dominoes);
        }

        #[test]
        fn what_is_said_to_keep_together_does(((short, long), cells) in connected()) {
            let frame = Frame::<u128>::new(short, long);
            let cells = frame.canonical(cells).cells();
            for domino in Dominoes::of(&frame, cells) {
                let rest = cells & !domino.cells;
                if domino.keeps_together && rest != 0 {
                    prop_assert_eq!(frame.flood(rest.lowest(), rest), rest);
                }
            }
        }

        #[test]
        fn what_is_said_to_cut_cuts_the_cells_around(((short, long), cells) in connected()) {
            let frame = Frame::<u128>::new(short, long);
            let cells = frame.canonical(cells).cells();
            for domino in Dominoes::of(&frame, cells) {
                let rest = cells & !domino.cells;
                let lines = domino.cells | frame.to_up(domino.cells) | frame.to_down(domino.cells);
                let around = rest & (lines | frame.to_left(lines) | frame.to_right(lines));
                let beside = rest & frame.around(domino.cells);
                let piece = frame.flood(beside.lowest(), around);
                prop_assert_eq!(domino.keeps_together, beside & !piece == 0);
            }
        }
    }
}

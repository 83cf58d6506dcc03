//! A goal: a sum of shapes and a Nim heap, of which it is asked who wins.

use crate::Nimber;

/// A sum of shapes and a heap. With one shape it is a couple.
///
/// A shape is its set of cells in the corner of the board's frame, whose lines are as long as the board's shorter side: bit
/// `line * width + place`. Of the eight symmetric sets it is the canonical one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Goal {
    shapes: Box<[u128]>,
    heap: Nimber,
}

impl Goal {
    /// The sum of these shapes and the heap. Two equal shapes are worth nothing and are left out.
    #[must_use]
    pub fn new(mut shapes: Vec<u128>, heap: Nimber) -> Self {
        shapes.sort_unstable();
        let mut kept: Vec<u128> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            if kept.last() == Some(&shape) {
                kept.pop();
            } else {
                kept.push(shape);
            }
        }
        Self { shapes: kept.into(), heap }
    }

    /// The shapes, in ascending order, each once.
    #[must_use]
    pub fn shapes(&self) -> &[u128] {
        &self.shapes
    }

    /// The heap.
    #[must_use]
    pub fn heap(&self) -> Nimber {
        self.heap
    }

    /// The goal once the nimber of one of its shapes is known: the nimber is folded into the heap.
    pub(super) fn with_known(&self, shape: u128, nimber: Nimber) -> Self {
        let shapes = self.shapes.iter().copied().filter(|&other| other != shape).collect();
        Self { shapes, heap: self.heap ^ nimber }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shapes_cancel_in_pairs() {
        let goal = Goal::new(vec![7, 3, 7, 5, 7], Nimber::ONE);
        assert_eq!(goal.shapes(), [3, 5, 7]);
        assert_eq!(Goal::new(vec![3, 3], Nimber::ONE).shapes(), []);
        let folded = goal.with_known(5, Nimber::new(3));
        assert_eq!(folded, Goal::new(vec![3, 7], Nimber::new(2)));
    }
}

//! Ordered partitions of the vertices and their coarsest equitable refinement.
//!
//! A partition is equitable when any two vertices of a cell have the same number of neighbours in
//! each cell. The order of the cells depends on the graph and the partition begun with, never on how
//! the vertices are numbered: that makes it the ground of everything canonical.

use crate::small_graph::{MAX_SMALL_ORDER, members};

/// An ordered partition: disjoint cells that together hold all vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partition {
    cells: [u16; MAX_SMALL_ORDER],
    count: usize,
}

/// Sets still to be used to split cells.
///
/// A refinement adds fewer sets than there are vertices to the few that it begins with.
struct Splitters {
    sets: [u16; 2 * MAX_SMALL_ORDER],
    count: usize,
}

impl Splitters {
    fn push(&mut self, set: u16) {
        self.sets[self.count] = set;
        self.count += 1;
    }

    fn pop(&mut self) -> Option<u16> {
        self.count = self.count.checked_sub(1)?;
        Some(self.sets[self.count])
    }
}

impl Partition {
    /// The partition with these cells; empty ones are left out.
    pub(super) fn of(cells: impl IntoIterator<Item = u16>) -> Self {
        let mut partition = Self { cells: [0; MAX_SMALL_ORDER], count: 0 };
        for cell in cells.into_iter().filter(|&cell| cell != 0) {
            partition.cells[partition.count] = cell;
            partition.count += 1;
        }
        partition
    }

    /// The cells in order.
    pub(super) fn cells(&self) -> &[u16] {
        &self.cells[..self.count]
    }

    /// The place of the first cell that has more than one vertex.
    pub(super) fn first_wide(&self) -> Option<usize> {
        self.cells().iter().position(|cell| cell & (cell - 1) != 0)
    }

    /// Refines until equitable or until `enough`, which is asked with the first cell.
    pub(super) fn refine(
        &mut self,
        rows: &[u16; MAX_SMALL_ORDER],
        order: usize,
        enough: impl Fn(u16) -> bool,
    ) {
        let mut splitters = Splitters { sets: [0; 2 * MAX_SMALL_ORDER], count: 0 };
        self.cells().iter().for_each(|&cell| splitters.push(cell));
        self.refine_by(rows, order, splitters, enough);
    }

    /// Takes a vertex out of a wide cell of an equitable partition, puts it in front of the rest,
    /// and refines until equitable.
    pub(super) fn individualise(
        &mut self,
        rows: &[u16; MAX_SMALL_ORDER],
        order: usize,
        place: usize,
        vertex: usize,
    ) {
        let single = 1 << vertex;
        self.insert(place, single, self.cells[place] & !single);
        let mut splitters = Splitters { sets: [0; 2 * MAX_SMALL_ORDER], count: 0 };
        splitters.push(single);
        self.refine_by(rows, order, splitters, |_| false);
    }

    /// Splits the cell at a place in two.
    fn insert(&mut self, place: usize, front: u16, back: u16) {
        self.cells.copy_within(place + 1..self.count, place + 2);
        self.cells[place] = front;
        self.cells[place + 1] = back;
        self.count += 1;
    }

    fn refine_by(
        &mut self,
        rows: &[u16; MAX_SMALL_ORDER],
        order: usize,
        mut splitters: Splitters,
        enough: impl Fn(u16) -> bool,
    ) {
        while self.count < order && !enough(self.cells[0]) {
            let Some(splitter) = splitters.pop() else { return };
            let mut place = 0;
            while place < self.count {
                let cell = self.cells[place];
                place += if cell & (cell - 1) == 0 {
                    1
                } else if splitter & (splitter - 1) == 0 {
                    self.split_by_vertex(
                        place,
                        rows[splitter.trailing_zeros() as usize],
                        &mut splitters,
                    )
                } else {
                    self.split_by_set(place, rows, splitter, &mut splitters)
                };
            }
        }
    }

    /// Splits a cell by adjacency to a vertex with these neighbours; returns how many parts it has.
    fn split_by_vertex(&mut self, place: usize, row: u16, splitters: &mut Splitters) -> usize {
        let (far, near) = (self.cells[place] & !row, self.cells[place] & row);
        if far == 0 || near == 0 {
            return 1;
        }
        self.insert(place, far, near);
        // The larger part splits nothing that the smaller one and the whole do not.
        splitters.push(if far.count_ones() < near.count_ones() { far } else { near });
        2
    }

    /// Splits a cell by the number of neighbours in a set; returns how many parts it has.
    fn split_by_set(
        &mut self,
        place: usize,
        rows: &[u16; MAX_SMALL_ORDER],
        splitter: u16,
        splitters: &mut Splitters,
    ) -> usize {
        let mut parts = [0_u16; MAX_SMALL_ORDER + 1];
        let mut numbers = 0_u32;
        for v in members(self.cells[place]) {
            let number = (rows[v] & splitter).count_ones();
            parts[number as usize] |= 1 << v;
            numbers |= 1 << number;
        }
        let count = numbers.count_ones() as usize;
        if count == 1 {
            return 1;
        }
        let occupied = || {
            std::iter::successors(Some(numbers), |&rest| Some(rest & (rest - 1)))
                .take(count)
                .map(|rest| parts[rest.trailing_zeros() as usize])
        };
        self.cells.copy_within(place + 1..self.count, place + count);
        self.count += count - 1;
        for (offset, part) in occupied().enumerate() {
            self.cells[place + offset] = part;
        }
        let largest = occupied().max_by_key(|part| part.count_ones()).expect("there are parts");
        for part in occupied().filter(|&part| part != largest) {
            splitters.push(part);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SmallGraph, graph6};

    fn refined(text: &str) -> Vec<u16> {
        let graph = SmallGraph::try_from(&graph6::parse(text.as_bytes()).unwrap()).unwrap();
        let mut partition = Partition::of([graph.vertices()]);
        partition.refine(graph.rows(), graph.order(), |_| false);
        let mut cells = partition.cells().to_vec();
        cells.sort_unstable();
        cells
    }

    #[test]
    fn a_path_falls_apart_by_the_distance_from_its_ends() {
        // Vertices 0-1-2-3-4 in a row.
        assert_eq!(refined("DhC"), [0b00100, 0b01010, 0b10001]);
    }

    #[test]
    fn a_cycle_stays_whole() {
        assert_eq!(refined("EhEG"), [0b111111]);
    }
}

//! The matching bound, for graphs of which only the order or the degrees are known.

/// The fewest vertices that a graph with a start of value `k` can have: 2k, and one for the value 0.
///
/// Follows from the matching bound, see [`cover`](crate::cover). Whether so few suffice is another question.
#[must_use]
pub fn fewest_vertices(k: usize) -> usize {
    (2 * k).max(1)
}

/// The greatest value that a start of a graph on so many vertices can have: half of them.
#[must_use]
pub fn greatest_value(order: usize) -> usize {
    order / 2
}

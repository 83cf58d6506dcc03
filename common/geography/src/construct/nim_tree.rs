//! The smallest tree of a given value.

use super::builder::Builder;
use crate::Graph;

/// The tree t(k): its root, vertex 0, has the roots of t(k-1), ..., t(0) as children, and t(0) is one
/// vertex. It has 2^k vertices, and its root has the value k.
///
/// # Panics
///
/// If the tree would not fit the address space.
#[must_use]
pub fn nim_tree(k: usize) -> Graph {
    let mut builder = Builder::default();
    builder.nim_tree(k);
    builder.build()
}

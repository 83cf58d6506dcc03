//! All connected graphs of an order, each isomorphism class once, without a list of what was seen.
//!
//! B. D. McKay, *Isomorph-free exhaustive generation*, Journal of Algorithms 26 (1998). A graph is
//! made from a parent with one vertex less by adding a vertex; it is accepted iff the new vertex
//! is the one that a rule, blind to the numbering, would delete. Then every class has one parent
//! class, and within a parent one neighbourhood for each orbit of its automorphism group is enough.
//! As no list is kept, any set of subtrees of this tree is a slice on its own.
//!
//! `augment` is that rule, `canonical` finds automorphisms and canonical forms, `partition` is
//! the refinement beneath both, and `tree` walks. The counts to reproduce are A001349 of the
//! OEIS and, for the constraints, A000055 (trees) and the subcubic connected graphs.

mod augment;
mod canonical;
mod constraints;
mod partition;
mod tree;

pub use canonical::canonical_form;
pub use constraints::Constraints;
pub use tree::{Family, Part, connected};

//! Sets of cells as machine words: the rules, the split into components and the canonical key. This is
//! all that the methods share.

mod bits;
mod canonical;
mod frame;
mod half_turn;
mod split;

pub(crate) use bits::{Bits, mix};
pub(crate) use canonical::Shape;
pub(crate) use frame::Frame;
pub(crate) use split::Parts;

#[cfg(test)]
pub(crate) use split::tests;

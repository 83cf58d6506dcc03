//! Maximum matchings, and what they say about the game.
//!
//! [`outcome`] is the theorem; [`blossom`](blossom_size) and [`bitmask`](bitmask_size) are two
//! ways to the size of a maximum matching that share no code.

mod bitmask;
mod blossom;
mod criterion;

pub use bitmask::{BitmaskSizes, ExtendedSizes, bitmask_size};
pub use blossom::{Matcher, blossom_size, maximum_matching};
pub use criterion::{Outcome, outcome, winning_move};

//! Exact values, by two evaluators that share no code.
//!
//! [`recursion`] follows the game from one start and remembers positions; [`table`] fills a table
//! over all sets of vertices from below and knows all starts at once.

pub mod recursion;
pub mod table;

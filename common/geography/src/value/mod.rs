//! Exact values, by two evaluators that share no code.
//!
//! [`recursion`] follows the game from one start and remembers positions; [`table`] fills a table
//! over all sets of vertices from below and knows all starts at once. Where no vertex has more than three
//! neighbours, [`subcubic`] finds values by matchings alone.

pub mod recursion;
pub mod subcubic;
pub mod table;

//! Undirected Vertex Geography: graphs, Grundy values, exhaustive sweeps, matchings.
//!
//! A token lies on a vertex of a simple undirected graph. A move takes it to a neighbour and deletes
//! the vertex it left; a player who cannot move loses. The *value* of a start is its Grundy value,
//! the least number that is the value of none of its options; the *outcome* is P (the previous
//! player wins) where the value is 0 and N (the next player wins) elsewhere.
//!
//! Values come from two evaluators that share no code, [`value::recursion`] and [`value::table`];
//! outcomes also from maximum matchings ([`matching`]), by two methods that share none either. A
//! [`sweep`] puts them to work on every connected graph of an order, without ever holding a list of
//! the graphs.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicU64};
//!
//! use sprague_geography::{Limits, Outcome, analyse, graph6};
//!
//! // A path of four vertices, and the token on an end of it.
//! let graph = graph6::parse(b"Ch")?;
//! let limits = Limits {
//!     memory: 1 << 20,
//!     cancel: &AtomicBool::new(false),
//!     progress: &AtomicU64::new(0),
//! };
//! let analysis = analyse(&graph, 0, &limits)?;
//! assert_eq!(analysis.outcome, Outcome::N);
//! assert_eq!(analysis.value, Ok(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
pub mod construct;
pub mod cover;
mod dispatch;
pub mod draw;
pub mod generate;
mod graph;
pub mod graph6;
mod limits;
pub mod literature;
pub mod matching;
mod random;
pub mod search;
mod small_graph;
pub mod sweep;
pub mod value;

pub use analysis::{AnalyseError, Analysis, BatchAnalyser, GeoOption, MAX_BATCH_ORDER, analyse};
pub use graph::{EdgeError, Graph};
pub use limits::{Limits, Stop};
pub use matching::Outcome;
pub use small_graph::{MAX_SMALL_ORDER, SmallGraph, TooLarge};

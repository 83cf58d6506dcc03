//! All connected graphs of an order, all starts: in slices that share nothing.

mod evaluate;
mod fingerprint;
mod report;
mod run;
mod slice;
mod tally;

pub use report::{MAX_EXCEPTIONS, MAX_FULL_GRAPHS, Report};
pub use run::{Evaluator, UnknownEvaluator, run};
pub use slice::{MAX_VERTICES, SAMPLE_RATE, Slice, suggested_slices};

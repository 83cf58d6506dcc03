//! All connected graphs of an order, all starts: in slices that share nothing.

mod evaluate;
mod fingerprint;
mod report;
mod run;
mod slice;
mod tally;

pub use report::{MAX_EXCEPTIONS, Report};
pub use run::{Evaluator, UnknownEvaluator, run};
pub use slice::{MAX_VERTICES, Slice, suggested_slices};

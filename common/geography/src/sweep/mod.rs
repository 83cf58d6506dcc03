//! All connected graphs of an order, all starts: in slices that share nothing.

mod report;
mod run;
mod slice;

pub use report::{MAX_EXCEPTIONS, Report};
pub use run::{Evaluator, UnknownEvaluator, run};
pub use slice::{MAX_VERTICES, Slice, suggested_slices};

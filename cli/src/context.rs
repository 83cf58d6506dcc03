//! What every command works with besides its own arguments.

use indicatif::MultiProgress;
use sprague_work::Registry;

use crate::args::Global;
use crate::output::{Notes, Printer};

/// The global flags as they are meant.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) global: Global,
    /// Standard output.
    pub(crate) printer: Printer,
    /// Standard error, for remarks.
    pub(crate) notes: Notes,
    /// All progress bars, so that whoever else writes to standard error can do so beside them.
    pub(crate) bars: MultiProgress,
    /// The kinds of jobs.
    pub(crate) registry: Registry,
}

impl Context {
    pub(crate) fn new(global: Global) -> Self {
        Self {
            printer: Printer::new(&global),
            notes: Notes::new(&global),
            bars: MultiProgress::new(),
            registry: Registry::standard(),
            global,
        }
    }
}

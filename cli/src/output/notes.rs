//! Remarks on standard error, beside the result.

use std::io::{self, Write};

use super::{Paint, Tone};
use crate::args::Global;

/// Standard error for people. Silent with `--quiet`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notes {
    quiet: bool,
    paint: Paint,
}

impl Notes {
    pub(crate) fn new(global: &Global) -> Self {
        Self { quiet: global.quiet, paint: Paint::for_stream(global.color, &io::stderr()) }
    }

    /// Tells something that need not be acted on.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            // A closed standard error takes away nothing but the remark.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Tells what can be done next.
    pub(crate) fn hint(&self, text: &str) {
        self.say(&format!("{} {text}", self.paint.text(Tone::Hint, "hint:")));
    }
}

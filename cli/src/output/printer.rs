//! Writes documents in the form that was asked for.

use std::io::{self, Write};

use serde_json::Value as Json;

use super::{Document, Paint, fault};
use crate::args::{Global, LogFormat, OutputFormat};
use crate::error::ExpectedError;

/// Standard output in the form of `--output`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    format: OutputFormat,
    paint: Paint,
}

impl Printer {
    pub(crate) fn new(global: &Global) -> Self {
        Self { format: global.output, paint: Paint::for_stream(global.color, &io::stdout()) }
    }

    pub(crate) fn format(&self) -> OutputFormat {
        self.format
    }

    /// Writes a result.
    pub(crate) fn show(&self, document: &dyn Document) -> Result<(), ExpectedError> {
        match self.format {
            OutputFormat::Text => self.plain(&document.text(self.paint)),
            OutputFormat::Json => self.line(&document.json()),
            OutputFormat::Jsonl => {
                document.lines().iter().try_for_each(|document| self.line(document))
            }
        }
    }

    /// Writes one JSON value as a line, whatever the form.
    pub(crate) fn line(&self, document: &Json) -> Result<(), ExpectedError> {
        self.plain(&document.to_string())
    }

    /// Writes lines as they are, and ends the last one. Nothing for an empty text.
    pub(crate) fn plain(&self, text: &str) -> Result<(), ExpectedError> {
        if text.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()?;
        Ok(())
    }
}

/// Says why a command failed: in JSON on standard output when JSON was asked for, on standard error, as a line of the
/// log if that is JSON, otherwise. There is nobody left to tell when that fails too.
pub(crate) fn fail(global: &Global, error: &ExpectedError) {
    let nowhere_to_go = matches!(error, ExpectedError::Stdout(_));
    if global.log_format == LogFormat::Json
        && (global.output == OutputFormat::Text || nowhere_to_go)
    {
        tracing::error!(code = error.code(), hint = error.hint(), "{error}");
    } else if global.output == OutputFormat::Text || nowhere_to_go {
        let paint = Paint::for_stream(global.color, &io::stderr());
        let _ = writeln!(io::stderr(), "{}", fault::text(error, paint));
    } else {
        fail_as_json(error);
    }
}

/// Says why a command failed, in JSON on standard output.
pub(crate) fn fail_as_json(error: &ExpectedError) {
    let _ = writeln!(io::stdout(), "{}", fault::json(error));
}

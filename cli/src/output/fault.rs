//! Failures, as people and as programs read them.

use serde_json::{Value as Json, json};

use super::{Paint, Tone};
use crate::error::ExpectedError;

/// `error: ...`, and the hint below it.
pub(super) fn text(error: &ExpectedError, paint: Paint) -> String {
    let mut text = format!("{} {error}", paint.text(Tone::Bad, "error:"));
    if let Some(hint) = error.hint() {
        text.push_str(&format!("\n\n{} {hint}", paint.text(Tone::Hint, "hint:")));
    }
    text
}

/// `{"error":{"code":...,"message":...,"hint":...,"exit":...}}`
pub(super) fn json(error: &ExpectedError) -> Json {
    json!({ "error": fields(error, error.hint()) })
}

fn fields(error: &ExpectedError, hint: Option<String>) -> Json {
    json!({
        "code": error.code(),
        "message": error.to_string(),
        "hint": hint,
        "exit": error.exit().code(),
    })
}

/// A line of a stream that cannot be used, told in its place among the results.
pub(crate) struct LineFault<'a> {
    /// Its number, from 1.
    pub(crate) line: u64,
    pub(crate) error: &'a ExpectedError,
}

impl LineFault<'_> {
    /// `{"line":...,"error":{...}}`. Hints are on how to type a graph, so they are left out.
    pub(crate) fn json(&self) -> Json {
        json!({ "line": self.line, "error": fields(self.error, None) })
    }
}

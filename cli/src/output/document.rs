//! What every result must be able to do.

use serde_json::Value as Json;

use super::Paint;

/// A result of a command. Whoever adds one says how it looks in every form, so that `--output` is
/// never ignored.
pub(crate) trait Document {
    /// As one JSON value, in the shape of the command line's contract.
    fn json(&self) -> Json;

    /// As JSON values, one a line: its items where it is a list, itself otherwise.
    fn lines(&self) -> Vec<Json> {
        vec![self.json()]
    }

    /// For people: whole lines, the last one without its end.
    fn text(&self, paint: Paint) -> String;
}

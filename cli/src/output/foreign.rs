//! Text that other programs read: files for whoever schedules workers, completions of shells, manual pages.

use serde_json::{Value as Json, json};

use super::{Document, Paint};

/// A file in the format of another program.
pub(crate) struct ForeignFile {
    /// Whose format it is in.
    pub(crate) of: String,
    pub(crate) text: String,
}

impl Document for ForeignFile {
    fn json(&self) -> Json {
        json!({ "for": self.of, "text": self.text })
    }

    fn text(&self, _paint: Paint) -> String {
        self.text.clone()
    }
}

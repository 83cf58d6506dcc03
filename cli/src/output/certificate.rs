//! A certificate that was written or checked.

use std::path::PathBuf;

use indicatif::HumanCount;
use serde_json::{Value as Json, json};
use sprague_cram::certificate::Certificate;

use super::job::time;
use super::{Document, Paint, Tone};

/// A certificate and what was done with it.
pub(crate) struct CertificateDocument {
    pub(crate) deed: Deed,
    pub(crate) file: PathBuf,
    pub(crate) certificate: Certificate,
    /// The bytes of the file.
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
}

/// What was done with a certificate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    /// It was found by a search and written.
    Written {
        /// Of the search.
        expansions: u64,
    },
    /// It was checked, and everything in it is backed.
    Checked,
}

impl CertificateDocument {
    fn bytes_per_entry(&self) -> Option<f64> {
        let entries = self.certificate.entries();
        (entries > 0).then(|| self.bytes as f64 / entries as f64)
    }
}

impl Document for CertificateDocument {
    fn json(&self) -> Json {
        let nimber = self.certificate.nimber();
        let mut document = json!({
            "question": format!("cram {}", self.certificate.board()),
            "nimber": nimber.get(),
            "outcome": nimber.outcome().to_string(),
            "proven": matches!(self.deed, Deed::Checked),
            "file": self.file.display().to_string(),
            "entries": self.certificate.entries(),
            "bytes": self.bytes,
            "bytes_per_entry": self.bytes_per_entry(),
            "seconds": self.seconds,
        });
        if let Deed::Written { expansions } = self.deed {
            document["expansions"] = json!(expansions);
        }
        document
    }

    fn text(&self, paint: Paint) -> String {
        let (board, nimber) = (self.certificate.board(), self.certificate.nimber());
        let verdict = match self.deed {
            Deed::Written { .. } => format!("{board} has nimber {nimber}"),
            Deed::Checked => {
                format!("{board} has nimber {nimber}: {}", paint.text(Tone::Good, "proven"))
            }
        };
        let entries = self.certificate.entries();
        let noun = if entries == 1 { "entry" } else { "entries" };
        let each =
            self.bytes_per_entry().map(|each| format!(", {each:.1} an entry")).unwrap_or_default();
        let size =
            format!("{} {noun} in {} bytes{each}", HumanCount(entries), HumanCount(self.bytes));
        let deed = match self.deed {
            Deed::Written { expansions } => {
                format!("{} expansions, written to {}", HumanCount(expansions), self.file.display())
            }
            Deed::Checked => "every entry was checked".to_owned(),
        };
        format!("{verdict}\n{size}\n{deed} in {}", time(self.seconds))
    }
}

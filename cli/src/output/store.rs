//! A file that holds a store, after something was done to it.

use std::path::PathBuf;

use bytesize::ByteSize;
use serde_json::{Value as Json, json};
use sprague_coordinator::store::Contents;
use sprague_work::counted;

use super::{Document, Paint};

/// A store, a backup or an export, with what was learnt of it.
#[derive(Debug)]
pub(crate) struct StoreDocument {
    pub(crate) file: PathBuf,
    pub(crate) bytes: Option<u64>,
    pub(crate) bytes_before: Option<u64>,
    pub(crate) contents: Option<Contents>,
    /// Whether every page and every row of it was found to be as it was written.
    pub(crate) sound: bool,
}

impl StoreDocument {
    /// A file of which nothing more is known.
    pub(crate) fn of(file: PathBuf) -> Self {
        Self { file, bytes: None, bytes_before: None, contents: None, sound: false }
    }
}

impl Document for StoreDocument {
    fn json(&self) -> Json {
        let mut fields = json!({ "file": self.file.display().to_string() });
        let mut set = |name: &str, value: Option<Json>| {
            if let Some(value) = value {
                fields[name] = value;
            }
        };
        set("bytes", self.bytes.map(Json::from));
        set("bytes_before", self.bytes_before.map(Json::from));
        set("sound", self.sound.then(|| true.into()));
        if let Some(Contents { jobs, units, findings, disputes }) = self.contents {
            set("jobs", Some(jobs.into()));
            set("units", Some(units.into()));
            set("findings", Some(findings.into()));
            set("disputes", Some(disputes.into()));
        }
        json!({ "store": fields })
    }

    fn text(&self, _paint: Paint) -> String {
        let size = |bytes| ByteSize(bytes).display().iec().to_string();
        let mut parts = Vec::new();
        match (self.bytes_before, self.bytes) {
            (Some(before), Some(after)) => {
                parts.push(format!("{}, was {}", size(after), size(before)));
            }
            (None, Some(bytes)) => parts.push(size(bytes)),
            _ => {}
        }
        if let Some(Contents { jobs, units, findings, disputes }) = self.contents {
            parts.extend([
                counted(jobs, "job", "jobs"),
                counted(units, "unit", "units"),
                counted(findings, "finding", "findings"),
                counted(disputes, "dispute", "disputes"),
            ]);
        }
        if self.sound {
            parts.push("sound".to_owned());
        }
        format!("{}: {}", self.file.display(), parts.join(", "))
    }
}

//! Workers, as their coordinator sees them.

use bytesize::ByteSize;
use serde_json::{Value as Json, json};
use sprague_work::{Align, Table};

use super::{Document, Paint, table};
use crate::remote::Worker;

/// All workers.
pub(crate) struct WorkersDocument(pub(crate) Vec<Worker>);

impl Document for WorkersDocument {
    fn json(&self) -> Json {
        json!({ "workers": self.0 })
    }

    fn lines(&self) -> Vec<Json> {
        self.0.iter().map(|worker| json!(worker)).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.0.is_empty() {
            return "no workers".to_owned();
        }
        let mut table = Table::new([
            ("id", Align::Right),
            ("name", Align::Left),
            ("state", Align::Left),
            ("busy", Align::Right),
            ("slots", Align::Right),
            ("memory of a slot", Align::Right),
            ("in use", Align::Right),
            ("units done", Align::Right),
            ("version", Align::Left),
        ]);
        table.rows.extend(self.0.iter().map(|worker| {
            vec![
                worker.id.clone(),
                if worker.shares_name {
                    format!("{} (shared)", worker.name)
                } else {
                    worker.name.clone()
                },
                worker.state.clone(),
                worker.busy.to_string(),
                worker.slots.to_string(),
                ByteSize(worker.slot_memory).display().iec().to_string(),
                ByteSize(worker.memory).display().iec().to_string(),
                worker.units_done.to_string(),
                worker.version.clone(),
            ]
        }));
        table::text(&table, paint)
    }
}

/// One worker.
pub(crate) struct WorkerDocument(pub(crate) Worker);

impl Document for WorkerDocument {
    fn json(&self) -> Json {
        json!({ "worker": self.0 })
    }

    fn text(&self, _paint: Paint) -> String {
        let Worker { id, name, state, busy, slots, distrusted, shares_name, .. } = &self.0;
        let mut text = format!("worker {id} ({name}) is {state}, {busy} of {slots} slots busy");
        if !distrusted.is_empty() {
            text.push_str(&format!("\nnot trusted: {distrusted}"));
        }
        if *shares_name {
            text.push_str("\nanother worker has its name: with `--redundancy` they count as one");
        }
        text
    }
}

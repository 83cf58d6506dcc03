//! What happened to a job.

use serde_json::{Value as Json, json};
use sprague_work::{Align, Table};

use super::{Document, Paint, table};
use crate::remote::Event;

/// The events of a job, oldest first.
pub(crate) struct EventsDocument(pub(crate) Vec<Event>);

impl Document for EventsDocument {
    fn json(&self) -> Json {
        json!({ "events": self.0 })
    }

    fn lines(&self) -> Vec<Json> {
        self.0.iter().map(|event| json!(event)).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.0.is_empty() {
            return "no events".to_owned();
        }
        let mut table = Table::new([
            ("when", Align::Left),
            ("unit", Align::Right),
            ("attempt", Align::Right),
            ("worker", Align::Left),
            ("what", Align::Left),
        ]);
        let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
        table.rows.extend(self.0.iter().map(|event| {
            vec![
                event.when.clone(),
                number(event.unit),
                number(event.attempt),
                match &event.worker_id {
                    Some(id) => format!("{} ({id})", event.worker),
                    None => event.worker.clone(),
                },
                event.text.clone(),
            ]
        }));
        table::text(&table, paint)
    }
}

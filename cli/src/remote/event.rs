//! An event as its coordinator tells it.

use serde::Serialize;
use sprague_proto::v1;

/// Something that happened to a job, in the shape in which the command line shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Event {
    pub(crate) when: String,
    pub(crate) event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) worker: String,
    /// The worker's number, since others may have its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) worker_id: Option<String>,
    pub(crate) text: String,
}

impl From<v1::Event> for Event {
    fn from(event: v1::Event) -> Self {
        let v1::Event { when, event, unit, attempt, worker, text, worker_id } = event;
        let worker_id = worker_id.map(|id| id.to_string());
        Self { when, event, unit, attempt, worker, worker_id, text }
    }
}

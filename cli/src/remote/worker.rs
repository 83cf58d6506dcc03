//! A worker as its coordinator tells it.

use serde::Serialize;
use sprague_proto::v1;

/// A worker, in the shape in which the command line shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Worker {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// `idle`, `busy`, `draining`, `lost` or `distrusted`.
    pub(crate) state: String,
    pub(crate) slots: u32,
    pub(crate) busy: u32,
    /// The cap of each slot, in bytes.
    pub(crate) slot_memory: u64,
    /// Why it is not trusted and gets no units.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) distrusted: String,
    /// Another connected worker has its name.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shares_name: bool,
    /// What its units have resident, in bytes.
    pub(crate) memory: u64,
    pub(crate) units_done: u64,
}

impl From<v1::Worker> for Worker {
    fn from(worker: v1::Worker) -> Self {
        Self {
            id: worker.id.to_string(),
            name: worker.name,
            version: worker.version,
            state: worker.state,
            slots: worker.slots,
            busy: worker.busy,
            slot_memory: worker.slot_memory,
            distrusted: worker.distrusted,
            shares_name: worker.shares_name,
            memory: worker.memory,
            units_done: worker.units_done,
        }
    }
}

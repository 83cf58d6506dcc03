//! Workers that were started elsewhere.

use serde_json::{Value as Json, json};

use super::{Document, Paint};

/// What became of one machine.
pub(crate) struct Launched {
    /// As the list names it.
    pub(crate) host: String,
    /// The process of a worker that stays there.
    pub(crate) process: Option<u64>,
    /// Why there is no worker, or how it ended badly.
    pub(crate) fault: Option<String>,
}

/// What became of each machine of a list.
pub(crate) struct LaunchedWorkers {
    pub(crate) workers: Vec<Launched>,
}

impl Document for LaunchedWorkers {
    fn json(&self) -> Json {
        let workers = self.workers.iter().map(|worker| {
            json!({
                "host": worker.host,
                "process": worker.process,
                "ok": worker.fault.is_none(),
                "fault": worker.fault,
            })
        });
        json!({ "workers": workers.collect::<Vec<_>>() })
    }

    fn text(&self, _paint: Paint) -> String {
        let lines = self.workers.iter().map(|worker| match (&worker.fault, worker.process) {
            (Some(fault), _) => format!("{}: failed: {fault}", worker.host),
            (None, Some(process)) => {
                format!("{}: a worker stays as process {process}", worker.host)
            }
            (None, None) => format!("{}: the worker has stopped", worker.host),
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

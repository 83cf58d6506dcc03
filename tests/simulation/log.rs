//! The log of a whole simulated cluster, as its programs write it: what the verdict reads, and what two runs of
//! one seed are compared by.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::Hasher as _;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value as Json;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// What is logged: all that the programs have to say, and which host says it.
const FILTER: &str =
    "sprague_coordinator=debug,sprague_worker=debug,simulation=debug,turmoil::sim=info";

/// Simulated milliseconds since the beginning.
static NOW: AtomicU64 = AtomicU64::new(0);

/// The simulated time since the beginning.
pub(crate) fn now() -> Duration {
    Duration::from_millis(NOW.load(Ordering::Relaxed))
}

/// Sets the simulated time.
pub(crate) fn set_now(now: Duration) {
    NOW.store(u64::try_from(now.as_millis()).unwrap(), Ordering::Relaxed);
}

/// All lines so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

struct SimulatedTime;

impl FormatTime for SimulatedTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.3}", now().as_secs_f64())
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Log {
    /// Begins to keep what this process logs.
    pub(crate) fn start() -> Self {
        let log = Self::default();
        tracing_subscriber::fmt()
            .json()
            .with_current_span(false)
            .with_timer(SimulatedTime)
            .with_writer(log.clone())
            .with_env_filter(FILTER)
            .init();
        log
    }

    /// The lines, without what differs from process to process: where the folder is.
    pub(crate) fn text(&self, folder: &str) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap().replace(folder, "FOLDER")
    }
}

/// What two runs that are the same have in common.
pub(crate) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// A line of the log.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) message: String,
    /// The job and the number of the unit that it is of, if it is of one.
    pub(crate) unit: (u64, u64),
    pub(crate) attempt: u64,
}

/// The lines in their order.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line> + '_ {
    text.lines().map(|line| {
        let line: Json = serde_json::from_str(line).unwrap();
        let fields = &line["fields"];
        let number = |name: &str| fields[name].as_u64().unwrap_or_default();
        Line {
            message: fields["message"].as_str().unwrap_or_default().to_owned(),
            unit: (number("job"), number("unit")),
            attempt: number("attempt"),
        }
    })
}

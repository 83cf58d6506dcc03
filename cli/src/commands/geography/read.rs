//! Graphs as they are typed or streamed in, and what is found on them within limits.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use sprague_geography::{Analysis, Graph, Limits, analyse, graph6};
use sprague_work::shortened;

use crate::args::Memory;
use crate::commands::clock;
use crate::error::ExpectedError;

/// The graph of a text in graph6.
pub(super) fn graph(text: &[u8]) -> Result<Graph, ExpectedError> {
    graph6::parse(text).map_err(|source| ExpectedError::Graph { text: shown(text), source })
}

/// Analyses a position within the memory and the time.
pub(super) fn analysed(
    graph: &Graph,
    start: usize,
    memory: Memory,
    budget: Option<Duration>,
) -> Result<Analysis, ExpectedError> {
    let analysis = clock::within(budget, |over| {
        let progress = &AtomicU64::new(0);
        analyse(graph, start, &Limits { memory: memory.tables(), cancel: over, progress })
    });
    analysis.map_err(ExpectedError::Geography)
}

/// The text for a message: what is not printable replaced, and cut where it gets long.
fn shown(text: &[u8]) -> String {
    shortened(&String::from_utf8_lossy(text), 60).into_owned()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_message_never_repeats_a_whole_long_line() {
        assert_eq!(shown(b"DqK"), "DqK");
        assert_eq!(shown(&[b'?'; 1000]).len(), 63);
    }
}

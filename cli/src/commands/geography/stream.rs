//! Graphs on standard input, one a line, and a line of JSON for each, in their order.
//!
//! Small graphs wait for each other, since a batch of them costs a fraction of what they cost one by one. They
//! never wait for a line that has not come: whoever writes one line and reads one gets on.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;
use sprague_geography::{BatchAnalyser, Graph, MAX_BATCH_ORDER, graph6};

use super::read;
use crate::args::GeographyPositionArgs;
use crate::commands::lines::{Line, Lines};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{GraphDocument, LineFault};

/// No graph of an order that is read needs more: six pairs of vertices a byte, a header, an order.
const LONGEST: usize = graph6::MAX_ORDER * graph6::MAX_ORDER / 12 + 64;

/// The most graphs that wait for each other.
const BATCH: usize = 4096;

/// Answers each line of standard input with a line of JSON, faulty ones included.
pub(super) fn run(context: &Context, args: &GeographyPositionArgs) -> Result<Exit, ExpectedError> {
    let mut lines = Lines::new(io::stdin().lock(), LONGEST);
    let mut answers = Answers::new(args.start);
    loop {
        if !lines.at_hand() {
            answers.settle()?;
            answers.out.flush()?;
        }
        let Some(line) = lines.next().map_err(ExpectedError::Stdin)? else { break };
        let graph = match line {
            Line::Whole(text) => read::graph(text),
            Line::TooLong => Err(ExpectedError::LongLine { most: LONGEST }),
        };
        match graph {
            Ok(graph) if graph.order() <= MAX_BATCH_ORDER => answers.await_others(graph)?,
            Ok(graph) => {
                answers.settle()?;
                let analysis = read::analysed(&graph, args.start, args.memory, args.budget);
                answers.answer(&graph, analysis)?;
            }
            Err(error) => {
                answers.settle()?;
                answers.refuse(&error)?;
            }
        }
    }
    answers.out.flush()?;
    let Answers { answered, faulty, .. } = answers;
    if faulty == 0 {
        return Ok(Exit::Done);
    }
    context.notes.say(&format!("{faulty} of {answered} lines could not be used"));
    Ok(Exit::Usage)
}

/// The answers so far, and the graphs that wait for theirs.
struct Answers {
    start: usize,
    out: BufWriter<StdoutLock<'static>>,
    /// Lines answered, the faulty ones included.
    answered: u64,
    faulty: u64,
    /// Small graphs from the lines after those, in their order.
    waiting: Vec<Graph>,
    analyser: BatchAnalyser,
}

impl Answers {
    fn new(start: usize) -> Self {
        Self {
            start,
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            answered: 0,
            faulty: 0,
            waiting: Vec::with_capacity(BATCH),
            analyser: BatchAnalyser::default(),
        }
    }

    /// Lets a small graph wait for others.
    fn await_others(&mut self, graph: Graph) -> Result<(), ExpectedError> {
        self.waiting.push(graph);
        if self.waiting.len() == BATCH { self.settle() } else { Ok(()) }
    }

    /// Answers everything that waits.
    fn settle(&mut self) -> Result<(), ExpectedError> {
        let mut graphs = std::mem::take(&mut self.waiting);
        let analyses = self.analyser.analyse(&graphs, self.start);
        for (graph, analysis) in graphs.drain(..).zip(analyses) {
            self.answer(&graph, analysis.map_err(ExpectedError::Geography))?;
        }
        self.waiting = graphs;
        Ok(())
    }

    fn answer(
        &mut self,
        graph: &Graph,
        analysis: Result<sprague_geography::Analysis, ExpectedError>,
    ) -> Result<(), ExpectedError> {
        match analysis {
            Ok(analysis) => {
                self.answered += 1;
                self.line(&GraphDocument { graph6: graph6::write(graph), analysis })
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn refuse(&mut self, error: &ExpectedError) -> Result<(), ExpectedError> {
        self.answered += 1;
        self.faulty += 1;
        self.line(&LineFault { line: self.answered, error }.json())
    }

    fn line(&mut self, document: &impl Serialize) -> Result<(), ExpectedError> {
        serde_json::to_writer(&mut self.out, document).map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(())
    }
}

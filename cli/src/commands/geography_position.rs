//! `sprague geography position [GRAPH6]`

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::{AnalyseError, Limits, Stop, analyse, graph6};

use super::clock;
use super::lines::{self, Line};
use crate::args::GeographyPositionArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{Document, GraphDocument, LineFault};

/// No graph of an order that is read needs more: six pairs of vertices a byte, a header, an order.
const LONGEST: usize = graph6::MAX_ORDER * graph6::MAX_ORDER / 12 + 64;

pub(crate) fn run(context: &Context, args: &GeographyPositionArgs) -> Result<Exit, ExpectedError> {
    match &args.graph6 {
        Some(text) => {
            context.printer.show(&position(text.as_bytes(), args)?)?;
            Ok(Exit::Done)
        }
        None if io::stdin().is_terminal() => Err(ExpectedError::NoGraph),
        None => stream(context, args),
    }
}

/// Answers each line of standard input with a line of JSON, faulty ones included.
fn stream(context: &Context, args: &GeographyPositionArgs) -> Result<Exit, ExpectedError> {
    let mut input = io::stdin().lock();
    let (mut number, mut faulty) = (0_u64, 0_u64);
    while let Some(line) = lines::next(&mut input, LONGEST).map_err(ExpectedError::Stdin)? {
        number += 1;
        let answer = match line {
            Line::Whole(text) => position(&text, args),
            Line::TooLong => Err(ExpectedError::LongLine { most: LONGEST }),
        };
        match answer {
            Ok(document) => context.printer.line(&document.json())?,
            Err(error) => {
                faulty += 1;
                context.printer.line(&LineFault { line: number, error: &error }.json())?;
            }
        }
    }
    if faulty == 0 {
        return Ok(Exit::Done);
    }
    context.notes.say(&format!("{faulty} of {number} lines could not be used"));
    Ok(Exit::Usage)
}

fn position(text: &[u8], args: &GeographyPositionArgs) -> Result<GraphDocument, ExpectedError> {
    let graph =
        graph6::parse(text).map_err(|source| ExpectedError::Graph { text: shown(text), source })?;
    let progress = &AtomicU64::new(0);
    let decide = |memory: usize, cancel: &AtomicBool| {
        analyse(&graph, args.start, &Limits { memory, cancel, progress })
    };
    let analysis = match clock::within(args.budget, |over| decide(args.memory.tables(), over)) {
        // Without memory for values there remain the matchings, which say who wins.
        Err(AnalyseError::Stop(Stop::Cancelled)) => decide(0, &AtomicBool::new(false)),
        decided => decided,
    };
    let analysis = analysis.map_err(ExpectedError::Geography)?;
    Ok(GraphDocument { graph6: graph6::write(&graph), analysis })
}

/// The text for a message: what is not printable replaced, and cut where it gets long.
fn shown(text: &[u8]) -> String {
    const MOST: usize = 60;
    let cut = String::from_utf8_lossy(&text[..text.len().min(MOST)]).into_owned();
    if text.len() > MOST { cut + "..." } else { cut }
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

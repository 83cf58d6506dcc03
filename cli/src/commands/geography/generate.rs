//! `sprague geography generate N`

use std::io::{self, BufWriter, StdoutLock, Write};

use serde_json::json;
use sprague_geography::generate::{Constraints, Family, Part, connected};
use sprague_geography::{Stop, graph6};

use crate::args::{GeographyGenerateArgs, OutputFormat};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &GeographyGenerateArgs) -> Result<Exit, ExpectedError> {
    let constraints = Constraints {
        max_degree: args.max_degree.unwrap_or(Constraints::NONE.max_degree),
        edges: args.edges.clone().unwrap_or(Constraints::NONE.edges),
        bipartite: args.bipartite,
    };
    let part = args.part.unwrap_or(Part::WHOLE);
    let mut graphs = Graphs::new(context.printer.format(), args);
    graphs.begin()?;
    let mut fault = None;
    // Nothing but a fault in writing ends it early.
    let _ = connected(args.vertices, &constraints, part, |family| {
        graphs.add(family).map_err(|error| {
            fault = Some(error);
            Stop::Cancelled
        })
    });
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    graphs.end()?;
    Ok(Exit::Done)
}

/// Writes graphs as they come: nothing of them is kept.
struct Graphs {
    form: OutputFormat,
    /// Whether only their number is wanted.
    only_count: bool,
    vertices: usize,
    count: u64,
    out: BufWriter<StdoutLock<'static>>,
    /// The text of one graph.
    text: Vec<u8>,
}

impl Graphs {
    fn new(form: OutputFormat, args: &GeographyGenerateArgs) -> Self {
        Self {
            form,
            only_count: args.count,
            vertices: args.vertices,
            count: 0,
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            text: Vec::new(),
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.form == OutputFormat::Json && !self.only_count {
            write!(self.out, "{{\"vertices\":{},\"graph6\":[", self.vertices)?;
        }
        Ok(())
    }

    fn add(&mut self, family: Family<'_>) -> io::Result<()> {
        if self.only_count {
            self.count += family.neighbourhoods.len() as u64;
            return Ok(());
        }
        for graph in family.children() {
            self.text.clear();
            graph6::append_small(&graph, &mut self.text);
            match self.form {
                OutputFormat::Text => {
                    self.text.push(b'\n');
                    self.out.write_all(&self.text)?;
                }
                OutputFormat::Json => {
                    self.out.write_all(if self.count == 0 { b"" } else { b"," })?;
                    write!(self.out, "{}", json!(String::from_utf8_lossy(&self.text)))?;
                }
                OutputFormat::Jsonl => {
                    writeln!(
                        self.out,
                        "{}",
                        json!({ "graph6": String::from_utf8_lossy(&self.text) })
                    )?;
                }
            }
            self.count += 1;
        }
        Ok(())
    }

    fn end(mut self) -> io::Result<()> {
        let Self { vertices, count, .. } = self;
        match (self.only_count, self.form) {
            (true, OutputFormat::Text) => writeln!(self.out, "{count}")?,
            (true, _) => {
                writeln!(self.out, "{}", json!({ "vertices": vertices, "graphs": count }))?;
            }
            (false, OutputFormat::Json) => writeln!(self.out, "],\"graphs\":{count}}}")?,
            (false, _) => {}
        }
        self.out.flush()
    }
}

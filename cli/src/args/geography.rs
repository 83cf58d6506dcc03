//! Undirected Vertex Geography here and now: commands that need no cluster and no store.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use sprague_geography::MAX_SMALL_ORDER;
use sprague_geography::construct::Variant;
use sprague_geography::generate::Part;

use super::{Memory, quantity};

/// Analyse, draw, play, construct and generate positions of Undirected Vertex Geography here and now
#[derive(Debug, Args)]
pub(crate) struct GeographyNoun {
    #[command(subcommand)]
    pub(crate) verb: GeographyVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GeographyVerb {
    Position(GeographyPositionArgs),
    Draw(GeographyDrawArgs),
    Play(GeographyPlayArgs),
    Construct(GeographyConstructArgs),
    Generate(GeographyGenerateArgs),
}

/// The value of a token on a vertex of a graph, and of every move
///
/// Who wins is always told: it comes from maximum matchings, in polynomial time. The value is told as
/// far as the memory and the budget suffice, and is `null` in JSON beyond that, with a note that says why.
/// Only the component of the token counts.
///
/// Without GRAPH6, one graph a line is read from standard input, and one JSON value a line comes out,
/// whatever --output says. The memory and the budget are those of each line. A line that cannot be used gives
/// `{"line":N,"error":{...}}` in its place; the others still come out, and the exit code is 2 at the end.
/// The graph without vertices, `?`, is such a line: a token needs a vertex.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague geography position DqK --start 2\n  \
                        sprague geography generate 7 | sprague geography position --start 0")]
pub(crate) struct GeographyPositionArgs {
    /// The graph in graph6 [default: one a line from standard input]
    #[arg(value_name = "GRAPH6")]
    pub(crate) graph6: Option<String>,

    /// The vertex that the token is on, from 0
    #[arg(long, value_name = "V", default_value_t = 0, allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) start: usize,

    /// Memory that the tables may take
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here, default_value = "1GiB")]
    pub(crate) memory: Memory,

    /// Leave the value of a graph open after this time: `90s`, `10min` [default: never]
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) budget: Option<Duration>,
}

/// Draw a position
///
/// The start is filled. Beside it and its neighbours stand their values, as far as the memory and the budget suffice.
/// The edges of a maximum matching have their own colour, and the vertices that it misses are dashed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague geography draw DqK --start 2 --out position.svg\n  \
                        sprague geography draw DqK --format dot | dot -Tpdf > position.pdf")]
pub(crate) struct GeographyDrawArgs {
    /// The graph in graph6
    #[arg(value_name = "GRAPH6")]
    pub(crate) graph6: String,

    /// The vertex that the token is on, from 0
    #[arg(long, value_name = "V", default_value_t = 0, allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) start: usize,

    /// The language of the drawing
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) format: DrawingFormat,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

/// The language of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawingFormat {
    /// A picture for browsers
    #[default]
    Svg,
    /// A graph for Graphviz, which makes the layout
    Dot,
}

/// What every drawing takes.
#[derive(Clone, Debug, Args)]
pub(crate) struct DrawingArgs {
    /// The file that is written; `-` is standard output [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write over a file that is there
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

    /// Memory that the tables for the values of a drawing may take
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here, default_value = "1GiB")]
    pub(crate) memory: Memory,

    /// Draw without values after this time
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "10s")]
    pub(crate) budget: Duration,
}

/// Play against the matching player, which wins every position that can be won
///
/// A move is the number of a vertex next to the token; the vertex that the token leaves is deleted. Who cannot move
/// loses. Moves are read from standard input, one a line; `quit` ends the game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague geography play 'H?AFBo]' --start 0\n  \
                        echo 3 | sprague geography play DqK --start 0 --second")]
pub(crate) struct GeographyPlayArgs {
    /// The graph in graph6
    #[arg(value_name = "GRAPH6")]
    pub(crate) graph6: String,

    /// The vertex that the token is on, from 0
    #[arg(long, value_name = "V", default_value_t = 0, allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) start: usize,

    /// Let the matching player begin
    #[arg(long)]
    pub(crate) second: bool,
}

/// Build a graph of the literature
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  sprague geography construct section5 --n 6 --variant as-printed\n  \
                  sprague geography construct gadget --arcs 0-1,1-2,2-0 --format svg --out gadget.svg"
)]
pub(crate) struct GeographyConstructArgs {
    #[command(subcommand)]
    pub(crate) which: ConstructVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConstructVerb {
    /// The graph of value *n of Section 5 of Burke, Ferland and Teng, with its start N_n
    Section5 {
        /// The value
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::whole(4..=30u8))]
        n: u8,
        /// Which edges there are
        #[arg(long, value_name = "NAME", default_value = "figures", value_parser = variants())]
        variant: Variant,
        #[command(flatten)]
        form: ConstructForm,
    },
    /// A digraph with gadgets for arcs: vertex v is worth * iff the previous player wins from v there
    Gadget {
        #[command(flatten)]
        digraph: DigraphArgs,
        #[command(flatten)]
        form: ConstructForm,
    },
    /// The same with a prelude: its start is worth * if the vertex of the digraph is, and *2 if not
    Prelude {
        #[command(flatten)]
        digraph: DigraphArgs,
        #[command(flatten)]
        form: ConstructForm,
    },
    /// The tree t(k) of value *k: a root with the children t(k-1), ..., t(0)
    Tree {
        /// The value
        #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = quantity::whole(0..=12u8))]
        k: u8,
        #[command(flatten)]
        form: ConstructForm,
    },
    /// The half graph on 2k vertices: a_i and b_j are joined iff i <= j
    HalfGraph {
        /// Half of the vertices
        #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = quantity::whole(1..=2048u16))]
        k: u16,
        #[command(flatten)]
        form: ConstructForm,
    },
}

/// A small digraph.
#[derive(Clone, Debug, Args)]
pub(crate) struct DigraphArgs {
    /// The arcs, each TAIL-HEAD, parted by commas
    #[arg(long, value_name = "ARCS", value_delimiter = ',', value_parser = arc)]
    pub(crate) arcs: Vec<(usize, usize)>,

    /// The vertices [default: as many as the arcs name]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) vertices: Option<usize>,

    /// The vertex of the digraph that the token is on, or that the prelude leads to
    #[arg(long, value_name = "V", default_value_t = 0, allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) start: usize,
}

/// How a constructed graph is written.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConstructForm {
    /// The language of the graph
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) format: GraphFormat,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

/// The language of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// The graph alone, for `sprague geography position`
    #[default]
    Graph6,
    /// The position for Graphviz
    Dot,
    /// The position as a picture
    Svg,
}

/// Write all connected graphs of an order, one of each isomorphism class, in graph6
///
/// Which graph stands for its class and their order depend on the arguments alone. Nothing is remembered, so it takes
/// no memory, and the parts share nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague geography generate 8 > graphs.g6\n  \
                        sprague geography generate 12 --max-degree 3 --count\n  \
                        sprague geography generate 11 --edges ..10 --bipartite\n  \
                        sprague geography generate 10 --part 0/128")]
pub(crate) struct GeographyGenerateArgs {
    /// The vertices, 1 to 16
    #[arg(value_name = "N", value_parser = order)]
    pub(crate) vertices: usize,

    /// No vertex has more neighbours
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = quantity::number)]
    pub(crate) max_degree: Option<usize>,

    /// Only bipartite graphs
    #[arg(long)]
    pub(crate) bipartite: bool,

    /// Only so many edges: `12`, `9..12`, `..10`, `20..`
    #[arg(long, value_name = "A..B", value_parser = edges)]
    pub(crate) edges: Option<RangeInclusive<usize>>,

    /// Only one part of them: of so many parts, from 0
    #[arg(long, value_name = "I/OF", value_parser = part)]
    pub(crate) part: Option<Part>,

    /// Only how many there are
    #[arg(long)]
    pub(crate) count: bool,
}

/// Reads the name of a variant, and shows all of them.
fn variants() -> impl clap::builder::TypedValueParser<Value = Variant> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Variant::ALL.map(Variant::name)).map(|name| {
        let named = Variant::ALL.into_iter().find(|variant| variant.name() == name);
        named.expect("only the names of variants are possible")
    })
}

fn arc(text: &str) -> Result<(usize, usize), String> {
    let arc =
        text.split_once('-').and_then(|(tail, head)| tail.parse().ok().zip(head.parse().ok()));
    arc.ok_or_else(|| "an arc is TAIL-HEAD, such as 0-1".to_owned())
}

fn order(text: &str) -> Result<usize, String> {
    let order = text.parse().ok().filter(|order| (1..=MAX_SMALL_ORDER).contains(order));
    order.ok_or_else(|| format!("graphs of 1 to {MAX_SMALL_ORDER} vertices are generated"))
}

fn edges(text: &str) -> Result<RangeInclusive<usize>, String> {
    let fault = || "a number of edges is N, A..B, A.. or ..B, both ends included".to_owned();
    let number = |text: &str| text.parse::<usize>().map_err(|_| fault());
    let range = match text.split_once("..") {
        None => number(text)?..=number(text)?,
        Some(("", "")) => return Err(fault()),
        Some((fewest, "")) => number(fewest)?..=usize::MAX,
        Some(("", most)) => 0..=number(most)?,
        Some((fewest, most)) => number(fewest)?..=number(most)?,
    };
    if range.is_empty() { Err(format!("the range {text} is empty")) } else { Ok(range) }
}

fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').and_then(|(i, of)| i.parse().ok().zip(of.parse().ok()));
    match numbers {
        Some((index, of)) if index < of => Ok(Part { index, of }),
        _ => Err(format!(
            "a part is I/OF, such as 0/128, with I below OF and OF at most {}",
            u32::MAX
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_edges_include_both_ends() {
        assert_eq!(edges("12"), Ok(12..=12));
        assert_eq!(edges("9..12"), Ok(9..=12));
        assert_eq!(edges("..10"), Ok(0..=10));
        assert_eq!(edges("20.."), Ok(20..=usize::MAX));
        for text in ["", "..", "few", "1...2", "-1", "3..2"] {
            assert!(edges(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_part_is_one_of_them() {
        assert_eq!(part("3/4"), Ok(Part { index: 3, of: 4 }));
        for text in ["", "4/4", "0/0", "1", "1/x", "-1/2"] {
            assert!(part(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_arc_has_two_ends() {
        assert_eq!(arc("0-12"), Ok((0, 12)));
        assert!(arc("0").is_err() && arc("0-").is_err() && arc("a-b").is_err());
    }
}

//! graph6, the text format of one simple graph a line (McKay, `formats.txt` of nauty).
//!
//! A graph is its order, then the upper triangle of its adjacency matrix column by column, six bits
//! a byte, every byte 63 more than its bits. The order takes one byte up to 62, `~` and three bytes
//! up to 258047, `~~` and six bytes beyond.
//!
//! What is read is what is written here and nothing looser: one optional header `>>graph6<<`, one
//! optional line end (LF or CR LF), exactly the data that the order calls for, padding of zeros.
//! **An order in more bytes than it needs is refused**, so that a graph has one text and equal
//! texts mean equal graphs. **Orders above [`MAX_ORDER`] are refused** before anything is
//! allocated.

use thiserror::Error;

use crate::{Graph, SmallGraph};

/// The largest order that is read: 4096.
///
/// No method of this crate is of use on larger graphs, and this one's adjacency takes 2 MiB and its
/// text 1.4 MB, so that no line of input, however hostile, costs more than that.
pub const MAX_ORDER: usize = 4096;

/// The header that a graph6 file may begin with.
const HEADER: &[u8] = b">>graph6<<";

/// The smallest byte of graph6, which stands for six zero bits.
const BIAS: u8 = 63;

/// The largest byte of graph6; at the head of a size it announces a longer form.
const LONGER: u8 = 126;

/// The largest order that is written in one byte.
const MAX_IN_ONE: usize = 62;

/// The largest order that is written in four bytes.
const MAX_IN_FOUR: usize = 258_047;

/// So many bytes, for an error.
fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// Why a text is not a graph6 graph. Positions count bytes of the text from 0, header included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Graph6Error {
    /// There is nothing where the order should be.
    #[error("there is no graph in this text")]
    Empty,
    /// It is a graph in sparse6, which may have loops and multiple edges. `copyg -g` alone would lose an edge that is
    /// there twice; the complement of the complement is simple but for loops.
    #[error(
        "this is sparse6, not graph6: nauty's `copyg -sq | complg -q | complg -q | copyg -gq` converts it, without \
         loops, which change nothing here, and with each edge once"
    )]
    Sparse6,
    /// It is a directed graph in digraph6.
    #[error(
        "this is digraph6, a directed graph, not graph6: nauty's `underlyingg -q | copyg -gq` forgets \
         the directions"
    )]
    Digraph6,
    /// graph6 is written in the bytes 63 to 126 only.
    #[error("{} at position {position} is not between '?' (byte 63) and '~' (byte 126)", shown(*byte))]
    Byte {
        /// Where the byte is.
        position: usize,
        /// The byte.
        byte: u8,
    },
    /// The text ends before the order or the adjacency is complete.
    #[error("the text ends at position {position}, {} too early", bytes(*missing))]
    Short {
        /// Where the text ends.
        position: usize,
        /// How many bytes are missing there, at least.
        missing: usize,
    },
    /// The text goes on after the adjacency is complete.
    #[error("the graph ends at position {position}, but the text goes on for {}", bytes(*extra))]
    Long {
        /// Where the graph ends.
        position: usize,
        /// How many bytes follow.
        extra: usize,
    },
    /// The bits that fill up the last byte are not all zero.
    #[error("the padding in the last byte, at position {position}, is not zero")]
    Padding {
        /// Where the last byte is.
        position: usize,
    },
    /// The order is written in more bytes than it needs.
    #[error("order {order} at position {position} is written in more bytes than it needs")]
    LongOrder {
        /// Where the order is.
        position: usize,
        /// The order.
        order: u64,
    },
    /// The order is above [`MAX_ORDER`].
    #[error("order {order} at position {position} is above {MAX_ORDER}")]
    Order {
        /// Where the order is.
        position: usize,
        /// The order.
        order: u64,
    },
}

/// A byte of a text, with its character if it is one that can be seen.
fn shown(byte: u8) -> String {
    match byte {
        b' '..=b'~' => format!("'{}' (byte {byte})", char::from(byte)),
        _ => format!("byte {byte}"),
    }
}

/// Reads one graph. Takes time and memory proportional to the text.
///
/// # Errors
///
/// The first fault from the left; a text may have more.
pub fn parse(text: &[u8]) -> Result<Graph, Graph6Error> {
    let start = if text.starts_with(HEADER) { HEADER.len() } else { 0 };
    let line =
        text.strip_suffix(b"\n").map_or(text, |line| line.strip_suffix(b"\r").unwrap_or(line));
    match *line {
        [b':' | b';', ..] | [b'>', b'>', b's', ..] => return Err(Graph6Error::Sparse6),
        [b'&', ..] | [b'>', b'>', b'd', ..] => return Err(Graph6Error::Digraph6),
        _ => {}
    }
    // A text that is the header and nothing else is one too short to hold a graph.
    if line.len() <= start {
        return Err(Graph6Error::Empty);
    }
    let (order, data) = parse_order(line, start)?;
    let pairs = order * order.saturating_sub(1) / 2;
    let end = data + pairs.div_ceil(6);
    let available = line.len().min(end);
    let mut graph = Graph::edgeless(order);
    // Bit `index` of the data belongs to the pair (v, w), v < w, in the order of columns.
    let (mut v, mut w) = (0, 1);
    for position in data..available {
        let bits = sextet(line, position)?;
        for shift in (0..6).rev() {
            let bit = bits >> shift & 1 == 1;
            if w < order {
                if bit {
                    graph.join(v, w).expect("v < w < order");
                }
                v += 1;
                if v == w {
                    (v, w) = (0, w + 1);
                }
            } else if bit {
                return Err(Graph6Error::Padding { position });
            }
        }
    }
    if line.len() < end {
        return Err(Graph6Error::Short { position: line.len(), missing: end - line.len() });
    }
    if line.len() > end {
        return Err(Graph6Error::Long { position: end, extra: line.len() - end });
    }
    Ok(graph)
}

/// Writes a graph, without header or line end.
///
/// # Panics
///
/// If the order is above 2^36 - 1, whose adjacency no machine could hold.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let order = graph.order();
    let mut text = String::new();
    let mut push = |bits: usize| text.push(char::from(BIAS + (bits & 0x3f) as u8));
    if order <= MAX_IN_ONE {
        push(order);
    } else if order <= MAX_IN_FOUR {
        push(0x3f);
        (0..3).rev().for_each(|sextet| push(order >> (6 * sextet)));
    } else {
        assert!((order as u64) < 1 << 36, "graph6 has no room for this order");
        push(0x3f);
        push(0x3f);
        (0..6).rev().for_each(|sextet| push(order >> (6 * sextet)));
    }
    let (mut bits, mut filled) = (0, 0);
    for w in 1..order {
        for v in 0..w {
            bits = bits << 1 | usize::from(graph.has_edge(v, w));
            filled += 1;
            if filled == 6 {
                push(bits);
                (bits, filled) = (0, 0);
            }
        }
    }
    if filled > 0 {
        push(bits << (6 - filled));
    }
    text
}

/// Appends a small graph as [`write()`] writes it, in a few nanoseconds a vertex.
pub fn append_small(graph: &SmallGraph, text: &mut Vec<u8>) {
    let order = graph.order();
    text.push(BIAS + order as u8);
    // The upper triangle by columns, from the highest bit on: at most 120 bits.
    let (mut bits, mut count) = (0_u128, 0);
    for w in 1..order {
        let column = (graph.row(w) << (u16::BITS as usize - w)).reverse_bits();
        bits = bits << w | u128::from(column);
        count += w;
    }
    let sextets = count.div_ceil(6);
    bits <<= 6 * sextets - count;
    text.extend((0..sextets).rev().map(|sextet| BIAS + (bits >> (6 * sextet) & 0x3f) as u8));
}

/// Reads the order that begins at `start`; with it comes the position where the adjacency begins.
fn parse_order(line: &[u8], start: usize) -> Result<(usize, usize), Graph6Error> {
    let first = sextet(line, start)?;
    let (digits, length, smallest) = if first != LONGER - BIAS {
        (start, 1, 0)
    } else if line.get(start + 1) == Some(&LONGER) {
        (start + 2, 6, MAX_IN_FOUR as u64 + 1)
    } else {
        (start + 1, 3, MAX_IN_ONE as u64 + 1)
    };
    let mut order = 0;
    for position in digits..digits + length {
        if position >= line.len() {
            let missing = digits + length - position;
            return Err(Graph6Error::Short { position, missing });
        }
        order = order << 6 | u64::from(sextet(line, position)?);
    }
    if order < smallest {
        return Err(Graph6Error::LongOrder { position: start, order });
    }
    if order > MAX_ORDER as u64 {
        return Err(Graph6Error::Order { position: start, order });
    }
    Ok((order as usize, digits + length))
}

/// The six bits of the byte at a position.
fn sextet(line: &[u8], position: usize) -> Result<u8, Graph6Error> {
    let byte = line[position];
    if (BIAS..=LONGER).contains(&byte) {
        Ok(byte - BIAS)
    } else {
        Err(Graph6Error::Byte { position, byte })
    }
}

//! Cram here and now: commands that need no cluster and no store.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use sprague_cram::Board;

use super::{Memory, quantity};

/// Analyse, certify and check Cram here and now
#[derive(Debug, Args)]
pub(crate) struct CramNoun {
    #[command(subcommand)]
    pub(crate) verb: CramVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CramVerb {
    Position(CramPositionArgs),
    Certify(CramCertifyArgs),
    Check(CramCheckArgs),
}

/// The nimber of a position, of its parts, and of what every move leads to
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague cram position '..#/.../#..'\n  \
                        sprague cram position ..../.... --output json")]
pub(crate) struct CramPositionArgs {
    /// The rows from the top, parted by `/`: `.` is an empty cell, `#` a filled one
    #[arg(value_name = "ROWS")]
    pub(crate) rows: String,

    /// Memory that the tables may take
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here, default_value = "1GiB")]
    pub(crate) memory: Memory,

    /// Give up after this time: `90s`, `10min` [default: never]
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) budget: Option<Duration>,
}

/// Find the nimber of a board and write down why, so that it can be checked without search
///
/// The file holds the nimbers of shapes, each of which the ones before it are enough to check, the board
/// last. It is there when it is whole and not before.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague cram certify 3x14 --out 3x14.cert\n  \
                        sprague cram certify 3x18 --out 3x18.cert --memory 2GiB --budget 10min")]
pub(crate) struct CramCertifyArgs {
    /// The board: ROWSxCOLUMNS
    #[arg(value_name = "BOARD")]
    pub(crate) board: Board,

    /// The file that is written; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// Write over a file that is there
    #[arg(long)]
    pub(crate) force: bool,

    /// Memory that the tables may take
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here, default_value = "1GiB")]
    pub(crate) memory: Memory,

    /// Threads that search at once, with one table
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads, default_value = "1")]
    pub(crate) threads: u32,

    /// Give up after this time: `90s`, `10min` [default: never]
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) budget: Option<Duration>,
}

/// Check a certificate by the rules alone, with code that shares nothing with any search
///
/// Every entry is checked by the others while the file is read. The first one that is not backed is
/// named, with exit code 1, as is the place where a file is cut off or changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague cram check 3x14.cert\n  \
                        sprague cram check 3x14.cert --board 3x14 --output json\n  \
                        sprague cram certify 3x14 --out - | sprague cram check -")]
pub(crate) struct CramCheckArgs {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Refuse a certificate of another board: 4x3 is 3x4 turned, and not another
    #[arg(long, value_name = "BOARD")]
    pub(crate) board: Option<Board>,

    /// Memory that the entries may take
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here, default_value = "1GiB")]
    pub(crate) memory: Memory,
}

//! Looking after the store of a coordinator.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Check, compact, back up, restore, export or import the store of a coordinator
///
/// Works on the file in the coordinator's folder. `backup` and `export` read it while the coordinator goes
/// on; the others need it to be stopped.
#[derive(Debug, Args)]
pub(crate) struct StoreNoun {
    #[command(subcommand)]
    pub(crate) verb: StoreVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreVerb {
    /// Compare every page with its checksum, and see whether a coordinator can go on from it
    Check(DirArg),
    /// Make the file as small as what it holds
    ///
    /// Writes a new file beside the old one, which stays until the new one is whole. Is refused where the
    /// disk has no room for both.
    Compact(DirArg),
    /// Copy the store to a new file, as of one moment
    Backup {
        /// The new file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        dir: DirArg,
    },
    /// Put a backup in the place of a store that is not there any more
    Restore {
        /// The backup, which is only read
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        #[command(flatten)]
        dir: DirArg,
    },
    /// Write the store as lines of JSON that can rebuild it
    ///
    /// An export that is there already is appended to: findings and disputes that it has are not written
    /// again.
    Export {
        /// The file to write or append to [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        dir: DirArg,
    },
    /// Make a store from an export
    Import {
        /// The export
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        #[command(flatten)]
        dir: DirArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DirArg {
    /// The folder of the coordinator
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

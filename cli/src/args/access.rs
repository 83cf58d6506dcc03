//! Who may enter.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sprague_proto::Role;

use super::{AccessArg, DirArg};

/// Change who may enter: new secrets, old ones revoked, new keys
///
/// To change a secret without a break: `rotate`, copy the new access file to where the old one is used,
/// `revoke`. After a leak, both at once: whoever entered with an old secret is told so and has to leave.
#[derive(Debug, Args)]
pub(crate) struct AccessNoun {
    #[command(subcommand)]
    pub(crate) verb: AccessVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccessVerb {
    /// Make a new secret and write it into the access file; those before let in until they are revoked
    Rotate {
        /// Whose: `worker` or `operator`
        #[arg(value_name = "ROLE")]
        role: Role,
        /// Also write the new access file here
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        access: AccessArg,
    },
    /// Take every secret but the newest; workers and watchers that entered with one are sent away
    Revoke {
        /// Whose: `worker` or `operator`
        #[arg(value_name = "ROLE")]
        role: Role,
        #[command(flatten)]
        access: AccessArg,
    },
    /// Make the key pair and both secrets anew, for a coordinator that is stopped
    ///
    /// For a key that was lost or has leaked. Every worker and operator needs a new access file then.
    Renew(DirArg),
}

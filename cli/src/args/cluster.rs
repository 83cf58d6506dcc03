//! Commands that are a part of a cluster or talk to one.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use sprague_work::{JobId, WorkerId};

use super::{Memory, quantity};

/// How an operator gets in.
#[derive(Clone, Debug, Args)]
pub(crate) struct AccessArg {
    /// The coordinator's operator.access
    #[arg(long, value_name = "FILE", env = "SPRAGUE_ACCESS", hide_env_values = true)]
    pub(crate) access: PathBuf,
}

/// Run a coordinator
///
/// Makes the folder with its keys, its store and the two access files on first start, and goes on
/// from the store on every later one. Copy worker.access to the machines that are to work, and keep
/// operator.access for yourself: whoever has a file has the access.
///
/// The first Ctrl-C or SIGTERM stops kindly, the second at once. Neither loses anything acknowledged.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The folder of the store, the keys and the access files
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// The address to listen on; port 0 is the port of the last time, or a free one [default: that of the last time, or
    /// 127.0.0.1:0]
    #[arg(long, value_name = "IP:PORT", value_parser = ip_and_port)]
    pub(crate) listen: Option<SocketAddr>,

    /// The address to write into the access files [default: the one listened on; without --listen too, that of the last
    /// time]
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
    pub(crate) advertise: Option<String>,

    /// For how long a unit may stand still before another worker has it, and a worker may go on
    /// with its units without contact
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = quantity::duration)]
    pub(crate) lease: Duration,

    /// Serve /metrics for Prometheus and /healthz here, in plain text: an address of loopback
    #[arg(long, value_name = "IP:PORT", value_parser = ip_and_port)]
    pub(crate) metrics: Option<SocketAddr>,
}

/// Run a worker, or tell a coordinator what to do with one
///
/// A worker computes units of any job, each slot in a process of its own under a hard memory cap. It
/// survives restarts of its coordinator, and gives up only where it has not reached it within 30 seconds
/// of its start. The first Ctrl-C or SIGTERM stops kindly, the second at once.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct WorkerNoun {
    #[command(subcommand)]
    pub(crate) verb: Option<WorkerVerb>,
    // Absent only where there is a verb: `--access` is required otherwise.
    #[command(flatten)]
    pub(crate) role: Option<WorkerArgs>,
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The coordinator's worker.access
    #[arg(long, value_name = "FILE", env = "SPRAGUE_ACCESS", hide_env_values = true)]
    pub(crate) access: PathBuf,

    /// Units to run beside each other [default: the cores of this machine, divided by the threads]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count)]
    pub(crate) slots: Option<NonZeroUsize>,

    /// Threads that a unit may use, where its method can use more than one: they share its memory
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads, default_value = "1")]
    pub(crate) threads: u32,

    /// Memory that each slot may take: `512MiB`, `4GiB` [default: four fifths of what this machine or
    /// its cgroup has, divided by the slots]
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory_here)]
    pub(crate) memory: Option<Memory>,

    /// How operators see the worker [default: the host's name and the process]
    #[arg(long, value_name = "NAME", value_parser = visible)]
    pub(crate) name: Option<String>,

    /// Stop when standard input ends: how `sprague run` holds its workers
    #[arg(long, hide = true)]
    pub(crate) leash: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkerVerb {
    /// Give a worker no more units; it ends those that it has
    Drain(WorkerIdArgs),
    /// Let a worker that others outvoted have units again
    Trust(WorkerIdArgs),
}

#[derive(Debug, Args)]
pub(crate) struct WorkerIdArgs {
    /// The worker's number, as `sprague workers` shows it
    #[arg(value_name = "ID")]
    pub(crate) id: WorkerId,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

/// Look at one job, or cancel it
#[derive(Debug, Args)]
pub(crate) struct JobArgs {
    #[command(subcommand)]
    pub(crate) verb: JobVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobVerb {
    /// Show a job as it is now
    Show(IdArgs),
    /// Follow a job to its end, and print its result
    ///
    /// Ends with the exit code of the job: 0 done, 1 failed, 3 disputed, 4 stopped early.
    Watch(IdArgs),
    /// Cancel a job; the values that it found are kept
    ///
    /// What is known of questions that are not settled yet is given up: a job that is to go on later is one with a --budget.
    Cancel(IdArgs),
    /// Say why units of a job do not run
    Explain(IdArgs),
}

/// Print what happened to a job: its turns, bad ends, findings and disputes, the last 500
#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    #[command(flatten)]
    pub(crate) job: IdArgs,
}

#[derive(Debug, Args)]
pub(crate) struct IdArgs {
    /// The job's number, as `sprague jobs` shows it
    #[arg(value_name = "ID")]
    pub(crate) id: JobId,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

/// A name that can be seen: not what is left of a variable that a script did not set.
fn visible(text: &str) -> Result<String, String> {
    let is_seen = |c: char| !c.is_whitespace() && !c.is_control();
    let fault = "nothing of it can be seen: leave it out to have the host's name and the process";
    text.contains(is_seen).then(|| text.to_owned()).ok_or_else(|| fault.to_owned())
}

pub(super) fn ip_and_port(text: &str) -> Result<SocketAddr, String> {
    let example = "an address to listen on is IP:PORT, such as 127.0.0.1:7700 or 0.0.0.0:7700";
    text.parse().map_err(|_| example.to_owned())
}

/// Takes `HOST:PORT` as it is: the host is for others to look up, who may know it by another name.
pub(super) fn host_and_port(text: &str) -> Result<String, String> {
    let fault = || "an address is HOST:PORT, such as games.example.org:7700".to_owned();
    let (host, port) = text.rsplit_once(':').ok_or_else(fault)?;
    let printable = |c: char| c.is_ascii_graphic() && !"/@?#".contains(c);
    if host.is_empty() || !host.chars().all(printable) || !matches!(port.parse(), Ok(1u16..)) {
        return Err(fault());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::host_and_port;

    #[test]
    fn an_advertised_address_has_a_host_and_a_port() {
        for text in ["games.example.org:7700", "10.0.0.1:1", "[::1]:65535"] {
            assert_eq!(host_and_port(text).as_deref(), Ok(text));
        }
        for text in ["", "host", ":7700", "host:", "host:0", "host:65536", "a b:1", "http://a:1"] {
            assert!(host_and_port(text).is_err(), "{text}");
        }
    }
}

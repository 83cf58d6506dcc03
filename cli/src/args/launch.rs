//! Commands that start workers, or print what starts them.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::cluster::{host_and_port, ip_and_port};
use super::{Memory, quantity};

/// Start workers on other machines, or print what starts them
///
/// What runs where at scale is left to systemd, Slurm, Kubernetes or Compose: for these, a file is printed on standard
/// output. docs/operations.md leads through each of them.
#[derive(Debug, Args)]
pub(crate) struct LaunchNoun {
    #[command(subcommand)]
    pub(crate) verb: LaunchVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LaunchVerb {
    Ssh(LaunchSshArgs),
    Systemd(LaunchSystemdArgs),
    Slurm(LaunchSlurmArgs),
    K8s(LaunchK8sArgs),
    Compose(LaunchComposeArgs),
}

/// Start a worker on each machine of a list, by ssh
///
/// A line of HOSTFILE is `[USER@]HOST[:PORT] [slots=N] [threads=N] [memory=SIZE] [name=NAME]`; `#` begins a comment. Each machine
/// gets the access file, for its owner alone, and a worker. The workers live as long as this command: Ctrl-C stops them
/// kindly, a second one at once. With --detach they stay, and this command ends.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  sprague launch ssh hosts.txt --access games/worker.access --copy\n  \
                        sprague launch ssh hosts.txt --access games/worker.access --detach --memory 4GiB"
)]
pub(crate) struct LaunchSshArgs {
    /// The list of machines
    #[arg(value_name = "HOSTFILE")]
    pub(crate) hosts: PathBuf,

    /// The coordinator's worker.access
    #[arg(long, value_name = "FILE", env = "SPRAGUE_ACCESS", hide_env_values = true)]
    pub(crate) access: PathBuf,

    /// The program on the machines
    #[arg(long, value_name = "PATH", default_value = "sprague", conflicts_with = "copy", value_parser = printable)]
    pub(crate) program: String,

    /// Copy this program to the machines, which must be of the same kind as this one
    #[arg(long)]
    pub(crate) copy: bool,

    /// The folder on the machines for the access file, the copy and the log
    #[arg(long, value_name = "DIR", default_value = ".sprague", value_parser = printable)]
    pub(crate) remote_dir: String,

    /// Leave the workers running, with a log in the folder
    #[arg(long)]
    pub(crate) detach: bool,

    /// How to call ssh, with its options
    #[arg(long, value_name = "COMMAND", default_value = "ssh")]
    pub(crate) ssh: String,

    /// Units to run beside each other, where the list does not say [default: the cores of each machine, divided by the
    /// threads]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count)]
    pub(crate) slots: Option<NonZeroUsize>,

    /// Threads that a unit may use, where the list does not say [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads)]
    pub(crate) threads: Option<u32>,

    /// Memory that each slot may take, where the list does not say [default: four fifths of what each machine has,
    /// divided by its slots]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
}

/// Print a service for systemd
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  sprague launch systemd coordinator --advertise games.example.org:7700\n  \
                        sprague launch systemd worker --slots 8 --memory 4GiB"
)]
pub(crate) struct LaunchSystemdArgs {
    #[command(subcommand)]
    pub(crate) role: SystemdRole,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SystemdRole {
    /// The coordinator, with its store in /var/lib/sprague
    Coordinator {
        /// The address that workers and operators call
        #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port)]
        advertise: String,
        /// The address to listen on
        #[arg(long, value_name = "IP:PORT", default_value = "0.0.0.0:7700", value_parser = ip_and_port)]
        listen: SocketAddr,
        #[command(flatten)]
        service: ServiceArgs,
    },
    /// A worker
    Worker {
        /// The coordinator's worker.access, as that machine knows it
        #[arg(long, value_name = "FILE", default_value = "/etc/sprague/worker.access", value_parser = printable)]
        access: String,
        /// Units to run beside each other [default: the cores of the machine, divided by the threads]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count)]
        slots: Option<NonZeroUsize>,
        /// Threads that a unit may use [default: 1]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads)]
        threads: Option<u32>,
        /// Memory that each slot may take [default: four fifths of the machine's, divided by the slots]
        #[arg(long, value_name = "SIZE")]
        memory: Option<Memory>,
        #[command(flatten)]
        service: ServiceArgs,
    },
}

/// What every service needs.
#[derive(Debug, Args)]
pub(crate) struct ServiceArgs {
    /// The program, as that machine knows it
    #[arg(long, value_name = "PATH", default_value = "/usr/local/bin/sprague", value_parser = printable)]
    pub(crate) program: String,
    /// The user that it runs as
    #[arg(long, value_name = "NAME", default_value = "sprague", value_parser = word)]
    pub(crate) user: String,
}

/// The workers of a cluster that somebody else schedules.
#[derive(Clone, Debug, Args)]
pub(crate) struct CrewArgs {
    /// Workers to start
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count, default_value = "4")]
    pub(crate) workers: NonZeroUsize,
    /// Units that each worker runs beside each other
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count, default_value = "2")]
    pub(crate) slots: NonZeroUsize,
    /// Threads that a unit may use: each worker gets as many cores as its slots have threads
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads, default_value = "1")]
    pub(crate) threads: u32,
    /// Memory that each slot may take
    #[arg(long, value_name = "SIZE", default_value = "2GiB")]
    pub(crate) memory: Memory,
}

/// Print a batch script for Slurm: an array of workers that call home
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  sprague launch slurm --access worker.access --workers 20 --slots 8 --memory 4GiB > workers.sh\n  \
                        sbatch workers.sh"
)]
pub(crate) struct LaunchSlurmArgs {
    /// The coordinator's worker.access, on a file system that the nodes share
    #[arg(long, value_name = "FILE", value_parser = printable)]
    pub(crate) access: String,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// How long each worker may run, in Slurm's words
    #[arg(long, value_name = "TIME", default_value = "24:00:00", value_parser = word)]
    pub(crate) time: String,
    /// The partition [default: Slurm's own]
    #[arg(long, value_name = "NAME", value_parser = word)]
    pub(crate) partition: Option<String>,
    /// The program, as the nodes know it [default: this one]
    #[arg(long, value_name = "PATH", value_parser = printable)]
    pub(crate) program: Option<String>,
}

/// Print a coordinator and workers for Kubernetes
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  sprague launch k8s --image registry.example.org/sprague:0.1.0 --workers 20 > sprague.yaml"
)]
pub(crate) struct LaunchK8sArgs {
    /// The image, as deploy/Dockerfile makes it
    #[arg(long, value_name = "IMAGE", value_parser = word)]
    pub(crate) image: String,
    /// The namespace
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = word)]
    pub(crate) namespace: String,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
}

/// Print a coordinator and workers for Docker Compose
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sprague launch compose --image sprague > compose.yaml")]
pub(crate) struct LaunchComposeArgs {
    /// The image, as deploy/Dockerfile makes it
    #[arg(long, value_name = "IMAGE", default_value = "sprague", value_parser = word)]
    pub(crate) image: String,
    /// The address that workers and operators call
    #[arg(long, value_name = "HOST:PORT", default_value = "coordinator:7700", value_parser = host_and_port)]
    pub(crate) advertise: String,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
}

impl CrewArgs {
    /// The cores that each worker can use.
    pub(crate) fn cores(&self) -> u64 {
        self.slots.get() as u64 * u64::from(self.threads)
    }
}

/// Takes what fits on a line.
fn printable(text: &str) -> Result<String, String> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err("it is empty or has characters that cannot be written on a line".to_owned());
    }
    Ok(text.to_owned())
}

/// Takes names of things that have no blanks and no quotes in their names.
fn word(text: &str) -> Result<String, String> {
    let is_fit = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
    if text.is_empty() || !text.chars().all(is_fit) {
        return Err("only letters, digits and any of . _ - : / @ + can stand here".to_owned());
    }
    Ok(text.to_owned())
}

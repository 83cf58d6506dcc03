//! The commands and their groups.

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::{
    AccessArg, AccessNoun, CramNoun, EventsArgs, ExportArgs, GeographyNoun, Global, JobArgs,
    LaunchNoun, RunArgs, ServeArgs, StoreNoun, SubmitArgs, ValuesArgs, VerifyArgs, WorkerNoun,
    examples,
};

/// Settle questions about impartial games on one machine or many
///
/// Sprague cuts a question into units, computes them in worker processes under a memory cap, keeps
/// every answer, and believes no value until independent methods agree on it.
#[derive(Debug, Parser)]
#[command(name = "sprague", version, after_help = examples::program())]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Serve(ServeArgs),
    Worker(WorkerNoun),
    Submit(SubmitArgs),
    /// List the jobs of a coordinator
    Jobs(AccessArg),
    Job(JobArgs),
    Events(EventsArgs),
    /// List the workers of a coordinator
    Workers(AccessArg),
    Values(ValuesArgs),
    Verify(VerifyArgs),
    Export(ExportArgs),
    Store(StoreNoun),
    Access(AccessNoun),
    Launch(LaunchNoun),
    Cram(CramNoun),
    Geography(GeographyNoun),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print the manual page of the program or of a command, as roff
///
/// Read it with `sprague man | man -l -`, that of a command with `sprague man store backup | man -l -`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command, such as `store backup` [default: the program]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

/// Print the completions of a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn worker_is_a_role_and_a_noun() {
        let role = Cli::parse_from(["sprague", "worker", "--access", "a", "--slots", "2"]);
        assert!(matches!(role.command, Command::Worker(WorkerNoun { verb: None, .. })));
        let noun = Cli::parse_from(["sprague", "worker", "drain", "3", "--access", "a"]);
        assert!(matches!(noun.command, Command::Worker(WorkerNoun { verb: Some(_), .. })));
    }

    #[test]
    fn flags_may_stand_among_the_words_of_a_job() {
        let line = ["sprague", "run", "cram", "--method", "mex,couples", "3x3", "4x4", "-q"];
        let Command::Run(run) = Cli::parse_from(line).command else { panic!("run") };
        assert_eq!(run.wish.job(), ["cram", "3x3", "4x4"]);
        assert_eq!(run.wish.methods, ["mex", "couples"]);
    }
}

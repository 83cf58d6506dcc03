//! From the command line to its command and to the exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use tokio::runtime::Builder;

use crate::args::{Cli, Command, CramVerb, GeographyVerb, LaunchVerb, WorkerNoun, WorkerVerb};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::log::{self, Talk};
use crate::{commands, output, usage};

/// Reads the command line, does what it says, and tells how that ended.
pub(crate) fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let parsed = Cli::command()
        .color(usage::color_choice(&line))
        .try_get_matches_from(&line)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage::explain(&line, error).into(),
    };
    let context = Context::new(cli.global);
    log::start(&context, talk(&cli.command));
    let end = dispatch(&context, cli.command);
    end.unwrap_or_else(|error| {
        if error.is_broken_pipe() {
            return Exit::Done;
        }
        output::fail(&context.global, &error);
        error.exit()
    })
    .into()
}

fn talk(command: &Command) -> Talk {
    match command {
        Command::Serve(_) | Command::Worker(WorkerNoun { verb: None, .. }) => Talk::Daemon,
        _ => Talk::Command,
    }
}

fn dispatch(context: &Context, command: Command) -> Result<Exit, ExpectedError> {
    match command {
        Command::Run(args) => wait(commands::run::run(context, args)),
        Command::Serve(args) => wait(commands::serve::run(context, args)),
        Command::Worker(WorkerNoun { verb: Some(WorkerVerb::Drain(args)), .. }) => {
            wait(commands::workers::drain(context, &args))
        }
        Command::Worker(WorkerNoun { verb: Some(WorkerVerb::Trust(args)), .. }) => {
            wait(commands::workers::trust(context, &args))
        }
        Command::Worker(WorkerNoun { role: Some(args), .. }) => {
            wait(commands::worker::run(context, args))
        }
        Command::Worker(WorkerNoun { verb: None, role: None }) => Err(ExpectedError::Usage {
            message: "a worker needs the access file of its coordinator".to_owned(),
            hint: Some("usage: sprague worker --access FILE".to_owned()),
        }),
        Command::Submit(args) => wait(commands::submit::run(context, &args)),
        Command::Jobs(args) => wait(commands::jobs::run(context, &args)),
        Command::Job(args) => wait(commands::job::run(context, &args)),
        Command::Events(args) => wait(commands::events::run(context, &args.job)),
        Command::Workers(args) => wait(commands::workers::run(context, &args)),
        Command::Verify(args) => wait(commands::verify::run(context, &args)),
        Command::Values(args) => wait(commands::values::run(context, &args)),
        Command::Export(args) => wait(commands::export::run(context, &args)),
        Command::Store(noun) => commands::store::run(context, noun),
        Command::Access(noun) => wait(commands::access::run(context, noun)),
        Command::Launch(noun) => match noun.verb {
            LaunchVerb::Ssh(args) => wait(commands::launch::ssh::run(context, args)),
            LaunchVerb::Systemd(args) => commands::launch::systemd::run(context, args),
            LaunchVerb::Slurm(args) => commands::launch::slurm::run(context, args),
            LaunchVerb::K8s(args) => commands::launch::k8s::run(context, args),
            LaunchVerb::Compose(args) => commands::launch::compose::run(context, args),
        },
        Command::Cram(noun) => match noun.verb {
            CramVerb::Position(args) => wait(commands::cram_position::run(context, args)),
            CramVerb::Certify(args) => wait(commands::cram_certify::run(context, args)),
            CramVerb::Check(args) => wait(commands::cram_check::run(context, args)),
        },
        Command::Geography(noun) => match noun.verb {
            GeographyVerb::Position(args) => commands::geography::position::run(context, &args),
            GeographyVerb::Draw(args) => commands::geography::draw::run(context, args),
            GeographyVerb::Play(args) => commands::geography::play::run(context, &args),
            GeographyVerb::Construct(args) => commands::geography::construct::run(context, args),
            GeographyVerb::Generate(args) => commands::geography::generate::run(context, &args),
        },
        Command::Completions(args) => commands::completions::run(context, &args),
        Command::Man(args) => commands::man::run(context, &args),
    }
}

/// Runs what talks to others or waits for them.
fn wait(work: impl Future<Output = Result<Exit, ExpectedError>>) -> Result<Exit, ExpectedError> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|source| ExpectedError::System { what: "start threads", source })?;
    let end = runtime.block_on(work);
    // What is still open belongs to nobody any more.
    runtime.shutdown_background();
    end
}

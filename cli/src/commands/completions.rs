//! `sprague completions SHELL`

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> Result<Exit, ExpectedError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sprague", &mut script);
    let text = String::from_utf8_lossy(&script).into_owned();
    context.printer.show(&ForeignFile { of: args.shell.to_string(), text })?;
    Ok(Exit::Done)
}

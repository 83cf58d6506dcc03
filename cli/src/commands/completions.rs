//! `sprague completions SHELL`

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> Result<Exit, ExpectedError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sprague", &mut script);
    context.printer.plain(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

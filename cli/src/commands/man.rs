//! `sprague man [COMMAND...]`

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

pub(crate) fn run(context: &Context, args: &ManArgs) -> Result<Exit, ExpectedError> {
    let command = find(&args.command)?;
    let version = format!("sprague {}", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command).source(version).render(&mut page)?;
    // What stands below the flags is examples, what the environment says and exit codes: more than the name that the library gives it.
    let text = String::from_utf8_lossy(&page).replace(".SH EXTRA", ".SH NOTES");
    context.printer.show(&ForeignFile { of: "man".to_owned(), text })?;
    Ok(Exit::Done)
}

/// The command of these words. Its page is that of `sprague-store-backup`.
fn find(words: &[String]) -> Result<Command, ExpectedError> {
    let mut command = Cli::command();
    // Gives the commands below their whole names and the flags that are taken everywhere.
    command.build();
    for word in words {
        let Some(below) = command.find_subcommand(word) else {
            return Err(ExpectedError::Usage {
                message: format!("there is no command {:?}", words.join(" ")),
                hint: Some("`sprague --help` lists the commands".to_owned()),
            });
        };
        command = below.clone();
    }
    Ok(command)
}

//! `sprague man`

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::Cli;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;

pub(crate) fn run(context: &Context) -> Result<Exit, ExpectedError> {
    let mut page = Vec::new();
    Man::new(Cli::command()).render(&mut page)?;
    context.printer.plain(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}

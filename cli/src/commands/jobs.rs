//! `sprague jobs`

use crate::args::AccessArg;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::JobsDocument;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &AccessArg) -> Result<Exit, ExpectedError> {
    let jobs = Client::open(&args.access).await?.jobs().await?;
    context.printer.show(&JobsDocument(jobs))?;
    Ok(Exit::Done)
}

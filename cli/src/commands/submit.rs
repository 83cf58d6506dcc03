//! `sprague submit JOB...`

use crate::args::SubmitArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::Submitted;
use crate::remote::Client;

/// The coordinator reads the words: it may know jobs that this program does not.
pub(crate) async fn run(context: &Context, args: &SubmitArgs) -> Result<Exit, ExpectedError> {
    let mut client = Client::open(&args.access.access).await?;
    let id = client.submit(&args.wish.job(), &args.wish.options()).await?;
    context.printer.show(&Submitted(id))?;
    context.notes.hint(&format!("`sprague job watch {id}` follows it to its end"));
    Ok(Exit::Done)
}

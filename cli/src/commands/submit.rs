//! `sprague submit JOB...`

use sprague_work::JobOptions;

use crate::args::SubmitArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::Submitted;
use crate::remote::{Client, RemoteError};

/// The coordinator reads the words: it may know jobs that this program does not.
pub(crate) async fn run(context: &Context, args: &SubmitArgs) -> Result<Exit, ExpectedError> {
    let mut client = Client::open(&args.access.access).await?;
    let (words, options) = (args.wish.job(), args.wish.options());
    let id = match client.submit(&words, &options).await {
        Ok(id) => id,
        Err(RemoteError::Invalid(said)) => return Err(invalid(context, &words, &options, said)),
        Err(fault) => return Err(fault.into()),
    };
    context.printer.show(&Submitted(id))?;
    context.notes.hint(&format!("`sprague job watch {id}` follows it to its end"));
    Ok(Exit::Done)
}

/// What the coordinator says of the words. Where this program says the same of them, it also knows what to do about it.
fn invalid(
    context: &Context,
    words: &[String],
    options: &JobOptions,
    said: String,
) -> ExpectedError {
    match context.registry.parse(words, options) {
        Err(fault) if fault.to_string() == said => fault.into(),
        _ => RemoteError::Invalid(said).into(),
    }
}

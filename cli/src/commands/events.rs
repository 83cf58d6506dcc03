//! `sprague events ID`

use crate::args::IdArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::EventsDocument;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &IdArgs) -> Result<Exit, ExpectedError> {
    let events = Client::open(&args.access.access).await?.events(args.id).await?;
    context.printer.show(&EventsDocument(events))?;
    Ok(Exit::Done)
}

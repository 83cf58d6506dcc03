//! `sprague workers`, and `sprague worker drain|trust ID`

use crate::args::{AccessArg, WorkerIdArgs};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{WorkerDocument, WorkersDocument};
use crate::remote::Client;

/// Lists the workers.
pub(crate) async fn run(context: &Context, args: &AccessArg) -> Result<Exit, ExpectedError> {
    let workers = Client::open(&args.access).await?.workers().await?;
    context.printer.show(&WorkersDocument(workers))?;
    Ok(Exit::Done)
}

/// Gives a worker no more units.
pub(crate) async fn drain(context: &Context, args: &WorkerIdArgs) -> Result<Exit, ExpectedError> {
    let worker = Client::open(&args.access.access).await?.drain(args.id).await?;
    context.printer.show(&WorkerDocument(worker))?;
    Ok(Exit::Done)
}

/// Lets a worker have units again.
pub(crate) async fn trust(context: &Context, args: &WorkerIdArgs) -> Result<Exit, ExpectedError> {
    let worker = Client::open(&args.access.access).await?.trust(args.id).await?;
    context.printer.show(&WorkerDocument(worker))?;
    Ok(Exit::Done)
}

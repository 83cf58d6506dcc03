//! `sprague values [QUESTION...]`

use sprague_work::{JobOptions, Value};

use crate::args::ValuesArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ValuesDocument;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &ValuesArgs) -> Result<Exit, ExpectedError> {
    let values = find(context, args).await?;
    let registry = &context.registry;
    context.printer.show(&ValuesDocument { registry, view: "", values: &values })?;
    Ok(Exit::Done)
}

async fn find(context: &Context, args: &ValuesArgs) -> Result<Vec<Value>, ExpectedError> {
    let words = args.job();
    if words.is_empty() {
        return Ok(Client::open(&args.access.access).await?.all_values().await?);
    }
    // The words of a job name its questions, in whichever way the boards are turned.
    let job = context.registry.parse(&words, &JobOptions::default())?;
    let mut client = Client::open(&args.access.access).await?;
    let mut values = Vec::new();
    for question in job.questions() {
        values.extend(client.values_of_question(question).await?);
    }
    Ok(values)
}

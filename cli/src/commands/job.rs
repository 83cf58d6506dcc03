//! `sprague job show|watch|cancel|explain ID`

use std::path::Path;

use serde_json::json;
use sprague_work::JobId;

use super::follow::{Followed, follow};
use crate::args::{JobArgs, JobVerb, OutputFormat};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{ExplanationsDocument, JobDocument, JobResult};
use crate::remote::{Client, Job};
use crate::stop::StopSignals;

pub(crate) async fn run(context: &Context, args: &JobArgs) -> Result<Exit, ExpectedError> {
    match &args.verb {
        JobVerb::Show(args) => {
            let job = Client::open(&args.access.access).await?.job(args.id).await?;
            context.printer.show(&JobDocument(job))?;
            Ok(Exit::Done)
        }
        JobVerb::Cancel(args) => {
            let job = Client::open(&args.access.access).await?.cancel(args.id).await?;
            context.printer.show(&JobDocument(job))?;
            Ok(Exit::Done)
        }
        JobVerb::Explain(args) => {
            let explanations = Client::open(&args.access.access).await?.explain(args.id).await?;
            context.printer.show(&ExplanationsDocument(explanations))?;
            Ok(Exit::Done)
        }
        JobVerb::Watch(args) => watch(context, args.id, &args.access.access).await,
    }
}

/// Follows a job to its end and prints its result.
pub(super) async fn watch(
    context: &Context,
    id: JobId,
    access: &Path,
) -> Result<Exit, ExpectedError> {
    let mut stop = StopSignals::listen()?;
    let client = Client::open(access).await?;
    // In lines of JSON every change is a line, the result being the last ones.
    let each = |job: &Job| match context.printer.format() {
        OutputFormat::Jsonl if !job.state.is_final() => {
            context.printer.line(&json!({ "job": job }))
        }
        _ => Ok(()),
    };
    let never = std::future::pending();
    let followed = follow(context, client.watch(id), &mut stop, never, each).await?;
    // It may have been away and back in the meantime, which a connection of its own survives.
    let mut client = Client::open(access).await?;
    let job = client.job(id).await?;
    if followed == Followed::ToASignal {
        context.notes.say(&format!("job {id} goes on without anybody watching"));
    }
    let values = client.values_of_job(id).await?;
    context.printer.show(&JobResult { registry: &context.registry, job: &job, values: &values })?;
    Ok(Exit::of(job.state))
}

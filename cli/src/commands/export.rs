//! `sprague export [JOB] --format FORM`

use sprague_work::{Standing, Value};

use crate::args::{ExportArgs, ExportFormat};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{Document, ValuesDocument, as_csv, as_markdown};
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &ExportArgs) -> Result<Exit, ExpectedError> {
    let mut client = Client::open(&args.access.access).await?;
    let (view, values) = match args.job {
        Some(id) => (client.job(id).await?.view, client.values_of_job(id).await?),
        None => (String::new(), client.all_values().await?),
    };
    if !args.include_disputed {
        refuse_disputed(&values)?;
    }
    let registry = &context.registry;
    let document = ValuesDocument { registry, view: &view, values: &values };
    let printer = &context.printer;
    match args.format {
        ExportFormat::Json => printer.line(&document.json())?,
        ExportFormat::Jsonl => document.lines().iter().try_for_each(|line| printer.line(line))?,
        ExportFormat::Csv => printer.plain(&as_csv(&values))?,
        ExportFormat::Md => printer.plain(&as_markdown(registry, &view, &values))?,
    }
    Ok(Exit::Done)
}

/// What is published must not hold a value that something contradicts.
fn refuse_disputed(values: &[Value]) -> Result<(), ExpectedError> {
    let disputed = values.iter().filter(|value| value.standing == Standing::Disputed);
    let questions: Vec<String> = disputed.map(|value| value.question.to_string()).collect();
    if questions.is_empty() { Ok(()) } else { Err(ExpectedError::DisputedExport { questions }) }
}

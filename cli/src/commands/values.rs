//! `sprague values [QUESTION...]`

use std::path::Path;

use sprague_coordinator::store::{self, Reader};
use sprague_work::{JobOptions, Question, Value};

use crate::args::ValuesArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ValuesDocument;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &ValuesArgs) -> Result<Exit, ExpectedError> {
    // The words of a job name its questions, in whichever way the boards are turned.
    let words = args.job();
    let questions: Option<Vec<Question>> = if words.is_empty() {
        None
    } else {
        let job = context.registry.parse(&words, &JobOptions::default())?;
        Some(job.questions().cloned().collect())
    };
    let values = match (&args.dir, &args.access) {
        (Some(dir), _) => read(context, dir, questions.as_deref())?,
        (None, Some(access)) => ask(access, questions.as_deref()).await?,
        (None, None) => unreachable!("the command line wants one of the two"),
    };
    let registry = &context.registry;
    context.printer.show(&ValuesDocument { registry, view: "", values: &values })?;
    Ok(Exit::Done)
}

/// The values of the store in a coordinator's folder.
fn read(
    context: &Context,
    dir: &Path,
    questions: Option<&[Question]>,
) -> Result<Vec<Value>, ExpectedError> {
    let snapshot = Reader::open(&store::in_folder(dir))?.snapshot()?;
    let mut values = snapshot.values(&context.registry);
    if let Some(questions) = questions {
        values.retain(|value| questions.contains(&value.question));
    }
    Ok(values)
}

async fn ask(access: &Path, questions: Option<&[Question]>) -> Result<Vec<Value>, ExpectedError> {
    let mut client = Client::open(access).await?;
    let Some(questions) = questions else { return Ok(client.all_values().await?) };
    let mut values = Vec::new();
    for question in questions {
        values.extend(client.values_of_question(question).await?);
    }
    Ok(values)
}

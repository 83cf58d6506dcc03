//! `sprague values [QUESTION...]`

use std::path::Path;

use sprague_coordinator::store::{self, Reader};
use sprague_work::{JobOptions, Question, Value, counted};

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
    if let Some(questions) = questions {
        say_what_is_not_known(context, args, &questions, &values);
    }
    Ok(Exit::Done)
}

/// Of a question that nothing is known of yet it is said how it becomes known. To ask for it is no failure.
fn say_what_is_not_known(
    context: &Context,
    args: &ValuesArgs,
    questions: &[Question],
    values: &[Value],
) {
    let is_known = |question: &&Question| values.iter().any(|value| value.question == **question);
    let unknown: Vec<&Question> = questions.iter().filter(|question| !is_known(question)).collect();
    let Some(first) = unknown.first() else { return };
    let more = match unknown.len() - 1 {
        0 => String::new(),
        more => format!(
            " and {}",
            counted(more as u64, "more of the questions", "more of the questions")
        ),
    };
    context.notes.say(&format!("nothing is known of {first}{more}"));
    let words = args.job().join(" ");
    context.notes.hint(&match (&args.dir, &args.access) {
        (None, Some(access)) => {
            format!("`sprague submit {words} --access {}` has it found", access.display())
        }
        (dir, _) => {
            let dir = dir.as_deref().unwrap_or(Path::new("DIR")).display();
            format!("`sprague run {words} --dir {dir}` finds it where no coordinator runs, `sprague submit {words}` where one does")
        }
    });
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

//! `sprague verify QUESTION`

use sprague_work::{
    JobOptions, JobSpec, Kind, Method, MethodName, Registry, Standing, Value, independent,
};

use super::job::watch;
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ValuesDocument;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, args: &VerifyArgs) -> Result<Exit, ExpectedError> {
    let registry = &context.registry;
    let words = args.job();
    let spec = registry.parse(&words, &JobOptions::default())?;
    let kind = registry.kind(&spec.kind).ok_or_else(|| registry.unknown(words.join(" ")))?;
    // What a job needs beside its question is not what is asked.
    let mut questions = spec.questions().filter(|question| kind.owns(question));
    let (Some(question), None) = (questions.next(), questions.next()) else {
        return Err(ExpectedError::ManyQuestions { words: words.join(" ") });
    };
    let mut client = Client::open(&args.access.access).await?;
    let values = client.values_of_question(question).await?;
    let Some(method) = next_method(registry, kind, &spec, &values) else {
        context.notes.say(&format!("every method that knows {question} has answered"));
        context.printer.show(&ValuesDocument { registry, view: "", values: &values })?;
        return Ok(Exit::Done);
    };
    let options = JobOptions {
        methods: vec![method],
        budget_seconds: args.budget.map(|budget| budget.as_secs()),
        ..JobOptions::default()
    };
    let id = client.submit(&words, &options).await?;
    let exit = watch(context, id, &args.access.access).await?;
    if exit == Exit::Done {
        let values = client.values_of_question(question).await?;
        let is_single = values.iter().any(|value| value.standing == Standing::Single);
        if is_single && next_method(registry, kind, &spec, &values).is_some() {
            context.notes.hint("one method alone says so: the same command again asks another");
        }
    }
    Ok(exit)
}

/// The method that adds most to what is known: one that certifies, one that is independent of all that have
/// answered, any other; those that the job would take by itself before the others. Only methods that fit the question.
fn next_method(
    registry: &Registry,
    kind: &dyn Kind,
    spec: &JobSpec,
    values: &[Value],
) -> Option<MethodName> {
    let words: Vec<String> = spec.words.split(' ').map(str::to_owned).collect();
    let fits = |method: &Method| {
        let methods = vec![MethodName::new(method.name)];
        registry.parse(&words, &JobOptions { methods, ..JobOptions::default() }).is_ok()
    };
    let answered: Vec<&MethodName> =
        values.iter().flat_map(|value| &value.findings).map(|finding| &finding.method).collect();
    let usual = spec.tasks.iter().filter_map(|task| kind.method(&task.method));
    let open: Vec<&Method> = usual
        .chain(kind.methods())
        .filter(|method| !answered.iter().any(|name| name.as_str() == method.name))
        .filter(|method| fits(method))
        .collect();
    let is_independent = |method: &Method| {
        answered.iter().filter_map(|name| kind.method(name)).all(|other| independent(method, other))
    };
    let certifies = open.iter().find(|method| method.certifies);
    let best = certifies
        .or_else(|| open.iter().find(|method| is_independent(method)))
        .or_else(|| open.first())?;
    Some(MethodName::new(best.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprague_work::{Question, judge};

    /// The method that is next for a question that these have answered.
    fn next(words: &str, answered: &[&str]) -> Option<String> {
        let registry = Registry::standard();
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let spec = registry.parse(&words, &JobOptions::default()).unwrap();
        let question: &Question = spec.questions().next().unwrap();
        let kind = registry.kind(&spec.kind).unwrap();
        let findings: Vec<sprague_work::Finding> = answered
            .iter()
            .map(|method| sprague_work::Finding {
                question: question.clone(),
                method: MethodName::new(*method),
                effort: sprague_work::Effort::default(),
                answer: sprague_work::Answer::default(),
                fingerprint: String::new(),
                workers: Vec::new(),
                when: String::new(),
                version: String::new(),
            })
            .collect();
        let value = judge(kind, question, &findings, &[]);
        next_method(&registry, kind, &spec, &[value]).map(|method| method.to_string())
    }

    #[test]
    fn what_can_be_certified_is() {
        assert_eq!(next("cram 3x14", &[]).as_deref(), Some("certificate"));
        assert_eq!(next("cram 3x14", &["couples", "mex"]).as_deref(), Some("certificate"));
        assert_eq!(next("cram 3x14", &["certificate"]).as_deref(), Some("proof-number"));
    }

    #[test]
    fn what_cannot_be_certified_gets_a_method_that_is_independent() {
        assert_eq!(next("geography sweep 5", &["table"]).as_deref(), Some("recursion"));
        assert_eq!(next("geography sweep 5", &["recursion"]).as_deref(), Some("table"));
        assert_eq!(next("geography sweep 5", &["table", "recursion", "matching"]), None);
    }

    #[test]
    fn a_method_that_cannot_answer_is_not_asked() {
        let cover = "geography cover --value 6 --vertices 11";
        assert_eq!(next(cover, &["bound"]).as_deref(), Some("sweeps"));
        assert_eq!(next(cover, &["bound", "sweeps"]), None);
        assert_eq!(next("geography search --value 6 --vertices 12", &["growth"]), None);
    }
}

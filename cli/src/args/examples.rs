//! What stands below the flags in a help text. The jobs come from the registry, so that a new kind
//! shows up here by itself.

use sprague_work::Registry;

const CODES: &str = "Exit codes:
  0  done
  1  failed
  2  the command line or its input cannot be meant
  3  disputed: answers contradict each other
  4  stopped early: a job keeps every value found, a command without a store nothing";

const ENVIRONMENT: &str = "Environment:
  SPRAGUE_ACCESS  the access file where --access names none
  SPRAGUE_LOG     what is logged, where -v and -q do not say enough: such as info,sprague=debug
  NO_COLOR        no colours where --color says nothing
  TMPDIR          where `run` without --dir has its store";

/// Below `sprague --help`.
pub(super) fn program() -> String {
    let example = Registry::standard().forms().next().map_or("", |form| form.example);
    format!(
        "Examples:
  sprague run {example}
  sprague serve --dir games
  sprague worker --access games/worker.access
  sprague submit {example} --access games/operator.access

{ENVIRONMENT}

{CODES}"
    )
}

/// The jobs, each with an example.
pub(super) fn jobs(command: &str) -> String {
    let registry = Registry::standard();
    let forms = registry.forms().map(|form| {
        format!("  {}\n      {}\n      sprague {command} {}", form.words, form.about, form.example)
    });
    let methods = registry.kinds().map(|kind| {
        let names = kind.offered_methods().iter().map(|method| method.name).collect::<Vec<_>>();
        format!("  {}: {}", kind.name(), names.join(", "))
    });
    format!(
        "Jobs:\n{}\n\nMethods:\n{}",
        forms.collect::<Vec<_>>().join("\n"),
        methods.collect::<Vec<_>>().join("\n")
    )
}

/// The jobs and, below them, the exit codes.
pub(super) fn jobs_with_codes(command: &str) -> String {
    format!("{}\n\n{CODES}", jobs(command))
}

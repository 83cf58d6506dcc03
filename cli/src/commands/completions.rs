//! `sprague completions SHELL`
//!
//! The words of jobs, their methods, roles and the topics of `man` are no words that clap knows: what can be meant by them is for
//! others to say. Shells are told of them here, for completion only.

use std::collections::{BTreeMap, BTreeSet};

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use sprague_proto::Role;
use sprague_work::{Kind, Registry};

use crate::args::{Cli, CompletionsArgs};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;
use crate::suggest::job_name;

const IN_BASH: &str = include_str!("completions.bash");

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> Result<Exit, ExpectedError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_words(&context.registry), "sprague", &mut script);
    let mut text = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        text.push_str(&jobs_in_bash(&context.registry));
    }
    context.printer.show(&ForeignFile { of: args.shell.to_string(), text })?;
    Ok(Exit::Done)
}

/// The command line, with the words that shells complete.
fn with_words(registry: &Registry) -> Command {
    let names = registry.forms().map(|form| job_name(form.words)).collect::<Vec<_>>();
    let jobs = sorted(names.iter().flat_map(|name| name.split(' ')));
    let methods = methods(registry);
    let roles = [Role::Worker, Role::Operator].map(|role| role.to_string());
    let mut command = shown(&Cli::command());
    let topics = sorted(topics(&command).iter().map(String::as_str));
    for name in ["run", "submit", "values", "verify"] {
        command = command.mut_subcommand(name, |command| completed(command, "words", &jobs));
    }
    for name in ["run", "submit"] {
        command = command.mut_subcommand(name, |command| completed(command, "methods", &methods));
    }
    for verb in ["rotate", "revoke"] {
        command = command.mut_subcommand("access", |noun| {
            noun.mut_subcommand(verb, |command| completed(command, "role", &roles))
        });
    }
    command.mut_subcommand("man", |command| completed(command, "command", &topics))
}

/// The command without what no help shows: shells would offer it all the same.
fn shown(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let mut shown = Command::new(command.get_name().to_owned())
        .args(arguments.cloned())
        .subcommands(below.map(shown));
    if let Some(about) = command.get_about() {
        shown = shown.about(about.clone());
    }
    if let Some(version) = command.get_version() {
        shown = shown.version(version.to_owned());
    }
    shown
}

/// What shells other than bash cannot be told: which words a job goes on with.
fn jobs_in_bash(registry: &Registry) -> String {
    let mut words: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in registry.forms().map(|form| job_name(form.words)) {
        let mut before = String::new();
        for word in name.split(' ') {
            let known = words.entry(before.clone()).or_default();
            if !known.contains(&word) {
                known.push(word);
            }
            before += &format!("{word} ");
        }
    }
    let case = |(before, words): (&String, &Vec<&str>)| {
        format!("        \"{before}\") words=\"{}\" ;;", words.join(" "))
    };
    let cases: Vec<String> = words.iter().map(case).collect();
    IN_BASH.replace("@METHODS@", &methods(registry).join(" ")).replace("@CASES@", &cases.join("\n"))
}

/// The methods that are offered, whatever the job.
fn methods(registry: &Registry) -> Vec<String> {
    sorted(registry.kinds().flat_map(Kind::offered_methods).map(|method| method.name))
}

fn completed(command: Command, argument: &str, words: &[String]) -> Command {
    command.mut_arg(argument, |arg| arg.value_parser(PossibleValuesParser::new(words)))
}

/// Each word once.
fn sorted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    words.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}

/// The words of all commands.
fn topics(command: &Command) -> Vec<String> {
    let below = command.get_subcommands();
    below.flat_map(|below| [vec![below.get_name().to_owned()], topics(below)].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_completes_what_clap_does_not_know() {
        for shell in [Shell::Bash, Shell::Zsh] {
            let mut script = Vec::new();
            let mut command = with_words(&Registry::standard());
            clap_complete::generate(shell, &mut command, "sprague", &mut script);
            let script = String::from_utf8(script).unwrap();
            for word in ["ablation", "literature", "couples", "operator", "backup"] {
                let mut words = script.split(|c: char| !c.is_ascii_alphanumeric());
                assert!(words.any(|known| known == word), "{shell}: {word}");
            }
        }
    }
}

//! Command lines that cannot be read, told in the form that they ask for all the same.

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::error::{ContextKind, ErrorKind};
use clap::{ColorChoice, ValueEnum};
use sprague_work::JobId;

use crate::args::{ColorWhen, OutputFormat};
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output;

/// The colours that the command line asks for, before it was read.
pub(crate) fn color_choice(line: &[OsString]) -> ColorChoice {
    match asked_for(line, "--color").unwrap_or_default() {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
}

/// Says what is wrong with the command line, or shows the help that it asked for.
pub(crate) fn explain(line: &[OsString], mut error: clap::Error) -> Exit {
    let hint = better_hint(line, &error);
    if hint.is_some() {
        // Clap's own guess would lead elsewhere.
        error.remove(ContextKind::Suggested);
    }
    let format = asked_for::<OutputFormat>(line, "--output").unwrap_or_default();
    if !error.use_stderr() || format == OutputFormat::Text {
        // Whoever closed the stream does not want the rest of the help.
        let _ = error.print();
        if let Some(hint) = hint {
            let _ = writeln!(io::stderr(), "\nhint: {hint}");
        }
        return if error.use_stderr() { Exit::Usage } else { Exit::Done };
    }
    let fault = in_words(&error, hint);
    output::fail_as_json(&fault);
    fault.exit()
}

/// What gives a command its access to a coordinator.
const HOW_TO_ACCESS: &str = "`sprague serve` writes worker.access, for workers, and operator.access, for all else, into its folder: name it with \
                             --access or in the environment variable SPRAGUE_ACCESS";

/// What to do about it, where this program knows that better than clap.
fn better_hint(line: &[OsString], error: &clap::Error) -> Option<String> {
    if lacks_access(error) {
        return Some(HOW_TO_ACCESS.to_owned());
    }
    let typed = |kind| error.get(kind).map(ToString::to_string);
    let is_behind = |noun: &str, word: &str| line.windows(2).any(|two| two == [noun, word]);
    match error.kind() {
        ErrorKind::UnknownArgument
            if typed(ContextKind::InvalidArg).is_some_and(|flag| flag.starts_with("--access"))
                && line.get(1).is_some_and(|command| command == "run") =>
        {
            Some(
                "`sprague run` starts a cluster of its own; `sprague submit` takes the --access of a running one"
                    .to_owned(),
            )
        }
        ErrorKind::InvalidSubcommand => {
            let id = typed(ContextKind::InvalidSubcommand)?;
            let is_job = is_behind("job", &id) && id.parse::<JobId>().is_ok();
            is_job.then(|| format!("`sprague job show {id}` shows it"))
        }
        _ => None,
    }
}

fn lacks_access(error: &clap::Error) -> bool {
    let required = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::MissingRequiredArgument
        && required.is_some_and(|required| required.to_string().contains("--access"))
}

/// What clap says, without its colours, its `error: ` and its usage lines.
fn in_words(error: &clap::Error, hint: Option<String>) -> ExpectedError {
    let all = error.render().to_string();
    let first = all.split("\n\n").next().unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
        _ => first.trim().trim_start_matches("error: ").to_owned(),
    };
    let usage = all.lines().find_map(|line| line.strip_prefix("Usage: "));
    let hint = hint.or_else(|| usage.map(|usage| format!("usage: {usage}")));
    ExpectedError::Usage { message, hint }
}

/// The value of a global flag, found without knowing the rest of the command line.
fn asked_for<T: ValueEnum>(line: &[OsString], flag: &str) -> Option<T> {
    let words = line.iter().map(|word| word.to_str().unwrap_or_default());
    let words: Vec<&str> = words.take_while(|word| *word != "--").collect();
    let value =
        words.iter().enumerate().rev().find_map(|(at, word)| match word.strip_prefix(flag) {
            Some("") => words.get(at + 1).copied(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        })?;
    T::from_str(value, false).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Option<OutputFormat> {
        asked_for(&words.iter().map(OsString::from).collect::<Vec<_>>(), "--output")
    }

    #[test]
    fn the_form_is_found_in_a_line_that_cannot_be_read() {
        assert_eq!(asked(&["sprague", "rnu", "--output", "json"]), Some(OutputFormat::Json));
        assert_eq!(asked(&["sprague", "--output=jsonl", "--nonsense"]), Some(OutputFormat::Jsonl));
        assert_eq!(asked(&["sprague", "run", "--", "--output", "json"]), None);
        assert_eq!(asked(&["sprague", "run", "--output"]), None);
    }
}

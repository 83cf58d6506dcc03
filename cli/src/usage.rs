//! Command lines that cannot be read, told in the form that they ask for all the same.

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::error::{ContextKind, ErrorKind};
use clap::{ColorChoice, ValueEnum};

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
pub(crate) fn explain(line: &[OsString], error: &clap::Error) -> Exit {
    let format = asked_for::<OutputFormat>(line, "--output").unwrap_or_default();
    if !error.use_stderr() || format == OutputFormat::Text {
        // Whoever closed the stream does not want the rest of the help.
        let _ = error.print();
        if lacks_access(error) {
            let _ = writeln!(io::stderr(), "\nhint: {HOW_TO_ACCESS}");
        }
        return if error.use_stderr() { Exit::Usage } else { Exit::Done };
    }
    let fault = in_words(error);
    output::fail_as_json(&fault);
    fault.exit()
}

/// What gives a command its access to a coordinator.
const HOW_TO_ACCESS: &str = "`sprague serve` writes worker.access, for workers, and operator.access, for all else, into its folder: name it with \
                             --access or in the environment variable SPRAGUE_ACCESS";

fn lacks_access(error: &clap::Error) -> bool {
    let required = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::MissingRequiredArgument
        && required.is_some_and(|required| required.to_string().contains("--access"))
}

/// What clap says, without its colours, its `error: ` and its usage lines.
fn in_words(error: &clap::Error) -> ExpectedError {
    let all = error.render().to_string();
    let first = all.split("\n\n").next().unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing".to_owned(),
        _ => first.trim().trim_start_matches("error: ").to_owned(),
    };
    let usage = all.lines().find_map(|line| line.strip_prefix("Usage: "));
    let hint = if lacks_access(error) {
        Some(HOW_TO_ACCESS.to_owned())
    } else {
        usage.map(|usage| format!("usage: {usage}"))
    };
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

//! The program just built, run as a user runs it.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program, unaffected by what the tests' own environment says.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
    for variable in ["SPRAGUE_ACCESS", "SPRAGUE_LOG", "NO_COLOR", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs it with these words and this standard input, to its end.
pub(crate) fn run<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, input: &[u8]) -> Output {
    let mut child = program()
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A program that does not read its input to the end breaks the pipe, which is its right.
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().unwrap()
    })
}

/// A stream as text.
pub(crate) fn text(stream: &[u8]) -> &str {
    std::str::from_utf8(stream).unwrap()
}

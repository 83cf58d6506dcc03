//! What the ways to start workers have in common: a coordinator for them to call, and tools that may be missing.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tempfile::TempDir;

pub(crate) const SPRAGUE: &str = env!("CARGO_BIN_EXE_sprague");

/// How long anything may take before the test gives up and says what it waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether a tool is there. Says so if it is not.
pub(crate) fn is_installed(tool: &str, package: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // What only administrators run is not always on the path.
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    let found = folders.map(|folder: PathBuf| folder.join(tool)).any(|file| file.is_file());
    if !found {
        eprintln!("SKIPPED: {tool} is not installed ({package})");
    }
    found
}

pub(crate) fn sprague<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Command {
    let mut command = Command::new(SPRAGUE);
    command.args(words).env_remove("SPRAGUE_ACCESS").stdin(Stdio::null());
    command
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What a command prints that must succeed.
pub(crate) fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", complaint(&output));
    text(&output.stdout).to_owned()
}

pub(crate) fn complaint(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{}\n{out}{err}", output.status)
}

/// Waits until `ready` gives something.
pub(crate) fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A process that does not outlive its test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A coordinator in a folder of its own.
pub(crate) struct Coordinator {
    _process: Process,
    dir: TempDir,
}

impl Coordinator {
    pub(crate) fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut child = sprague(["serve", "--output", "json", "--quiet", "--dir"])
            .arg(dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("worker_access"), "{line}");
        Self { _process: Process(child), dir }
    }

    pub(crate) fn access(&self, role: &str) -> PathBuf {
        self.dir.path().join(format!("{role}.access"))
    }

    /// What the coordinator says, in JSON.
    pub(crate) fn json(&self, words: &[&str]) -> Json {
        let told = said(
            sprague(words).args(["--output", "json", "--access"]).arg(self.access("operator")),
        );
        serde_json::from_str(&told).unwrap()
    }

    /// The workers that are connected, by name.
    pub(crate) fn workers(&self) -> Vec<String> {
        let told = self.json(&["workers"]);
        let workers = told["workers"].as_array().unwrap().iter();
        let connected =
            workers.filter(|worker| worker["state"] == "idle" || worker["state"] == "busy");
        connected.map(|worker| worker["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Runs a job to its end and checks that its value is confirmed.
    pub(crate) fn settle(&self, question: &str) {
        let words = question.split_whitespace().collect::<Vec<_>>();
        let id = self.json(&[&["submit"], &words[..]].concat())["job"]["id"].to_string();
        let told = self.json(&["job", "watch", id.trim_matches('"')]);
        assert_eq!(told["values"][0]["standing"], "confirmed", "{told}");
    }
}

/// The places of a template that were not filled in.
pub(crate) fn unfilled(text: &str) -> Vec<&str> {
    let is_name =
        |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    text.split('@').filter(is_name).collect()
}

/// A file with the text, in the folder.
pub(crate) fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file
}

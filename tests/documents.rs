//! Every `sprague` command that a document shows is run, and prints what the document says.
//!
//! A block marked `console` is a session in a shell: lines after `$ ` are typed, the others are what
//! is printed. The blocks of one document are one session, so a coordinator started in one block
//! serves the next. Times and the width of columns may differ; a line `...` stands for any lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "the other tests use the rest of it")]
mod program;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use program::text;

/// A command and what the document says that it prints.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sessions(document: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            shown.push(Shown { command: command.to_owned(), output: Vec::new() });
        } else if inside {
            shown.last_mut().expect("a session begins with a command").output.push(line.to_owned());
        }
    }
    shown
}

/// Words alone, with a mark for every time and every moment.
fn essence(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| word.parse::<f64>().is_ok();
    let is_time = |at: usize| {
        let word = words[at];
        let with_unit =
            ["ms", "s", "m", "h"].iter().any(|unit| word.strip_suffix(unit).is_some_and(number));
        let before_unit = number(word) && words.get(at + 1) == Some(&"s");
        let moment = word.len() == 20 && word.ends_with('Z') && word.contains('T');
        with_unit || before_unit || moment
    };
    let marked = (0..words.len()).map(|at| if is_time(at) { "TIME" } else { words[at] });
    marked.collect::<Vec<_>>().join(" ")
}

/// Whether `printed` is what `shown` says, `...` being any lines.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|skip| matches(rest, &printed[skip..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| first == line && matches(rest, others)),
    }
}

fn lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(essence).collect();
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..end].to_vec()
}

/// A shell's doings in a folder of its own.
struct Session {
    folder: tempfile::TempDir,
    environment: Vec<(String, String)>,
    background: Vec<Child>,
}

impl Session {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let program = env!("CARGO_BIN_EXE_sprague");
        std::os::unix::fs::symlink(program, bin.join("sprague")).unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let environment = vec![("PATH".to_owned(), path)];
        Self { folder, environment, background: Vec::new() }
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec {command}")])
            .current_dir(self.folder.path())
            .env_remove("SPRAGUE_ACCESS")
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null());
        shell
    }

    fn run(&mut self, shown: &Shown) {
        // The first command as a newcomer types it, without building a second time.
        let command = shown.command.replace("cargo run --release --", "sprague");
        if let Some(assignment) = command.strip_prefix("export ") {
            let (name, value) = assignment.split_once('=').unwrap();
            self.environment.push((name.to_owned(), value.to_owned()));
        } else if let Some(command) = command.strip_suffix(" &") {
            let mut shell = self.shell(command);
            let child = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            self.background.push(child);
            self.settle();
        } else {
            let output = self.shell(&command).output().unwrap();
            let fault = text(&output.stderr);
            assert!(output.status.success(), "{command}: {fault}");
            let printed = lines(text(&output.stdout));
            let expected: Vec<String> = lines(&shown.output.join("\n"));
            assert!(
                matches(&expected, &printed),
                "{command}\nthe document shows\n{expected:#?}\nand it prints\n{printed:#?}"
            );
        }
    }

    /// Gives what was started in the background the moment that a person gives it.
    fn settle(&mut self) {
        let begun = Instant::now();
        let access = self.folder.path().join("games/operator.access");
        while !access.exists() && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(500));
        for child in &mut self.background {
            assert_eq!(child.try_wait().unwrap(), None, "what runs in the background has ended");
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for child in &mut self.background {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn documents() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let top = ["README.md", "ARCHITECTURE.md", "records/README.md"].map(|name| root().join(name));
    let is_text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    top.into_iter().chain(docs).filter(is_text).collect()
}

#[test]
fn every_command_shown_prints_what_is_shown() {
    let mut count = 0;
    for document in documents() {
        let mut session = Session::start();
        for shown in sessions(&std::fs::read_to_string(&document).unwrap()) {
            session.run(&shown);
            count += 1;
        }
    }
    assert!(count >= 15, "{count} commands");
}

#[test]
fn every_link_to_a_file_leads_to_one() {
    for document in documents() {
        let folder = document.parent().unwrap();
        let content = std::fs::read_to_string(&document).unwrap();
        for link in content.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let elsewhere = file.starts_with("http") || file.is_empty();
            assert!(elsewhere || folder.join(file).exists(), "{}: {link}", document.display());
        }
    }
}

#[test]
fn what_is_shown_is_compared_word_by_word() {
    let of = |text: &str| lines(text);
    assert!(matches(&of("a 0.01 s  b\n...\nend after 3s"), &of("a  12.5 s b\nx\ny\nend after 1m")));
    assert!(!matches(&of("a 1"), &of("a 2")));
    assert!(!matches(&of("a"), &of("a\nb")));
}

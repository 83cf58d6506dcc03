//! Real coordinators and workers for the tests: processes of the binary just built.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tempfile::TempDir;

/// The binary under test.
pub(crate) const SPRAGUE: &str = env!("CARGO_BIN_EXE_sprague");

/// How long anything may take before the test gives up and says what it waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// The command with no environment of the tester's in it.
pub(crate) fn sprague(arguments: &[&str]) -> Command {
    let mut command = Command::new(SPRAGUE);
    command.args(arguments).env_remove("SPRAGUE_ACCESS");
    command
}

/// Runs to the end.
pub(crate) fn output(arguments: &[&str]) -> Output {
    sprague(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs to the end with JSON output; gives the exit code and the one value on standard output.
pub(crate) fn json(arguments: &[&str]) -> (i32, Json) {
    let output = output(&[arguments, &["--output", "json"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text).unwrap_or_else(|fault| {
        panic!("{arguments:?}: {fault} in {text:?}, {}", String::from_utf8_lossy(&output.stderr))
    });
    (output.status.code().unwrap(), value)
}

/// Runs to a good end with JSON output.
pub(crate) fn json_ok(arguments: &[&str]) -> Json {
    let (code, value) = json(arguments);
    assert_eq!(code, 0, "{arguments:?}: {value}");
    value
}

/// Waits until `ready` gives something.
pub(crate) fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that does not outlive its test.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// `kill -9`, and waits for the end.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Tells it to stop.
    pub(crate) fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Makes it stand still, as a machine that sleeps does.
    pub(crate) fn suspend(&self) {
        self.signal(rustix::process::Signal::STOP);
    }

    /// Has it go on.
    pub(crate) fn resume(&self) {
        self.signal(rustix::process::Signal::CONT);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    /// The processes that it started and that still are.
    pub(crate) fn children(&self) -> Vec<u32> {
        let path = format!("/proc/{0}/task", self.pid());
        let tasks = std::fs::read_dir(path).into_iter().flatten().flatten();
        let children =
            tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        children.flat_map(|line| numbers(&line)).collect()
    }
}

fn numbers(line: &str) -> Vec<u32> {
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Whether there is such a process that still runs.
pub(crate) fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").trim_start().starts_with('Z'))
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A coordinator in a folder of its own.
pub(crate) struct Coordinator {
    pub(crate) process: Process,
    dir: TempDir,
    /// What it was started with beside its folder.
    flags: Vec<String>,
    served: Json,
}

impl Coordinator {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    pub(crate) fn start_with(flags: &[&str]) -> Self {
        Self::start_in(flags, Stdio::null())
    }

    /// One whose log can be read. Who does not read it keeps it from going on.
    pub(crate) fn start_telling(flags: &[&str]) -> Self {
        Self::start_in(flags, Stdio::piped())
    }

    /// One whose log goes there.
    pub(crate) fn start_in(flags: &[&str], log: Stdio) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        let (process, served) = serve(dir.path(), &flags, log);
        Self { process, dir, flags, served }
    }

    /// `kill -9`, and another one in the same folder.
    pub(crate) fn kill_and_restart(&mut self) {
        self.process.kill();
        (self.process, self.served) = serve(self.dir.path(), &self.flags, Stdio::null());
    }

    /// `kill -9`, and another one in the same folder at another address.
    pub(crate) fn kill_and_move_to(&mut self, address: &str) {
        self.flags.extend(["--listen", address].map(str::to_owned));
        self.kill_and_restart();
    }

    /// `kill -9`, and another one in the same folder that is told nothing else.
    pub(crate) fn kill_and_restart_bare(&mut self) {
        self.flags.clear();
        self.kill_and_restart();
    }

    /// What it said when it began to listen.
    pub(crate) fn served(&self) -> &Json {
        &self.served
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn worker_access(&self) -> PathBuf {
        self.dir().join("worker.access")
    }

    pub(crate) fn operator_access(&self) -> String {
        self.dir().join("operator.access").display().to_string()
    }

    /// A worker with one slot.
    pub(crate) fn worker(&self, memory: &str) -> Process {
        let access = self.worker_access();
        let arguments =
            ["worker", "--access", access.to_str().unwrap(), "--slots", "1", "--memory", memory];
        Process(sprague(&arguments).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// An operator's command to a good end.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Json {
        json_ok(&[arguments, &["--access", &self.operator_access()]].concat())
    }

    /// An operator's command, with its exit code.
    pub(crate) fn try_ask(&self, arguments: &[&str]) -> (i32, Json) {
        json(&[arguments, &["--access", &self.operator_access()]].concat())
    }

    /// Submits a job and gives its number.
    pub(crate) fn submit(&self, words: &[&str]) -> String {
        let answer = self.ask(&[&["submit"], words].concat());
        answer["job"]["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn job(&self, id: &str) -> Json {
        self.ask(&["job", "show", id])["job"].clone()
    }

    /// Waits until the job is in that state.
    pub(crate) fn wait_state(&self, id: &str, state: &str) -> Json {
        wait_for(&format!("job {id} to be {state}"), || {
            let job = self.job(id);
            (job["state"] == state).then_some(job)
        })
    }
}

/// Starts a coordinator and waits until it says that it listens.
fn serve(dir: &Path, flags: &Vec<String>, log: Stdio) -> (Process, Json) {
    let arguments = ["serve", "--dir", dir.to_str().unwrap(), "--output", "json"];
    let mut command = sprague(&arguments);
    command.args(flags).stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let served: Json = serde_json::from_str(&line).unwrap();
    assert!(served["address"].is_string(), "{served}");
    (Process(child), served)
}

/// A table of tests/data or common/work/data: rows of cells below a head.
pub(crate) fn table(path: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The published nimbers of Cram boards.
pub(crate) fn known_nimbers() -> std::collections::BTreeMap<String, u64> {
    let rows = table("common/work/data/cram-known.tsv").into_iter();
    let nimbers = rows.filter(|row| row[1] == "nimber");
    nimbers.map(|row| (format!("cram {}", row[0]), row[2].parse().unwrap())).collect()
}

/// The check of that name.
pub(crate) fn check<'a>(value: &'a Json, name: &str) -> Option<&'a Json> {
    value["checks"].as_array().unwrap().iter().find(|check| check["name"] == name)
}

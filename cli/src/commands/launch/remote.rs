//! One machine that is reached by ssh.

use std::io;
use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use super::hosts::Host;
use super::template::shell;
use crate::args::LaunchSshArgs;
use crate::output::Notes;

/// A machine, and how to get onto it.
pub(super) struct Remote {
    pub(super) host: Host,
    /// The words that call ssh.
    ssh: Vec<String>,
    /// The folder there for what is ours.
    folder: String,
    /// The program there.
    program: String,
    /// For what the machine says.
    notes: Notes,
}

/// A worker that lives as long as its standard input is open.
pub(super) struct Leashed {
    pub(super) child: Child,
    /// Dropped, the worker stops kindly.
    pub(super) leash: Option<ChildStdin>,
}

impl Remote {
    pub(super) fn new(host: Host, args: &LaunchSshArgs, notes: Notes) -> Self {
        let folder = args.remote_dir.trim_end_matches('/').to_owned();
        let program = if args.copy { format!("{folder}/sprague") } else { args.program.clone() };
        let mut ssh: Vec<String> = args.ssh.split_whitespace().map(str::to_owned).collect();
        // It asks nothing, and notices when the other side is gone.
        for option in ["BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=30"] {
            ssh.extend(["-o".to_owned(), option.to_owned()]);
        }
        ssh.extend(host.port.iter().flat_map(|port| ["-p".to_owned(), port.to_string()]));
        ssh.extend(["--".to_owned(), host.destination.clone()]);
        Self { host, ssh, folder, program, notes }
    }

    /// Puts the bytes into the file of that name in our folder there, for its owner alone.
    pub(super) async fn put(&self, name: &str, mode: &str, bytes: &[u8]) -> Result<(), String> {
        let folder = shell(&self.folder);
        let file = shell(&format!("{}/{name}", self.folder));
        // A draft of its own for each connection: a list may name a machine twice.
        let script = format!(
            "umask 077 && mkdir -p -- {folder} && draft={file}.$$ && cat > \"$draft\" \
             && chmod {mode} \"$draft\" && mv -f \"$draft\" {file}"
        );
        self.script(&script, bytes).await.map(|_| ())
    }

    /// Starts a worker that stays. Returns its process there.
    pub(super) async fn start_detached(&self, args: &LaunchSshArgs) -> Result<u64, String> {
        let log = shell(&format!("{}/worker.log", self.folder));
        let worker = self.worker(args, false);
        let script = format!(
            "setsid nohup {worker} > {log} 2>&1 < /dev/null & started=$!; sleep 2; \
             if kill -0 $started 2>/dev/null; then echo $started; else tail -n 3 {log} >&2; exit 1; fi"
        );
        let told = self.script(&script, b"").await?;
        told.trim().parse().map_err(|_| format!("it says {told:?} and not which process it is"))
    }

    /// Starts a worker that lives as long as this program holds its leash.
    pub(super) fn start_leashed(&self, args: &LaunchSshArgs) -> Result<Leashed, String> {
        let script = format!("exec {}", self.worker(args, true));
        let mut child =
            self.command(&script).stdout(Stdio::null()).spawn().map_err(|e| self.no_ssh(&e))?;
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(pass_on(stderr, self.host.destination.clone(), self.notes));
        }
        let leash = child.stdin.take();
        Ok(Leashed { child, leash })
    }

    /// The command line of a worker there.
    fn worker(&self, args: &LaunchSshArgs, leashed: bool) -> String {
        let access = format!("{}/worker.access", self.folder);
        let mut words = vec![self.program.clone(), "worker".into(), "--access".into(), access];
        if let Some(slots) = self.host.slots.or(args.slots) {
            words.extend(["--slots".into(), slots.to_string()]);
        }
        if let Some(threads) = self.host.threads.or(args.threads) {
            words.extend(["--threads".into(), threads.to_string()]);
        }
        if let Some(memory) = self.host.memory.or(args.memory) {
            words.extend(["--memory".into(), memory.as_flag()]);
        }
        if let Some(name) = &self.host.name {
            words.extend(["--name".into(), name.clone()]);
        }
        if leashed {
            words.push("--leash".into());
        }
        words.iter().map(|word| shell(word)).collect::<Vec<_>>().join(" ")
    }

    /// Runs a script there with this input. Returns what it prints.
    async fn script(&self, script: &str, input: &[u8]) -> Result<String, String> {
        let mut child =
            self.command(script).stdout(Stdio::piped()).spawn().map_err(|e| self.no_ssh(&e))?;
        let mut stdin = child.stdin.take();
        let feed = async {
            if let Some(mut stdin) = stdin.take() {
                // What ends before it has read everything says itself why.
                let _ = stdin.write_all(input).await;
                let _ = stdin.shutdown().await;
            }
        };
        let (output, ()) = tokio::join!(child.wait_with_output(), feed);
        let output = output.map_err(|fault| fault.to_string())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = said.lines().rev().take(3).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        Err(if last.is_empty() { output.status.to_string() } else { last.join("; ") })
    }

    /// ssh with a script. A process group of its own, so that Ctrl-C reaches only this program.
    fn command(&self, script: &str) -> Command {
        let mut command = Command::new(self.ssh.first().map_or("ssh", String::as_str));
        command
            .args(self.ssh.iter().skip(1))
            .arg(script)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        command
    }

    fn no_ssh(&self, fault: &io::Error) -> String {
        format!("cannot run {:?}: {fault}", self.ssh.first().map_or("ssh", String::as_str))
    }
}

/// The bytes of this program.
pub(super) async fn own_program() -> io::Result<Vec<u8>> {
    // The process's own, also where the file has been replaced by a new build.
    tokio::fs::read(Path::new("/proc/self/exe")).await
}

/// Writes what a machine says, with its name before each line.
async fn pass_on(stream: impl AsyncRead + Unpin, host: String, notes: Notes) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        notes.say(&format!("{host}: {line}"));
    }
}

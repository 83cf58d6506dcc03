//! Workers by ssh, against a server of our own on loopback.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::{Coordinator, Process, file, is_installed, said, sprague, text, wait_for};

/// A server that lets us in with a key of its own, and the words that call it.
struct Server {
    _process: Process,
    folder: TempDir,
    port: u16,
}

impl Server {
    fn start() -> Option<Self> {
        if !is_installed("sshd", "Debian: openssh-server")
            || !is_installed("ssh-keygen", "openssh-client")
        {
            return None;
        }
        // Without it sshd does not start as root; others have no use for it.
        let _ = fs::create_dir_all("/run/sshd");
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for key in ["host", "user"] {
            said(Command::new("ssh-keygen").args([
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                &path(key),
            ]));
        }
        fs::copy(path("user.pub"), path("authorized")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
             StrictModes no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nUsePAM no\n",
            path("host"),
            path("authorized")
        );
        let config = file(folder.path(), "sshd_config", &config);
        let mut daemon = Command::new(sshd());
        daemon.args(["-D", "-e", "-f"]).arg(config).stderr(Stdio::null());
        let process = Process(daemon.spawn().unwrap());
        wait_for("the ssh server", || std::net::TcpStream::connect(("127.0.0.1", port)).ok());
        Some(Self { _process: process, folder, port })
    }

    /// How to call ssh.
    fn ssh(&self) -> String {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        format!(
            "ssh -F none -i {} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile={} -o LogLevel=ERROR",
            path("user"),
            path("known")
        )
    }

    /// A folder on the machine there, which is this one.
    fn remote_dir(&self) -> PathBuf {
        self.folder.path().join("on the other side")
    }

    fn launch(&self, coordinator: &Coordinator, hosts: &str, more: &[&str]) -> Command {
        let hosts = file(self.folder.path(), "hosts.txt", hosts);
        let mut command = sprague(["launch", "ssh"]);
        command.arg(hosts).arg("--access").arg(coordinator.access("worker"));
        command.args(["--ssh", &self.ssh(), "--remote-dir"]).arg(self.remote_dir()).args(more);
        command
    }
}

fn sshd() -> &'static Path {
    // It wants to be called by its whole path.
    let known = ["/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"].map(Path::new);
    known.into_iter().find(|path| path.is_file()).unwrap_or(Path::new("sshd"))
}

fn signal(process: &Process, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(&process.0), signal).unwrap();
}

#[test]
fn workers_on_a_list_of_machines_work_until_the_command_is_stopped() {
    let Some(server) = Server::start() else { return };
    let coordinator = Coordinator::start();
    let port = server.port;
    let hosts = format!(
        "127.0.0.1:{port} slots=1 threads=2 memory=256MiB name=left\nlocalhost:{port} name=right # both are here\n"
    );
    let more = ["--copy", "--slots", "1", "--memory", "64MiB", "--output", "json"];
    let mut launch = server.launch(&coordinator, &hosts, &more);
    let mut process = Process(launch.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    wait_for("two workers", || (coordinator.workers().len() == 2).then_some(()));
    let mut names = coordinator.workers();
    names.sort_unstable();
    assert_eq!(names, ["left", "right"]);
    let access = server.remote_dir().join("worker.access");
    assert_eq!(fs::metadata(&access).unwrap().permissions().mode() & 0o777, 0o600);
    coordinator.settle("cram 3x6");

    signal(&process, rustix::process::Signal::INT);
    let status = wait_for("the end", || process.0.try_wait().unwrap());
    assert_eq!(status.code(), Some(0));
    let mut told = String::new();
    std::io::Read::read_to_string(process.0.stdout.as_mut().unwrap(), &mut told).unwrap();
    let told: Json = serde_json::from_str(&told).unwrap();
    let workers = told["workers"].as_array().unwrap();
    assert!(workers.len() == 2 && workers.iter().all(|worker| worker["ok"] == true), "{told}");
    wait_for("the workers to leave", || coordinator.workers().is_empty().then_some(()));
}

#[test]
fn a_detached_worker_stays_when_the_command_has_ended() {
    let Some(server) = Server::start() else { return };
    let coordinator = Coordinator::start();
    let hosts = format!("127.0.0.1:{}", server.port);
    let program = env!("CARGO_BIN_EXE_sprague");
    let more =
        ["--program", program, "--slots", "1", "--memory", "64MiB", "--detach", "--output", "json"];
    let told = said(&mut server.launch(&coordinator, &hosts, &more));
    let told: Json = serde_json::from_str(&told).unwrap();
    let stays = told["workers"][0]["process"].as_i64().unwrap_or_else(|| panic!("{told}"));
    wait_for("the worker", || (coordinator.workers().len() == 1).then_some(()));
    coordinator.settle("cram 3x4");
    let pid = rustix::process::Pid::from_raw(i32::try_from(stays).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    wait_for("the worker to leave", || coordinator.workers().is_empty().then_some(()));
    assert!(server.remote_dir().join("worker.log").exists());
}

#[test]
fn a_machine_that_cannot_be_reached_fails_by_itself() {
    let Some(server) = Server::start() else { return };
    let coordinator = Coordinator::start();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let hosts = format!("127.0.0.1:{closed}\n127.0.0.1:{} name=there\n", server.port);
    let more = ["--program", "/nowhere/sprague", "--output", "json"];
    let output = server.launch(&coordinator, &hosts, &more).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["workers"][0]["fault"].as_str().unwrap().contains("refused"), "{told}");
    assert!(told["workers"][1]["fault"].as_str().unwrap().contains("127"), "{told}");
}

#[test]
fn lists_and_access_files_that_are_none_reach_no_machine() {
    let coordinator = Coordinator::start();
    let folder = tempfile::tempdir().unwrap();
    for (list, access, says) in [
        ("# nobody\n", "worker", "names no machine"),
        ("one\n-oProxyCommand=x\n", "worker", "line 2"),
        ("one slot=1\n", "worker", "[slots=N] [threads=N] [memory=SIZE] [name=NAME]"),
        ("one\n", "operator", "the operator access file"),
    ] {
        let hosts = file(folder.path(), "hosts.txt", list);
        let output = sprague(["launch", "ssh", "--ssh", "false"])
            .arg(hosts)
            .arg("--access")
            .arg(coordinator.access(access))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{list}");
        assert!(text(&output.stderr).contains(says), "{list}: {}", text(&output.stderr));
    }
}

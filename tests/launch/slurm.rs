//! An array of workers in a Slurm of one node, which is this machine.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{Coordinator, Process, file, is_installed, said, sprague, text, wait_for};

/// A cluster of its own: its daemons, its configuration and its state in one folder.
struct Slurm {
    _daemons: Vec<Process>,
    folder: TempDir,
}

/// Ports that nobody listens on, all at once so that they differ.
fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    let listeners = [(); COUNT].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

impl Slurm {
    fn start() -> Option<Self> {
        let tools = ["munged", "slurmctld", "slurmd", "sbatch"];
        if !tools.into_iter().all(|tool| is_installed(tool, "Debian: slurm-wlm, munge")) {
            return None;
        }
        if !rustix::process::getuid().is_root() {
            eprintln!("SKIPPED: only root starts the daemons of Slurm");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().display();
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        for name in ["state", "spool"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let key = file(folder.path(), "munge.key", &"k".repeat(1024));
        fs::set_permissions(&key, PermissionsExt::from_mode(0o400)).unwrap();
        let host = said(Command::new("hostname").arg("-s"));
        let host = host.trim();
        let [controller, node] = free_ports();
        let config = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
             AuthInfo=socket={dir}/munge.socket,cred_expire=10\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
             StateSaveLocation={dir}/state\nSlurmdSpoolDir={dir}/spool\nSlurmctldPidFile={dir}/slurmctld.pid\n\
             SlurmdPidFile={dir}/slurmd.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU_Memory\nReturnToService=2\n\
             JobAcctGatherType=jobacct_gather/linux\nJobAcctGatherFrequency=1\nJobAcctGatherParams=OverMemoryKill\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1500 State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
        );
        file(folder.path(), "slurm.conf", &config);
        let mut slurm = Self { _daemons: Vec::new(), folder };
        let dir = slurm.folder.path().display().to_string();
        let munge =
            ["--foreground", "--force", &format!("--key-file={dir}/munge.key")].map(str::to_owned);
        let places = ["socket", "pid-file", "log-file", "seed-file"]
            .map(|place| format!("--{place}={dir}/munge.{}", place.trim_end_matches("-file")));
        slurm.daemon(Command::new("/usr/sbin/munged").args(munge).args(places));
        wait_for("munge", || slurm.folder.path().join("munge.socket").exists().then_some(()));
        let conf = format!("{dir}/slurm.conf");
        slurm.daemon(Command::new("/usr/sbin/slurmctld").args(["-D", "-f", &conf]));
        slurm.daemon(Command::new("/usr/sbin/slurmd").args(["-D", "-f", &conf]));
        wait_for("the node", || {
            let told = slurm.command("sinfo").args(["--noheader", "--format=%t"]).output().unwrap();
            (text(&told.stdout).trim() == "idle").then_some(())
        });
        Some(slurm)
    }

    fn daemon(&mut self, command: &mut Command) {
        let mut log = fs::OpenOptions::new();
        let log =
            log.create(true).append(true).open(self.folder.path().join("daemons.log")).unwrap();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        self._daemons.push(Process(child));
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.command("scancel").args(["--name", "sprague"]).output();
    }
}

#[test]
fn an_array_of_workers_calls_home_and_one_killed_by_its_limit_is_requeued() {
    let Some(slurm) = Slurm::start() else { return };
    let coordinator = Coordinator::start();
    // At its first start the second worker takes far more than its job may.
    let glutton = "if [ \"$SLURM_ARRAY_TASK_ID\" = 2 ] && [ \"${SLURM_RESTART_COUNT:-0}\" = 0 ]; then \
                   exec perl -e '$x = \"x\" x 900_000_000; sleep 60'; fi";
    let program = file(
        slurm.folder.path(),
        "sprague",
        &format!("#!/bin/sh\n{glutton}\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_sprague")),
    );
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let script = said(
        sprague(["launch", "slurm", "--workers", "2", "--slots", "1", "--memory", "64MiB"])
            .arg("--program")
            .arg(&program)
            .arg("--access")
            .arg(coordinator.access("worker")),
    );
    let script = file(slurm.folder.path(), "workers.sh", &script);
    let told = said(slurm.command("sbatch").arg("--parsable").arg(script));
    let array = told.trim();

    wait_for("the first worker", || (!coordinator.workers().is_empty()).then_some(()));
    coordinator.settle("cram 3x5");
    wait_for("the requeued worker", || (coordinator.workers().len() == 2).then_some(()));
    let mut names = coordinator.workers();
    names.sort_unstable();
    assert_eq!(names, [format!("slurm-{array}-1"), format!("slurm-{array}-2")]);
    let log =
        fs::read_to_string(slurm.folder.path().join(format!("sprague-{array}_2.log"))).unwrap();
    assert!(log.contains("requeued"), "{log}");
    coordinator.settle("cram 3x6");

    said(slurm.command("scancel").arg(array));
    wait_for("the workers to leave", || coordinator.workers().is_empty().then_some(()));
}

#[test]
fn a_job_has_a_core_for_each_thread_of_each_slot() {
    let words = ["launch", "slurm", "--access", "x", "--slots", "4", "--threads", "8"];
    let script = said(&mut sprague(words));
    assert_eq!(script.matches("--cpus-per-task=32").count(), 2, "{script}");
    assert!(script.contains("--slots 4 --threads 8 "), "{script}");
    let starved = ["launch", "slurm", "--access", "x", "--threads", "200", "--memory", "64MiB"];
    assert_eq!(sprague(starved).output().unwrap().status.code(), Some(2));
}

#[test]
fn the_script_is_one_of_a_shell_whatever_the_names_are() {
    let words = ["launch", "slurm", "--access", "/my games/it's.access", "--partition", "long"];
    let script = said(&mut sprague(words));
    assert!(script.contains("#SBATCH --partition=long\n"), "{script}");
    let head =
        "#   sprague launch slurm --access '/my games/it'\\''s.access' --workers 4 --slots 2 ";
    assert!(script.contains(head), "{script}");
    assert!(script.contains(&format!("#SBATCH --mem={}M\n", 2 * 2048 + 512)), "{script}");
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "workers.sh", &script);
    said(Command::new("bash").arg("-n").arg(path));
    let broken =
        sprague(["launch", "slurm", "--access", "x", "--time", "1\n#SBATCH --uid=0"]).output();
    assert_eq!(broken.unwrap().status.code(), Some(2));
}

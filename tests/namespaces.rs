//! Three network namespaces as three machines, one of which is cut off for longer than its lease and comes back.
//!
//! The coordinator is in one namespace and has a link to a worker in each of the others. The link of the worker
//! that has the unit is taken down, in the middle of it: no connection is closed, nothing passes any more. When the
//! other worker has done the unit the link comes back, and the late report with it.
//!
//! Needs `ip` of iproute2 and the right to make namespaces. Where either is not there the test says so and is
//! skipped.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "cluster/support.rs"]
#[expect(dead_code, reason = "the other tests use the rest of it")]
mod support;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use support::{Process, SPRAGUE, known_nimbers, wait_for};

/// A single unit that takes a second or more, and less than a worker takes to find out that it is cut off.
const BOARD: &str = "3x11";

/// How long a unit may stand still.
const LEASE: Duration = Duration::from_secs(5);

/// The coordinator's log; those of the workers have their names.
const LOG: &str = "coordinator.log";

/// Where the coordinator is, on the loopback of its namespace, to which the workers have routes.
const COORDINATOR: &str = "10.77.0.1";
const PORT: u16 = 7777;

/// Runs `ip` with these words, and gives what is wrong if it does not do them.
fn ip(words: &str) -> Result<(), String> {
    let output = Command::new("ip").args(words.split(' ')).output();
    let output = output.map_err(|fault| format!("`ip` cannot be run: {fault}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`ip {words}`: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// A namespace, which goes with this.
struct Namespace(String);

impl Namespace {
    fn new(name: &str) -> Result<Self, String> {
        let name = format!("sprague-{}-{name}", std::process::id());
        ip(&format!("netns add {name}"))?;
        let namespace = Self(name);
        namespace.ip("link set lo up")?;
        Ok(namespace)
    }

    fn ip(&self, words: &str) -> Result<(), String> {
        ip(&format!("-n {} {words}", self.0))
    }

    /// The program in this namespace. `ip` becomes it, so that to kill the process is to kill it.
    fn sprague(&self, words: &[&str]) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.0, SPRAGUE]).args(words);
        command.env_remove("SPRAGUE_ACCESS").stdin(Stdio::null());
        command
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = ip(&format!("netns del {}", self.0));
    }
}

/// The machines, linked: the coordinator's and one for each worker.
fn machines() -> Result<(Namespace, [Namespace; 2]), String> {
    let coordinator = Namespace::new("c")?;
    coordinator.ip(&format!("addr add {COORDINATOR}/32 dev lo"))?;
    let workers = [Namespace::new("1")?, Namespace::new("2")?];
    for (number, worker) in workers.iter().enumerate() {
        let (link, net) = (link(number), format!("10.77.{}", 1 + number));
        coordinator
            .ip(&format!("link add {link} type veth peer name uplink netns {}", worker.0))?;
        coordinator.ip(&format!("addr add {net}.1/24 dev {link}"))?;
        coordinator.ip(&format!("link set {link} up"))?;
        worker.ip(&format!("addr add {net}.2/24 dev uplink"))?;
        worker.ip("link set uplink up")?;
        worker.ip(&format!("route add {COORDINATOR}/32 via {net}.1"))?;
    }
    Ok((coordinator, workers))
}

/// The coordinator's end of the link to a worker.
fn link(worker: usize) -> String {
    format!("worker{worker}")
}

/// A coordinator in a namespace, and what it logs.
struct Cluster {
    machine: Namespace,
    dir: tempfile::TempDir,
    _process: Process,
}

impl Cluster {
    fn start(machine: Namespace) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (listen, advertise) = (format!("0.0.0.0:{PORT}"), format!("{COORDINATOR}:{PORT}"));
        let mut command = machine.sprague(&["serve", "--dir", dir.path().to_str().unwrap()]);
        command.args(["--listen", &listen, "--advertise", &advertise]);
        command.args(["--lease", &format!("{}s", LEASE.as_secs())]);
        command.args(["--output", "json", "-v"]);
        let log = File::create(dir.path().join(LOG)).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("address"), "{line}");
        Self { machine, dir, _process: Process(child) }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    fn worker(&self, machine: &Namespace, name: &str) -> Process {
        let access = self.path("worker.access");
        let words = ["worker", "--access", &access, "--slots", "1", "--memory", "2GiB"];
        let mut command = machine.sprague(&words);
        let log = File::create(self.path(name)).unwrap();
        Process(command.args(["--name", name]).stderr(log).spawn().unwrap())
    }

    fn ask(&self, words: &[&str]) -> Json {
        let mut command = self.machine.sprague(words);
        command.args(["--access", &self.path("operator.access"), "--output", "json"]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn job(&self, id: &str) -> Json {
        self.ask(&["job", "show", id])["job"].clone()
    }

    fn submit(&self, words: &[&str]) -> String {
        let answer = self.ask(&[&["submit"], words].concat());
        answer["job"]["id"].as_str().unwrap().to_owned()
    }

    fn wait_done(&self, job: &str) -> Json {
        wait_for("the job to be done", || {
            let job = self.job(job);
            (job["state"] == "done").then_some(job)
        })
    }

    /// What the coordinator, or the worker of that name, has logged.
    fn log(&self, who: &str) -> String {
        std::fs::read_to_string(self.path(who)).unwrap()
    }
}

#[test]
fn a_machine_that_is_cut_off_longer_than_its_lease_comes_back_and_counts_once() {
    let (machine, workers) = match machines() {
        Ok(machines) => machines,
        Err(why) => {
            eprintln!("SKIPPED: no network namespaces here: {why}");
            return;
        }
    };
    let cluster = Cluster::start(machine);
    let _workers = [cluster.worker(&workers[0], "0"), cluster.worker(&workers[1], "1")];
    let job = cluster.submit(&["cram", BOARD, "--method", "mex"]);
    let name = wait_for("the unit to run", || {
        let job = cluster.job(&job);
        Some(job["running"].as_array()?.first()?["worker"].as_str()?.to_owned())
    });
    let link = link(name.parse().unwrap());

    cluster.machine.ip(&format!("link set {link} down")).unwrap();
    let cut = Instant::now();
    let end = cluster.wait_done(&job);
    assert!(cut.elapsed() > LEASE, "it was done before the lease was over");
    assert_eq!(end["attempts"], 2, "{end}");
    wait_for("the worker that is cut off to be done", || {
        cluster.log(&name).contains(" done").then_some(())
    });
    assert!(!cluster.log(LOG).contains("late report"), "nothing passes");
    cluster.machine.ip(&format!("link set {link} up")).unwrap();
    println!("worker {name} was cut off for {:.1} s", cut.elapsed().as_secs_f64());

    let compared = "a late report agrees with the one that counts";
    wait_for("the late report", || cluster.log(LOG).contains(compared).then_some(()));
    println!("its report came after {:.1} s", cut.elapsed().as_secs_f64());
    let end = cluster.job(&job);
    assert_eq!((&end["state"], &end["units"]["done"]), (&"done".into(), &1.into()), "{end}");
    let value = cluster.ask(&["values", "cram", BOARD])["values"][0].clone();
    assert_eq!(value["nimber"], known_nimbers()[&format!("cram {BOARD}")], "{value}");
    assert_eq!(value["standing"], "single", "{value}");
    let findings = value["findings"].as_array().unwrap();
    assert_eq!((findings.len(), &findings[0]["units"]), (1, &1.into()), "{value}");
    let other = if name == "0" { "1" } else { "0" };
    assert_eq!(findings[0]["workers"], serde_json::json!([other]));

    // It is a worker as before.
    wait_for("both to be there", || {
        let workers = cluster.ask(&["workers"])["workers"].clone();
        let idle = workers.as_array()?.iter().filter(|worker| worker["state"] == "idle");
        (idle.count() == 2).then_some(())
    });
}

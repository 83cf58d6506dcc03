//! Ctrl-C and SIGTERM, once and twice, on every role: each ends within its bound, with its exit code, and
//! leaves nobody behind.

use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Coordinator, Process, runs, sprague, wait_for};

/// Kindly: what a loaded machine needs beside the grace that units and connections are given.
const KINDLY: Duration = Duration::from_secs(40);
/// At once.
const AT_ONCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy)]
enum Signal {
    Interrupt,
    Terminate,
}

fn send(child: &Child, signal: Signal) {
    let name = match signal {
        Signal::Interrupt => "-INT",
        Signal::Terminate => "-TERM",
    };
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits for the end, which must come within `bound`.
fn ended(child: &mut Child, bound: Duration) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.signal(), None, "it ends by itself");
            return status;
        }
        assert!(begun.elapsed() < bound, "it has not ended after {bound:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn quiet(arguments: &[&str]) -> Process {
    let mut command = sprague(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Process(command.spawn().unwrap())
}

/// A job that takes longer than any test.
fn long(cluster: &Coordinator) -> String {
    cluster.submit(&["cram", "4x11", "--method", "mex"])
}

fn wait_until_it_runs(cluster: &Coordinator, job: &str) {
    wait_for("the unit to run", || cluster.job(job)["running"].is_array().then_some(()));
}

#[test]
fn a_coordinator_stops_though_connections_are_open() {
    for signal in [Signal::Interrupt, Signal::Terminate] {
        let mut cluster = Coordinator::start();
        let _worker = cluster.worker("2GiB");
        let job = long(&cluster);
        wait_until_it_runs(&cluster, &job);
        let access = cluster.operator_access();
        let _watcher = quiet(&["job", "watch", &job, "--access", &access]);
        let address = cluster.served()["address"].as_str().unwrap().to_owned();
        // One that never speaks.
        let _silent = TcpStream::connect(address).unwrap();
        send(&cluster.process.0, signal);
        assert_eq!(ended(&mut cluster.process.0, KINDLY).code(), Some(0));
        // The job goes on where it was.
        cluster.kill_and_restart();
        assert_eq!(cluster.job(&job)["state"], "running");
    }
}

#[test]
fn a_coordinator_that_is_told_twice_stops_at_once() {
    let mut cluster = Coordinator::start();
    let address = cluster.served()["address"].as_str().unwrap().to_owned();
    let _silent = TcpStream::connect(address).unwrap();
    send(&cluster.process.0, Signal::Terminate);
    std::thread::sleep(Duration::from_millis(100));
    send(&cluster.process.0, Signal::Terminate);
    let code = ended(&mut cluster.process.0, AT_ONCE).code().unwrap();
    assert!([0, 4].contains(&code), "{code}");
}

#[test]
fn a_worker_hands_back_what_it_cannot_finish_and_ends() {
    for signal in [Signal::Interrupt, Signal::Terminate] {
        let cluster = Coordinator::start();
        let mut worker = cluster.worker("2GiB");
        let job = long(&cluster);
        wait_until_it_runs(&cluster, &job);
        let child = wait_for("the slot's process", || worker.children().first().copied());
        send(&worker.0, signal);
        assert_eq!(ended(&mut worker.0, KINDLY).code(), Some(0));
        assert!(!runs(child), "the slot's process has ended and was waited for");
        // What was handed back is no bad end of the unit.
        let events = cluster.ask(&["events", &job]).to_string();
        assert!(!events.contains("ended-badly") && !events.contains("taken-away"), "{events}");
        assert_eq!(cluster.job(&job)["units"]["waiting"], 1);
    }
}

#[test]
fn a_worker_that_is_told_twice_stops_at_once() {
    let cluster = Coordinator::start();
    let mut worker = cluster.worker("2GiB");
    let job = long(&cluster);
    wait_until_it_runs(&cluster, &job);
    let child = wait_for("the slot's process", || worker.children().first().copied());
    send(&worker.0, Signal::Terminate);
    std::thread::sleep(Duration::from_millis(300));
    send(&worker.0, Signal::Terminate);
    assert_eq!(ended(&mut worker.0, AT_ONCE).code(), Some(0));
    assert!(!runs(child));
}

/// An embedded run of a long job in a folder, with its workers and their slots at work.
fn embedded(dir: &str) -> (Process, Vec<u32>) {
    let arguments = ["run", "cram", "4x11", "--method", "mex", "--workers", "2", "--dir", dir];
    let run = quiet(&arguments);
    let workers = wait_for("the workers", || Some(run.children()).filter(|all| all.len() == 2));
    (run, workers)
}

#[test]
fn a_run_stops_with_everything_kept_and_takes_its_workers_along() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let (mut run, workers) = embedded(dir);
    std::thread::sleep(Duration::from_secs(1));
    send(&run.0, Signal::Interrupt);
    assert_eq!(ended(&mut run.0, KINDLY).code(), Some(4));
    assert!(!workers.into_iter().any(runs));
    // It can be gone on with.
    let store = crate::support::json_ok(&["store", "check", "--dir", dir]);
    assert_eq!(store["store"]["jobs"], 1);
}

#[test]
fn a_run_that_is_told_twice_stops_at_once_and_takes_its_workers_along() {
    let folder = tempfile::tempdir().unwrap();
    let (mut run, workers) = embedded(folder.path().to_str().unwrap());
    std::thread::sleep(Duration::from_secs(1));
    send(&run.0, Signal::Interrupt);
    std::thread::sleep(Duration::from_millis(300));
    send(&run.0, Signal::Interrupt);
    assert_eq!(ended(&mut run.0, AT_ONCE).code(), Some(4));
    assert!(!workers.into_iter().any(runs));
}

#[test]
fn who_only_watches_leaves_at_once_and_the_job_goes_on() {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("2GiB");
    let job = long(&cluster);
    wait_until_it_runs(&cluster, &job);
    let access = cluster.operator_access();
    for signal in [Signal::Interrupt, Signal::Terminate] {
        let mut watcher = quiet(&["job", "watch", &job, "--access", &access]);
        std::thread::sleep(Duration::from_millis(500));
        send(&watcher.0, signal);
        assert_eq!(ended(&mut watcher.0, AT_ONCE).code(), Some(4));
        assert_eq!(cluster.job(&job)["state"], "running");
    }
}

#[test]
fn a_submission_to_a_coordinator_that_says_nothing_can_be_broken_off() {
    let cluster = Coordinator::start();
    // Somebody listens there and never answers.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let text = std::fs::read_to_string(cluster.operator_access()).unwrap();
    let address = cluster.served()["address"].as_str().unwrap();
    let silent = listener.local_addr().unwrap().to_string();
    let access = cluster.dir().join("silent.access");
    std::fs::copy(cluster.operator_access(), &access).unwrap();
    std::fs::write(&access, text.replace(address, &silent)).unwrap();
    let mut submit = sprague(&["submit", "cram", "3x3", "--access", access.to_str().unwrap()]);
    let mut submit = Process(submit.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let _held = listener.accept().unwrap();
    // Not an interrupt, which a shell has what it starts in the background ignore.
    send(&submit.0, Signal::Terminate);
    let begun = Instant::now();
    let status = submit.0.wait().unwrap();
    assert!(begun.elapsed() < AT_ONCE);
    // It holds nothing that would have to be kept, so the signal itself ends it.
    assert_eq!(status.signal(), Some(15));
}

//! Workers that are of no use, beside one that is: one that lies, one that stands still, one that always runs out
//! of memory, one that always crashes, one of another version. The job comes to its right end all the same.
//!
//! They are made here and speak the wire contract by themselves: the program has no way to be such a worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sprague_proto::v1::report::Ending;
use sprague_proto::v1::worker_message::Message as FromWorker;
use sprague_proto::{CONTRACT, v1};
use tokio::time::timeout;
use tonic::Code;

use crate::sessions::{Puppet, hello, report};
use crate::support::{Coordinator, Process, known_nimbers, wait_for};

/// What the job is.
const JOB: [&str; 4] = ["cram", "3x3..3x8", "--method", "mex"];

/// The memory of each slot of good and bad workers.
const MEMORY: u64 = 1 << 30;

/// A bad worker at work, and how many leases it had.
struct Bad {
    leases: Arc<AtomicUsize>,
    life: tokio::task::JoinHandle<()>,
}

impl Bad {
    /// Connects one that answers each lease as `answer` does, and tells the same progress again every second.
    async fn start(
        cluster: &Coordinator,
        answer: impl Fn(v1::AttemptId) -> FromWorker + Send + 'static,
    ) -> Self {
        let greeting = FromWorker::Hello(v1::Hello { slot_memory: MEMORY, ..hello("bad") });
        let mut puppet = Puppet::connect(cluster, greeting).await.unwrap();
        let leases = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&leases);
        let life = tokio::spawn(async move {
            // Its connection lives, whatever becomes of its units.
            let mut progress = None;
            loop {
                match timeout(Duration::from_secs(1), puppet.any_lease()).await {
                    Ok(Some(id)) => {
                        count.fetch_add(1, Ordering::Relaxed);
                        let said = answer(id);
                        progress = matches!(said, FromWorker::Progress(_)).then(|| said.clone());
                        puppet.say(said).await;
                    }
                    Ok(None) => return,
                    Err(_) => {
                        if let Some(progress) = progress.clone() {
                            puppet.say(progress).await;
                        }
                    }
                }
            }
        });
        Self { leases, life }
    }

    fn leases(&self) -> usize {
        self.leases.load(Ordering::Relaxed)
    }
}

impl Drop for Bad {
    fn drop(&mut self) {
        self.life.abort();
    }
}

/// A bad end of every unit.
fn ended(id: v1::AttemptId, ending: Ending) -> FromWorker {
    let (id, ending) = (Some(id), Some(ending));
    FromWorker::Report(v1::Report { id, ending, ..v1::Report::default() })
}

/// Waits for the job's good end, and compares what it found with what is published.
fn ends_well(cluster: &Coordinator, job: &str) {
    cluster.wait_state(job, "done");
    let known = known_nimbers();
    let values = cluster.ask(&["values"]);
    let values = values["values"].as_array().unwrap();
    assert_eq!(values.len(), 6);
    for value in values {
        let question = value["question"].as_str().unwrap();
        assert_eq!(value["nimber"].as_u64(), known.get(question).copied(), "{value}");
        assert_eq!(value["findings"].as_array().unwrap().len(), 1, "{value}");
        assert_eq!(value["findings"][0]["units"], 1, "{value}");
    }
}

/// How many events of that name the job has.
fn events(cluster: &Coordinator, job: &str, name: &str) -> usize {
    let events = cluster.ask(&["events", job]);
    events["events"].as_array().unwrap().iter().filter(|event| event["event"] == name).count()
}

fn is_connected(cluster: &Coordinator, name: &str) -> bool {
    let workers = cluster.ask(&["workers"]);
    let workers = workers["workers"].as_array().unwrap();
    workers.iter().any(|worker| worker["name"] == name && worker["state"] != "lost")
}

/// A worker of some use, once it is there.
fn good_worker(cluster: &Coordinator) -> Process {
    let worker = cluster.worker("1GiB");
    wait_for("the good worker", || {
        (cluster.ask(&["workers"])["workers"].as_array()?.len() == 1).then_some(())
    });
    worker
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_lies_is_outvoted_and_not_asked_again() {
    let cluster = Coordinator::start();
    let liar = Bad::start(&cluster, |id| report(id, 7, 7)).await;
    let job = cluster.submit(&[&JOB[..], &["--redundancy", "2"]].concat());
    wait_for("it to be asked", || (liar.leases() > 0).then_some(()));
    let _workers = [cluster.worker("1GiB"), cluster.worker("1GiB")];
    ends_well(&cluster, &job);
    // What it says once it is found out is not heard.
    let (outvoted, asked) = (events(&cluster, &job, "outvoted"), liar.leases());
    assert!(outvoted > 0 && outvoted <= asked, "{outvoted} of {asked}");
    let other = cluster.submit(&["cram", "3x9", "--method", "mex"]);
    cluster.wait_state(&other, "done");
    assert_eq!(liar.leases(), asked, "nobody trusts it");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_stands_still_loses_its_units_though_its_connection_lives() {
    let cluster = Coordinator::start_with(&["--lease", "4s"]);
    let idle = Bad::start(&cluster, |id| {
        FromWorker::Progress(v1::Progress { id: Some(id), expansions: 1, memory: 1 })
    })
    .await;
    let job = cluster.submit(&JOB);
    wait_for("it to be asked", || (idle.leases() > 0).then_some(()));
    let _worker = cluster.worker("1GiB");
    ends_well(&cluster, &job);
    assert_eq!(idle.leases(), 1, "it never said that its unit has ended, so its slot is not free");
    assert_eq!(events(&cluster, &job, "ended-badly"), 1);
    assert!(is_connected(&cluster, "bad"));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_tells_nothing_of_its_units_loses_them_and_they_are_not_charged_with_it() {
    let cluster = Coordinator::start_with(&["--lease", "4s"]);
    let silent =
        Bad::start(&cluster, |_| FromWorker::Tell(v1::Hearsay { task: None, message: Vec::new() }))
            .await;
    let job = cluster.submit(&JOB);
    wait_for("it to be asked", || (silent.leases() > 0).then_some(()));
    let _worker = cluster.worker("1GiB");
    ends_well(&cluster, &job);
    assert_eq!(
        (events(&cluster, &job, "taken-away"), events(&cluster, &job, "ended-badly")),
        (1, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_always_runs_out_of_memory_is_not_believed_alone() {
    let cluster = Coordinator::start();
    let _worker = good_worker(&cluster);
    let poor = Bad::start(&cluster, |id| {
        ended(id, Ending::OutOfMemory(v1::OutOfMemory { cap: MEMORY, needed: MEMORY + 1 }))
    })
    .await;
    let job = cluster.submit(&JOB);
    ends_well(&cluster, &job);
    assert!(poor.leases() > 0);
    assert_eq!(events(&cluster, &job, "out-of-memory"), poor.leases());
    assert!(is_connected(&cluster, "bad"), "memory never counts against a worker");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_always_crashes_does_not_have_units_parked() {
    let cluster = Coordinator::start();
    let _worker = good_worker(&cluster);
    let broken = Bad::start(&cluster, |id| {
        ended(id, Ending::Crashed(v1::Crashed { how: "a library is missing".to_owned() }))
    })
    .await;
    let job = cluster.submit(&JOB);
    ends_well(&cluster, &job);
    let crashes = events(&cluster, &job, "ended-badly");
    assert!(crashes > 0 && crashes == broken.leases(), "{crashes}");
    assert!(crashes <= 6, "each of six units crashed once there at most, not {crashes} times");
    assert_eq!(events(&cluster, &job, "parked"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_another_version_is_refused_with_both_versions() {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&JOB);
    for contract in [CONTRACT - 1, CONTRACT + 1] {
        let other = v1::Hello { version: "9.8.7".to_owned(), contract, ..hello("bad") };
        let refused = match Puppet::connect(&cluster, FromWorker::Hello(other)).await {
            Err(status) => status,
            Ok(mut puppet) => puppet.last_word().await,
        };
        assert_eq!(refused.code(), Code::FailedPrecondition);
        for part in ["9.8.7".to_owned(), contract.to_string(), CONTRACT.to_string()] {
            assert!(refused.message().contains(&part), "{refused}");
        }
    }
    ends_well(&cluster, &job);
    assert!(!is_connected(&cluster, "bad"));
}

//! The session as a worker of another make would speak it: late, repeated and wrong messages.

use serde_json::Value as Json;
use sprague_proto::v1::coordinator_message::Message as FromCoordinator;
use sprague_proto::v1::worker_message::Message as FromWorker;
use sprague_proto::v1::worker_service_client::WorkerServiceClient;
use sprague_proto::{Access, CONTRACT, Role, connect, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

use crate::support::{Coordinator, wait_for};

/// A worker that does what the test says.
pub(crate) struct Puppet {
    say: mpsc::Sender<v1::WorkerMessage>,
    hear: Streaming<v1::CoordinatorMessage>,
}

pub(crate) fn hello(instance: &str) -> v1::Hello {
    v1::Hello {
        version: "0.0.0".to_owned(),
        contract: CONTRACT,
        instance: instance.to_owned(),
        name: instance.to_owned(),
        slots: 1,
        slot_memory: 1 << 30,
        // Not of couples, so that a job of both goes on after the unit of mex.
        capabilities: vec!["cram/mex".to_owned()],
        running: Vec::new(),
        machine: String::new(),
    }
}

impl Puppet {
    pub(crate) async fn connect(cluster: &Coordinator, first: FromWorker) -> Result<Self, Status> {
        let access = Access::read(&cluster.worker_access(), Role::Worker).unwrap();
        let (say, said) = mpsc::channel(16);
        say.send(v1::WorkerMessage { message: Some(first) }).await.unwrap();
        let mut client = WorkerServiceClient::new(connect(&access).await.unwrap());
        let hear = client.session(ReceiverStream::new(said)).await?.into_inner();
        Ok(Self { say, hear })
    }

    pub(crate) async fn say(&self, message: FromWorker) {
        self.say.send(v1::WorkerMessage { message: Some(message) }).await.unwrap();
    }

    pub(crate) async fn next(&mut self) -> FromCoordinator {
        let message = tokio::time::timeout(std::time::Duration::from_secs(30), self.hear.message());
        message.await.unwrap().unwrap().unwrap().message.unwrap()
    }

    /// The next lease, however long it takes; `None` when the session has ended.
    pub(crate) async fn any_lease(&mut self) -> Option<v1::AttemptId> {
        loop {
            if let FromCoordinator::Lease(lease) = self.hear.message().await.ok()??.message? {
                return lease.unit?.id;
            }
        }
    }

    /// Why the coordinator ends the session.
    pub(crate) async fn last_word(&mut self) -> Status {
        self.hear.message().await.unwrap_err()
    }

    async fn lease(&mut self) -> v1::AttemptId {
        loop {
            if let FromCoordinator::Lease(lease) = self.next().await {
                return lease.unit.unwrap().id.unwrap();
            }
        }
    }

    async fn acknowledged(&mut self, id: v1::AttemptId) {
        loop {
            if let FromCoordinator::Acknowledge(ack) = self.next().await {
                assert_eq!(ack.id, Some(id));
                return;
            }
        }
    }
}

pub(crate) fn report(id: v1::AttemptId, nimber: u64, fingerprint: u64) -> FromWorker {
    let outcome = if nimber == 0 { "P" } else { "N" };
    FromWorker::Report(v1::Report {
        id: Some(id),
        seconds: 1.0,
        cpu_seconds: 1.0,
        peak_memory: 1,
        ending: Some(v1::report::Ending::Done(v1::Done {
            answer: format!(r#"{{"nimber":{nimber},"outcome":"{outcome}"}}"#),
            fingerprint,
            entries: 1,
            expansions: 1,
            notes: Vec::new(),
        })),
    })
}

/// One worker takes the unit and goes away; another is given the next attempt.
async fn two_attempts(cluster: &Coordinator) -> (v1::AttemptId, Puppet, v1::AttemptId) {
    let mut first = Puppet::connect(cluster, FromWorker::Hello(hello("first"))).await.unwrap();
    let old = first.lease().await;
    drop(first);
    let mut second = Puppet::connect(cluster, FromWorker::Hello(hello("second"))).await.unwrap();
    let new = second.lease().await;
    assert_eq!((old.job, old.unit), (new.job, new.unit));
    assert_eq!((old.attempt, new.attempt), (1, 2));
    (old, second, new)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_report_is_compared_and_not_counted_twice() {
    let cluster = Coordinator::start();
    let job = cluster.submit(&["cram", "3x4", "--method", "mex,couples"]);
    let (old, mut second, new) = two_attempts(&cluster).await;
    second.say(report(new, 1, 7)).await;
    second.acknowledged(new).await;

    let mut late = Puppet::connect(&cluster, FromWorker::Hello(hello("first"))).await.unwrap();
    late.say(report(old, 1, 7)).await;
    late.say(report(old, 1, 7)).await;
    late.acknowledged(old).await;
    late.acknowledged(old).await;
    let view = cluster.job(&job);
    assert_eq!(
        (view["units"]["done"].clone(), view["state"].clone()),
        (1.into(), "running".into())
    );
    let values = cluster.ask(&["values", "cram", "3x4"]);
    assert_eq!(values["values"][0]["findings"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_report_that_differs_is_a_dispute() {
    let cluster = Coordinator::start();
    let job = cluster.submit(&["cram", "3x4", "--method", "mex,couples"]);
    let (old, mut second, new) = two_attempts(&cluster).await;
    second.say(report(new, 1, 7)).await;
    second.acknowledged(new).await;

    let mut late = Puppet::connect(&cluster, FromWorker::Hello(hello("first"))).await.unwrap();
    late.say(report(old, 1, 8)).await;
    late.acknowledged(old).await;
    let view = cluster.wait_state(&job, "disputed");
    assert!(view["reason"].as_str().unwrap().contains("cram 3x4"), "{view}");
    let values = cluster.ask(&["values", "cram", "3x4"]);
    assert_eq!(values["values"][0]["standing"], "disputed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_survives_the_coordinators_death_between_the_attempt_and_its_end() {
    let mut cluster = Coordinator::start();
    let job = cluster.submit(&["cram", "3x4", "--method", "mex"]);
    let mut worker = Puppet::connect(&cluster, FromWorker::Hello(hello("a"))).await.unwrap();
    let id = worker.lease().await;
    cluster.kill_and_restart();
    let mut again = v1::Hello { running: vec![id], ..hello("a") };
    again.name = "a, again".to_owned();
    let mut worker = Puppet::connect(&cluster, FromWorker::Hello(again)).await.unwrap();
    worker.say(report(id, 1, 7)).await;
    worker.acknowledged(id).await;
    let view = cluster.wait_state(&job, "done");
    assert_eq!(view["attempts"], 1, "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_messages_end_the_session_and_nothing_else() {
    let cluster = Coordinator::start();
    let code = |first: FromWorker| {
        let cluster = &cluster;
        async move {
            let opened = Puppet::connect(cluster, first).await;
            match opened {
                Err(status) => status.code(),
                Ok(mut puppet) => puppet.last_word().await.code(),
            }
        }
    };
    let wrong = |change: fn(&mut v1::Hello)| {
        let mut hello = hello("wrong");
        change(&mut hello);
        FromWorker::Hello(hello)
    };
    assert_eq!(code(wrong(|h| h.contract = 99)).await, Code::FailedPrecondition);
    assert_eq!(code(wrong(|h| h.slots = 0)).await, Code::InvalidArgument);
    assert_eq!(code(wrong(|h| h.slots = u32::MAX)).await, Code::InvalidArgument);
    assert_eq!(code(wrong(|h| h.instance = String::new())).await, Code::InvalidArgument);
    assert_eq!(code(FromWorker::Leaving(v1::Leaving {})).await, Code::InvalidArgument);

    // Reports of what was never leased are acknowledged and change nothing.
    let mut puppet = Puppet::connect(&cluster, FromWorker::Hello(hello("right"))).await.unwrap();
    let stray = v1::AttemptId { job: 77, unit: 7, attempt: 7 };
    puppet.say(report(stray, 1, 1)).await;
    puppet.acknowledged(stray).await;
    let none: &[Json] = &[];
    assert_eq!(cluster.ask(&["values"])["values"].as_array().unwrap(), none);

    // Half a report ends the session of who sent it.
    puppet.say(FromWorker::Report(v1::Report::default())).await;
    wait_for("the worker to be gone", || {
        let workers = cluster.ask(&["workers"]);
        let workers = workers["workers"].as_array().unwrap();
        workers.iter().all(|worker| worker["state"] != "idle").then_some(())
    });
}

//! The session: refused for good or tried again, resumed after a loss, never longer than a lease.

use std::time::{Duration, Instant};

use sprague_proto::{Access, Role, Secret};
use sprague_work::Ending;
use sprague_worker::{Refusal, WorkerConfig, WorkerError};
use tonic::Status;

use crate::coordinator::{Coordinator, attempt};
use crate::mischief::{Tools, unit};
use crate::support::{Worker, config, runtime, tests};

tests![
    the_greeting_says_what_the_worker_can_do,
    a_wrong_secret_is_final,
    another_coordinator_at_the_address_is_final,
    a_version_that_does_not_fit_is_final,
    nobody_there_is_an_error_only_when_patience_ends,
    a_report_is_sent_again_until_it_is_acknowledged,
    a_lost_connection_does_not_stop_a_unit,
    a_unit_does_not_outlive_its_lease,
    progress_is_sent_for_every_unit_that_runs,
    a_lease_too_many_is_handed_back,
    the_access_file_is_read_again_before_each_attempt,
    who_is_sent_away_with_an_old_secret_comes_back_with_the_new_one,
];

const LONG: Duration = Duration::from_secs(30);

fn the_greeting_says_what_the_worker_can_do() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let config = WorkerConfig {
            slots: 3,
            name: Some("ada".to_owned()),
            ..config(coordinator.access.clone())
        };
        let memory = config.slot_memory;
        let worker = Worker::start(config);
        let session = coordinator.session().await;
        let hello = &session.hello;
        assert_eq!((hello.name.as_str(), hello.slots, hello.slot_memory), ("ada", 3, memory));
        assert_eq!(hello.capabilities, ["mischief/do"]);
        assert_eq!(hello.contract, sprague_proto::CONTRACT);
        assert!(hello.running.is_empty());
        let first = hello.instance.clone();
        drop(session);
        assert_eq!(coordinator.session().await.hello.instance, first);
        worker.stop().await;
    });
}

fn a_wrong_secret_is_final() {
    runtime().block_on(async {
        let coordinator = Coordinator::start(LONG).await;
        let Access { coordinator: address, certificate, .. } = coordinator.access.clone();
        let access = Access::new(Role::Worker, address, certificate, Secret::draw().unwrap());
        let began = Instant::now();
        let fault = Worker::start(config(access)).ended().await.unwrap_err();
        assert!(matches!(fault, WorkerError::Refused { .. }), "{fault}");
        assert!(fault.to_string().contains("secret"), "{fault}");
        assert!(began.elapsed() < LONG, "it was tried again");
    });
}

fn another_coordinator_at_the_address_is_final() {
    runtime().block_on(async {
        let [coordinator, other] = [Coordinator::start(LONG).await, Coordinator::start(LONG).await];
        let Access { coordinator: address, secret, .. } = coordinator.access.clone();
        let access = Access::new(Role::Worker, address, other.access.certificate.clone(), secret);
        let fault = Worker::start(config(access)).ended().await.unwrap_err();
        let WorkerError::Refused { refusal, .. } = &fault else { panic!("{fault}") };
        assert_eq!(*refusal, Refusal::Certificate, "{fault}");
    });
}

fn a_version_that_does_not_fit_is_final() {
    runtime().block_on(async {
        let coordinator = Coordinator::start(LONG).await;
        coordinator.refuse(Status::failed_precondition("this coordinator speaks contract 9"));
        let fault = Worker::start(config(coordinator.access.clone())).ended().await.unwrap_err();
        assert!(fault.to_string().contains("contract 9"), "{fault}");
    });
}

fn nobody_there_is_an_error_only_when_patience_ends() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        coordinator.close();
        let patience = Duration::from_millis(300);
        let hasty = WorkerConfig { patience, ..config(coordinator.access.clone()) };
        let fault = Worker::start(hasty).ended().await.unwrap_err();
        assert!(matches!(fault, WorkerError::Unreachable { waited, .. } if waited >= patience));

        let patient = Worker::start(config(coordinator.access.clone()));
        tokio::time::sleep(patience).await;
        coordinator.open();
        coordinator.session().await;
        patient.stop().await;
    });
}

fn a_report_is_sent_again_until_it_is_acknowledged() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let answer = unit("answer", &Tools::default());

        let mut session = coordinator.session().await;
        let id = attempt(1, 4, 2);
        session.lease(id, &answer).await;
        let first = session.report().await;
        assert_eq!(first.0, id);
        drop(session);

        let mut session = coordinator.session().await;
        assert_eq!(session.report().await, first);
        session.acknowledge(id).await;
        // An answer to a later lease shows that the acknowledgement was read.
        session.run(attempt(1, 5, 1), &answer).await;
        session.run(attempt(1, 6, 1), &answer).await;
        session.lease(attempt(1, 7, 1), &answer).await;
        assert_eq!(session.report().await.0, attempt(1, 7, 1));
        drop(session);

        let mut session = coordinator.session().await;
        assert_eq!(session.report().await.0, attempt(1, 7, 1), "only this one is owed");
        session.acknowledge(attempt(1, 7, 1)).await;
        session.lease(attempt(1, 8, 1), &answer).await;
        assert_eq!(session.report().await.0, attempt(1, 8, 1));
        worker.stop().await;
    });
}

fn a_lost_connection_does_not_stop_a_unit() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let session = coordinator.session().await;
        let id = attempt(1, 0, 1);
        session.lease(id, &unit("spin", &Tools::default())).await;
        let mut session = session;
        let before = session.progress().await;
        drop(session);
        let mut session = coordinator.session().await;
        assert_eq!(session.hello.running, [id]);
        let after = session.progress().await;
        assert_eq!(after.id, Some(id));
        assert!(after.expansions >= before.expansions);
        session.cancel(id).await;
        assert_eq!(session.report().await.1.ending, Ending::Cancelled);
        worker.stop().await;
    });
}

fn a_unit_does_not_outlive_its_lease() {
    runtime().block_on(async {
        let lease = Duration::from_millis(400);
        let mut coordinator = Coordinator::start(lease).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let mut session = coordinator.session().await;
        let id = attempt(1, 0, 1);
        session.lease(id, &unit("spin", &Tools::default())).await;
        while session.progress().await.expansions == 0 {}
        coordinator.close();
        drop(session);
        tokio::time::sleep(lease * 3).await;
        coordinator.open();
        let mut session = coordinator.session().await;
        assert!(session.hello.running.is_empty(), "{:?}", session.hello);
        let (ended, report) = session.report().await;
        assert_eq!((ended, &report.ending), (id, &Ending::Cancelled));
        assert!(report.usage.seconds >= lease.as_secs_f64(), "{report:?}");
        worker.stop().await;
    });
}

fn progress_is_sent_for_every_unit_that_runs() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let config = WorkerConfig { slots: 2, ..config(coordinator.access.clone()) };
        let worker = Worker::start(config);
        let mut session = coordinator.session().await;
        for number in [0, 1] {
            session.lease(attempt(1, number, 1), &unit("spin", &Tools::default())).await;
        }
        for number in [0, 1] {
            let of_this = |progress: &sprague_proto::v1::Progress| {
                progress.id == Some(attempt(1, number, 1)) && progress.expansions > 0
            };
            let mut seen = Vec::new();
            while seen.len() < 3 {
                let progress = session.progress().await;
                if of_this(&progress) {
                    assert!(progress.memory > 0, "{progress:?}");
                    seen.push(progress.expansions);
                }
            }
            assert!(seen.is_sorted(), "{seen:?}");
        }
        worker.stop().await;
    });
}

fn a_lease_too_many_is_handed_back() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let mut session = coordinator.session().await;
        let (runs, too_many) = (attempt(1, 0, 1), attempt(1, 1, 1));
        session.lease(runs, &unit("spin", &Tools::default())).await;
        session.lease(too_many, &unit("answer", &Tools::default())).await;
        let (ended, report) = session.report().await;
        assert_eq!((ended, report.ending), (too_many, Ending::Cancelled));
        session.cancel(runs).await;
        assert_eq!(session.report().await.0, runs);
        worker.stop().await;
    });
}

fn the_access_file_is_read_again_before_each_attempt() {
    runtime().block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("worker.access");
        let [mut first, mut second] =
            [Coordinator::start(LONG).await, Coordinator::start(LONG).await];
        first.access.write(&file).unwrap();
        let config =
            WorkerConfig { access_file: Some(file.clone()), ..config(first.access.clone()) };
        let worker = Worker::start(config);
        let session = first.session().await;
        let instance = session.hello.instance.clone();

        // What cannot be used is passed over: half a file, one without a certificate, none.
        let whole = first.access.to_bytes();
        let mut empty = first.access.clone();
        empty.certificate.clear();
        let mut last = session;
        for bytes in [Some(&whole[..whole.len() / 2]), Some(&empty.to_bytes()), None] {
            match bytes {
                Some(bytes) => std::fs::write(&file, bytes).unwrap(),
                None => std::fs::remove_file(&file).unwrap(),
            }
            drop(last);
            last = first.session().await;
        }

        second.access.write(&file).unwrap();
        first.close();
        drop(last);
        let session = second.session().await;
        assert_eq!(session.hello.instance, instance, "it is the same worker");
        worker.stop().await;
    });
}

fn who_is_sent_away_with_an_old_secret_comes_back_with_the_new_one() {
    runtime().block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("worker.access");
        let [mut first, mut second] =
            [Coordinator::start(LONG).await, Coordinator::start(LONG).await];
        first.access.write(&file).unwrap();
        let config =
            WorkerConfig { access_file: Some(file.clone()), ..config(first.access.clone()) };
        let worker = Worker::start(config);
        let session = first.session().await;
        second.access.write(&file).unwrap();
        session.end(Status::unauthenticated("the secret is revoked")).await;
        let session = second.session().await;
        // With nothing new in the file it is over.
        session.end(Status::unauthenticated("the secret is revoked")).await;
        let fault = worker.ended().await.unwrap_err();
        assert!(matches!(fault, WorkerError::Refused { refusal: Refusal::Secret, .. }), "{fault}");
    });
}

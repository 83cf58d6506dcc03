//! Stopping: in two stages, and nothing that was acknowledged or could be handed over is lost.

use std::time::{Duration, Instant};

use sprague_proto::v1::worker_message::Message;
use sprague_work::Ending;
use sprague_worker::WorkerConfig;

use crate::coordinator::{Coordinator, Session, attempt};
use crate::mischief::{Tools, unit};
use crate::support::{PATIENCE, Worker, config, exists, pid_in, runtime, tests};

tests![
    an_idle_worker_says_goodbye,
    a_leaving_worker_finishes_its_unit_and_takes_no_other,
    a_leaving_worker_cancels_what_takes_too_long,
    a_worker_without_coordinator_leaves_too,
    the_second_stage_does_not_wait_for_anything,
];

const LONG: Duration = Duration::from_secs(30);

async fn goodbye(session: &mut Session) {
    session.next(|message| matches!(message, Message::Leaving(_)).then_some(())).await;
}

fn an_idle_worker_says_goodbye() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let mut session = coordinator.session().await;
        session.run(attempt(1, 0, 1), &unit("answer", &Tools::default())).await;
        worker.shutdown.graceful();
        goodbye(&mut session).await;
        worker.ended().await.unwrap();
    });
}

fn a_leaving_worker_finishes_its_unit_and_takes_no_other() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        let mut session = coordinator.session().await;
        let (runs, late) = (attempt(1, 0, 1), attempt(1, 1, 1));
        session.lease(runs, &unit("sleep", &Tools { amount: 800, file: None })).await;
        session.progress().await;
        worker.shutdown.graceful();
        goodbye(&mut session).await;
        session.lease(late, &unit("answer", &Tools::default())).await;
        for _ in [runs, late] {
            let (ended, report) = session.report().await;
            match report.ending {
                Ending::Done(_) => assert_eq!(ended, runs),
                Ending::Cancelled => assert_eq!(ended, late),
                other => panic!("{other:?}"),
            }
            session.acknowledge(ended).await;
        }
        worker.ended().await.unwrap();
    });
}

fn a_leaving_worker_cancels_what_takes_too_long() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let config = WorkerConfig {
            leave_grace: Duration::from_millis(200),
            ..config(coordinator.access.clone())
        };
        let worker = Worker::start(config);
        let mut session = coordinator.session().await;
        let id = attempt(1, 0, 1);
        session.lease(id, &unit("spin", &Tools::default())).await;
        session.progress().await;
        worker.shutdown.graceful();
        let (ended, report) = session.report().await;
        assert_eq!((ended, report.ending), (id, Ending::Cancelled));
        session.acknowledge(id).await;
        worker.ended().await.unwrap();
    });
}

fn a_worker_without_coordinator_leaves_too() {
    runtime().block_on(async {
        let coordinator = Coordinator::start(LONG).await;
        coordinator.close();
        let worker = Worker::start(config(coordinator.access.clone()));
        worker.shutdown.graceful();
        worker.ended().await.unwrap();
    });
}

fn the_second_stage_does_not_wait_for_anything() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(LONG).await;
        let config = WorkerConfig { cancel_grace: LONG, ..config(coordinator.access.clone()) };
        let worker = Worker::start(config);
        let session = coordinator.session().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let tools = Tools { amount: 0, file: Some(file.clone()) };
        session.lease(attempt(1, 0, 1), &unit("ignore-cancel", &tools)).await;
        let pid = tokio::task::spawn_blocking(move || pid_in(&file)).await.unwrap();
        worker.shutdown.graceful();
        let began = Instant::now();
        worker.shutdown.now();
        worker.ended().await.unwrap();
        assert!(began.elapsed() < PATIENCE.min(LONG));
        assert!(!exists(pid), "the child was not ended or not waited for");
    });
}

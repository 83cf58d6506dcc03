//! A slot's child by itself: its caps, and that it outlives neither its orders nor its worker.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, Stdio};

use prost::Message;
use sprague_proto::v1::{self, SlotOrder, slot_order::Order};
use sprague_worker::{LEAST_CAP, WorkerConfig, WorkerError};

use crate::coordinator::{Coordinator, attempt};
use crate::mischief::{Told, Tools, unit};
use crate::support::{CAP, Worker, computes, config, pid_in, runtime, tests, wait_until};

tests![
    small_caps_run_units,
    a_cap_that_is_too_small_is_refused_before_any_work,
    a_child_refuses_a_cap_that_is_too_small,
    a_child_without_its_worker_does_not_start,
    the_end_of_its_orders_ends_a_child_that_computes,
    the_end_of_its_supervisors_thread_ends_a_child_that_computes,
    orders_that_are_none_end_a_child,
    the_end_of_a_worker_by_kill_ends_a_child_that_computes,
    the_end_of_the_leash_ends_a_worker_and_its_child,
];

/// This program as a child with `cap` and `parent`.
fn child(cap: u64, parent: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["slot".to_owned(), cap.to_string(), "1".to_owned(), parent.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a child says before it ends unsuccessfully by itself.
fn last_words(mut child: Child, orders: Option<ChildStdin>) -> String {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!child.wait().unwrap().success());
    drop(orders);
    said
}

fn small_caps_run_units() {
    runtime().block_on(async {
        for cap in [LEAST_CAP, 32 << 20, 64 << 20] {
            let mut coordinator = Coordinator::start(std::time::Duration::from_secs(30)).await;
            let config = WorkerConfig { slot_memory: cap, ..config(coordinator.access.clone()) };
            let worker = Worker::start(config);
            let mut session = coordinator.session().await;
            let answer = unit("answer", &Tools::default());
            let sprague_work::Ending::Done(result) =
                session.run(attempt(1, 0, 1), &answer).await.ending
            else {
                panic!("a cap of {cap} runs nothing")
            };
            let Told { memory, .. } = result.answer.read().unwrap();
            assert!(memory > 4 << 20, "a cap of {cap} leaves {memory}");
            let table = unit("table", &Tools { amount: memory, file: None });
            let report = session.run(attempt(1, 1, 1), &table).await;
            assert!(matches!(report.ending, sprague_work::Ending::Done(_)), "{report:?}");
            worker.stop().await;
        }
    });
}

fn a_cap_that_is_too_small_is_refused_before_any_work() {
    runtime().block_on(async {
        let coordinator = Coordinator::start(std::time::Duration::from_secs(30)).await;
        let config =
            WorkerConfig { slot_memory: LEAST_CAP - 1, ..config(coordinator.access.clone()) };
        let fault = Worker::start(config).ended().await.unwrap_err();
        assert!(matches!(fault, WorkerError::CapTooSmall { least: LEAST_CAP, .. }));
        assert!(fault.to_string().contains(&format!("{LEAST_CAP} (24 MiB)")), "{fault}");
    });
}

fn a_child_refuses_a_cap_that_is_too_small() {
    let mut child = child(1 << 20, std::process::id());
    let orders = child.stdin.take();
    assert!(last_words(child, orders).contains(&LEAST_CAP.to_string()));
}

fn a_child_without_its_worker_does_not_start() {
    let mut child = child(CAP, 1);
    let orders = child.stdin.take();
    assert!(last_words(child, orders).contains("is gone"));
}

/// A child that computes and heeds nothing, and the way to give it orders.
fn computing_child() -> (Child, ChildStdin) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let mut child = child(CAP, std::process::id());
    let mut orders = child.stdin.take().unwrap();
    let id = attempt(1, 0, 1);
    let tools = Tools { amount: 0, file: Some(file.clone()) };
    let deed = v1::Unit::new(id.unit_id(), id.attempt_number(), 0, &unit("ignore-cancel", &tools));
    let order = SlotOrder { order: Some(Order::Run(deed)) };
    orders.write_all(&order.encode_length_delimited_to_vec()).unwrap();
    assert_eq!(pid_in(&file), child.id());
    assert!(child.try_wait().unwrap().is_none());
    (child, orders)
}

fn the_end_of_its_orders_ends_a_child_that_computes() {
    let (mut child, orders) = computing_child();
    drop(orders);
    assert!(child.wait().unwrap().success());
}

fn the_end_of_its_supervisors_thread_ends_a_child_that_computes() {
    let (mut child, orders) = std::thread::spawn(computing_child).join().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    drop(orders);
}

fn orders_that_are_none_end_a_child() {
    for garbage in [&[0xff; 32][..], b"\x05hello", b"\x00"] {
        let mut child = child(CAP, std::process::id());
        let mut orders = child.stdin.take().unwrap();
        orders.write_all(garbage).unwrap();
        assert!(last_words(child, Some(orders)).contains("order"), "{garbage:?}");
    }
}

/// A worker process with one child that computes, and the child's number.
fn computing_worker_process() -> (Child, u32) {
    let folder = tempfile::tempdir().unwrap();
    let (access, file) = (folder.path().join("worker.access"), folder.path().join("pid"));
    let runtime = runtime();
    let mut coordinator = runtime.block_on(Coordinator::start(std::time::Duration::from_secs(30)));
    coordinator.access.write(&access).unwrap();
    let worker = Command::new(std::env::current_exe().unwrap())
        .arg("worker")
        .arg(&access)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    runtime.block_on(async {
        let session = coordinator.session().await;
        let tools = Tools { amount: 0, file: Some(file.clone()) };
        session.lease(attempt(1, 0, 1), &unit("ignore-cancel", &tools)).await;
        let pid = tokio::task::spawn_blocking(move || pid_in(&file)).await.unwrap();
        assert!(computes(pid));
        (worker, pid)
    })
}

fn the_end_of_a_worker_by_kill_ends_a_child_that_computes() {
    let (mut worker, child) = computing_worker_process();
    worker.kill().unwrap();
    worker.wait().unwrap();
    wait_until("the end of the killed worker's child", || !computes(child));
}

fn the_end_of_the_leash_ends_a_worker_and_its_child() {
    let (mut worker, child) = computing_worker_process();
    drop(worker.stdin.take());
    assert!(worker.wait().unwrap().success());
    wait_until("the end of the child", || !computes(child));
}

//! Nothing is lost: coordinators and workers are killed with -9 in the middle of their work.

use std::time::Duration;

use crate::support::{Coordinator, known_nimbers, runs, wait_for};

fn number(json: &serde_json::Value) -> u64 {
    json.as_u64().unwrap()
}

#[test]
fn a_killed_coordinator_goes_on_and_computes_nothing_twice() {
    let mut cluster = Coordinator::start();
    let _workers = [cluster.worker("2GiB"), cluster.worker("2GiB")];
    let job = cluster.submit(&["cram", "3x3..3x12"]);
    let units = number(&cluster.job(&job)["tasks"]["total"]);
    assert!(units >= 10 * 3, "three methods for each of ten boards");

    // Killed three times, at different depths into the job.
    for done in [3, 12, 24] {
        wait_for("the job to get on", || {
            (number(&cluster.job(&job)["units"]["done"]) >= done).then_some(())
        });
        let before = cluster.job(&job);
        cluster.kill_and_restart();
        let after = cluster.job(&job);
        assert!(number(&after["units"]["done"]) >= number(&before["units"]["done"]), "{after}");
        assert!(number(&after["attempts"]) >= number(&before["attempts"]), "{after}");
    }
    let end = cluster.wait_state(&job, "done");
    assert_eq!(number(&end["units"]["done"]), units);
    // A unit that was acknowledged is never leased again. Those that ran while the coordinator was
    // away go on at their workers and are reported when it is back, so even they are not begun
    // twice, unless a worker was in the middle of reconnecting: two units a kill at most.
    assert!(number(&end["attempts"]) <= units + 3 * 2, "{end}");

    let answer = cluster.ask(&["values"]);
    let known = known_nimbers();
    for value in answer["values"].as_array().unwrap() {
        assert_eq!(value["standing"], "confirmed");
        let findings = value["findings"].as_array().unwrap();
        let methods: std::collections::BTreeSet<_> =
            findings.iter().map(|finding| finding["method"].to_string()).collect();
        assert_eq!(methods.len(), findings.len(), "no finding is there twice: {value}");
        let question = value["question"].as_str().unwrap();
        assert_eq!(value["nimber"].as_u64(), known.get(question).copied(), "{question}");
    }
}

#[test]
fn a_certificate_that_was_written_outlives_coordinator_and_writer() {
    let mut cluster = Coordinator::start();
    let mut writer = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x14", "--method", "certificate"]);
    wait_for("the certificate", || {
        (number(&cluster.job(&job)["units"]["done"]) >= 1).then_some(())
    });
    writer.kill();
    cluster.kill_and_restart();
    // What is left is slices, checked by somebody who did not write it.
    let checker = cluster.worker("1GiB");
    let end = cluster.wait_state(&job, "done");
    assert!(number(&end["units"]["done"]) > 1, "{end}");
    let answer = cluster.ask(&["values", "cram", "3x14"]);
    let value = &answer["values"][0];
    assert_eq!(value["standing"], "certified");
    assert_eq!(value["nimber"], known_nimbers()["cram 3x14"]);
    drop(checker);
}

#[test]
fn a_killed_worker_takes_its_child_along_and_its_unit_goes_to_another() {
    let cluster = Coordinator::start();
    let mut worker = cluster.worker("2GiB");
    let job = cluster.submit(&["cram", "3x11", "--method", "mex"]);
    let running = || {
        let job = cluster.job(&job);
        job["running"].as_array().and_then(|running| running.first().cloned())
    };
    let first = wait_for("the unit to run", running);
    assert_eq!(first["attempt"], 1);
    let children = wait_for("the worker's child", || {
        let children = worker.children();
        (!children.is_empty()).then_some(children)
    });
    worker.kill();
    for child in children {
        wait_for("the child to end with its worker", || (!runs(child)).then_some(()));
    }
    let _other = cluster.worker("2GiB");
    let end = cluster.wait_state(&job, "done");
    assert_eq!(end["attempts"], 2, "the second attempt is the one that counts");
    let values = cluster.ask(&["values"]);
    assert_eq!(values["values"][0]["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_coordinator_that_stood_still_takes_no_unit_from_anybody() {
    let cluster = Coordinator::start_with(&["--lease", "2s"]);
    let _worker = cluster.worker("2GiB");
    let job = cluster.submit(&["cram", "4x11", "--method", "mex"]);
    let running = || (number(&cluster.job(&job)["units"]["running"]) == 1).then_some(());
    wait_for("the unit to run", running);
    cluster.process.suspend();
    std::thread::sleep(Duration::from_secs(4));
    cluster.process.resume();
    // A lease later whatever was to be taken is taken.
    std::thread::sleep(Duration::from_secs(3));
    let after = cluster.job(&job);
    assert_eq!(after["attempts"], 1, "{after}");
}

#[test]
fn a_stopped_worker_hands_back_its_unit_at_once() {
    let cluster = Coordinator::start();
    let worker = cluster.worker("2GiB");
    let job = cluster.submit(&["cram", "4x11", "--method", "mex"]);
    wait_for("the unit to run", || {
        (number(&cluster.job(&job)["units"]["running"]) == 1).then_some(())
    });
    // The second signal stops at once.
    for _ in 0..2 {
        worker.terminate();
        std::thread::sleep(Duration::from_millis(300));
    }
    wait_for("the worker to end", || (!runs(worker.pid())).then_some(()));
    wait_for("the unit to wait again", || {
        (number(&cluster.job(&job)["units"]["waiting"]) == 1).then_some(())
    });
}

#[test]
fn an_embedded_run_that_is_killed_leaves_nothing_behind_and_goes_on_in_its_folder() {
    use crate::support::{Process, json_ok, sprague};
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let arguments = ["run", "cram", "3x3..3x12", "--dir", dir, "--workers", "2"];
    let null = std::process::Stdio::null;
    let child = sprague(&arguments).stdin(null()).stdout(null()).stderr(null()).spawn().unwrap();
    let mut run = Process(child);
    let workers = wait_for("the workers", || {
        let workers = run.children();
        (workers.len() == 2).then_some(workers)
    });
    std::thread::sleep(Duration::from_secs(1));
    run.kill();
    for worker in workers {
        wait_for("the workers to end with the run", || (!runs(worker)).then_some(()));
    }
    let answer = json_ok(&arguments);
    assert_eq!(answer["job"]["state"], "done");
    assert_eq!(answer["values"].as_array().unwrap().len(), 10);
    let job = &answer["job"];
    assert_eq!(job["units"]["done"], job["tasks"]["total"], "{job}");
    assert!(number(&job["attempts"]) <= number(&job["tasks"]["total"]) + 2, "{job}");
}

//! A coordinator, two workers and an operator on loopback: every command of the operator.

use serde_json::Value as Json;

use crate::support::{Coordinator, json_ok, known_nimbers, output, wait_for};

/// A value without what differs from run to run.
fn essence(value: &Json) -> Json {
    let mut value = value.clone();
    for finding in value["findings"].as_array_mut().unwrap() {
        let finding = finding.as_object_mut().unwrap();
        for field in ["seconds", "cpu_seconds", "peak_memory", "workers", "when"] {
            finding.remove(field);
        }
    }
    let findings = value["findings"].as_array_mut().unwrap();
    findings.sort_by_key(|finding| finding["method"].to_string());
    value
}

fn essences(answer: &Json) -> Vec<Json> {
    answer["values"].as_array().unwrap().iter().map(essence).collect()
}

#[test]
fn a_cluster_finds_what_the_embedded_run_finds() {
    let cluster = Coordinator::start();
    let _workers = [cluster.worker("1GiB"), cluster.worker("1GiB")];
    let boards = cluster.submit(&["cram", "3x3..3x9"]);
    let sweep = cluster.submit(&["geography", "sweep", "8"]);
    let watched = cluster.ask(&["job", "watch", &boards]);
    assert_eq!(watched["job"]["state"], "done");
    cluster.wait_state(&sweep, "done");

    let embedded = json_ok(&["run", "cram", "3x3..3x9"]);
    assert_eq!(essences(&watched), essences(&embedded));
    let embedded = json_ok(&["run", "geography", "sweep", "8"]);
    assert_eq!(essences(&cluster.ask(&["values", "geography", "sweep", "8"])), essences(&embedded));
    assert_eq!(cluster.ask(&["values"])["values"].as_array().unwrap().len(), 8);

    let jobs = cluster.ask(&["jobs"]);
    assert_eq!(jobs["jobs"].as_array().unwrap().len(), 2);
    assert_eq!(jobs["jobs"][0]["job"], "cram 3x3..3x9");
    let workers = cluster.ask(&["workers"]);
    assert_eq!(workers["workers"].as_array().unwrap().len(), 2);
}

#[test]
fn a_value_that_is_verified_is_certified_or_confirmed() {
    let cluster = Coordinator::start();
    let _workers = [cluster.worker("1GiB"), cluster.worker("1GiB")];
    let standing = |words: &[&str]| {
        let answer = cluster.ask(words);
        let values = answer["values"].as_array().unwrap();
        assert_eq!(values.len(), 1, "{answer}");
        (values[0]["standing"].as_str().unwrap().to_owned(), values[0].clone())
    };
    let board = cluster.submit(&["cram", "3x12", "--method", "proof-number"]);
    let sweep = cluster.submit(&["geography", "sweep", "6", "--method", "table"]);
    cluster.wait_state(&board, "done");
    cluster.wait_state(&sweep, "done");
    assert_eq!(standing(&["values", "cram", "3x12"]).0, "single");

    let (verified, value) = standing(&["verify", "cram", "3x12"]);
    assert_eq!(verified, "certified");
    assert_eq!(value["nimber"], known_nimbers()["cram 3x12"]);
    assert_eq!(standing(&["values", "cram", "3x12"]), (verified, value));
    assert_eq!(standing(&["verify", "geography", "sweep", "6"]).0, "confirmed");

    // Of what nothing was known, one method says something, and the next one is asked for.
    let verify = || {
        let words = ["verify", "geography", "sweep", "5", "--access", &cluster.operator_access()];
        let ran = output(&words);
        assert!(ran.status.success());
        String::from_utf8(ran.stderr).unwrap().contains("the same command again asks another")
    };
    assert!(verify());
    assert!(!verify());

    let (code, answer) = cluster.try_ask(&["verify", "cram", "3x3..3x5"]);
    assert_eq!((code, answer["error"]["code"].as_str()), (2, Some("question")));
}

#[test]
fn exports_come_in_every_form() {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3..3x5"]);
    cluster.wait_state(&job, "done");
    let export = |format: &str| {
        let access = cluster.operator_access();
        let export = output(&["export", &job, "--format", format, "--access", &access]);
        assert!(export.status.success(), "{}", String::from_utf8_lossy(&export.stderr));
        String::from_utf8(export.stdout).unwrap()
    };
    let whole: Json = serde_json::from_str(&export("json")).unwrap();
    assert_eq!(whole["values"].as_array().unwrap().len(), 3);
    let lines: Vec<Json> =
        export("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, *whole["values"].as_array().unwrap());
    let csv = export("csv");
    assert!(csv.starts_with("question,standing,"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("cram 3x4,confirmed,1,")), "{csv}");
    let md = export("md");
    assert!(md.contains("| 3x4") && md.contains("| confirmed"), "{md}");
}

#[test]
fn a_job_that_waits_is_explained_and_one_that_runs_is_cancelled() {
    let cluster = Coordinator::start();
    // Nothing but mex, on a board that it needs minutes and gigabytes for.
    let job = cluster.submit(&["cram", "4x11", "--method", "mex"]);
    let explained = cluster.ask(&["job", "explain", &job]);
    assert_eq!(explained["explanations"][0]["code"], "R1", "{explained}");
    assert!(explained["explanations"][0]["hint"].as_str().unwrap().contains("sprague worker"));

    let worker = cluster.worker("2GiB");
    let child = wait_for("the worker's child", || worker.children().first().copied());
    wait_for("the unit to run", || {
        let job = cluster.job(&job);
        job["running"].as_array().is_some_and(|running| !running.is_empty()).then_some(())
    });
    // What runs tells of its own work; the job's is what is done, in expansions as in processor time.
    let working = wait_for("the unit to tell how far it is", || {
        let job = cluster.job(&job);
        (job["running"][0]["expansions"].as_u64() > Some(0)).then_some(job)
    });
    assert_eq!(
        (&working["expansions"], &working["cpu_seconds"]),
        (&0.into(), &0.0.into()),
        "{working}"
    );
    let second = cluster.submit(&["cram", "3x3", "--method", "mex"]);
    let explained = cluster.ask(&["job", "explain", &second]);
    assert_eq!(explained["explanations"][0]["code"], "R2", "{explained}");
    let hint = explained["explanations"][0]["hint"].as_str().unwrap();
    assert!(hint.contains("in the order of their numbers"), "{hint}");

    let cancelled = cluster.ask(&["job", "cancel", &job]);
    assert_eq!(cancelled["job"]["state"], "cancelled");
    // Nothing of it waits any more, how much it would have been is not claimed, and what can be done is said.
    for count in ["done", "waiting", "running", "parked"] {
        assert_eq!(cancelled["job"]["units"][count], 0, "{cancelled}");
    }
    assert_eq!(cancelled["job"]["units"]["total"], Json::Null, "{cancelled}");
    let explained = cluster.ask(&["job", "explain", &job]);
    let [ended] = &explained["explanations"].as_array().unwrap()[..] else { panic!("{explained}") };
    assert_eq!(ended["code"], "R8", "{explained}");
    assert!(ended["hint"].as_str().unwrap().contains("submit it again"), "{explained}");
    // The slot is free again for the next job.
    cluster.wait_state(&second, "done");
    let (code, watched) = cluster.try_ask(&["job", "watch", &job]);
    assert_eq!((code, watched["job"]["state"].as_str().unwrap()), (4, "cancelled"));
    let _ = child;
}

#[test]
fn a_question_that_nothing_is_known_of_is_told_with_what_finds_it() {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3"]);
    cluster.wait_state(&job, "done");
    let access = cluster.operator_access();
    let dir = cluster.dir().display().to_string();
    for place in [["--access", &access], ["--dir", &dir]] {
        let asked = |board: &str| {
            let answer =
                output(&[&["values", "cram", board, "--output", "json"], &place[..]].concat());
            assert_eq!(answer.status.code(), Some(0));
            let values: Json = serde_json::from_slice(&answer.stdout).unwrap();
            (values["values"].as_array().unwrap().len(), String::from_utf8(answer.stderr).unwrap())
        };
        assert_eq!(asked("3x3"), (1, String::new()));
        let (found, told) = asked("3x4");
        assert_eq!(found, 0);
        assert!(told.contains("nothing is known of cram 3x4\n"), "{told}");
        assert!(told.contains("sprague submit cram 3x4"), "{told}");
        let (found, told) = asked("3x3..3x6");
        assert_eq!(found, 1);
        assert!(
            told.contains("nothing is known of cram 3x4 and 2 more of the questions\n"),
            "{told}"
        );
    }
}

#[test]
fn a_drained_worker_gets_no_more() {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    wait_for("the worker", || {
        (!cluster.ask(&["workers"])["workers"].as_array().unwrap().is_empty()).then_some(())
    });
    let drained = cluster.ask(&["worker", "drain", "1"]);
    assert_eq!(drained["worker"]["state"], "draining");
    let job = cluster.submit(&["cram", "3x3"]);
    let explained = cluster.ask(&["job", "explain", &job]);
    assert_eq!(explained["explanations"][0]["code"], "R7", "{explained}");
    assert_eq!(cluster.try_ask(&["worker", "drain", "99"]).0, 2);
}

#[test]
fn only_the_right_access_file_lets_in() {
    let cluster = Coordinator::start();
    let other = Coordinator::start();
    let worker_access = cluster.worker_access().display().to_string();
    let try_jobs = |access: &str| {
        let (code, answer) = crate::support::json(&["jobs", "--access", access]);
        (code, answer["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    let (code, message) = try_jobs(&worker_access);
    assert!(code != 0 && message.contains("worker"), "{message}");

    // The address of one coordinator with the certificate, then with the secret, of another.
    let read = |path: &str| -> Json {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let (mine, theirs) = (read(&cluster.operator_access()), read(&other.operator_access()));
    let forged = cluster.dir().join("forged.access");
    for field in ["certificate", "secret"] {
        let mut access = mine.clone();
        access[field] = theirs[field].clone();
        std::fs::copy(cluster.operator_access(), &forged).unwrap();
        std::fs::write(&forged, access.to_string()).unwrap();
        let (code, answer) = crate::support::json(&["jobs", "--access", forged.to_str().unwrap()]);
        let error = &answer["error"];
        assert_eq!((code, error["code"].as_str()), (2, Some("access")), "{field}: {answer}");
        assert!(error["hint"].as_str().unwrap().contains("operator.access"), "{field}: {answer}");
    }
}

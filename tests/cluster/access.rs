//! Who may enter, while it changes: new secrets, revoked ones, keys that are lost or open to others.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

use crate::support::{Coordinator, Process, json, json_ok, output, sprague, wait_for};

/// A worker whose standard error can be read.
fn worker(access: &str) -> Child {
    let arguments = ["worker", "--access", access, "--slots", "1", "--memory", "1GiB"];
    sprague(&arguments).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn names(cluster: &Coordinator, state: &str) -> usize {
    let workers = cluster.ask(&["workers"])["workers"].clone();
    workers.as_array().unwrap().iter().filter(|worker| worker["state"] == state).count()
}

/// A copy of the coordinator's access file of that role.
fn copy(cluster: &Coordinator, role: &str, name: &str) -> String {
    let to = cluster.dir().join(name);
    std::fs::copy(cluster.dir().join(format!("{role}.access")), &to).unwrap();
    to.display().to_string()
}

#[test]
fn workers_with_an_old_secret_work_until_it_is_revoked_and_then_leave_for_good() {
    let mut cluster = Coordinator::start();
    let old = copy(&cluster, "worker", "old.access");
    let (code, answer) = cluster.try_ask(&["access", "revoke", "worker"]);
    assert!(
        code == 1 && answer["error"]["message"].as_str().unwrap().contains("rotate"),
        "{answer}"
    );
    cluster.ask(&["access", "rotate", "worker"]);

    // Both let in, also after a restart.
    cluster.kill_and_restart();
    let before = worker(&old);
    let mut after = worker(&copy(&cluster, "worker", "new.access"));
    wait_for("both workers", || (names(&cluster, "idle") == 2).then_some(()));

    assert_eq!(cluster.ask(&["access", "revoke", "worker"])["access"]["revoked"], 1);
    let ended = before.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("revoked") && said.contains("worker.access"), "{said}");
    assert!(!said.contains("trying again"), "{said}");
    wait_for("the other worker alone", || (names(&cluster, "idle") == 1).then_some(()));
    let job = cluster.submit(&["cram", "3x3"]);
    cluster.wait_state(&job, "done");
    assert_eq!(after.try_wait().unwrap(), None, "the new secret is not touched");
    after.kill().unwrap();
    after.wait().unwrap();

    // And it does not come in again.
    let refused = worker(&old).wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("secret"));
}

#[test]
fn a_worker_follows_its_coordinator_to_another_port() {
    let mut cluster = Coordinator::start();
    let mut worker = Process(worker(cluster.worker_access().to_str().unwrap()));
    wait_for("the worker", || (names(&cluster, "idle") == 1).then_some(()));
    let before = cluster.served()["address"].as_str().unwrap().to_owned();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    cluster.kill_and_move_to(&free.to_string());
    wait_for("the worker at the new port", || (names(&cluster, "idle") == 1).then_some(()));

    worker.terminate();
    let mut said = String::new();
    worker.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let told: Vec<_> = said.lines().filter(|line| line.contains("names another address")).collect();
    assert_eq!(told.len(), 1, "{said}");
    assert!(told[0].contains(&before) && told[0].contains(&free.to_string()), "{said}");
}

#[test]
fn a_coordinator_that_is_started_again_is_where_it_was_and_named_as_it_was() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listen = format!("0.0.0.0:{}", free.port());
    let advertise = format!("localhost:{}", free.port());
    let mut cluster = Coordinator::start_with(&["--listen", &listen, "--advertise", &advertise]);
    let access = std::fs::read_to_string(cluster.operator_access()).unwrap();
    assert!(access.contains(&advertise), "{access}");
    cluster.kill_and_restart_bare();
    assert_eq!(cluster.served()["address"], listen.as_str());
    assert_eq!(cluster.served()["advertised"], advertise.as_str());
    assert_eq!(std::fs::read_to_string(cluster.operator_access()).unwrap(), access);
    assert_eq!(cluster.ask(&["jobs"])["jobs"], serde_json::json!([]));

    // A `run` on its folder listens for itself, and leaves what is remembered as it is.
    cluster.process.kill();
    json_ok(&["run", "cram", "2x2", "--dir", cluster.dir().to_str().unwrap()]);
    cluster.kill_and_restart_bare();
    assert_eq!(cluster.served()["advertised"], advertise.as_str());
}

#[test]
fn operators_with_an_old_secret_are_sent_away_when_it_is_revoked() {
    let cluster = Coordinator::start();
    let job = cluster.submit(&["cram", "3x3"]);
    let old = copy(&cluster, "operator", "old.access");
    let new = cluster.dir().join("copy.access").display().to_string();
    json_ok(&["access", "rotate", "operator", "--access", &old, "--out", &new]);
    assert_eq!(std::fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read(&new).unwrap(), std::fs::read(cluster.operator_access()).unwrap());

    let arguments = ["job", "watch", &job, "--access", &old, "--output", "json"];
    let watcher = sprague(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (code, answer) = json(&["access", "revoke", "operator", "--access", &old]);
    assert_eq!(code, 1, "nobody locks himself out: {answer}");
    json_ok(&["jobs", "--access", &old]);

    json_ok(&["access", "revoke", "operator", "--access", &new]);
    let ended = watcher.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.code() == Some(2) && said.contains("\"access\""), "{said}");
    assert_eq!(json(&["jobs", "--access", &old]).0, 2);
}

#[test]
fn a_worker_cannot_change_who_may_enter() {
    let cluster = Coordinator::start();
    let forged = copy(&cluster, "worker", "forged.access");
    let text = std::fs::read_to_string(&forged).unwrap();
    std::fs::write(&forged, text.replace("\"worker\"", "\"operator\"")).unwrap();
    for verb in ["rotate", "revoke"] {
        let (code, answer) = json(&["access", verb, "worker", "--access", &forged]);
        assert_eq!((code, answer["error"]["code"].as_str()), (2, Some("access")), "{answer}");
    }
}

#[test]
fn a_lost_or_open_key_is_told_and_can_be_renewed() {
    let mut cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3"]);
    cluster.wait_state(&job, "done");
    let dir = cluster.dir().display().to_string();
    let (code, answer) = json(&["access", "renew", "--dir", &dir]);
    assert_eq!(code, 1, "it runs: {answer}");
    cluster.process.kill();

    let key = cluster.dir().join("coordinator.key");
    let serve = || json(&["serve", "--dir", &dir]);
    std::fs::set_permissions(&key, PermissionsExt::from_mode(0o644)).unwrap();
    let (code, answer) = serve();
    assert!(
        code == 1 && answer["error"]["hint"].as_str().unwrap().contains("chmod 600"),
        "{answer}"
    );
    std::fs::remove_file(&key).unwrap();
    let (code, answer) = serve();
    assert!(code == 1 && answer["error"]["hint"].as_str().unwrap().contains("renew"), "{answer}");
    assert!(!key.exists(), "none was made silently");

    let old = copy(&cluster, "operator", "old.access");
    json_ok(&["access", "renew", "--dir", &dir]);
    cluster.kill_and_restart();
    assert_eq!(cluster.job(&job)["state"], "done");
    let stranger = output(&["jobs", "--access", &old]);
    assert!(!stranger.status.success());
}

//! What a cluster tells of itself: figures, health, events, logs, why nothing runs.

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value as Json;
use sprague_proto::{Access, Role, connect};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::support::{Coordinator, Process, json, sprague, wait_for};

/// The head and the body of a page.
fn page(address: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

fn figure(page: &str, name: &str) -> f64 {
    let line = page.lines().find(|line| line.starts_with(&format!("{name} ")));
    line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn figures_and_health_are_served_on_loopback_and_nowhere_else() {
    let cluster = Coordinator::start_with(&["--metrics", "127.0.0.1:0"]);
    let address = cluster.served()["metrics"].as_str().unwrap().to_owned();
    let (head, body) = page(&address, "/healthz");
    assert!(head.starts_with("HTTP/1.1 200") && body == "ok\n", "{head}");
    let figure_now = |name: &str| figure(&page(&address, "/metrics").1, name);
    assert_eq!(figure_now("sprague_workers{state=\"present\"}"), 0.0);
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3..3x5"]);
    cluster.wait_state(&job, "done");
    let (head, body) = page(&address, "/metrics");
    assert!(head.to_lowercase().contains("content-type: text/plain; version=0.0.4"), "{head}");
    assert_eq!(figure(&body, "sprague_workers{state=\"present\"}"), 1.0);
    assert_eq!(figure(&body, "sprague_jobs{state=\"done\"}"), 1.0);
    assert_eq!(figure(&body, "sprague_units_done_total"), figure(&body, "sprague_leases_total"));
    assert!(figure(&body, "sprague_findings_total") >= 6.0, "{body}");
    assert!(figure(&body, "process_resident_memory_bytes") > 1e6, "{body}");
    assert!(page(&address, "/").0.starts_with("HTTP/1.1 404"));

    let other = tempfile::tempdir().unwrap();
    let dir = other.path().to_str().unwrap();
    let (code, answer) = json(&["serve", "--dir", dir, "--metrics", "0.0.0.0:0"]);
    assert!(code != 0 && answer["error"]["hint"].as_str().unwrap().contains("TLS"), "{answer}");
}

#[test]
fn health_is_told_to_anybody_and_the_contract_to_operators() {
    let cluster = Coordinator::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let operator = cluster.dir().join("operator.access");
        let operator = connect(&Access::read(&operator, Role::Operator).unwrap()).await.unwrap();
        let worker = Access::read(&cluster.worker_access(), Role::Worker).unwrap();
        let worker = connect(&worker).await.unwrap();
        let mut health = HealthClient::new(worker.clone());
        for service in ["", "sprague.v1.WorkerService", "sprague.v1.OperatorService"] {
            let request = HealthCheckRequest { service: service.to_owned() };
            let answer = health.check(request).await.unwrap().into_inner();
            assert_eq!(answer.status().as_str_name(), "SERVING", "{service}");
        }

        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let ask = |request| tokio_stream::once(request);
        let mut reflection = ServerReflectionClient::new(operator);
        let mut answers =
            reflection.server_reflection_info(ask(request.clone())).await.unwrap().into_inner();
        let answer = answers.message().await.unwrap().unwrap().message_response;
        let Some(MessageResponse::ListServicesResponse(services)) = answer else {
            panic!("{answer:?}")
        };
        let names: Vec<_> = services.service.iter().map(|service| service.name.as_str()).collect();
        assert!(names.contains(&"sprague.v1.OperatorService"), "{names:?}");
        let refused =
            ServerReflectionClient::new(worker).server_reflection_info(ask(request)).await;
        assert_eq!(refused.unwrap_err().code(), tonic::Code::PermissionDenied);
    });
}

#[test]
fn events_of_a_job_are_told_in_their_order_and_outlive_a_kill() {
    let mut cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3", "--method", "mex,couples"]);
    cluster.wait_state(&job, "done");
    let events = cluster.ask(&["events", &job]);
    let names: Vec<&str> =
        events["events"].as_array().unwrap().iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["submitted", "started", "found", "found", "ended"]);
    cluster.kill_and_restart();
    assert_eq!(cluster.ask(&["events", &job]), events);
    assert_eq!(cluster.try_ask(&["events", "99"]).0, 2);
}

#[test]
fn a_worker_that_dies_with_its_unit_is_an_event_that_names_both() {
    let cluster = Coordinator::start();
    let mut worker = cluster.worker("2GiB");
    let job = cluster.submit(&["cram", "4x11", "--method", "mex"]);
    wait_for("the unit to run", || cluster.job(&job)["running"].is_array().then_some(()));
    let workers = cluster.ask(&["workers"]);
    assert!(workers["workers"][0]["memory"].is_u64(), "{workers}");
    worker.kill();
    let event = wait_for("the event", || {
        let events = cluster.ask(&["events", &job]);
        events["events"].as_array().unwrap().iter().find(|e| e["event"] == "taken-away").cloned()
    });
    assert_eq!((&event["unit"], &event["attempt"]), (&0.into(), &1.into()), "{event}");
    assert_eq!(event["worker"], workers["workers"][0]["name"], "{event}");
    // And whoever watches is told why nothing runs.
    let job = cluster.job(&job);
    assert_eq!(job["idle"]["code"], "R1", "{job}");
}

/// The log of a process to its end. All of it is JSON and the program's own: the libraries below it are silent.
fn log_lines(log: &mut impl Read) -> Vec<Json> {
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        assert!(line["target"].as_str().unwrap().starts_with("sprague"), "{line}");
    }
    lines
}

#[test]
fn the_log_of_a_coordinator_names_the_worker_of_each_lease_and_is_json_to_its_end() {
    let mut cluster = Coordinator::start_telling(&["-v", "--log-format", "json"]);
    let mut log = cluster.process.0.stderr.take().unwrap();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3", "--method", "mex"]);
    cluster.wait_state(&job, "done");
    let name = cluster.ask(&["workers"])["workers"][0]["name"].clone();
    cluster.process.terminate();
    let lines = log_lines(&mut log);
    let message = |line: &Json, text: &str| line["fields"]["message"] == text;
    for text in ["leased", "its report is kept"] {
        let line = lines.iter().find(|line| message(line, text)).unwrap();
        let fields = &line["fields"];
        assert_eq!((&fields["worker"], &fields["number"]), (&name, &1.into()), "{line}");
        assert_eq!([&fields["job"], &fields["unit"], &fields["attempt"]], [&1, &0, &1], "{line}");
    }
    assert!(lines.iter().any(|line| message(line, "stopping; everything acknowledged is kept")));
}

#[test]
fn what_is_no_coordinator_is_told_as_such() {
    let cluster = Coordinator::start_with(&["--metrics", "127.0.0.1:0"]);
    let address = cluster.served()["metrics"].as_str().unwrap().to_owned();
    let text = std::fs::read_to_string(cluster.operator_access()).unwrap();
    let mut access: Json = serde_json::from_str(&text).unwrap();
    access["coordinator"] = address.into();
    let wrong = cluster.dir().join("wrong.access");
    sprague_proto::write_private(&wrong, access.to_string().as_bytes()).unwrap();
    let (code, answer) = json(&["workers", "--access", wrong.to_str().unwrap()]);
    assert_eq!(code, 1, "{answer}");
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("does not speak TLS"),
        "{answer}"
    );
}

#[test]
fn every_line_of_the_log_says_which_attempt_and_worker_it_is_about() {
    let cluster = Coordinator::start();
    let access = cluster.worker_access();
    let arguments = [
        "worker",
        "--access",
        access.to_str().unwrap(),
        "--slots",
        "1",
        "--memory",
        "1GiB",
        "--name",
        "ada",
        "--log-format",
        "json",
        "-v",
    ];
    let child = sprague(&arguments).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut worker = Process(child);
    let mut log = worker.0.stderr.take().unwrap();
    let job = cluster.submit(&["cram", "3x3", "--method", "mex"]);
    cluster.wait_state(&job, "done");
    worker.terminate();
    let lines = log_lines(&mut log);
    let field = |line: &Json, name: &str| {
        let spans = line["spans"].as_array().cloned().unwrap_or_default();
        spans.iter().map(|span| span[name].clone()).find(|value| !value.is_null())
    };
    for line in lines.iter().filter(|line| line["target"] != "sprague_worker::cgroup") {
        assert_eq!(field(line, "worker"), Some("ada".into()), "{line}");
    }
    let done = lines.iter().find(|line| line["fields"]["message"] == "done").unwrap();
    for (name, value) in [("job", 1), ("unit", 0), ("attempt", 1)] {
        assert_eq!(field(done, name), Some(value.into()), "{done}");
    }
    // Times are told to the millisecond.
    for time in ["seconds", "cpu_seconds"] {
        let told = done["fields"][time].to_string();
        assert!(told.split_once('.').is_none_or(|(_, digits)| digits.len() <= 3), "{done}");
    }
    let events = cluster.ask(&["events", &job]);
    let events = events["events"].as_array().unwrap();
    let found = events.iter().find(|event| event["event"] == "found").unwrap();
    assert_eq!(found["text"], "cram 3x3 has an answer by mex: nimber 0, outcome P", "{found}");
}

#[test]
fn a_log_that_cannot_be_written_stops_nobody() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let cluster = Coordinator::start_in(&["-v"], full());
    let access = cluster.worker_access();
    let words =
        ["worker", "--access", access.to_str().unwrap(), "--slots", "1", "--memory", "64MiB"];
    let _worker = Process(sprague(&words).stdin(Stdio::null()).stderr(full()).spawn().unwrap());
    let job = cluster.submit(&["cram", "3x3"]);
    cluster.wait_state(&job, "done");
    // Whoever mistypes finds nothing to read, and no panic.
    let status = sprague(&["jobs"]).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

//! A worker with a deliberately wrong method, against a real coordinator.
//!
//! The wrong worker is this very program: called as `worker ACCESS` it is a worker whose `couples`
//! always finds one more than is right, and called as `slot CAP PARENT` it is that worker's child.
//! So the wrong method exists in no binary but the tests'.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "cluster/support.rs"]
#[expect(dead_code, reason = "shared with the cluster tests, which use all of it")]
mod support;

use std::process::{ExitCode, Stdio};
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use serde_json::Value as Json;
use sprague_proto::{Access, Role};
use sprague_work::kinds::Cram;
use sprague_work::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method, Question,
    Registry, RunEnd, RunLimits, Table, Task, UnitInput, Value, Workplace,
};
use sprague_worker::{Shutdown, WorkerConfig};
use support::{Coordinator, Process};

/// Cram with a mistake in one method.
struct Wrong;

impl Kind for Wrong {
    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        let mut end = Cram.run(input, limits, workplace);
        if let RunEnd::Done(result) = &mut end
            && input.method.as_str() == "couples"
        {
            let mut fields = result.answer.fields().clone();
            let nimber = fields["nimber"].as_u64().unwrap_or_default() + 1;
            fields.insert("nimber".to_owned(), nimber.into());
            fields.insert("outcome".to_owned(), "N".into());
            result.answer = Answer::of(&fields);
        }
        end
    }

    fn name(&self) -> &'static str {
        Cram.name()
    }

    fn forms(&self) -> &'static [Form] {
        Cram.forms()
    }

    fn methods(&self) -> &'static [Method] {
        Cram.methods()
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        Cram.parse(words, options)
    }

    fn owns(&self, question: &Question) -> bool {
        Cram.owns(question)
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        Cram.driver(task)
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        Cram.compare(a, b)
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        Cram.combine(answers)
    }

    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check> {
        Cram.checks(question, answer)
    }

    fn table(&self, view: &str, values: &[Value]) -> Table {
        Cram.table(view, values)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let registry = Registry::new(vec![Arc::new(Wrong)]);
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["slot", cap, threads, parent] => {
            let numbers = [threads, parent].map(|number| number.parse().unwrap());
            sprague_worker::slot_main(registry, cap.parse().unwrap(), numbers[0], numbers[1])
        }
        ["worker", access] => wrong_worker(access, &registry),
        _ => {
            let trials = vec![
                Trial::test("a_wrong_method_disputes_its_value_and_stops_its_job", || {
                    a_wrong_method_disputes_its_value_and_stops_its_job();
                    Ok(())
                }),
                Trial::test("a_broken_theorem_is_a_dispute_with_one_method_alone", || {
                    a_broken_theorem_is_a_dispute_with_one_method_alone();
                    Ok(())
                }),
            ];
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}

fn wrong_worker(access: &str, registry: &Registry) -> ExitCode {
    let access = Access::read(access.as_ref(), Role::Worker).unwrap();
    let this = std::env::current_exe().unwrap();
    let config = WorkerConfig::new(access, vec![this.into(), "slot".into()]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(sprague_worker::run(config, registry, Shutdown::new())).unwrap();
    ExitCode::SUCCESS
}

fn start_wrong_worker(cluster: &Coordinator) -> Process {
    let this = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(this);
    command.arg("worker").arg(cluster.worker_access()).stdin(Stdio::null()).stderr(Stdio::null());
    Process(command.spawn().unwrap())
}

fn a_wrong_method_disputes_its_value_and_stops_its_job() {
    let cluster = Coordinator::start();
    let _worker = start_wrong_worker(&cluster);
    let job = cluster.submit(&["cram", "3x4..3x11", "--method", "mex,couples"]);
    let (code, watched) = cluster.try_ask(&["job", "watch", &job]);
    assert_eq!((code, watched["job"]["state"].as_str().unwrap()), (3, "disputed"));

    // Both findings stay, and the dispute says what contradicts what.
    let values = cluster.ask(&["values", "cram", "3x4"]);
    let value = &values["values"][0];
    assert_eq!(value["standing"], "disputed");
    let nimbers: Vec<&Json> =
        value["findings"].as_array().unwrap().iter().map(|finding| &finding["nimber"]).collect();
    assert_eq!(nimbers, [1, 2]);
    let note = value["disputes"][0].as_str().unwrap();
    assert!(note.contains("mex") && note.contains("couples"), "{note}");

    // The rest of the job was stopped.
    let open = watched["values"].as_array().unwrap().iter().filter(|v| v["standing"] == "open");
    assert!(open.count() > 0, "{watched}");

    // An export refuses, and can be told to go on.
    let (code, refusal) = cluster.try_ask(&["export", &job]);
    assert_eq!(code, 3, "{refusal}");
    assert!(refusal["error"]["message"].as_str().unwrap().contains("cram 3x4"), "{refusal}");
    let export = cluster.ask(&["export", &job, "--include-disputed"]);
    assert!(!export["values"].as_array().unwrap().is_empty());

    // A job on what is disputed does not begin; another one does.
    let (code, again) = cluster.try_ask(&["job", "watch", &cluster.submit(&["cram", "3x4"])]);
    assert_eq!((code, again["job"]["state"].as_str().unwrap()), (3, "disputed"));
    let other = cluster.submit(&["cram", "3x12", "--method", "outcome"]);
    assert_ne!(cluster.job(&other)["state"], "disputed");
}

fn a_broken_theorem_is_a_dispute_with_one_method_alone() {
    let cluster = Coordinator::start();
    let _worker = start_wrong_worker(&cluster);
    let job = cluster.submit(&["cram", "4x4", "--method", "couples"]);
    let (code, watched) = cluster.try_ask(&["job", "watch", &job]);
    assert_eq!(code, 3, "{watched}");
    let note = watched["values"][0]["disputes"][0].as_str().unwrap();
    assert!(note.contains("symmetry"), "{note}");
}

//! Every way in which a unit can end is told as what it is, and the worker lives through all.

use std::time::Duration;

use sprague_proto::v1;
use sprague_work::{Ending, MethodName, Report, UnitInput, UnitResult};
use sprague_worker::WorkerConfig;

use crate::coordinator::{Coordinator, Session, attempt};
use crate::mischief::{Told, Tools, unit};
use crate::support::{CAP, Worker, computes, config, exists, pid_in, runtime, tests, wait_until};

tests![
    an_answer_comes_with_its_cost,
    running_out_of_memory_is_told_with_the_cap_and_the_need,
    crashes_are_told_in_words,
    what_cannot_be_run_is_refused,
    the_peak_is_each_units_own,
    a_process_serves_one_job_until_something_happens_to_it,
    an_idle_process_is_let_go,
    a_cancelled_unit_ends_and_its_process_is_kept,
    a_unit_that_ignores_its_cancel_is_killed,
];

const MIB: u64 = 1 << 20;

fn with_session<F: AsyncFnOnce(Session)>(test: F) {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(Duration::from_secs(30)).await;
        let worker = Worker::start(config(coordinator.access.clone()));
        test(coordinator.session().await).await;
        worker.stop().await;
    });
}

fn told(report: &Report) -> Told {
    match &report.ending {
        Ending::Done(UnitResult { answer, .. }) => answer.read().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn crash(report: Report) -> String {
    match report.ending {
        Ending::Crashed { how } => how,
        other => panic!("{other:?}"),
    }
}

/// Runs units of one job one after the other.
struct Series {
    session: Session,
    units: u32,
}

impl Series {
    fn new(session: Session) -> Self {
        Self { session, units: 0 }
    }

    async fn run(&mut self, deed: &str, amount: u64) -> Report {
        self.run_in_job(1, deed, amount).await
    }

    async fn run_in_job(&mut self, job: u64, deed: &str, amount: u64) -> Report {
        self.units += 1;
        let tools = Tools { amount, file: None };
        self.session.run(attempt(job, self.units, 1), &unit(deed, &tools)).await
    }

    async fn answers(&mut self) {
        told(&self.run("answer", 0).await);
    }
}

fn an_answer_comes_with_its_cost() {
    with_session(async |session| {
        let report = Series::new(session).run("sleep", 50).await;
        assert!(told(&report).memory > CAP / 2 && told(&report).memory < CAP);
        assert!(report.usage.seconds >= 0.05, "{report:?}");
        assert!(report.usage.cpu_seconds < report.usage.seconds, "{report:?}");
        assert!(report.usage.peak_memory > 0 && report.usage.peak_memory < CAP, "{report:?}");
    });
}

fn running_out_of_memory_is_told_with_the_cap_and_the_need() {
    with_session(async |session| {
        let mut series = Series::new(session);
        let report = series.run("grow", 0).await;
        assert_eq!(report.ending, Ending::OutOfMemory { cap: CAP, needed: 2 * CAP });
        assert!(report.usage.peak_memory > 16 * MIB && report.usage.cpu_seconds > 0.0);
        series.answers().await;

        let report = series.run("unchecked-table", 1 << 40).await;
        assert_eq!(report.ending, Ending::OutOfMemory { cap: CAP, needed: 2 * CAP });
        series.answers().await;

        let report = series.run("table", 1 << 40).await;
        let Ending::OutOfMemory { cap: CAP, needed } = report.ending else { panic!("{report:?}") };
        assert!(needed > 1 << 40 && needed < (1 << 40) + (1 << 36), "{needed}");
        series.answers().await;

        // Just more than is left beside the stack and the program itself.
        let available = told(&series.run("answer", 0).await).memory;
        let report = series.run("table", available + 16 * MIB).await;
        let Ending::OutOfMemory { cap: CAP, needed } = report.ending else { panic!("{report:?}") };
        assert!(needed > CAP + 15 * MIB && needed < CAP + 18 * MIB, "{needed}");
        told(&series.run("table", available).await);
    });
}

fn crashes_are_told_in_words() {
    with_session(async |session| {
        let mut series = Series::new(session);
        for (deed, words) in [
            ("panic", "the ninth wave"),
            ("panic", "mischief.rs"),
            ("abort", "signal 6 (SIGABRT)"),
            ("overflow", "stack overflow"),
            ("exit", "exit code 3"),
            ("die", "signal 9 (SIGKILL)"),
            ("chatter", "unreadable"),
        ] {
            let report = series.run(deed, 0).await;
            assert!(report.usage.seconds > 0.0, "{report:?}");
            let how = crash(report);
            assert!(how.contains(words), "{deed}: {how}");
            series.answers().await;
        }
    });
}

fn what_cannot_be_run_is_refused() {
    with_session(async |mut session| {
        let good = unit("answer", &Tools::default());
        let unknown_method = UnitInput { method: MethodName::new("guess"), ..good.clone() };
        let not_json = v1::Unit { part: "{".to_owned(), ..whole(&good) };
        let unknown_question = v1::Unit { question: "chess e4".to_owned(), ..whole(&good) };
        let boast = unit("boast", &Tools { amount: 3 * MIB, file: None });
        let units = [whole(&unknown_method), not_json, unknown_question, whole(&boast)];
        let words = ["no method", "part is not JSON", "no kind", "cannot be sent"];
        for (unit, words) in units.into_iter().zip(words) {
            session.lease_as_it_is(unit).await;
            let (id, report) = session.report().await;
            let Ending::Refused { reason } = report.ending else { panic!("{report:?}") };
            assert!(reason.contains(words), "{reason}");
            session.acknowledge(id).await;
        }
    });
}

/// The first attempt at a unit of a job of its own.
fn whole(unit: &UnitInput) -> v1::Unit {
    let id = attempt(9, 0, 1);
    v1::Unit::new(id.unit_id(), id.attempt_number(), 0, unit)
}

fn the_peak_is_each_units_own() {
    with_session(async |session| {
        let mut series = Series::new(session);
        let before = series.run("answer", 0).await;
        let large = series.run("touch", 24 * MIB).await;
        let after = series.run("answer", 0).await;
        let [small, peak, again] = [&before, &large, &after].map(|it| it.usage.peak_memory);
        assert_eq!(told(&before).pid, told(&after).pid);
        assert!(peak >= small + 23 * MIB, "{small} {peak}");
        assert!(again < small + 4 * MIB, "{small} {again}");
    });
}

fn a_process_serves_one_job_until_something_happens_to_it() {
    with_session(async |session| {
        let mut series = Series::new(session);
        let first = told(&series.run_in_job(1, "answer", 0).await).pid;
        assert_eq!(told(&series.run_in_job(1, "answer", 0).await).pid, first);
        let second = told(&series.run_in_job(2, "answer", 0).await).pid;
        assert_ne!(second, first);
        assert!(!exists(first), "the process of the first job was not waited for");
        crash(series.run_in_job(2, "panic", 0).await);
        let third = told(&series.run_in_job(2, "answer", 0).await).pid;
        assert_ne!(third, second);
        series.run_in_job(2, "table", 1 << 40).await;
        assert_ne!(told(&series.run_in_job(2, "answer", 0).await).pid, third);
        assert!(!exists(second) && !exists(third));
    });
}

fn an_idle_process_is_let_go() {
    runtime().block_on(async {
        let mut coordinator = Coordinator::start(Duration::from_secs(30)).await;
        let idle_limit = Duration::from_millis(100);
        let config = WorkerConfig { idle_limit, ..config(coordinator.access.clone()) };
        let worker = Worker::start(config);
        let mut series = Series::new(coordinator.session().await);
        let pid = told(&series.run("answer", 0).await).pid;
        wait_until("the end of an idle process", || !exists(pid));
        series.answers().await;
        worker.stop().await;
    });
}

fn a_cancelled_unit_ends_and_its_process_is_kept() {
    with_session(async |mut session| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let id = attempt(1, 0, 1);
        session.lease(id, &unit("spin", &Tools { amount: 0, file: Some(file.clone()) })).await;
        let pid = tokio::task::spawn_blocking(move || pid_in(&file)).await.unwrap();
        session.cancel(id).await;
        let (ended, report) = session.report().await;
        assert_eq!((ended, &report.ending), (id, &Ending::Cancelled));
        assert!(report.usage.cpu_seconds > 0.0, "{report:?}");
        let next = session.run(attempt(1, 1, 1), &unit("answer", &Tools::default())).await;
        assert_eq!(told(&next).pid, pid);
    });
}

fn a_unit_that_ignores_its_cancel_is_killed() {
    with_session(async |mut session| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let tools = Tools { amount: 0, file: Some(file.clone()) };
        let id = attempt(1, 0, 1);
        session.lease(id, &unit("ignore-cancel", &tools)).await;
        let pid = tokio::task::spawn_blocking(move || pid_in(&file)).await.unwrap();
        assert!(computes(pid));
        session.cancel(id).await;
        session.cancel(id).await;
        let (ended, report) = session.report().await;
        assert_eq!((ended, &report.ending), (id, &Ending::Cancelled));
        assert!(report.usage.cpu_seconds > 0.0 && report.usage.peak_memory > 0, "{report:?}");
        assert!(!exists(pid), "the killed process was not waited for");
        told(&session.run(attempt(1, 1, 1), &unit("answer", &Tools::default())).await);
    });
}

//! A store with something of everything, for the tests of this folder.

use sprague_work::{
    Answer, Attempt, Dispute, Effort, Finding, JobId, JobOptions, JobState, MethodName, Question,
    Registry, UnitId, UnitResult, Usage,
};

use super::Store;
use crate::core::{DoneRecord, Event, Happening, JobRecord, JobTotals, UnitRecord, Write};

/// How many jobs, and how many units of each.
const JOBS: u64 = 5;
const UNITS: u32 = 40;

/// Fills a new store with jobs, units with and without results and notes, findings, a dispute, a need.
pub(super) fn fill(store: &Store) {
    for job in 1..=JOBS {
        let mut batch = vec![Write::Job(job_record(job))];
        batch.extend((0..UNITS).map(|number| unit(job, number)));
        batch.push(Write::Finding(finding(job)));
        batch.push(Write::Event(JobId(job), 0, started()));
        store.commit(&batch).unwrap();
    }
    let question = Question::new("cram 3x3").unwrap();
    let dispute = Dispute { question, note: "1 against 2".into(), when: "then".into() };
    store
        .commit(&[
            Write::Dispute(dispute),
            Write::Drained("one".into(), 1),
            Write::LastWorker(17),
            Write::Distrust("liar".into(), "outvoted".into()),
            Write::Need("mex".into(), 7 << 30),
        ])
        .unwrap();
}

/// Adds much and takes it away again, which leaves the file larger than what it holds.
pub(super) fn churn(store: &Store) {
    for job in JOBS + 1..JOBS + 11 {
        store.commit(&[Write::Job(job_record(job))]).unwrap();
        store.commit(&(0..500).map(|number| unit(job, number)).collect::<Vec<_>>()).unwrap();
    }
    for job in JOBS + 1..JOBS + 11 {
        store.commit(&[Write::DropUnits(JobId(job))]).unwrap();
    }
}

/// One more finding.
pub(super) fn finding(number: u64) -> Finding {
    Finding {
        question: Question::new(format!("cram 3x{}", number + 2)).unwrap(),
        method: MethodName::new("mex"),
        effort: Effort { seconds: 0.1 + number as f64, ..Effort::default() },
        answer: Answer::default(),
        fingerprint: format!("{number:016x}"),
        workers: vec!["worker-1".into()],
        when: "2026-01-02T03:04:05Z".into(),
        version: "0.1.0".into(),
    }
}

fn started() -> Event {
    Event { when: "2026-01-02T03:04:05Z".into(), what: Happening::Started }
}

fn job_record(number: u64) -> JobRecord {
    let words = ["cram".to_owned(), format!("3x{}", number + 2)];
    JobRecord {
        id: JobId(number),
        spec: Registry::standard().parse(&words, &JobOptions::default()).unwrap(),
        state: JobState::Stopped,
        reason: Some("its budget is used up".into()),
        submitted: "2026-01-02T03:04:05Z".into(),
        milliseconds: 1234,
        budget_from: 0,
        tasks_done: 0,
        units_reserved: 0,
        totals: JobTotals::default(),
    }
}

pub(super) fn unit(job: u64, number: u32) -> Write {
    let done = (number % 2 == 1).then(|| DoneRecord {
        attempt: Attempt(1),
        worker: "worker-1".into(),
        result: UnitResult {
            answer: Answer::default(),
            fingerprint: u64::MAX - u64::from(number),
            entries: 3,
            expansions: 4,
            notes: (0..=255).cycle().take(600).collect(),
        },
        usage: Usage { seconds: 0.3, cpu_seconds: 0.1 + 0.2, peak_memory: 1 << 30 },
        merged: u64::from(number),
    });
    let record = UnitRecord { done, ..UnitRecord::leased(Attempt(1)) };
    Write::Unit(UnitId { job: JobId(job), number }, record)
}

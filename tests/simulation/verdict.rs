//! What must hold of every run when it is over.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sprague_coordinator::store::Reader;
use sprague_work::{
    Answer, Ending, Finding, JobOptions, MethodName, Planning, Question, Registry, Standing, Task,
    UnitInput,
};

use crate::bench::compute_alone;
use crate::cluster::JOBS;
use crate::log::{Line, lines};

/// What an undisturbed run finds of a task: nobody leases, loses or repeats anything.
#[derive(Debug, PartialEq)]
struct Undisturbed {
    answer: Answer,
    fingerprint: String,
    units: u64,
    expansions: u64,
}

/// Follows a task's driver from its first part to its conclusion, by the task's kind.
fn undisturbed(registry: &Registry, task: &Task) -> Undisturbed {
    let kind = registry.kind_of(&task.question).unwrap();
    let mut driver = kind.driver(task).unwrap();
    let (mut units, mut expansions) = (0, 0);
    let conclusion = loop {
        if let Some(conclusion) = driver.conclude() {
            break conclusion;
        }
        let part = driver.next().unwrap();
        let Task { question, method } = task.clone();
        let input = UnitInput { question, method, part: part.clone() };
        let Ending::Done(result) = compute_alone(registry, &input) else { unreachable!() };
        driver.absorb(&part, &result).unwrap();
        (units, expansions) = (units + 1, expansions + result.expansions);
    };
    let fingerprint = format!("{:016x}", conclusion.fingerprint);
    Undisturbed { answer: conclusion.answer, fingerprint, units, expansions }
}

/// What the cluster found of a task.
fn found(finding: &Finding) -> Undisturbed {
    Undisturbed {
        answer: finding.answer.clone(),
        fingerprint: finding.fingerprint.clone(),
        units: finding.effort.units,
        expansions: finding.effort.expansions,
    }
}

/// The store holds what an undisturbed run finds, each finding once and each unit counted once.
fn nothing_is_lost_or_counted_twice(folder: &Path) {
    let registry = Registry::standard();
    let snapshot = Reader::open(&folder.join("store.redb")).unwrap().snapshot().unwrap();
    assert_eq!(snapshot.disputes, []);
    let mut findings: BTreeMap<(Question, MethodName), &Finding> = BTreeMap::new();
    for finding in &snapshot.findings {
        let task = (finding.question.clone(), finding.method.clone());
        assert!(findings.insert(task, finding).is_none(), "found twice: {finding:?}");
    }
    for words in JOBS {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let spec = registry.parse(&words, &JobOptions::default()).unwrap();
        for task in &spec.tasks {
            let finding = findings.remove(&(task.question.clone(), task.method.clone())).unwrap();
            let kind = registry.kind_of(&task.question).unwrap();
            // What is planned on demand takes other units each time. That its answer is right is in the standing.
            if kind.driver(task).unwrap().planning() == Planning::Ahead {
                assert_eq!(found(finding), undisturbed(&registry, task), "{task:?}");
            }
        }
    }
    assert!(findings.is_empty(), "nobody asked for {findings:?}");
    assert!(snapshot.values(&registry).iter().all(|value| value.standing == Standing::Confirmed));
}

/// What the log says of leases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leases {
    pub(crate) leased: usize,
    pub(crate) acknowledged: usize,
    pub(crate) compared: usize,
}

/// Attempts of a unit only grow, over all lives of the coordinator, and a unit is not leased again once its result
/// counted and that was told.
fn leases_are_in_order(log: &str) -> Leases {
    let mut leases = Leases::default();
    let mut last: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    // What counts in this life of the coordinator, and may yet be lost with it.
    let mut counts = BTreeSet::new();
    let mut done = BTreeSet::new();
    for Line { message, unit, attempt } in lines(log) {
        match message.as_str() {
            "listening" => counts.clear(),
            "leased" => {
                leases.leased += 1;
                let before = last.insert(unit, attempt).unwrap_or(0);
                assert!(attempt > before, "attempt {attempt} of {unit:?} after {before}");
                assert!(!done.contains(&unit), "{unit:?} was done and is leased again");
            }
            "counts" => {
                counts.insert((unit, attempt));
            }
            // Only said once it is in the store.
            "its report is kept" if counts.contains(&(unit, attempt)) => {
                done.insert(unit);
            }
            "acknowledged" => leases.acknowledged += 1,
            "a late report agrees with the one that counts" => leases.compared += 1,
            _ => {}
        }
    }
    leases
}

/// Judges a run that has come to its end.
pub(crate) fn judge(folder: &Path, log: &str) -> Leases {
    nothing_is_lost_or_counted_twice(folder);
    leases_are_in_order(log)
}

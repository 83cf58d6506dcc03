//! What the kind makes of words and of sweeps.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::kinds::GeographySweep;
use crate::{Effort, Finding, NoMail, Standing};

fn parse(words: &str) -> Result<JobSpec, JobError> {
    let words: Vec<String> =
        format!("{NAME} {words}").split_whitespace().map(str::to_owned).collect();
    GeographyCover.parse(&words, &JobOptions::default()).unwrap()
}

fn methods(words: &str) -> Vec<String> {
    let job = parse(words).unwrap();
    let own = job.tasks.iter().filter(|task| GeographyCover.owns(&task.question));
    own.map(|task| task.method.to_string()).collect()
}

/// Does a task in one go, its needs first.
fn finding(kind: &dyn Kind, task: &Task, known: &mut BTreeMap<String, Finding>) -> Finding {
    let key = format!("{} by {}", task.question, task.method);
    if let Some(finding) = known.get(&key) {
        return finding.clone();
    }
    let needs: Vec<Finding> =
        kind.needs(task).iter().map(|need| finding(&GeographySweep, need, known)).collect();
    let mut driver = kind.driver(task).unwrap();
    driver.learn(&needs.iter().collect::<Vec<_>>());
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = RunLimits { memory: 1 << 28, cancel: &cancel, progress: &progress, threads: 1 };
    while let Some(part) = driver.next() {
        let input = UnitInput {
            question: task.question.clone(),
            method: task.method.clone(),
            part: part.clone(),
        };
        let mut workplace = Workplace { kept: &mut None, mail: &NoMail };
        match kind.run(&input, &limits, &mut workplace) {
            RunEnd::Done(result) => driver.absorb(&part, &result).unwrap(),
            other => panic!("{other:?}"),
        }
    }
    let finding = Finding {
        question: task.question.clone(),
        method: task.method.clone(),
        effort: Effort::default(),
        answer: driver.conclude().expect("all parts are done").answer,
        fingerprint: String::new(),
        workers: Vec::new(),
        when: String::new(),
        version: String::new(),
    };
    known.insert(key, finding.clone());
    finding
}

#[test]
fn the_methods_that_answer_within_seconds_are_the_usual_ones() {
    assert_eq!(methods("--value 6 --vertices 11"), [BOUND, SWEEPS]);
    assert_eq!(methods("--value 7 --vertices 13"), [BOUND]);
    assert_eq!(methods("--value 8 --vertices 15"), [BOUND]);
    assert_eq!(methods("--value 4 --vertices 8"), [GROWTH, SWEEPS]);
    assert_eq!(methods("--value 6 --vertices 12"), [GROWTH]);
    assert_eq!(methods("--value 9 --vertices 40"), [GROWTH]);
}

#[test]
fn the_job_has_the_sweeps_that_it_needs() {
    let job = parse("--value 6 --vertices 11").unwrap();
    let sweeps = job.tasks.iter().filter(|task| !GeographyCover.owns(&task.question));
    let sweeps: Vec<String> =
        sweeps.map(|task| format!("{} {}", task.question, task.method)).collect();
    assert_eq!(sweeps.len(), 10);
    assert_eq!(sweeps[9], "geography sweep 10 table");
}

#[test]
fn what_cannot_be_meant_is_told() {
    for (words, part) in [
        ("--value 6", "--vertices"),
        ("--value 13 --vertices 26", "out of reach"),
        ("--value 6 --vertices 0", "vertices"),
        ("--value 6 --vertices 12 --seed 3", "--seed"),
    ] {
        let fault = parse(words).unwrap_err().to_string();
        assert!(fault.contains(part), "{words}: {fault}");
    }
    let options = JobOptions { methods: vec![MethodName::new(GROWTH)], ..JobOptions::default() };
    let words = ["geography", "cover", "--value", "6", "--vertices", "11"].map(str::to_owned);
    let refused = GeographyCover.parse(&words, &options).unwrap();
    assert!(matches!(refused, Err(JobError::Unfit { .. })), "{refused:?}");
}

#[test]
fn sweeps_the_bound_and_growth_agree_wherever_they_answer() {
    let mut known = BTreeMap::new();
    for order in 1..=8 {
        for value in 0..=5 {
            let job = parse(&format!("--value {value} --vertices {order}")).unwrap();
            let own = job.tasks.iter().filter(|task| GeographyCover.owns(&task.question));
            let answers: Vec<CoverAnswer> = own
                .map(|task| finding(&GeographyCover, task, &mut known).answer.read().unwrap())
                .collect();
            assert_eq!(answers.len(), 2, "*{value} on {order}");
            for answer in answers {
                assert_eq!(answer.exists, 2 * value <= order, "*{value} on {order}: {answer:?}");
                assert_eq!(answer.fault(value, order), None);
            }
        }
    }
}

/// The lemma used twice, on sweeps to 7 vertices as it is used on sweeps to 11: no graph on 9 vertices has a start of
/// value *5.
#[test]
fn the_lemma_twice_says_what_the_bound_says() {
    let mut known = BTreeMap::new();
    let sweeps: Vec<Finding> =
        (1..=7).map(|order| finding(&GeographySweep, &table_task(order), &mut known)).collect();
    let mut driver = FromSweeps::new(5, 9);
    driver.learn(&sweeps.iter().collect::<Vec<_>>());
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 28, cancel: &cancel, progress: &progress };
    while let Some(part) = driver.next() {
        let answer = part.read::<CoverPart>().unwrap().answer(5, 9, &limits).unwrap();
        assert!(answer.examined > 0);
        let result = UnitResult {
            answer: Answer::of(&answer),
            fingerprint: 0,
            entries: 0,
            expansions: 0,
            notes: Vec::new(),
        };
        driver.absorb(&part, &result).unwrap();
    }
    let answer: CoverAnswer = driver.conclude().unwrap().answer.read().unwrap();
    assert!(!answer.exists && answer.argument.contains("covering lemma"), "{answer:?}");
}

#[test]
fn a_sweep_that_lists_too_few_graphs_is_not_relied_on() {
    let mut known = BTreeMap::new();
    let mut sweeps: Vec<Finding> =
        (1..=7).map(|order| finding(&GeographySweep, &table_task(order), &mut known)).collect();
    let mut fields = sweeps[6].answer.fields().clone();
    fields["full_graphs"].as_array_mut().unwrap().pop();
    sweeps[6].answer = Answer::of(&fields);
    let mut driver = FromSweeps::new(5, 9);
    driver.learn(&sweeps.iter().collect::<Vec<_>>());
    let part = driver.next().unwrap().read::<CoverPart>().unwrap();
    assert!(matches!(part, CoverPart::Wanting(_)), "{part:?}");
}

#[test]
fn what_the_bound_says_alone_comes_with_the_way_to_have_it_confirmed() {
    let mut known = BTreeMap::new();
    for (words, offered) in [("--value 7 --vertices 13", true), ("--value 8 --vertices 15", false)]
    {
        let job = parse(words).unwrap();
        let found = finding(&GeographyCover, &job.tasks[0], &mut known);
        let value = Value {
            question: found.question.clone(),
            answer: found.answer.clone(),
            standing: Standing::Single,
            findings: vec![found],
            checks: Vec::new(),
            disputes: Vec::new(),
        };
        let notes = covers_table(&[value]).notes;
        assert!(notes[0].contains("maximum matching"), "{notes:?}");
        assert_eq!(notes.iter().any(|note| note.contains("--method bound,sweeps")), offered);
    }
}

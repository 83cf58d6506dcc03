//! What the kind makes of words and walks.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::{NoMail, Part};
use proptest::prelude::*;

fn parse(words: &str) -> Result<JobSpec, JobError> {
    let words: Vec<String> =
        format!("{NAME} {words}").split_whitespace().map(str::to_owned).collect();
    GeographySearch.parse(&words, &JobOptions::default()).unwrap()
}

fn task(words: &str) -> Task {
    parse(words).unwrap().tasks.remove(0)
}

fn run(task: &Task, part: &Part) -> UnitResult {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = RunLimits { memory: 1 << 28, cancel: &cancel, progress: &progress, threads: 1 };
    let input = UnitInput {
        question: task.question.clone(),
        method: task.method.clone(),
        part: part.clone(),
    };
    let mut workplace = Workplace { kept: &mut None, mail: &NoMail };
    match GeographySearch.run(&input, &limits, &mut workplace) {
        RunEnd::Done(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_question_is_the_same_in_whichever_order_its_flags_were_typed() {
    let asked = task("--bipartite --vertices 12 --seed 1 --value 4").question;
    assert_eq!(asked.as_str(), "geography search --value 4 --vertices 12 --bipartite");
    assert!(GeographySearch.owns(&asked));
    assert_eq!(task("--value 4 --vertices 12 --bipartite").question, asked);
    assert_ne!(task("--value 4 --vertices 12 --bipartite --seed 2").question, asked);
}

#[test]
fn what_cannot_be_meant_is_told() {
    for (words, part) in [
        ("--value 6", "--vertices"),
        ("--value 6 --vertices 11", "12 vertices"),
        ("--value 0 --vertices 3", "no search"),
        ("--value 6 --vertices 12 --max-degree 5", "degree"),
        ("--value 6 --vertices 30", "24"),
        ("--value 6 --vertices 12 --all", "--budget"),
        ("--value 6 --vertices 12 --speed 3", "--speed"),
        ("--value six --vertices 12", "six"),
    ] {
        let fault = parse(words).unwrap_err().to_string();
        assert!(fault.contains(part), "{words}: {fault}");
    }
}

/// Absorbs the walks of a search in some order, until it is over; returns what it concludes.
fn answer(words: &str, order: impl Fn(usize) -> usize) -> SearchAnswer {
    let task = task(words);
    let mut driver = GeographySearch.driver(&task).unwrap();
    let mut open: Vec<Part> = Vec::new();
    loop {
        while open.len() < 4 {
            let Some(part) = driver.next() else { break };
            open.push(part);
        }
        let part = open.remove(order(open.len()));
        driver.absorb(&part, &run(&task, &part)).unwrap();
        if let Some(conclusion) = driver.conclude() {
            return conclusion.answer.read().unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_answer_does_not_depend_on_the_order_in_which_walks_end(seed in 0_u64..1000, pick: usize) {
        // Two evaluations a walk or so: most walks have no hit.
        let words = format!("--value 3 --vertices 6 --bipartite --evaluations 200000 --seed {seed}");
        let first = answer(&words, |_| 0);
        prop_assert_eq!(answer(&words, |open| pick % open), first);
    }
}

#[test]
fn a_hit_certifies_and_no_hit_does_not() {
    let (method, found) = (&METHODS[0], answer("--value 4 --vertices 8", |_| 0));
    assert_eq!((found.hits.len(), found.hits[0].value), (1, 4));
    assert!(found.hits[0].dot.starts_with("graph"));
    assert!(GeographySearch.certifies(method, &Answer::of(&found)));
    let nothing = answer("--value 4 --vertices 8 --bipartite --evaluations 100", |_| 0);
    assert_eq!((nothing.hits.len(), nothing.walks, nothing.evaluations), (0, 1, 100));
    assert!(!GeographySearch.certifies(method, &Answer::of(&nothing)));
}

#[test]
fn all_hits_are_different_graphs() {
    let answer = answer("--value 3 --vertices 6 --evaluations 2000000 --all", |_| 0);
    let classes: std::collections::BTreeSet<&str> =
        answer.hits.iter().map(|hit| hit.class.as_str()).collect();
    assert_eq!(classes.len(), answer.hits.len());
    assert!(answer.walks > 1 && !answer.hits.is_empty());
}

#[test]
fn when_the_budget_is_used_up_what_was_found_is_the_answer() {
    let task = task("--value 4 --vertices 8");
    let mut driver = GeographySearch.driver(&task).unwrap();
    let nothing: SearchAnswer = driver.settle().unwrap().answer.read().unwrap();
    assert_eq!(nothing, SearchAnswer::default());
    // The walk before it is still at work.
    let (_, second) = (driver.next().unwrap(), driver.next().unwrap());
    driver.absorb(&second, &run(&task, &second)).unwrap();
    assert!(driver.conclude().is_none());
    let settled: SearchAnswer = driver.settle().unwrap().answer.read().unwrap();
    assert_eq!((settled.walks, settled.hits.len()), (1, 1));
}

#[test]
fn a_graph_that_is_not_what_was_looked_for_is_a_contradiction() {
    let task = task("--value 4 --vertices 8");
    let mut driver = GeographySearch.driver(&task).unwrap();
    let part = driver.next().unwrap();
    let mut result = run(&task, &part);
    let mut answer: SearchAnswer = result.answer.read().unwrap();
    // A path of eight vertices and one that is isolated: the other one is lost.
    answer.hits[0].graph6 = "H????A?".to_owned();
    result.answer = Answer::of(&answer);
    assert!(driver.absorb(&part, &result).is_err());
}

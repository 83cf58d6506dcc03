//! What the kind makes of words, sets and restarts.

use super::answer::{Sample, SampleAnswer, set_name, set_of};
use super::*;
use crate::Part;
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_set_of_values_survives_its_name(set in 1u32..) {
        prop_assert_eq!(set_of(&set_name(set)), Ok(set));
    }
}

#[test]
fn sizes_out_of_reach_are_refused() {
    let options = JobOptions::default();
    let fault = |word: &str| {
        let words = ["geography", "sweep", word].map(str::to_owned);
        GeographySweep.parse(&words, &options).unwrap().unwrap_err()
    };
    for word in ["0", "x", "-1", "99999999999999999999"] {
        assert!(matches!(fault(word), JobError::Number { .. }), "{word}");
    }
    for word in ["12", "256", "267", "99999999999"] {
        assert!(fault(word).to_string().contains("the most are 11"), "{word}");
    }
    assert!(matches!(fault("--value"), JobError::Flag { .. }));
}

#[test]
fn a_driver_goes_on_where_it_was() {
    let task = Task { question: question(8), method: MethodName::new("table") };
    let mut first = GeographySweep.driver(&task).unwrap();
    let parts: Vec<Part> = std::iter::from_fn(|| first.next()).collect();
    let mut second = GeographySweep.driver(&task).unwrap();
    second.replan(&parts[0]);
    assert_eq!(second.next().as_ref(), parts.get(1));
    assert_eq!(second.total(), Some(parts.len() as u64));
}

fn driver(vertices: u8, method: &str) -> Box<dyn Driver> {
    let task = Task { question: question(vertices), method: MethodName::new(method) };
    GeographySweep.driver(&task).unwrap()
}

#[test]
fn the_sample_is_about_a_hundredth_of_the_slices_of_the_table() {
    let parts = |method| {
        let mut driver = driver(11, method);
        let total = driver.total();
        let parts: Vec<Part> = std::iter::from_fn(|| driver.next()).collect();
        assert_eq!(total, Some(parts.len() as u64), "{method}");
        parts
    };
    let (all, sample) = (parts("table"), parts(SAMPLE));
    assert!((20..=80).contains(&sample.len()), "{}", sample.len());
    assert!(sample.iter().all(|part| all.contains(part)));
}

#[test]
fn only_a_sweep_that_takes_days_otherwise_is_sampled() {
    let options = JobOptions::default();
    let methods = |vertices: &str| {
        let words = ["geography", "sweep", vertices].map(str::to_owned);
        let job = GeographySweep.parse(&words, &options).unwrap().unwrap();
        job.tasks.into_iter().map(|task| task.method.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(methods("10"), ["table", "recursion", "matching"]);
    assert_eq!(methods("11"), ["table", SAMPLE]);
    let options = JobOptions { methods: vec![MethodName::new(SAMPLE)], ..options };
    let words = ["geography", "sweep", "10"].map(str::to_owned);
    let refused = GeographySweep.parse(&words, &options).unwrap();
    assert!(matches!(refused, Err(JobError::Unfit { .. })), "{refused:?}");
}

#[test]
fn a_sample_contradicts_a_whole_or_leaves_it_open_but_confirms_it_never() {
    let report = sweep::Report { graphs: 7, fingerprint: 1, ..sweep::Report::default() };
    let other = sweep::Report { fingerprint: 2, ..report.clone() };
    let alone =
        |report| Answer::of(&SampleAnswer { vertices: 11, sample: Sample::new(3, 300, report) });
    let whole = Answer::of(&SweepAnswer {
        sample: Some(Sample::new(3, 300, &report)),
        ..SweepAnswer::new(11, &report)
    });
    let outcomes = Answer::of(&SweepAnswer::new(11, &sweep::Report::default()));
    let compare = |a: &Answer, b: &Answer| {
        assert_eq!(GeographySweep.compare(a, b), GeographySweep.compare(b, a));
        GeographySweep.compare(a, b)
    };
    assert_eq!(compare(&whole, &alone(&report)), Agreement::Compatible);
    assert_eq!(compare(&whole, &alone(&other)), Agreement::Contradicts);
    assert_eq!(compare(&alone(&report), &alone(&report)), Agreement::Confirms);
    assert_eq!(compare(&alone(&report), &alone(&other)), Agreement::Contradicts);
    assert_eq!(compare(&outcomes, &alone(&report)), Agreement::Compatible);
    assert_eq!(GeographySweep.combine(&[&alone(&report), &whole]), whole);
}

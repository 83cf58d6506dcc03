//! What the kind makes of words and answers. The searches are tested where they are.

use super::*;
use crate::{Effort, Finding, NoMail, Part, Registry, Standing, judge};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn answer(nimber: Option<u64>, outcome: &str) -> Answer {
    Answer::of(&CramAnswer { nimber, outcome: outcome.to_owned() })
}

fn finding(method: &str, answer: Answer) -> Finding {
    Finding {
        question: Question::new("cram 3x14").unwrap(),
        method: MethodName::new(method),
        effort: Effort::default(),
        answer,
        fingerprint: String::new(),
        workers: Vec::new(),
        when: String::new(),
        version: String::new(),
    }
}

fn standing(findings: &[Finding]) -> Standing {
    judge(&Cram, &Question::new("cram 3x14").unwrap(), findings, &[]).standing
}

#[test]
fn costs_are_explained_where_a_method_has_any() {
    let question = Question::new("cram 3x14").unwrap();
    let open = judge(&Cram, &question, &[], &[]);
    assert!(Cram.table("boards", &[open]).notes.is_empty());

    let found = judge(&Cram, &question, &[finding("mex", answer(Some(1), "N"))], &[]);
    let notes = Cram.table("boards", &[found]).notes;
    assert!(notes.iter().any(|note| note.contains("entries in its table")), "{notes:?}");
}

#[test]
fn a_job_asks_every_board_by_every_method() {
    let options = JobOptions { methods: vec![MethodName::new("mex")], ..JobOptions::default() };
    let job = Registry::standard().parse(&words("cram 3x3..3x5 4x3"), &options).unwrap();
    let questions: Vec<_> = job.questions().map(Question::as_str).collect();
    assert_eq!(questions, ["cram 3x3", "cram 3x4", "cram 3x5"]);
    assert_eq!((job.tasks.len(), job.view.as_str()), (3, "boards"));
}

#[test]
fn the_ablation_asks_every_board_by_the_compared_methods_and_by_every_variant_of_the_engine() {
    let job = Registry::standard().parse(&words("cram ablation 3x3 3x4"), &JobOptions::default());
    let job = job.unwrap();
    let methods: Vec<_> = job.tasks.iter().map(|task| task.method.as_str()).collect();
    assert_eq!(methods[..4], ["mex", "outcome", "couples", "one-search"]);
    assert_eq!((methods.len(), job.view.as_str()), (20, "ablation"));
    for method in &methods {
        assert!(Cram.method(&MethodName::new(*method)).is_some(), "{method}");
    }
}

#[test]
fn a_variant_differs_from_the_engine_in_its_switch_and_not_in_its_answer() {
    let run = |method: &str| {
        let input = UnitInput {
            question: Question::new("cram 3x8").unwrap(),
            method: MethodName::new(method),
            part: Part::default(),
        };
        let limits =
            RunLimits { memory: 1 << 26, cancel: &false.into(), progress: &0.into(), threads: 1 };
        let mut workplace = Workplace { kept: &mut None, mail: &NoMail };
        match Cram.run(&input, &limits, &mut workplace) {
            RunEnd::Done(result) => (result.answer, result.expansions),
            end => panic!("{method}: {end:?}"),
        }
    };
    let (answer, expansions) = run("one-search");
    let variants = METHODS.iter().filter(|method| method.rests_on == ["proof-number"]).skip(2);
    assert_eq!(variants.clone().count(), 6);
    let mut differ = 0;
    for variant in variants {
        let (by_variant, needed) = run(variant.name);
        assert_eq!(by_variant, answer, "{}", variant.name);
        differ += u32::from(needed != expansions);
    }
    assert!(differ >= 4);
}

#[test]
fn the_ablation_says_what_a_switch_saves_as_a_geometric_mean() {
    let value = |board: &str, engine, variant| {
        let findings =
            [("one-search", engine), ("without-star", variant)].map(|(method, expansions)| {
                Finding {
                    effort: Effort { expansions, ..Effort::default() },
                    ..finding(method, answer(Some(1), "N"))
                }
            });
        judge(&Cram, &Question::new(board).unwrap(), &findings, &[])
    };
    // Twice and eight times as many: four times in the mean.
    let table = Cram.table("ablation", &[value("cram 3x4", 10, 20), value("cram 3x5", 10, 80)]);
    let note = table.notes.last().unwrap();
    assert!(note.ends_with(": without-star 4.00"), "{note}");
}

#[test]
fn unknown_methods_and_words_are_refused() {
    let registry = Registry::standard();
    let options = JobOptions { methods: vec![MethodName::new("magic")], ..JobOptions::default() };
    let parse = |text: &str, options: &JobOptions| registry.parse(&words(text), options);
    assert!(matches!(parse("cram 3x3", &options), Err(JobError::Method { .. })));
    assert!(matches!(parse("cram ablation 3x3", &options), Err(JobError::FixedMethods(_))));
    assert!(matches!(parse("cram", &JobOptions::default()), Err(JobError::Lacks { .. })));
    assert!(matches!(parse("chess 8x8", &JobOptions::default()), Err(JobError::Unknown { .. })));
}

#[test]
fn brute_force_is_refused_beyond_its_reach() {
    let methods = vec![MethodName::new("brute-force")];
    let options = JobOptions { methods, ..JobOptions::default() };
    let parse = |text: &str| Registry::standard().parse(&words(text), &options);
    assert!(parse("cram 4x6").is_ok());
    assert!(matches!(parse("cram 4x6 5x5"), Err(JobError::Unfit { .. })));
}

#[test]
fn two_independent_nimbers_confirm() {
    let three = || answer(Some(3), "N");
    assert_eq!(standing(&[]), Standing::Open);
    assert_eq!(standing(&[finding("mex", three())]), Standing::Single);
    assert_eq!(standing(&[finding("mex", three()), finding("mex", three())]), Standing::Single);
    assert_eq!(
        standing(&[finding("mex", three()), finding("couples", three())]),
        Standing::Confirmed
    );
}

#[test]
fn an_outcome_confirms_zero_and_nothing_else() {
    let outcome = |letter| finding("outcome", answer(None, letter));
    let nimber = |nimber| finding("mex", answer(Some(nimber), if nimber == 0 { "P" } else { "N" }));
    let board = Question::new("cram 5x5").unwrap();
    let standing = |findings: &[Finding]| judge(&Cram, &board, findings, &[]).standing;
    assert_eq!(standing(&[nimber(0), outcome("P")]), Standing::Confirmed);
    assert_eq!(standing(&[nimber(3), outcome("N")]), Standing::Single);
    assert_eq!(standing(&[nimber(3), outcome("P")]), Standing::Disputed);
    assert_eq!(standing(&[nimber(0), outcome("N")]), Standing::Disputed);
}

#[test]
fn a_broken_theorem_disputes_and_a_differing_publication_only_shows() {
    let board = |text: &str| Question::new(text).unwrap();
    let both = |nimber| {
        let answer = || answer(Some(nimber), if nimber == 0 { "P" } else { "N" });
        [finding("mex", answer()), finding("couples", answer())]
    };
    // Even by even is 0.
    assert_eq!(judge(&Cram, &board("cram 4x4"), &both(2), &[]).standing, Standing::Disputed);
    // The published nimber of 3x14 is another one.
    let value = judge(&Cram, &board("cram 3x14"), &both(2), &[]);
    assert_eq!(value.standing, Standing::Confirmed);
    let literature = value.checks.iter().find(|check| check.name == "literature").unwrap();
    assert!(!literature.ok && literature.source.is_some());
    let notes = Cram.table("boards", &[value]).notes;
    assert!(notes.iter().any(|note| note.contains("CHECK FAILS cram 3x14")), "{notes:?}");
}

#[test]
fn a_certificate_certifies_alone_and_against_nothing() {
    let three = || answer(Some(3), "N");
    let certificate = || finding("certificate", three());
    assert_eq!(standing(&[certificate()]), Standing::Certified);
    assert_eq!(standing(&[finding("mex", three()), certificate()]), Standing::Certified);
    assert_eq!(
        standing(&[finding("outcome", answer(None, "N")), certificate()]),
        Standing::Certified
    );
    assert_eq!(
        standing(&[finding("mex", answer(Some(2), "N")), certificate()]),
        Standing::Disputed
    );
}

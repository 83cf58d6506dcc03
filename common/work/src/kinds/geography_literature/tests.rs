//! What the kind makes of words, parts, answers and restarts. The claims are tested where they are.

use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::construct::Variant;

use super::*;
use crate::{Effort, Finding, MethodName, NoMail, Part, Registry, Standing, judge};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn run(method: &str, part: &Part) -> RunEnd {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = RunLimits { memory: 1 << 28, cancel: &cancel, progress: &progress, threads: 1 };
    let question = Question::new(NAME).unwrap();
    let input = UnitInput { question, method: MethodName::new(method), part: part.clone() };
    GeographyLiterature.run(&input, &limits, &mut Workplace { kept: &mut None, mail: &NoMail })
}

fn part(claim: Claim, from: u32, to: u32) -> Part {
    Part::of(&ClaimPart { item: claim.name().to_owned(), from, to })
}

fn item(method: &str, claim: Claim, to: u32) -> Item {
    match run(method, &part(claim, 0, to)) {
        RunEnd::Done(result) => {
            result.answer.read::<LiteratureAnswer>().unwrap().items.pop().unwrap()
        }
        other => panic!("{other:?}"),
    }
}

fn finding(method: &str, items: &[Item]) -> Finding {
    Finding {
        question: Question::new(NAME).unwrap(),
        method: MethodName::new(method),
        effort: Effort::default(),
        answer: Answer::of(&LiteratureAnswer { items: items.to_vec() }),
        fingerprint: String::new(),
        workers: Vec::new(),
        when: String::new(),
        version: String::new(),
    }
}

fn judged(findings: &[Finding]) -> Value {
    judge(&GeographyLiterature, &Question::new(NAME).unwrap(), findings, &[])
}

fn task() -> Task {
    Task { question: Question::new(NAME).unwrap(), method: MethodName::new("recursion") }
}

#[test]
fn the_job_is_one_question_and_takes_no_more_words() {
    let parse = |text: &str| Registry::standard().parse(&words(text), &JobOptions::default());
    let job = parse("geography literature").unwrap();
    assert_eq!((job.questions().count(), job.tasks.len()), (1, METHODS.len()));
    assert!(matches!(parse("geography literature 9"), Err(JobError::Flag { .. })));
    let all = parse("geography literature --all").unwrap();
    assert_eq!(all.words, "geography literature --all");
    assert!(all.questions().all(|question| GeographyLiterature.owns(question)));
}

#[test]
fn a_unit_counts_the_cases_of_its_inputs() {
    let all_of_two_vertices = item("recursion", Claim::WrongWay, 1 + 4);
    assert_eq!((all_of_two_vertices.cases, all_of_two_vertices.failed), (4, 0));
    assert!(all_of_two_vertices.ok);
    assert!(item("table", Claim::SubcubicExhaustive, 5).cases > 0);
}

#[test]
fn the_printed_algorithm_fails_as_expected_and_the_note_says_what_is_missing() {
    let printed = item("recursion", Claim::Section5(Variant::AsPrinted), 3);
    assert_eq!((printed.cases, printed.failed, printed.ok), (3, 3, true));
    for missing in ["fails as printed", "N_i-M_i", "N_4-R_4", "t(3) of N_4"] {
        assert!(printed.note.contains(missing), "{}", printed.note);
    }
    assert_eq!(printed.worth.len(), 3);
}

#[test]
fn an_item_without_a_case_is_not_ok_and_no_fault() {
    let untested = Item::untested(Claim::Parity);
    assert!(!untested.ok);
    assert_eq!(claim_fault(&untested), None);
}

#[test]
fn a_unit_of_nothing_known_is_refused() {
    let gadget = Claim::Gadget;
    for (method, part) in [
        ("magic", part(gadget, 0, 1)),
        ("recursion", part(gadget, 0, gadget.inputs() + 1)),
        ("recursion", Part::of(&ClaimPart { item: "magic".to_owned(), from: 0, to: 1 })),
        ("recursion", Part::WHOLE),
    ] {
        assert!(matches!(run(method, &part), RunEnd::Refused { .. }), "{method} {part:?}");
    }
}

#[test]
fn a_method_that_reaches_less_agrees_and_does_not_confirm() {
    let some = |method| [item(method, Claim::CorrectWay, 60)];
    let standing =
        |a: &[Item], b: &[Item]| judged(&[finding("recursion", a), finding("table", b)]).standing;
    let (all, reached) = (some("recursion"), some("table"));
    assert!(reached[0].skipped > 0 && reached[0].cases > 0);
    assert_eq!(standing(&all, &reached), Standing::Single);
    assert_eq!(standing(&all, &all), Standing::Confirmed);
    let mut wrong = reached;
    wrong[0].failed = 1;
    assert_eq!(standing(&all, &wrong), Standing::Disputed);
}

#[test]
fn a_lost_case_or_another_worth_contradicts() {
    let figures = item("recursion", Claim::Section5(Variant::Figures), 2);
    let compare = |changed: Item| contradiction(&figures, changed);
    assert_eq!(compare(figures.clone()), Agreement::Confirms);
    assert_eq!(compare(Item { cases: 1, ..figures.clone() }), Agreement::Contradicts);
    let worth = [(4, 3), (5, 5)].into();
    assert_eq!(compare(Item { worth, ..figures.clone() }), Agreement::Contradicts);
}

fn contradiction(item: &Item, changed: Item) -> Agreement {
    let answer = |item| LiteratureAnswer { items: vec![item] };
    answer(item.clone()).compare(&answer(changed))
}

#[test]
fn a_theorem_that_fails_disputes_and_a_claim_of_the_paper_only_shows() {
    let failing = |claim| Item { failed: 1, ok: false, ..item("recursion", claim, 3) };
    let value = judged(&[finding("recursion", &[failing(Claim::SubcubicExhaustive)])]);
    assert_eq!(value.standing, Standing::Disputed);
    assert!(value.disputes.iter().any(|note| note.contains("theorems")), "{:?}", value.disputes);
    let induction = item("recursion", Claim::Induction, 3);
    let failing = Item { failed: 1, ok: false, ..induction };
    let value = judged(&[finding("recursion", &[failing])]);
    assert_eq!(value.standing, Standing::Single);
    assert!(value.checks.iter().any(|check| check.name == "literature" && !check.ok));
}

#[test]
fn a_driver_adds_up_its_parts_and_goes_on_where_it_was() {
    let mut first = GeographyLiterature.driver(&task()).unwrap();
    let parts: Vec<Part> = std::iter::from_fn(|| first.next()).collect();
    assert_eq!(first.total(), Some(parts.len() as u64));
    let mut second = GeographyLiterature.driver(&task()).unwrap();
    second.replan(&parts[2]);
    assert_eq!([second.next().as_ref(), second.next().as_ref()], [parts.first(), parts.get(1)]);
    assert_eq!(second.next().as_ref(), parts.get(3));
    // One case in every part: whatever the claims, each part is counted once.
    for part in &parts {
        assert_eq!(second.conclude(), None);
        let part_of = part.read::<ClaimPart>().unwrap();
        let one = Item { item: part_of.item, cases: 1, ..Item::default() };
        let answer = Answer::of(&LiteratureAnswer { items: vec![one] });
        let result =
            UnitResult { answer, fingerprint: 3, entries: 1, expansions: 1, notes: Vec::new() };
        second.absorb(part, &result).unwrap();
    }
    let conclusion = second.conclude().unwrap();
    let items = conclusion.answer.read::<LiteratureAnswer>().unwrap().items;
    assert_eq!(items.len(), Claim::ALL.len());
    assert_eq!(items.iter().map(|item| item.cases).sum::<u64>(), parts.len() as u64);
    assert_eq!(conclusion.fingerprint, 3 * parts.len() as u64);
}

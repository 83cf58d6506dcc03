//! The published claims: each is tested on all its inputs, by each method as far as it reaches.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::construct::Variant;
use sprague_geography::literature::{By, Claim, Tally, TestError, test};
use sprague_geography::{Limits, Stop};

use crate::data;

fn tested(claim: Claim, inputs: Range<u32>, by: By) -> Result<Tally, TestError> {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 30, cancel: &cancel, progress: &progress };
    test(claim, inputs, by, &limits)
}

fn whole(claim: Claim, by: By) -> Tally {
    tested(claim, 0..claim.usual_inputs(), by).unwrap()
}

/// What the table says that a variant of Section 5 is worth, for each n.
fn published_worth(variant: Variant) -> Vec<(u8, u16)> {
    let column = match variant {
        Variant::Figures => 3,
        Variant::AsPrinted => 5,
        Variant::WithoutFirstRoot => 6,
        Variant::WithoutFirstTree => 7,
        Variant::WithoutLinks => 8,
    };
    let rows = data::numbers("tests/data/section5.tsv");
    rows.iter().map(|row| (row[0] as u8, row[column] as u16)).collect()
}

#[test]
fn every_claim_holds_in_every_case_but_that_of_the_printed_algorithm() {
    let published = data::rows("tests/data/literature.tsv");
    for claim in Claim::ALL {
        let tally = whole(claim, By::Recursion);
        assert_eq!(tally.skipped, 0, "{claim}");
        let fails = claim == Claim::Section5(Variant::AsPrinted);
        assert_eq!(tally.failed, if fails { tally.cases } else { 0 }, "{claim}: {tally:?}");
        assert_eq!(tally.counterexample.is_some(), fails, "{claim}");
        if let Some(row) = published.iter().find(|row| row[0] == claim.name()) {
            assert_eq!(tally.cases.to_string(), row[1], "{claim}");
        }
        if let Claim::Section5(variant) = claim {
            let published = published_worth(variant);
            assert_eq!(tally.worth.len() as u64, tally.cases);
            if variant == Variant::Figures {
                let rows = data::numbers("tests/data/section5.tsv");
                let states: u64 = rows.iter().map(|row| row[4]).sum();
                assert_eq!(tally.expansions, states, "positions met");
            }
            for found in tally.worth {
                assert!(published.contains(&found), "{claim} is worth {found:?}");
            }
        }
    }
}

#[test]
fn the_table_finds_the_same_as_far_as_it_reaches() {
    for claim in Claim::ALL {
        let tally = whole(claim, By::Table);
        let fails = claim == Claim::Section5(Variant::AsPrinted);
        assert_eq!(tally.failed, if fails { tally.cases } else { 0 }, "{claim}: {tally:?}");
        if let Some(row) =
            data::rows("tests/data/literature.tsv").iter().find(|row| row[0] == claim.name())
        {
            assert_eq!((tally.cases + tally.skipped).to_string(), row[1], "{claim}");
        }
    }
}

#[test]
fn the_digraphs_of_three_vertices_are_all_there() {
    let [positions, gadgets] = data::numbers("tests/data/gadgets.tsv")[0][..] else { panic!() };
    let exhaustive = 0..1 + 4 + 64;
    let cases = |claim| tested(claim, exhaustive.clone(), By::Recursion).unwrap().cases;
    assert_eq!(cases(Claim::Gadget), positions);
    assert_eq!(cases(Claim::WrongWay), gadgets);
    assert_eq!(cases(Claim::CorrectWay), gadgets);
}

#[test]
fn parts_add_up_to_the_whole_in_any_order() {
    for claim in [Claim::Prelude, Claim::Grounded, Claim::MatchingPlayer, Claim::SubcubicRandom] {
        let middle = claim.inputs() / 3;
        let mut sum = tested(claim, middle..claim.inputs(), By::Recursion).unwrap();
        sum.merge(&tested(claim, 0..middle, By::Recursion).unwrap());
        assert_eq!(sum, whole(claim, By::Recursion), "{claim}");
    }
}

#[test]
fn the_degree_3_algorithm_asks_about_as_often_whatever_the_order() {
    for claim in [Claim::SubcubicExhaustive, Claim::SubcubicRandom] {
        let tally = whole(claim, By::Recursion);
        let mean = tally.oracle_calls as f64 / tally.cases as f64;
        assert!((3.5..6.0).contains(&mean), "{claim}: {mean} oracle calls");
    }
}

#[test]
fn names_are_read_and_strange_inputs_refused() {
    for claim in Claim::ALL {
        assert_eq!(claim.name().parse(), Ok(claim));
        let beyond = tested(claim, 0..claim.inputs() + 1, By::Recursion);
        assert!(matches!(beyond, Err(TestError::NoSuchInput(_))), "{claim}");
    }
    assert!("magic".parse::<Claim>().is_err());
}

#[test]
fn memory_that_does_not_suffice_is_said() {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 16, cancel: &cancel, progress: &progress };
    let stopped = test(Claim::Section5(Variant::Figures), 4..5, By::Recursion, &limits);
    assert!(matches!(stopped, Err(TestError::Stop(Stop::OutOfMemory { .. }))), "{stopped:?}");
}

//! What a board is cut into says what the board would have said.

use std::collections::VecDeque;

use proptest::prelude::*;
use sprague_cram::{Limits, Method, solve};

use super::*;

/// Values a part as a worker would.
fn run(board: Board, part: &Part) -> UnitResult {
    let limits = Limits { memory: 1 << 26, cancel: &false.into(), progress: &0.into(), threads: 1 };
    let (position, _) = place(board, part).unwrap();
    super::super::unit_result(&solve(Method::Mex, &position, &limits).unwrap())
}

/// Runs a board whose units are cut where the next of `cuts` says so and it can be. Every unit that was cut or done is
/// noted, as a store would.
fn drive(
    driver: &mut ByDefinition,
    cuts: &[bool],
) -> (Conclusion, Vec<(Part, Option<UnitResult>)>) {
    let mut cuts = cuts.iter().copied();
    let mut waiting: VecDeque<Part> = driver.next().into_iter().collect();
    let mut history = Vec::new();
    while let Some(part) = waiting.pop_back() {
        assert_eq!(driver.conclude(), None);
        if cuts.next().unwrap_or(false) && driver.splits(&part) {
            waiting.extend(driver.split(&part));
            history.push((part, None));
        } else {
            let result = run(driver.board, &part);
            driver.absorb(&part, &result).unwrap();
            history.push((part, Some(result)));
        }
    }
    assert_eq!(driver.next(), None);
    (driver.conclude().unwrap(), history)
}

proptest! {
    #[test]
    fn a_board_that_is_cut_anywhere_is_worth_what_the_whole_is_and_a_restart_loses_nothing(
        rows in 2_usize..=4, cols in 2_usize..=6, cuts in prop::collection::vec(any::<bool>(), 0..40)
    ) {
        let board = Board::new(rows, cols).unwrap();
        let mut driver = ByDefinition::new(board);
        let (conclusion, history) = drive(&mut driver, &cuts);
        prop_assert_eq!(&conclusion.answer, &run(board, &Part::WHOLE).answer);
        let done = history.iter().filter(|(_, result)| result.is_some()).count();
        prop_assert_eq!(driver.total(), Some(done as u64));

        // All of it once more: what was cut, then what was done.
        let mut again = ByDefinition::new(board);
        again.replan(&Part::WHOLE);
        for (part, _) in history.iter().filter(|(_, result)| result.is_none()) {
            again.split(part);
        }
        for (part, result) in &history {
            if let Some(result) = result {
                again.absorb(part, result).unwrap();
            }
        }
        prop_assert_eq!(again.next(), None);
        prop_assert_eq!(again.conclude(), Some(conclusion));
    }
}

#[test]
fn pieces_come_with_the_largest_last_each_once_and_are_cut_at_most_at_three_dominoes() {
    let mut driver = ByDefinition::new("3x6".parse().unwrap());
    let mut part = driver.next().unwrap();
    let mut seen = BTreeSet::new();
    for dominoes in 1..=MOST_DOMINOES {
        assert!(driver.splits(&part));
        let pieces = driver.split(&part);
        assert!(!driver.splits(&part), "it was");
        let places: Vec<_> =
            pieces.iter().map(|piece| place(driver.board, piece).unwrap()).collect();
        assert!(places.is_sorted_by_key(|(position, _)| position.cells()));
        assert!(places.iter().all(|&(_, cut_at)| cut_at == dominoes));
        assert!(places.iter().all(|(position, _)| seen.insert(position.to_string())));
        part = pieces.last().unwrap().clone();
    }
    assert!(!driver.splits(&part));
}

#[test]
fn a_part_or_an_answer_of_something_else_is_refused() {
    let board: Board = "3x4".parse().unwrap();
    assert!(place(board, &Part::of(&7)).is_err());
    let ragged = Piece { position: "../.".to_owned(), dominoes: 1 };
    assert!(place(board, &Part::of(&ragged)).unwrap_err().contains("row 1"));

    let mut driver = ByDefinition::new(board);
    let whole = driver.next().unwrap();
    let result = UnitResult { answer: Answer::default(), ..run(board, &whole) };
    assert!(driver.absorb(&whole, &result).is_err());
    assert!(!driver.splits(&Part::of(&ragged)));
}

//! The methods against the definition, on every small board and on random shapes.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64};

use common::{limits, nimber};
use proptest::prelude::*;
use sprague_cram::{
    Answer, Board, Limits, Method, Nimber, Position, SolveError, Solved, Switches, analyse, solve,
    solve_with,
};

/// What a method says of a position.
fn value(method: Method, position: &Position) -> Solved {
    solve(method, position, &limits()).expect("the limits are generous")
}

/// Asserts that every method and the analysis agree with the definition.
fn agree(position: &Position) {
    let by_definition = nimber(&value(Method::BruteForce, position));
    for method in Method::ALL {
        let solved = value(method, position);
        match solved.answer {
            Answer::Nimber(nimber) => assert_eq!(nimber, by_definition, "{method} {position}"),
            Answer::Outcome(outcome) => {
                assert_eq!(outcome, by_definition.outcome(), "{method} {position}");
            }
        }
        let again = value(method, position);
        assert_eq!(again.fingerprint, solved.fingerprint, "{method} {position}");
    }
    for switches in
        [Switches::default().without_reductions(), Switches { ties: 1, ..Switches::default() }]
    {
        let solved = solve_with(switches, position, &limits()).expect("the limits are generous");
        assert_eq!(nimber(&solved), by_definition, "{switches:?} {position}");
    }

    let analysis = analyse(position, &limits()).expect("the limits are generous");
    assert_eq!(analysis.nimber, by_definition, "{position}");
    assert!(analysis.moves.iter().map(|domino| domino.cells).eq(position.dominoes()));
    for domino in &analysis.moves {
        let after = position.play(domino.cells).expect("it is a move");
        let after = nimber(&value(Method::BruteForce, &after));
        assert_eq!(domino.nimber, after, "{:?} on {position}", domino.cells);
        assert_eq!(domino.winning, after == Nimber::ZERO);
    }
}

#[test]
fn every_method_agrees_with_the_definition_on_all_boards_to_12_cells() {
    for rows in 1..=12 {
        for cols in 1..=12 / rows {
            agree(&Board::new(rows, cols).unwrap().position());
        }
    }
}

/// A grid and at most 14 of its cells left empty.
fn position() -> impl Strategy<Value = Position> {
    (1_usize..=7, 1_usize..=7).prop_flat_map(|(rows, cols)| {
        prop::sample::subsequence((0..rows * cols).collect::<Vec<_>>(), 1..=14.min(rows * cols))
            .prop_map(move |empty| {
                let row = |row: usize| {
                    let letter = |col| if empty.contains(&(row * cols + col)) { '.' } else { '#' };
                    (0..cols).map(letter).collect::<String>()
                };
                let rows = (0..rows).map(row).collect::<Vec<_>>();
                rows.join("/").parse().expect("it is a grid")
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_method_agrees_with_the_definition_on_random_positions(position in position()) {
        agree(&position);
    }
}

#[test]
fn a_board_and_its_transpose_are_worth_the_same_in_words_of_either_size() {
    for method in [Method::Mex, Method::Couples, Method::ProofNumber] {
        for (rows, cols) in [(3, 5), (4, 4), (2, 9)] {
            let value = |position: &Position| nimber(&value(method, position));
            let board = value(&Board::new(rows, cols).unwrap().position());
            assert_eq!(value(&Board::new(cols, rows).unwrap().position()), board);
            // The same cells in the corner of a grid that needs the wide words.
            let row = |row| {
                let letter = |col| if row < rows && col < cols { '.' } else { '#' };
                (0..11).map(letter).collect::<String>()
            };
            let framed = (0..11).map(row).collect::<Vec<_>>().join("/");
            assert_eq!(value(&framed.parse().unwrap()), board, "{method} {rows}x{cols}");
        }
    }
}

#[test]
fn a_search_that_is_cancelled_says_so() {
    let (cancel, progress) = (AtomicBool::new(true), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 28, cancel: &cancel, progress: &progress, threads: 1 };
    let position = Board::new(5, 9).unwrap().position();
    for method in [Method::Mex, Method::Outcome, Method::Couples, Method::ProofNumber] {
        assert_eq!(solve(method, &position, &limits), Err(SolveError::Cancelled), "{method}");
        assert!(progress.load(std::sync::atomic::Ordering::Relaxed) > 0);
    }
}

#[test]
fn tables_stay_within_their_memory_or_the_method_says_how_much_it_needs() {
    let position = Board::new(4, 7).unwrap().position();
    for method in Method::ALL {
        for memory in [0, 1 << 10, 1 << 15, 1 << 17, 1 << 20, 1 << 23] {
            let limits = Limits { memory, ..limits() };
            match solve(method, &position, &limits) {
                Ok(solved) => assert!(solved.table_bytes <= memory as u64, "{method} {memory}"),
                Err(SolveError::OutOfMemory { limit, needed, .. }) => {
                    assert_eq!(limit, memory as u64);
                    assert!(needed > limit, "{method} {memory}");
                }
                Err(SolveError::TooLarge { cells: 28, limit: 24 }) => {
                    assert_eq!(method, Method::BruteForce);
                }
                Err(error) => panic!("{method} {memory}: {error}"),
            }
        }
    }
}

#[test]
fn the_answer_of_the_fixed_table_does_not_depend_on_its_size() {
    for (rows, cols) in [(3, 8), (4, 6), (5, 5)] {
        let position = Board::new(rows, cols).unwrap().position();
        let solved = |memory| {
            let limits = Limits { memory, ..limits() };
            solve(Method::ProofNumber, &position, &limits).unwrap()
        };
        let ample = solved(1 << 26);
        for memory in [1 << 15, 1 << 16, 1 << 17] {
            let scant = solved(memory);
            assert_eq!(scant.answer, ample.answer);
            assert_eq!(scant.fingerprint, ample.fingerprint);
        }
    }
}

//! The methods against values that others published and counts that others measured.

mod common;

use std::collections::HashMap;
use std::path::Path;

use common::{limits, nimber};
use sprague_cram::{Answer, Board, Method, Nimber, Outcome, analyse, default_methods, solve};

/// The rows of a tab-separated file of the workspace, each from the names in the first line to its fields.
fn table(path: &str) -> Vec<HashMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&path).expect("the workspace has the file");
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines().map(fields);
    let names = lines.next().expect("the first line has the names");
    lines.map(|line| names.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn published_nimbers_come_out_of_every_default_method() {
    let mut boards = 0;
    for row in table("common/work/data/cram-known.tsv") {
        let board: Board = row["board"].parse().unwrap();
        // Larger boards are the business of the cluster's own tests.
        if board.cells() > 33 {
            continue;
        }
        boards += 1;
        for method in default_methods(&board) {
            let answer = solve(method, &board.position(), &limits()).unwrap().answer;
            match row["kind"].as_str() {
                "nimber" if method == Method::Outcome => {
                    let nimber = Nimber::new(row["value"].parse().unwrap());
                    assert_eq!(answer, Answer::Outcome(nimber.outcome()), "{method} {board}");
                }
                "nimber" => {
                    let nimber = Nimber::new(row["value"].parse().unwrap());
                    assert_eq!(answer, Answer::Nimber(nimber), "{method} {board}");
                }
                _ => assert_eq!(answer.outcome().to_string(), row["value"], "{method} {board}"),
            }
        }
    }
    assert!(boards >= 16, "{boards} boards");
}

#[test]
fn the_shapes_that_mex_meets_are_as_many_as_published() {
    for row in table("tests/data/cram-ablation.tsv") {
        let board: Board = row["board"].parse().unwrap();
        let solved = solve(Method::Mex, &board.position(), &limits()).unwrap();
        assert_eq!(solved.entries.to_string(), row["mex_shapes"], "{board}");
        assert_eq!(solved.expansions, solved.entries, "{board}");
        assert_eq!(nimber(&solved).to_string(), row["nimber"], "{board}");
    }
}

#[test]
fn couples_and_sums_stay_below_the_published_counts_from_thirty_cells_on() {
    for row in table("tests/data/cram-ablation.tsv") {
        let board: Board = row["board"].parse().unwrap();
        if board.cells() < 30 {
            continue;
        }
        for (method, column) in [(Method::Outcome, "outcome_sums"), (Method::Couples, "couples")] {
            let published: u64 = row[column].parse().unwrap();
            let entries = solve(method, &board.position(), &limits()).unwrap().entries;
            assert!(entries < published, "{method} {board}: {entries}");
        }
    }
}

#[test]
fn published_positions_have_their_nimbers_and_moves() {
    let rows = table("tests/data/cram-positions.tsv");
    assert_eq!(rows.len(), 60);
    for row in rows {
        let analysis = analyse(&row["rows"].parse().unwrap(), &limits()).unwrap();
        let winning = analysis.moves.iter().filter(|domino| domino.winning).count();
        assert_eq!(analysis.nimber.to_string(), row["nimber"], "{}", row["rows"]);
        assert_eq!(analysis.moves.len().to_string(), row["moves"], "{}", row["rows"]);
        assert_eq!(winning.to_string(), row["winning_moves"], "{}", row["rows"]);
        let sum =
            analysis.components.iter().fold(Nimber::ZERO, |sum, component| sum ^ component.nimber);
        assert_eq!(sum, analysis.nimber, "{}", row["rows"]);
        let is_won = analysis.nimber.outcome() == Outcome::N;
        assert_eq!(winning > 0, is_won, "{}", row["rows"]);
    }
}

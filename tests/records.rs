//! `records/cram.jsonl`: its lines are whole, at one with theorems and the literature, believed no further than
//! their methods allow, and what the program finds today.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use program::{run, text};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use sprague_cram::Board;
use sprague_work::{Answer, Effort, MethodName, Question, Registry, judge};

const LINES: &str = include_str!("../records/cram.jsonl");
const README: &str = include_str!("../records/README.md");
/// Boards with what is known of them.
const KNOWN: &str = include_str!("../common/work/data/cram-known.tsv");

/// A line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[serde(deserialize_with = "board")]
    board: Board,
    nimber: u64,
    outcome: String,
    standing: String,
    methods: Vec<String>,
    literature: String,
    findings: Vec<Finding>,
    repeat: String,
}

/// What one method found on the board of a line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    method: String,
    /// Absent where the method knows only outcomes.
    nimber: Option<u64>,
    outcome: String,
    entries: u64,
    expansions: u64,
    units: u64,
    cpu_seconds: f64,
    /// In bytes.
    peak_memory: u64,
    /// The cap, in bytes.
    memory: u64,
    when: String,
    version: String,
    commit: String,
}

fn board<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Board, D::Error> {
    String::deserialize(reader)?.parse().map_err(serde::de::Error::custom)
}

fn records() -> Vec<Record> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {line}"));
    LINES.lines().map(read).collect()
}

fn outcome(nimber: u64) -> &'static str {
    if nimber == 0 { "P" } else { "N" }
}

/// What a command that succeeds prints as JSON.
fn answer(words: &[&str]) -> Json {
    let ran = run([words, &["--output", "json", "--quiet"]].concat(), b"");
    assert!(ran.status.success(), "{words:?}: {}", text(&ran.stderr));
    serde_json::from_slice(&ran.stdout).unwrap()
}

#[test]
fn each_board_has_one_line_and_they_ascend() {
    let records = records();
    let boards: Vec<Board> = records.iter().map(|record| record.board).collect();
    assert!(boards.is_sorted_by(|a, b| a < b), "{boards:?}");
    assert!(boards.iter().all(|board| board.rows() <= board.cols()));
    for (rows, longest) in [(1, 30), (2, 30), (3, 21), (4, 13), (5, 10), (6, 8), (7, 7)] {
        for cols in rows..=longest {
            assert!(boards.contains(&Board::new(rows, cols).unwrap()), "{rows}x{cols}");
        }
    }
}

#[test]
fn each_finding_says_what_the_line_says_and_all_that_it_cost() {
    for record in records() {
        let board = record.board;
        assert_eq!(record.outcome, outcome(record.nimber), "{board}");
        assert!(record.findings.iter().map(|f| &f.method).eq(&record.methods), "{board}");
        for finding in record.findings {
            let Finding { method, when, commit, .. } = &finding;
            let only_outcome = method == "outcome";
            assert_eq!(
                finding.nimber,
                (!only_outcome).then_some(record.nimber),
                "{board} {method}"
            );
            assert_eq!(finding.outcome, record.outcome, "{board} {method}");
            assert!(finding.expansions > 0 || board.cells() <= 3, "{board} {method}");
            assert!(finding.entries > 0 || board.cells() <= 3, "{board} {method}");
            assert!(finding.units > 0 && finding.cpu_seconds > 0.0, "{board} {method}");
            assert!((1..=finding.memory).contains(&finding.peak_memory), "{board} {method}");
            assert!(when.len() == 20 && when.ends_with('Z'), "{board} {method}: {when}");
            assert!(finding.version.split('.').count() == 3, "{board} {method}");
            assert!(commit.len() >= 7 && u128::from_str_radix(commit, 16).is_ok(), "{commit}");
        }
    }
}

#[test]
fn what_was_published_is_agreed_with_or_disputed_in_the_open() {
    for record in records() {
        let (board, nimber) = (record.board.to_string(), record.nimber.to_string());
        let rows = KNOWN.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        let published: Vec<_> = rows.filter(|row| row[0] == board).collect();
        let said = |kind| if kind == "nimber" { nimber.as_str() } else { &record.outcome };
        let stands = if published.is_empty() {
            "none"
        } else if published.iter().any(|row| row[2] != said(row[1])) {
            "disagrees"
        } else if published.iter().any(|row| row[1] == "nimber") {
            "agrees"
        } else {
            "agrees on the outcome"
        };
        assert_eq!(record.literature, stands, "{board}");
    }
}

#[test]
fn the_second_player_mirrors_where_no_domino_is_its_own_image() {
    for Record { board, nimber, .. } in records() {
        match (board.rows() % 2, board.cols() % 2) {
            (0, 0) => assert_eq!(nimber, 0, "{board}"),
            // The first player takes the two cells in the middle and mirrors from then on.
            (0, 1) | (1, 0) => assert_ne!(nimber, 0, "{board}"),
            _ => {}
        }
    }
}

#[test]
fn one_row_is_dawsons_kayles_and_two_rows_alternate() {
    // A domino parts a row in two.
    let mut rows: Vec<u64> = vec![0, 0];
    for cells in 2..=30 {
        let options: BTreeSet<u64> =
            (0..=cells - 2).map(|a| rows[a] ^ rows[cells - 2 - a]).collect();
        rows.push((0..).find(|nimber| !options.contains(nimber)).unwrap());
    }
    for Record { board, nimber, .. } in records() {
        match board.rows() {
            1 => assert_eq!(nimber, rows[board.cols()], "{board}"),
            2 => assert_eq!(nimber, (board.cols() % 2) as u64, "{board}"),
            _ => {}
        }
    }
}

#[test]
fn each_standing_is_the_one_that_the_ledger_gives() {
    let registry = Registry::standard();
    let kind = registry.kind("cram").unwrap();
    for record in records() {
        let question = Question::new(format!("cram {}", record.board)).unwrap();
        let finding = |finding: &Finding| sprague_work::Finding {
            question: question.clone(),
            method: MethodName::new(&finding.method),
            effort: Effort::default(),
            answer: match finding.nimber {
                Some(nimber) => Answer::of(&json!({"nimber": nimber, "outcome": finding.outcome})),
                None => Answer::of(&json!({"outcome": finding.outcome})),
            },
            fingerprint: String::new(),
            workers: Vec::new(),
            when: finding.when.clone(),
            version: finding.version.clone(),
        };
        let findings: Vec<_> = record.findings.iter().map(finding).collect();
        assert!(findings.iter().all(|f| kind.method(&f.method).is_some()), "{question}");
        let judged = judge(kind, &question, &findings, &[]);
        assert_eq!(judged.standing.to_string(), record.standing, "{question}: {judged:?}");
    }
}

#[test]
fn every_board_to_24_cells_is_worth_today_what_its_line_says() {
    let records = records().into_iter().filter(|record| record.board.cells() <= 24);
    let kept: BTreeMap<_, _> = records.map(|r| (format!("cram {}", r.board), r.nimber)).collect();
    assert!(kept.len() >= 40, "{} boards", kept.len());
    let boards: Vec<&str> = kept.keys().map(|question| &question["cram ".len()..]).collect();
    let answer = answer(&["run", "cram", &boards.join(","), "--method", "couples"]);
    let values = answer["values"].as_array().unwrap().iter();
    let found: BTreeMap<_, _> = values
        .map(|v| (v["question"].as_str().unwrap().to_owned(), v["nimber"].as_u64().unwrap()))
        .collect();
    assert_eq!(found, kept);
}

#[test]
fn the_command_of_a_line_gives_the_line_again() {
    for record in records() {
        let board = record.board;
        let methods = record.methods.join(",");
        let head = format!("sprague run cram {board} --method {methods} --workers 1 --memory ");
        let cap = record.repeat.strip_prefix(&head).unwrap_or_else(|| panic!("{}", record.repeat));
        let gib: u64 = cap.strip_suffix("GiB").unwrap().parse().unwrap();
        assert_eq!(record.findings.iter().map(|f| f.memory >> 30).max(), Some(gib), "{board}");
        if board.cells() != 12 {
            continue;
        }
        let words: Vec<&str> = record.repeat.split(' ').skip(1).collect();
        let answer = answer(&words);
        let value = &answer["values"][0];
        assert_eq!(value["nimber"], record.nimber, "{board}");
        assert_eq!(value["standing"], record.standing, "{board}");
        let findings = value["findings"].as_array().unwrap().iter();
        let found: BTreeSet<&str> = findings.map(|f| f["method"].as_str().unwrap()).collect();
        assert_eq!(found, record.methods.iter().map(String::as_str).collect(), "{board}");
    }
}

/// The cell of a board in the table of boards: its nimber with a mark for how far it can be believed.
fn cell(records: &[Record], rows: usize, cols: usize) -> String {
    let of_board = |record: &&Record| (record.board.rows(), record.board.cols()) == (rows, cols);
    let Some(record) = records.iter().find(of_board) else {
        return if cols < rows { String::new() } else { ". ".to_owned() };
    };
    let mark = match record.standing.as_str() {
        "certified" => '!',
        "confirmed" => ' ',
        _ => '?',
    };
    format!("{}{mark}", record.nimber)
}

/// Some rows and columns of the table of boards.
fn table(records: &[Record], rows: RangeInclusive<usize>, cols: RangeInclusive<usize>) -> String {
    let head: String = cols.clone().map(|number| format!("{number:3} ")).collect();
    let mut lines = vec![format!("   {head}")];
    lines.extend(rows.map(|row| {
        let cells = cols.clone().map(|col| format!("{:>4}", cell(records, row, col)));
        format!("{row:3}{}", cells.collect::<String>())
    }));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_readme_shows_the_nimbers_of_the_lines() {
    let records = records();
    let long = records.iter().filter(|record| record.board.rows() >= 3);
    let (high, wide) = long.fold((3, 3), |(high, wide), Record { board, .. }| {
        (high.max(board.rows()), wide.max(board.cols()))
    });
    for shown in [
        table(&records, 1..=2, 1..=15),
        table(&records, 1..=2, 16..=30),
        table(&records, 3..=high, 3..=wide),
    ] {
        assert!(README.contains(&shown), "records/README.md should show\n{shown}");
    }
}

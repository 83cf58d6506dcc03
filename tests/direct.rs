//! The direct commands: one position, one graph, no cluster and no store.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::collections::{BTreeMap, BTreeSet};

use program::{program, run, text};
use serde_json::Value as Json;

const POSITIONS: &str = include_str!("data/cram-positions.tsv");
const GRAPHS: &str = include_str!("data/graph6.tsv");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

fn json(words: &[&str]) -> Json {
    let ran = run(words, b"");
    assert!(ran.status.success(), "{words:?}: {}", text(&ran.stderr));
    let text = text(&ran.stdout);
    assert_eq!(text.lines().count(), 1, "exactly one JSON value: {text}");
    serde_json::from_str(text).unwrap()
}

fn mex(values: impl Iterator<Item = u64>) -> u64 {
    let seen: BTreeSet<u64> = values.collect();
    (0..).find(|value| !seen.contains(value)).unwrap()
}

fn field(json: &Json, name: &str) -> u64 {
    json[name].as_u64().unwrap_or_else(|| panic!("{name} in {json}"))
}

fn items<'a>(json: &'a Json, name: &str) -> &'a [Json] {
    json[name].as_array().unwrap_or_else(|| panic!("{name} in {json}"))
}

#[test]
fn every_known_position_comes_out_with_its_nimber_and_its_moves() {
    let mut seen = 0;
    for row in rows(POSITIONS) {
        let [rows, nimber, moves, winning_moves] = row[..] else { panic!("{row:?}") };
        let answer = json(&["cram", "position", rows, "--output", "json"]);
        let shown: Vec<&str> = items(&answer, "rows").iter().map(|r| r.as_str().unwrap()).collect();
        assert_eq!(shown.join("/"), rows);
        assert_eq!(answer["nimber"].to_string(), nimber, "{rows}");
        assert_eq!(answer["outcome"], if nimber == "0" { "P" } else { "N" }, "{rows}");

        let all = items(&answer, "moves");
        let winning: Vec<&Json> = all.iter().filter(|m| m["winning"] == true).collect();
        assert_eq!(
            (all.len().to_string(), winning.len().to_string()),
            (moves.to_owned(), winning_moves.to_owned()),
            "{rows}"
        );
        assert!(winning.iter().all(|m| field(m, "nimber") == 0), "{rows}");
        seen += 1;
    }
    assert_eq!(seen, 60);
}

#[test]
fn a_nimber_is_the_mex_of_its_moves_and_the_sum_of_its_components() {
    for row in rows(POSITIONS) {
        let answer = json(&["cram", "position", row[0], "--output", "json"]);
        let nimber = field(&answer, "nimber");
        assert_eq!(mex(items(&answer, "moves").iter().map(|m| field(m, "nimber"))), nimber);
        let sum = items(&answer, "components").iter().fold(0, |sum, c| sum ^ field(c, "nimber"));
        assert_eq!(sum, nimber, "{}", row[0]);
    }
}

#[test]
fn a_position_is_drawn_with_its_components_and_its_winning_moves() {
    let ran = run(["cram", "position", "..#./###./.#.."], b"");
    let drawn = text(&ran.stdout);
    assert!(drawn.starts_with("a a # b\n# # # b\n. # b b\n"), "{drawn}");
    assert!(drawn.contains("moves win"), "{drawn}");
}

/// The value of a start by the definition and nothing else.
fn value(edges: &BTreeSet<(usize, usize)>, deleted: &mut Vec<usize>, token: usize) -> u64 {
    let options = neighbours(edges, deleted, token);
    deleted.push(token);
    let values: Vec<u64> = options.iter().map(|&to| value(edges, deleted, to)).collect();
    deleted.pop();
    mex(values.into_iter())
}

fn neighbours(edges: &BTreeSet<(usize, usize)>, deleted: &[usize], token: usize) -> Vec<usize> {
    let other = |&(v, w): &(usize, usize)| match token {
        _ if token == v => Some(w),
        _ if token == w => Some(v),
        _ => None,
    };
    edges.iter().filter_map(other).filter(|to| !deleted.contains(to)).collect()
}

fn edges(text: &str) -> BTreeSet<(usize, usize)> {
    let ends = text.split_whitespace().map(|edge| edge.split_once('-').unwrap());
    ends.map(|(v, w)| (v.parse().unwrap(), w.parse().unwrap())).collect()
}

fn check(answer: &Json, row: &[&str], start: usize) {
    let [graph6, vertices, edge_list, name] = row[..] else { panic!("{row:?}") };
    let edges = edges(edge_list);
    assert_eq!(answer["graph6"], graph6, "{name}");
    assert_eq!(answer["vertices"].to_string(), vertices, "{name}");
    assert_eq!(field(answer, "edges"), edges.len() as u64, "{name}");
    assert_eq!(field(answer, "start"), start as u64, "{name}");

    let expected = value(&edges, &mut Vec::new(), start);
    assert_eq!(field(answer, "value"), expected, "{name} from {start}");
    assert_eq!(answer["outcome"], if expected == 0 { "P" } else { "N" }, "{name} from {start}");
    // The criterion: the next player wins where every maximum matching covers the start.
    let covered = field(answer, "matching_without_start") < field(answer, "matching");
    assert_eq!(covered, expected > 0, "{name} from {start}");

    let options: BTreeMap<u64, &Json> =
        items(answer, "options").iter().map(|option| (field(option, "vertex"), option)).collect();
    let expected = neighbours(&edges, &[], start);
    assert!(options.keys().copied().eq(expected.iter().map(|&to| to as u64)), "{name}");
    for (to, option) in options {
        let after = value(&edges, &mut vec![start], to as usize);
        assert_eq!(field(option, "value"), after, "{name} from {start} to {to}");
        assert_eq!(option["winning"], after == 0, "{name} from {start} to {to}");
    }
}

#[test]
fn every_graph_of_the_corpus_has_the_value_of_the_definition() {
    for row in rows(GRAPHS) {
        let vertices: usize = row[1].parse().unwrap();
        let start = (vertices - 1).min(1);
        let words =
            ["geography", "position", row[0], "--start", &start.to_string(), "--output", "json"];
        check(&json(&words), &row, start);
    }
}

#[test]
fn a_stream_of_graphs_gives_a_line_each_in_their_order() {
    let input: String = rows(GRAPHS).map(|row| format!("{}\n", row[0])).collect();
    let ran = run(["geography", "position"], input.as_bytes());
    assert!(ran.status.success());
    let lines: Vec<&str> = text(&ran.stdout).lines().collect();
    assert_eq!(lines.len(), rows(GRAPHS).count());
    for (line, row) in lines.iter().zip(rows(GRAPHS)) {
        check(&serde_json::from_str(line).unwrap(), &row, 0);
    }
}

#[test]
fn a_header_and_either_end_of_line_are_read() {
    for input in [&b">>graph6<<DqK\r\n"[..], b"DqK\r\n", b"DqK\n", b"DqK", b">>graph6<<DqK"] {
        let ran = run(["geography", "position", "--start", "2"], input);
        assert!(ran.status.success(), "{input:?}");
        let answer: Json = serde_json::from_str(text(&ran.stdout)).unwrap();
        assert_eq!((&answer["graph6"], field(&answer, "start")), (&"DqK".into(), 2));
    }
}

#[test]
fn a_bad_line_is_told_in_its_place_and_the_others_still_come_out() {
    let long = "?".repeat(3 << 20);
    let input = format!("DqK\nD\n{long}\nA_\n?\n\n@");
    let ran = run(["geography", "position", "--output", "json"], input.as_bytes());
    assert_eq!(ran.status.code(), Some(2));
    let lines: Vec<Json> =
        text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7);
    for (at, code) in [(1, "graph6"), (2, "graph6"), (4, "start"), (5, "graph6")] {
        assert_eq!(lines[at]["line"], at + 1, "{}", lines[at]);
        assert_eq!(lines[at]["error"]["code"], code, "{}", lines[at]);
    }
    for (at, graph6) in [(0, "DqK"), (3, "A_"), (6, "@")] {
        assert_eq!(lines[at]["graph6"], graph6, "{}", lines[at]);
    }
}

/// Sixty vertices, every second pair of them joined: far beyond any table.
fn dense_graph() -> String {
    let order: u8 = 60;
    let pairs = usize::from(order) * usize::from(order - 1) / 2;
    let bits = std::iter::repeat_n(char::from(63 + 0b010_101), pairs / 6);
    std::iter::once(char::from(63 + order)).chain(bits).collect()
}

#[test]
fn what_the_memory_does_not_suffice_for_is_null_and_the_winner_is_still_told() {
    let words = ["geography", "position", &dense_graph(), "--memory", "24MiB", "--output", "json"];
    let answer = json(&words);
    assert!(answer["value"].is_null() && answer["note"].is_string(), "{answer}");
    let covered = field(&answer, "matching_without_start") < field(&answer, "matching");
    assert_eq!(answer["outcome"], if covered { "N" } else { "P" });
    assert!(items(&answer, "options").iter().all(|option| option["value"].is_null()));
}

#[test]
fn a_budget_ends_what_would_take_for_ever() {
    let board = ["............"; 8].join("/");
    let ran = run(["cram", "position", &board, "--budget", "1s", "--output", "json"], b"");
    assert_eq!(ran.status.code(), Some(4), "{}", text(&ran.stderr));
    let answer: Json = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(answer["error"]["code"], "undecided");

    let words = ["geography", "position", &dense_graph(), "--budget", "1s", "--output", "json"];
    let answer = json(&words);
    assert!(answer["value"].is_null() && answer["outcome"].is_string(), "{answer}");
}

#[test]
fn a_signal_ends_a_position_with_a_word() {
    let board = ["............"; 8].join("/");
    let child = program()
        .args(["cram", "position", &board])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Told before it listens it would end without a word.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(4), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("stopped before it was done"), "{}", text(&ran.stderr));
}

#[test]
fn a_reader_that_had_enough_ends_the_program_quietly() {
    let input = "DqK\n".repeat(100_000);
    let mut child = program()
        .args(["geography", "position"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let fed = std::io::Write::write_all(&mut stdin, input.as_bytes());
    assert!(fed.is_err(), "nobody reads to the end what nobody wants the answer to");
    drop(stdin);
    let ran = child.wait_with_output().unwrap();
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
}

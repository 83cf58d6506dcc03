//! `records/geography.jsonl` and `records/full-graphs.g6`: sweeps whose counts add up and that are found again, and graphs that are
//! worth what is said of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64};

use program::{run, text};
use serde_json::Value as Json;
use sprague_geography::cover::fewest_vertices;
use sprague_geography::search::Hit;
use sprague_geography::value::{recursion, table};
use sprague_geography::{Limits, SmallGraph, graph6};

const LINES: &str = include_str!("../records/geography.jsonl");
const FULL_GRAPHS: &str = include_str!("../records/full-graphs.g6");
const CONNECTED: &str = include_str!("../common/work/data/connected-graphs.tsv");

/// The lines whose questions begin so, with the rest of the question.
fn lines(form: &str) -> Vec<(String, Json)> {
    let lines = LINES.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let of_form = lines.filter_map(|line| {
        let rest = line["question"].as_str().unwrap().strip_prefix(form)?.trim().to_owned();
        Some((rest, line))
    });
    of_form.collect()
}

fn sweeps() -> BTreeMap<u64, Json> {
    lines("geography sweep")
        .into_iter()
        .map(|(order, line)| (order.parse().unwrap(), line))
        .collect()
}

/// A field that counts things by name.
fn counts(line: &Json, field: &str) -> BTreeMap<String, u64> {
    let fields = line[field].as_object().unwrap().iter();
    fields.map(|(name, count)| (name.clone(), count.as_u64().unwrap())).collect()
}

/// The values of a graph of at most 16 vertices, as a set and as its name.
fn value_set(text: &str) -> String {
    let graph = graph6::parse(text.as_bytes()).unwrap();
    let values: BTreeSet<u8> =
        table::values(&SmallGraph::try_from(&graph).unwrap()).into_iter().collect();
    values.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

#[test]
fn the_sweeps_are_complete_and_their_counts_add_up() {
    let sweeps = sweeps();
    assert!(sweeps.keys().copied().eq(1..=11), "{:?}", sweeps.keys());
    for (order, line) in &sweeps {
        let published = CONNECTED.lines().find_map(|row| {
            row.strip_prefix(&format!("{order}\t"))?.split('\t').next()?.parse::<u64>().ok()
        });
        assert_eq!(line["graphs"].as_u64(), published, "{order}");
        let graphs = published.unwrap();
        assert_eq!(line["positions"], graphs * order);
        assert_eq!(counts(line, "values").values().sum::<u64>(), graphs * order);
        assert_eq!(counts(line, "value_sets").values().sum::<u64>(), graphs);
        assert_eq!(counts(line, "graphs_by_maximum").values().sum::<u64>(), graphs);
        assert_eq!(line["exceptions"], 0, "to the matching criterion");
        // The greatest value is half the vertices, and never beside a 0 on an even number of them.
        let values = counts(line, "values");
        assert_eq!(values.keys().map(|value| value.parse().unwrap()).max(), Some(order / 2));
        let greatest = (order / 2).to_string();
        let sets = counts(line, "value_sets");
        for set in sets.keys().filter(|set| order % 2 == 0 && set.ends_with(&greatest)) {
            assert!(!set.starts_with('0'), "{order}: {set}");
        }
    }
}

#[test]
fn every_method_found_the_same() {
    for (order, line) in sweeps() {
        let findings = line["findings"].as_array().unwrap();
        let methods: Vec<&str> = findings.iter().map(|f| f["method"].as_str().unwrap()).collect();
        // The second method that knows values says as much as the first.
        let standing = if methods.contains(&"recursion") { "confirmed" } else { "single" };
        assert_eq!(line["standing"], standing, "{order}");
        assert!(methods.contains(&"table") && (methods.contains(&"recursion") || order > 10));
        assert!(methods.contains(&"matching") || order > 10);
        for (method, finding) in methods.iter().zip(findings) {
            match *method {
                // It went through a sample only.
                "sample" => assert_eq!(finding["sample"], line["sample"], "{order}"),
                "matching" => assert_eq!(finding["won_fingerprint"], line["won_fingerprint"]),
                _ => {
                    assert_eq!(finding["won_fingerprint"], line["won_fingerprint"], "{order}");
                    assert_eq!(finding["value_fingerprint"], line["value_fingerprint"], "{order}");
                }
            }
        }
    }
}

#[test]
fn each_example_has_the_values_that_it_is_an_example_of() {
    for (order, line) in sweeps() {
        let examples = line["examples"].as_object().unwrap();
        assert!(examples.keys().eq(counts(&line, "value_sets").keys()), "{order}");
        for (set, graph) in examples {
            assert_eq!(&value_set(graph.as_str().unwrap()), set, "{order}");
        }
    }
}

#[test]
fn the_full_graphs_are_there_and_have_all_values() {
    let mut listed: BTreeMap<u64, u64> = BTreeMap::new();
    for text in FULL_GRAPHS.lines() {
        let order = u64::from(text.as_bytes()[0] - 63);
        let wanted: Vec<String> = (1..=order / 2).map(|value| value.to_string()).collect();
        assert!(value_set(text).ends_with(&wanted.join(",")), "{text}");
        *listed.entry(order).or_default() += 1;
    }
    for (order, line) in sweeps() {
        let wanted: Vec<String> = (1..=order / 2).map(|value| value.to_string()).collect();
        let is_full = |set: &str| wanted.iter().all(|value| set.split(',').any(|v| v == value));
        let full = counts(&line, "value_sets").into_iter().filter(|(set, _)| is_full(set));
        let counted: u64 = full.map(|(_, graphs)| graphs).sum();
        assert_eq!(listed.get(&order).copied().unwrap_or(0), counted, "{order}");
    }
}

#[test]
fn the_smallest_graph_of_each_value_has_twice_as_many_vertices_and_is_worth_it() {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 4 << 30, cancel: &cancel, progress: &progress };
    let found = lines("geography search");
    assert!(found.len() >= 12);
    for (value, (_, line)) in (1..).zip(found) {
        assert_eq!(line["standing"], "certified", "*{value}");
        let hit = &line["hits"][0];
        let number = |field: &str| hit[field].as_u64().unwrap() as usize;
        for field in ["graph6", "found"] {
            let graph = graph6::parse(hit[field].as_str().unwrap().as_bytes()).unwrap();
            assert_eq!((number("value"), graph.order()), (value, fewest_vertices(value)));
            let start = number("start");
            if graph.order() <= 20 {
                Hit { graph, start, value }.verify(&limits).unwrap();
            } else {
                // The table would take a gigabyte.
                let valued = recursion::value(&graph, start, &limits).unwrap();
                assert_eq!(usize::from(valued.value), value);
            }
        }
    }
}

#[test]
fn what_takes_seconds_is_found_again() {
    let again = |line: &Json| {
        let words: Vec<&str> = line["repeat"].as_str().unwrap().split(' ').skip(1).collect();
        let ran = run([&words[..], &["--output", "json", "--quiet"]].concat(), b"");
        assert!(ran.status.success(), "{words:?}: {}", text(&ran.stderr));
        let answer: Json = serde_json::from_slice(&ran.stdout).unwrap();
        answer["values"][0].clone()
    };
    for (order, line) in sweeps().into_iter().filter(|(order, _)| *order <= 8) {
        let value = again(&line);
        for field in ["graphs", "values", "value_sets", "examples", "value_fingerprint", "standing"]
        {
            assert_eq!(value[field], line[field], "{order}");
        }
    }
    for (_, line) in lines("geography search").into_iter().take(8) {
        let (now, then) = (again(&line)["hits"][0].clone(), &line["hits"][0]);
        for field in ["graph6", "start", "found", "walk"] {
            assert_eq!(now[field], then[field], "{}", line["question"]);
        }
    }
}

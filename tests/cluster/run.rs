//! `sprague run`: the whole path in one command, with values that are known.

use serde_json::Value as Json;

use crate::support::{check, json, json_ok, known_nimbers, output, table};

fn values(answer: &Json) -> &[Json] {
    answer["values"].as_array().unwrap()
}

/// Every value is confirmed by independent methods and passes its checks, known ones among them.
fn assert_all_right(answer: &Json) {
    assert_eq!(answer["job"]["state"], "done");
    let known = known_nimbers();
    for value in values(answer) {
        let question = value["question"].as_str().unwrap();
        assert_eq!(value["standing"], "confirmed", "{value}");
        assert!(value["findings"].as_array().unwrap().len() >= 2, "{value}");
        for check in value["checks"].as_array().unwrap() {
            assert_eq!(check["ok"], true, "{value}");
        }
        let nimber = value["nimber"].as_u64().unwrap();
        assert_eq!(value["outcome"], if nimber == 0 { "P" } else { "N" });
        if let Some(expected) = known.get(question) {
            assert_eq!(nimber, *expected, "{question}");
            assert!(check(value, "literature").is_some(), "{value}");
        }
    }
}

#[test]
fn boards_of_three_rows_by_three_methods() {
    let answer = json_ok(&["run", "cram", "3x3..3x12"]);
    assert_eq!(values(&answer).len(), 10);
    assert_all_right(&answer);
    for value in values(&answer) {
        let methods: Vec<_> = value["findings"].as_array().unwrap().iter().collect();
        for method in ["mex", "outcome", "couples"] {
            let finding = methods.iter().find(|finding| finding["method"] == method).unwrap();
            assert!(finding["entries"].as_u64().unwrap() > 0, "{finding}");
            assert!(finding["expansions"].as_u64().unwrap() > 0, "{finding}");
            assert!(finding["peak_memory"].as_u64().unwrap() > 0, "{finding}");
        }
    }
}

#[test]
fn boards_of_four_and_five_rows() {
    let answer = json_ok(&["run", "cram", "4x4..4x8", "5x5..5x6"]);
    assert_eq!(values(&answer).len(), 7);
    assert_all_right(&answer);
    assert!(check(&values(&answer)[0], "symmetry").is_some());
}

#[test]
fn boards_of_one_row_are_dawsons_kayles_and_of_two_rows_alternate() {
    let answer = json_ok(&["run", "cram", "1x2..1x30,2x2..2x24"]);
    assert_eq!(values(&answer).len(), 29 + 23);
    assert_all_right(&answer);
    for value in values(&answer) {
        let board = value["question"].as_str().unwrap().strip_prefix("cram ").unwrap();
        let name = if board.starts_with("1x") { "dawson" } else { "2xn" };
        assert!(check(value, name).is_some(), "{value}");
    }
}

#[test]
fn the_ablation_counts_the_shapes_of_mex_as_published() {
    let rows = table("tests/data/cram-ablation.tsv");
    let boards: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let answer = json_ok(&["run", "cram", "ablation", &boards.join(",")]);
    assert_all_right(&answer);
    for row in &rows {
        let question = format!("cram {}", row[0]);
        let value = values(&answer).iter().find(|v| v["question"] == question.as_str()).unwrap();
        let findings = value["findings"].as_array().unwrap();
        let mex = findings.iter().find(|finding| finding["method"] == "mex").unwrap();
        assert_eq!(mex["entries"].to_string(), row[2], "{question}");
        assert_eq!(value["nimber"].to_string(), row[1], "{question}");
    }
    let text = output(&["run", "cram", "ablation", "2x4,3x3..3x5"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("couples / mex"), "{text}");
}

#[test]
fn sweeps_to_nine_vertices_give_the_known_counts() {
    let words = "run geography sweep 1 2 3 4 5 6 7 8 9";
    let answer = json_ok(&words.split(' ').collect::<Vec<_>>());
    for row in table("tests/data/geography-sweep.tsv") {
        let question = format!("geography sweep {}", row[0]);
        let value = values(&answer).iter().find(|v| v["question"] == question.as_str()).unwrap();
        assert_eq!(value["standing"], "confirmed", "{value}");
        assert_eq!(value["vertices"].to_string(), row[0]);
        assert_eq!(value["graphs"].to_string(), row[1]);
        assert_eq!(value["positions"].to_string(), row[2]);
        for (nimber, count) in row[3..].iter().enumerate() {
            let found = value["values"][nimber.to_string()].as_u64().unwrap_or(0);
            assert_eq!(found.to_string(), *count, "{question} *{nimber}");
        }
        assert_eq!(check(value, "A001349").unwrap()["ok"], true);
        assert_eq!(check(value, "matching-criterion").unwrap()["ok"], true);
        assert!(value["value_sets"].is_object());
    }
}

#[test]
fn a_kept_folder_is_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("kept");
    let run =
        |words: &[&str]| json_ok(&[&["run"], words, &["--dir", dir.to_str().unwrap()]].concat());
    let first = run(&["cram", "3x3..3x6"]);
    let again = run(&["cram", "3x3..3x7"]);
    assert_eq!(values(&again).len(), 5);
    assert_eq!(values(&again)[..4], values(&first)[..], "findings are kept as they were");
    assert_eq!(again["job"]["attempts"], 3, "only 3x7 was computed, by three methods");
}

#[test]
fn one_method_alone_is_single() {
    let (code, answer) = json(&["run", "cram", "3x6", "--method", "mex"]);
    assert_eq!(code, 0);
    assert_eq!(values(&answer)[0]["standing"], "single");
}

#[test]
fn a_budget_that_is_used_up_stops_and_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap().to_owned();
    let words = ["run", "cram", "3x3,4x11", "--method", "mex", "--budget", "2s", "--dir", &dir];
    let (code, answer) = json(&words);
    assert_eq!((code, answer["job"]["state"].as_str().unwrap()), (4, "stopped"));
    assert_eq!(values(&answer)[0]["nimber"], 0, "{answer}");
    assert_eq!(values(&answer)[1]["standing"], "open", "{answer}");
    let again = output(&words);
    let told = String::from_utf8(again.stderr).unwrap();
    assert!(told.contains("the same command goes on from here"), "{told}");
}

#[test]
fn with_a_redundancy_each_unit_is_done_by_as_many_workers_and_counts_once() {
    let run = ["run", "cram", "3x3..3x5", "--method", "mex,couples", "--workers", "2"];
    let twice = json_ok(&[&run[..], &["--redundancy", "2"]].concat());
    assert_eq!(
        (&twice["job"]["attempts"], &twice["job"]["units"]["done"]),
        (&12.into(), &6.into())
    );
    let essence = |answer: &Json| -> Vec<String> {
        let values = answer["values"].as_array().unwrap().iter();
        let mut findings: Vec<String> = values
            .flat_map(|value| {
                let findings = value["findings"].as_array().unwrap().iter();
                findings.map(|f| {
                    let (method, nimber, entries) = (&f["method"], &f["nimber"], &f["entries"]);
                    format!("{} {method} {nimber} {entries}", value["question"])
                })
            })
            .collect();
        findings.sort();
        findings
    };
    assert_eq!(essence(&twice), essence(&json_ok(&run)));
    let (code, answer) = json(&[&run[..], &["--redundancy", "3"]].concat());
    assert!(
        code == 2 && answer["error"]["hint"].as_str().unwrap().contains("--workers 3"),
        "{answer}"
    );
}

#[test]
fn a_run_without_enough_memory_says_what_gives_it_more() {
    let (code, answer) = json(&["run", "cram", "5x7", "--method", "mex", "--memory", "24MiB"]);
    assert_eq!((code, &answer["job"]["state"]), (1, &"failed".into()), "{answer}");
    let reason = answer["job"]["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("the largest has 24MiB: give them that or more with --memory"),
        "{reason}"
    );
}

//! `geography search` and `geography cover` on a cluster: what is found, and that it does not depend on who looks.

use serde_json::Value as Json;

use crate::support::json_ok;

fn value(answer: &Json) -> &Json {
    assert_eq!(answer["job"]["state"], "done", "{answer}");
    &answer["values"][0]
}

#[test]
fn the_same_seed_gives_the_same_graphs_on_one_worker_and_on_five() {
    let search = ["run", "geography", "search", "--value", "5", "--vertices", "10", "--seed", "7"];
    let some = ["--evaluations", "1000000", "--all"];
    for more in [&some[..], &[]] {
        let on = |workers: &str| {
            let answer = json_ok(&[&search[..], more, &["--workers", workers]].concat());
            value(&answer)["hits"].clone()
        };
        let hits = on("1");
        assert!(!hits.as_array().unwrap().is_empty());
        assert_eq!(on("5"), hits);
    }
}

#[test]
fn a_graph_that_was_found_is_certified_and_a_search_in_vain_is_done() {
    let found = json_ok(&["run", "geography", "search", "--value", "7", "--vertices", "14"]);
    let value = value(&found);
    assert_eq!(
        (&value["standing"], &value["checks"][0]["ok"]),
        (&"certified".into(), &true.into())
    );
    let hit = &value["hits"][0];
    let (graph, start) = (hit["graph6"].as_str().unwrap(), hit["start"].to_string());
    let again = json_ok(&["geography", "position", graph, "--start", &start]);
    assert_eq!((&again["value"], &again["vertices"]), (&7.into(), &14.into()));

    // No bipartite graph on 8 vertices can be grown to *4.
    let words = ["run", "geography", "search", "--value", "4", "--vertices", "8", "--bipartite"];
    let nothing = json_ok(&[&words[..], &["--budget", "1s"]].concat());
    assert_eq!(nothing["job"]["state"], "done");
    assert_eq!(nothing["values"][0]["hits"], Json::Array(Vec::new()));
    assert_eq!(nothing["values"][0]["standing"], "single");
}

#[test]
fn the_covering_lemma_answers_from_sweeps_that_the_store_has_or_that_it_runs_first() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().to_str().unwrap();
    let cover = |value: &str, vertices: &str| {
        json_ok(&[
            "run",
            "geography",
            "cover",
            "--value",
            value,
            "--vertices",
            vertices,
            "--dir",
            dir,
        ])
    };
    let no = cover("5", "9");
    let answer = value(&no);
    assert_eq!(answer["question"], "geography cover --value 5 --vertices 9");
    assert_eq!((&answer["exists"], &answer["standing"]), (&false.into(), &"confirmed".into()));
    assert_eq!((&answer["graph6"], &answer["start"]), (&Json::Null, &Json::Null));
    assert!(answer["argument"].as_str().unwrap().contains("matching"));
    assert_eq!(no["values"].as_array().unwrap().len(), 9, "the question and eight sweeps");

    let yes = cover("4", "8");
    let answer = value(&yes);
    assert_eq!((&answer["exists"], &answer["standing"]), (&true.into(), &"certified".into()));
    for finding in answer["findings"].as_array().unwrap() {
        let (graph, start) = (finding["graph6"].as_str().unwrap(), finding["start"].to_string());
        let again = json_ok(&["geography", "position", graph, "--start", &start]);
        assert_eq!((&again["value"], &again["vertices"]), (&4.into(), &8.into()));
    }
    let swept = |answer: &Json| answer["values"].as_array().unwrap()[1]["findings"].clone();
    assert_eq!(swept(&yes), swept(&no), "a sweep that the store has is not run again");
}

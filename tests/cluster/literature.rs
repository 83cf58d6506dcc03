//! `geography literature`: every published claim about the game, tested again on a cluster.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::support::{json_ok, table};

fn items(answer: &Json) -> BTreeMap<&str, &Json> {
    let items = answer["items"].as_array().unwrap();
    items.iter().map(|item| (item["item"].as_str().unwrap(), item)).collect()
}

#[test]
fn every_claim_comes_out_as_expected_and_the_printed_algorithm_fails() {
    let answer = json_ok(&["run", "geography", "literature", "--all"]);
    assert_eq!(answer["job"]["state"], "done");
    let value = &answer["values"][0];
    assert_eq!(value["question"], "geography literature --all");
    // The second method does not reach every case, so nothing confirms the whole.
    assert_eq!(value["standing"], "single");
    for check in value["checks"].as_array().unwrap() {
        assert_eq!(check["ok"], true, "{check}");
    }

    let all = items(value);
    assert!(all.len() >= 17, "{:?}", all.keys());
    for (name, item) in &all {
        let cases = item["cases"].as_u64().unwrap();
        let failed = if *name == "section5-as-printed" { cases } else { 0 };
        assert!(cases > 0 && item["ok"] == true, "{item}");
        assert_eq!((item["failed"].as_u64(), item["skipped"].as_u64()), (Some(failed), Some(0)));
    }
    // The source gave up on n = 10 for want of memory.
    let figures = all["section5-figures"];
    let rows = table("common/geography/tests/data/section5.tsv");
    // Two lines of comment and the names of the columns come first.
    for row in rows.iter().filter(|row| row[0].parse::<u8>().is_ok()) {
        let (n, states) = (row[0].as_str(), row[4].parse::<u64>().unwrap());
        assert_eq!(figures["states"][n].as_u64(), Some(states), "n = {n}");
    }
    assert_eq!(
        (&figures["worth"]["10"], &figures["states"]["10"]),
        (&10.into(), &28_536_591.into())
    );
    let note = all["section5-as-printed"]["note"].as_str().unwrap();
    assert!(note.contains("fails as printed") && note.contains("missing"), "{note}");

    let findings = value["findings"].as_array().unwrap();
    let by = |method| items(findings.iter().find(|found| found["method"] == method).unwrap());
    for (name, reached) in by("table") {
        let whole = &by("recursion")[name]["cases"];
        let reached = reached["cases"].as_u64().unwrap() + reached["skipped"].as_u64().unwrap();
        assert_eq!(whole.as_u64(), Some(reached), "{name}");
    }
    let sweeps = table("tests/data/geography-sweep.tsv");
    let positions: u64 = sweeps.iter().map(|row| row[2].parse::<u64>().unwrap()).sum();
    assert_eq!(all["matching-criterion"]["cases"].as_u64(), Some(positions));
}

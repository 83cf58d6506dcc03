//! Memory is a hard promise: a unit that needs more than its slot has ends as such, and the worker
//! lives.

use crate::support::{Coordinator, json, wait_for};

#[test]
fn a_unit_above_its_cap_says_what_it_would_need() {
    let (code, answer) = json(&["run", "cram", "4x9", "--method", "outcome", "--memory", "24MiB"]);
    assert_eq!(code, 1, "{answer}");
    let job = &answer["job"];
    assert_eq!(job["state"], "failed");
    let reason = job["reason"].as_str().unwrap();
    assert!(reason.contains("out of memory") && reason.contains("24MiB"), "{reason}");
    assert_eq!(answer["values"][0]["standing"], "open");
    // No endless retry: one attempt told what is needed, and no slot has it.
    assert_eq!(job["attempts"], 1, "{job}");
}

#[test]
fn a_board_for_which_no_slot_is_large_enough_is_split_and_comes_to_the_same() {
    let run = |memory| json(&["run", "cram", "3x11", "--method", "mex", "--memory", memory]);
    let ((code, small), (_, large)) = (run("24MiB"), run("1GiB"));
    assert_eq!(code, 0, "{small}");
    assert_eq!(small["values"][0]["nimber"], large["values"][0]["nimber"]);
    assert_eq!(large["job"]["units"]["done"], 1);
    let units = &small["job"]["units"];
    assert!(units["done"].as_u64().unwrap() > 10 && units["done"] == units["total"], "{small}");
    // The board itself was tried once.
    assert_eq!(small["job"]["attempts"], 1 + units["done"].as_u64().unwrap(), "{small}");
}

#[test]
fn a_board_that_is_too_large_even_in_pieces_is_given_up_after_a_few_of_them() {
    let (code, answer) = json(&["run", "cram", "5x9", "--method", "mex", "--memory", "24MiB"]);
    assert_eq!(code, 1, "{answer}");
    let job = &answer["job"];
    let reason = job["reason"].as_str().unwrap();
    assert!(reason.contains("even a piece of it") && reason.contains("24MiB"), "{reason}");
    // One after the other at most: the board and what one, two and three dominoes leave. Each slot may be at one more.
    assert!((4..=8).contains(&job["attempts"].as_u64().unwrap()), "{job}");
}

#[test]
fn what_fits_into_little_memory_gives_the_same_answer() {
    let small = json(&["run", "cram", "3x9", "--memory", "64MiB"]);
    let large = json(&["run", "cram", "3x9", "--memory", "1GiB"]);
    assert_eq!((small.0, large.0), (0, 0), "{} {}", small.1, large.1);
    let essence = |answer: &serde_json::Value| {
        let value = &answer["values"][0];
        assert_eq!(value["standing"], "confirmed");
        let mut findings: Vec<(String, String)> = value["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| (f["method"].to_string(), format!("{} {}", f["nimber"], f["fingerprint"])))
            .collect();
        findings.sort();
        (value["nimber"].clone(), findings)
    };
    assert_eq!(essence(&small.1), essence(&large.1));
}

#[test]
fn a_unit_waits_for_a_larger_slot_and_its_worker_lives_on() {
    let cluster = Coordinator::start();
    let small = cluster.worker("32MiB");
    let job = cluster.submit(&["cram", "3x12", "--method", "mex"]);
    let explained = wait_for("the unit to be too large", || {
        let answer = cluster.ask(&["job", "explain", &job]);
        let first = answer["explanations"][0].clone();
        (first["code"] == "R3").then_some(first)
    });
    assert!(explained["reason"].as_str().unwrap().contains("32MiB"), "{explained}");
    assert!(explained["hint"].as_str().unwrap().contains("--memory"), "{explained}");
    assert!(crate::support::runs(small.pid()));

    // The small worker still does what it can.
    let other = cluster.submit(&["cram", "3x6"]);
    cluster.wait_state(&other, "done");

    let large = cluster.worker("1GiB");
    let end = cluster.wait_state(&job, "done");
    assert!(end["attempts"].as_u64().unwrap() <= 4, "{end}");
    let values = cluster.ask(&["values", "cram", "3x12"]);
    let finding = &values["values"][0]["findings"][0];
    let [worker] = &finding["workers"].as_array().unwrap()[..] else { panic!("{finding}") };
    assert!(worker.as_str().unwrap().ends_with(&format!("-{}", large.pid())), "{finding}");
    // A cap counts what is taken, and a peak what is resident. What the small slot had for tables, which are filled
    // to their last page, is its cap without the stack of 8 MiB and the margin of 4 MiB and a thirty-second.
    let tables = (32 - 8 - 4 - 1) << 20;
    assert!(finding["peak_memory"].as_u64().unwrap() > tables, "{finding}");
}

/// Resident bytes of a process; 0 when it has ended.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")).map(str::trim);
    kibibytes.map_or(0, |number| number.parse::<u64>().unwrap() << 10)
}

/// Two hundred and more where `SPRAGUE_SOAK` is set, in a long run: each takes its time to fill its memory.
#[test]
fn two_hundred_units_above_the_cap_leave_the_worker_alive_and_its_memory_flat() {
    const CAP: u64 = 24 << 20;
    let cluster = Coordinator::start();
    let worker = cluster.worker("24MiB");
    // Boards from 3x13 and 4x9 to 128 cells: none of them fits by either method.
    let boards = (3..=11).flat_map(|rows| {
        let widest = 128 / rows;
        let narrowest = if rows == 3 { 13 } else { rows.max(9) };
        (narrowest..=widest).map(move |columns| format!("{rows}x{columns}"))
    });
    let limit = if std::env::var_os("SPRAGUE_SOAK").is_some() { usize::MAX } else { 15 };
    let boards: Vec<String> = boards.take(limit).collect();
    let units = 2 * boards.len();
    assert!(units >= 200 || limit == 15, "{units}");
    let words: Vec<&str> = ["cram"].into_iter().chain(boards.iter().map(String::as_str)).collect();
    let job = cluster.submit(&[&words[..], &["--method", "mex,outcome"]].concat());

    let own = resident(worker.pid());
    let mut most = (0, 0);
    for enough in (1..=units).step_by(10).chain([units]) {
        wait_for("more units to be too large", || {
            let children: u64 = worker.children().into_iter().map(resident).sum();
            most = (resident(worker.pid()).max(most.0), children.max(most.1));
            let explained = cluster.ask(&["job", "explain", &job]);
            let reasons = explained["explanations"].as_array().unwrap();
            let large = reasons.iter().filter(|reason| reason["code"] == "R3");
            let large: u64 = large.map(|reason| reason["units"].as_u64().unwrap()).sum();
            (large as usize >= enough).then_some(())
        });
    }
    assert!(crate::support::runs(worker.pid()));
    let (worker_most, children_most) = most;
    println!("worker {own} then at most {worker_most}, its slot at most {children_most} bytes");
    assert!(worker_most < own + (16 << 20), "the worker grew from {own} to {worker_most}");
    // A slot's program text is shared and beside the cap, which counts private memory.
    assert!(children_most < CAP + (24 << 20), "the slot had {children_most}");
    let events = cluster.ask(&["events", &job]);
    let count = |name| {
        events["events"].as_array().unwrap().iter().filter(|event| event["event"] == name).count()
    };
    let ended_otherwise = count("ended-badly") + count("parked") + count("found");
    assert!(count("out-of-memory") >= units - 20 && ended_otherwise == 0, "{events}");
    // It still does what fits.
    let small = cluster.submit(&["cram", "3x3"]);
    cluster.wait_state(&small, "done");
}

#[test]
fn a_cap_under_which_nothing_runs_is_refused_before_any_work() {
    let (code, answer) = json(&["run", "cram", "3x3", "--memory", "1MiB"]);
    assert_eq!(code, 2, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("MiB"), "{message}");
}

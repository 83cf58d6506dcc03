//! `sprague cram certify` and `sprague cram check`: what is written is whole, and what is accepted is proven.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use program::{program, run, text};
use serde_json::Value as Json;
use tempfile::TempDir;

/// A certificate in format 1, which programs must go on to read.
const KEPT: &[u8] = include_bytes!("data/cram-3x6.cert");
/// Boards with what is known of them.
const KNOWN: &str = include_str!("../common/work/data/cram-known.tsv");

const FAILED: i32 = 1;
const USAGE: i32 = 2;
const STOPPED: i32 = 4;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What a command prints as JSON, and its exit code.
fn json(words: &[&str]) -> (Json, i32) {
    let ran = run([words, &["--output", "json", "--quiet"]].concat(), b"");
    let answer = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|fault| panic!("{words:?}: {fault}: {}", text(&ran.stderr)));
    (answer, ran.status.code().unwrap())
}

fn succeeds(words: &[&str]) -> Json {
    let (answer, code) = json(words);
    assert_eq!(code, 0, "{words:?}: {answer}");
    answer
}

/// Runs a command that must fail and says why it does.
fn fails(words: &[&str], code: i32) -> String {
    let (answer, found) = json(words);
    assert_eq!(found, code, "{words:?}: {answer}");
    let message = answer["error"]["message"].as_str().unwrap().to_owned();
    let for_people = run(words, b"");
    assert_eq!(for_people.status.code(), Some(code));
    assert!(for_people.stdout.is_empty());
    assert!(text(&for_people.stderr).contains(&message), "{}", text(&for_people.stderr));
    message
}

/// A folder and a certificate of a board in it.
fn certified(board: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("x.cert");
    succeeds(&["cram", "certify", board, "--out", path(&file)]);
    (folder, file)
}

/// The published nimber of a board.
fn published(board: &str) -> u64 {
    let mut rows = KNOWN.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let row = rows.find(|row| row[0] == board && row[1] == "nimber").unwrap();
    row[2].parse().unwrap()
}

#[test]
fn a_certificate_that_was_written_is_accepted_and_says_what_is_known() {
    for board in ["3x9", "3x10", "4x6", "5x5"] {
        let (_folder, file) = certified(board);
        let answer = succeeds(&["cram", "check", path(&file), "--board", board]);
        assert_eq!(answer["question"], format!("cram {board}"));
        assert_eq!(answer["nimber"], published(board), "{board}");
        assert_eq!(answer["proven"], true);
        assert_eq!(answer["bytes"], fs::metadata(&file).unwrap().len());
    }
}

#[test]
fn a_certificate_of_an_earlier_program_is_still_accepted() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("kept.cert");
    fs::write(&file, KEPT).unwrap();
    let ran = run(["cram", "check", path(&file)], b"");
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let nimber = published("3x6");
    assert!(text(&ran.stdout).starts_with(&format!("3x6 has nimber {nimber}: proven\n")));
}

#[test]
fn a_board_that_is_turned_is_no_other_board() {
    let (_folder, file) = certified("4x3");
    for board in ["4x3", "3x4"] {
        let checked = succeeds(&["cram", "check", path(&file), "--board", board]);
        assert_eq!(checked["question"], "cram 4x3");
    }
    assert!(fails(&["cram", "check", path(&file), "--board", "3x5"], 1).contains("it is of 4x3"));
}

#[test]
fn a_file_that_is_there_is_only_written_over_by_force() {
    let (folder, file) = certified("3x4");
    let before = fs::read(&file).unwrap();
    let words = ["cram", "certify", "3x5", "--out", path(&file)];
    assert!(fails(&words, USAGE).contains("is there already"));
    assert_eq!(fs::read(&file).unwrap(), before);
    assert!(
        fails(&["cram", "certify", "3x5", "--out", path(folder.path())], USAGE).contains("there")
    );

    succeeds(&[&words[..], &["--force"]].concat());
    assert_eq!(succeeds(&["cram", "check", path(&file)])["question"], "cram 3x5");
}

#[test]
fn a_folder_that_is_not_there_is_told_before_any_search() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("nowhere/x.cert");
    // The search would take for ever.
    let message = fails(&["cram", "certify", "9x9", "--out", path(&file)], FAILED);
    assert!(message.contains("cannot write"), "{message}");
}

#[test]
fn a_search_that_is_stopped_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("x.cert");
    let words = ["cram", "certify", "9x9", "--memory", "64MiB", "--out", path(&file)];
    let child = program()
        .args(words)
        .args(["--output", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the draft never came");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The draft is made before signals are listened to.
    std::thread::sleep(Duration::from_millis(500));
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&child),
        rustix::process::Signal::INT,
    )
    .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(STOPPED), "{}", text(&ended.stderr));
    let answer: Json = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(answer["error"]["code"], "stopped");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_budget_ends_a_search_and_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("x.cert");
    let words =
        ["cram", "certify", "9x9", "--memory", "64MiB", "--budget", "1s", "--out", path(&file)];
    assert!(fails(&words, STOPPED).contains("--budget"));
    let hint = json(&words).0["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("nothing of it is kept"), "{hint}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_no_certificate_is_refused_with_the_place() {
    let (_folder, file) = certified("3x12");
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        fails(&["cram", "check", path(&file)], FAILED)
    };
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let bit = whole[900] ^ 0x10;
    for (bytes, says) in [
        (b"".to_vec(), "after 0 of its 40 bytes"),
        (b"Dear Sir,".to_vec(), "not a certificate"),
        (vec![0; 1 << 20], "not a certificate"),
        (changed(8, 9), "has format 9, and this program reads format 1"),
        (changed(11, 13), "does not match its checksum"),
        (changed(900, bit), "the chunk at byte 40, from entry 0 on, does not match its checksum"),
        (whole[..whole.len() - 1].to_vec(), "the certificate ends after"),
        ([&whole[..], b"\n"].concat(), "something follows it"),
    ] {
        let message = refused(&bytes);
        assert!(message.contains(says), "{message}");
        assert!(message.contains("x.cert"), "{message}");
    }
    fs::write(&file, &whole).unwrap();
    let other = fails(&["cram", "check", path(&file), "--board", "3x13"], FAILED);
    assert!(other.contains("it is of 3x12, not of 3x13"), "{other}");
    assert!(fails(&["cram", "check", "/nowhere.cert"], FAILED).contains("cannot read"));
    assert!(fails(&["cram", "check", path(&file), "--board", "0x3"], USAGE).contains("no cells"));
}

#[test]
fn a_certificate_goes_through_a_pipe() {
    let written = run(["cram", "certify", "3x9", "--out", "-"], b"");
    assert!(written.status.success());
    assert!(text(&written.stderr).starts_with("3x9 has nimber"), "{}", text(&written.stderr));
    let (_folder, file) = certified("3x9");
    assert_eq!(written.stdout, fs::read(&file).unwrap());
    let checked = run(["cram", "check", "-", "--output", "json"], &written.stdout);
    let answer: Json = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!((&answer["proven"], &answer["file"]), (&true.into(), &"standard input".into()));
    let refused = run(["cram", "check", "-"], &written.stdout[..100]);
    assert!(text(&refused.stderr).contains("the certificate ends after"));
    let (among_json, code) = json(&["cram", "certify", "3x9", "--out", "-"]);
    assert_eq!((&among_json["error"]["code"], code), (&"usage".into(), USAGE));
}

#[test]
fn a_check_that_waits_for_a_writer_is_ended_by_one_signal() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let mut child =
        program().args(["cram", "check", path(&pipe)]).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "nobody has written anything");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(STOPPED));
}

//! The store beside a running coordinator and without one: read, checked, copied, rebuilt.

use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdout, Stdio};

use serde_json::Value as Json;

use crate::support::{Coordinator, Process, json, json_ok, output, sprague};

/// A coordinator that has found something.
fn with_values() -> Coordinator {
    let cluster = Coordinator::start();
    let _worker = cluster.worker("1GiB");
    let job = cluster.submit(&["cram", "3x3..3x6"]);
    cluster.wait_state(&job, "done");
    cluster
}

fn values(dir: &str) -> Json {
    json_ok(&["values", "--dir", dir])
}

#[test]
fn values_backups_and_exports_are_read_beside_a_running_coordinator() {
    let mut cluster = with_values();
    let dir = cluster.dir().display().to_string();
    let other = tempfile::tempdir().unwrap();
    let place = |name: &str| other.path().join(name).display().to_string();
    let (copy, lines) = (place("copy.redb"), place("export.jsonl"));

    let asked = cluster.ask(&["values"]);
    assert_eq!(values(&dir), asked);
    let one = json_ok(&["values", "cram", "3x4", "--dir", &dir]);
    assert_eq!(one["values"].as_array().unwrap().len(), 1);
    let backed_up = json_ok(&["store", "backup", "--out", &copy, "--dir", &dir]);
    let exported = json_ok(&["store", "export", "--out", &lines, "--dir", &dir]);
    assert_eq!(backed_up["store"]["findings"], exported["store"]["findings"]);
    // Everything else would get in its way.
    for verb in ["check", "compact"] {
        let (code, answer) = json(&["store", verb, "--dir", &dir]);
        assert_eq!((code, answer["error"]["code"].as_str()), (1, Some("store")), "{answer}");
    }
    // It goes on writing as if nobody had looked, and the export is appended to.
    let _worker = cluster.worker("1GiB");
    let more = cluster.submit(&["cram", "4x4"]);
    cluster.wait_state(&more, "done");
    json_ok(&["store", "export", "--out", &lines, "--dir", &dir]);
    let later = cluster.ask(&["values"]);

    cluster.process.kill();
    assert_eq!(values(&dir), later, "after a kill");
    let checked = json_ok(&["store", "check", "--dir", &dir]);
    assert_eq!(checked["store"]["jobs"], 2);
    json_ok(&["store", "compact", "--dir", &dir]);
    assert_eq!(values(&dir), later);

    let (restored, imported) = (place("restored"), place("imported"));
    json_ok(&["store", "restore", "--from", &copy, "--dir", &restored]);
    assert_eq!(values(&restored), asked);
    json_ok(&["store", "import", "--from", &lines, "--dir", &imported]);
    assert_eq!(values(&imported), later);
    let (code, answer) = json(&["store", "import", "--from", &lines, "--dir", &imported]);
    assert_eq!(code, 2, "{answer}");
}

#[test]
fn an_export_to_standard_output_is_the_one_to_a_file() {
    let cluster = with_values();
    let dir = cluster.dir().display().to_string();
    let file = cluster.dir().join("export.jsonl");
    let shown = output(&["store", "export", "--dir", &dir]);
    json_ok(&["store", "export", "--dir", &dir, "--out", file.to_str().unwrap()]);
    assert!(shown.status.success());
    assert_eq!(shown.stdout, std::fs::read(file).unwrap());
}

#[test]
fn backups_exports_and_empty_stores_are_told_apart() {
    let cluster = with_values();
    let dir = cluster.dir().display().to_string();
    let other = tempfile::tempdir().unwrap();
    let place = |name: &str| other.path().join(name).display().to_string();
    let (copy, lines, new) = (place("copy.redb"), place("export.jsonl"), place("new"));
    json_ok(&["store", "backup", "--out", &copy, "--dir", &dir]);
    json_ok(&["store", "export", "--out", &lines, "--dir", &dir]);
    let hint = |arguments: &[&str]| {
        let (code, answer) = json(arguments);
        assert_ne!(code, 0, "{answer}");
        answer["error"]["hint"].as_str().unwrap_or_default().to_owned()
    };
    let restored = hint(&["store", "restore", "--from", &lines, "--dir", &new]);
    assert!(restored.contains("is for `sprague store import`"), "{restored}");
    let imported = hint(&["store", "import", "--from", &copy, "--dir", &new]);
    assert!(imported.contains("is for `sprague store restore`"), "{imported}");
    let exported = hint(&["store", "export", "--out", &copy, "--dir", &dir]);
    assert!(exported.contains("name another file"), "{exported}");
    let text = std::fs::read_to_string(&lines).unwrap();
    let without_its_third: Vec<&str> =
        text.lines().enumerate().filter(|(at, _)| *at != 2).map(|(_, line)| line).collect();
    std::fs::write(&lines, without_its_third.join("\n") + "\n").unwrap();
    let changed = hint(&["store", "import", "--from", &lines, "--dir", &new]);
    assert!(changed.contains("another copy"), "{changed}");
    let missing = hint(&["store", "restore", "--from", &place("nothing"), "--dir", &new]);
    assert!(missing.contains("--from"), "{missing}");
    // What could not be made leaves nothing behind, and what was there before stays.
    assert!(!other.path().join("new").exists());
    let deep = other.path().join("deep");
    std::fs::create_dir(&deep).unwrap();
    let below = deep.join("a/b").display().to_string();
    for arguments in [["restore", "--from", lines.as_str()], ["import", "--from", copy.as_str()]] {
        hint(&[&["store"], &arguments[..], &["--dir", &below]].concat());
        assert_eq!(std::fs::read_dir(&deep).unwrap().count(), 0);
    }
    std::fs::write(place("store.redb"), "").unwrap();
    let empty = hint(&["values", "--dir", other.path().to_str().unwrap()]);
    assert!(empty.contains("move the file away"), "{empty}");
}

#[test]
fn a_store_that_is_not_there_or_damaged_is_told_as_such() {
    let mut cluster = with_values();
    cluster.process.kill();
    let dir = cluster.dir().display().to_string();
    let file = cluster.dir().join("store.redb");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    for arguments in [&["store", "check"][..], &["values"], &["serve"]] {
        let (code, answer) = json(&[arguments, &["--dir", &dir]].concat());
        let hint = answer["error"]["hint"].as_str().unwrap_or_default();
        assert!(code == 1 && hint.contains("store restore"), "{arguments:?}: {answer}");
    }
    std::fs::remove_file(&file).unwrap();
    for arguments in [&["store", "check"][..], &["values"]] {
        assert_eq!(json(&[arguments, &["--dir", &dir]].concat()).0, 2);
    }
    assert!(!file.exists());
}

/// A coordinator whose whole standard output is read.
fn serve(dir: &str) -> (Process, BufReader<ChildStdout>) {
    let mut command = sprague(&["serve", "--dir", dir, "--output", "json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    (Process(child), lines)
}

#[test]
fn a_store_that_is_taken_away_from_its_coordinator_is_noticed_and_saved() {
    let mut cluster = with_values();
    cluster.process.kill();
    let dir = cluster.dir().display().to_string();
    let file = cluster.dir().join("store.redb");
    let found = values(&dir);
    for replaced in [false, true] {
        let (mut process, mut lines) = serve(&dir);
        std::fs::remove_file(&file).unwrap();
        if replaced {
            std::fs::write(&file, "something else").unwrap();
        }
        let mut said = String::new();
        lines.read_to_string(&mut said).unwrap();
        assert_eq!(process.0.wait().unwrap().code(), Some(1), "{said}");
        let answer: Json = serde_json::from_str(&said).unwrap();
        let text = |field: &str| answer["error"][field].as_str().unwrap().to_owned();
        assert!(text("message").contains("was removed, moved or replaced"), "{answer}");
        if replaced {
            assert_eq!(std::fs::read(&file).unwrap(), b"something else");
            std::fs::remove_file(&file).unwrap();
        }
        // The hint is followed as it stands.
        let hint = text("hint");
        let command = hint.split('`').nth(1).unwrap();
        // Whoever starts it again at once gets no new store, but the same hint.
        let (code, refused) = json(&["serve", "--dir", &dir]);
        assert_eq!(code, 2, "{refused}");
        assert!(refused["error"]["hint"].as_str().unwrap().contains(command), "{refused}");
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        json_ok(&words);
        assert_eq!(values(&dir), found);
    }
}

//! Bad input of every kind ends as one clear message that says where and what to do, a documented
//! exit code, no panic, and nothing lost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use program::{program, run, text};
use redb::{ReadableDatabase, ReadableTable, TableDefinition, TableHandle};
use serde_json::Value as Json;
use tempfile::TempDir;

const FAILED: i32 = 1;
const USAGE: i32 = 2;

/// Runs a command that must fail, once for people and once for programs, and holds both to the rules.
fn refused(words: &[&str], code: i32, says: &str) -> Json {
    let for_people = run(words, b"");
    let message = text(&for_people.stderr);
    assert_eq!(for_people.status.code(), Some(code), "{words:?}: {message}");
    assert!(for_people.stdout.is_empty(), "{words:?} wrote a result: {message}");
    assert!(message.contains(says), "{words:?} does not say {says:?}: {message}");
    assert_eq!(message.matches("error: ").count(), 1, "{words:?}: {message}");
    assert!(!message.contains("panicked"), "{words:?}: {message}");

    let for_programs = run([words, &["--output", "json"]].concat(), b"");
    assert_eq!(for_programs.status.code(), Some(code), "{words:?}");
    let answer: Json = serde_json::from_slice(&for_programs.stdout)
        .unwrap_or_else(|fault| panic!("{words:?}: {fault}: {}", text(&for_programs.stderr)));
    let error = &answer["error"];
    assert!(error["message"].as_str().unwrap().contains(says), "{words:?}: {answer}");
    assert_eq!(error["exit"], code, "{words:?}: {answer}");
    assert!(error["code"].is_string(), "{words:?}: {answer}");
    answer
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A coordinator that listens, in a folder of its own.
struct Coordinator {
    child: Child,
    address: String,
    dir: TempDir,
}

impl Coordinator {
    fn start() -> Self {
        let dir = TempDir::new().unwrap();
        let mut child = program()
            .args(["serve", "--output", "json", "--quiet", "--dir", path(dir.path())])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Json = serde_json::from_str(&line).unwrap();
        let address = told["address"].as_str().unwrap().to_owned();
        Self { child, address, dir }
    }

    fn access(&self, role: &str) -> PathBuf {
        self.dir.path().join(format!("{role}.access"))
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn more_threads_than_the_memory_has_room_for_are_refused_before_anything_is_started() {
    let words = ["run", "cram", "3x4", "--threads", "200", "--memory", "64MiB"];
    refused(&words, USAGE, "too little for 200 threads, the least is 223.0 MiB");
    for threads in ["0", "257", "many"] {
        refused(&["run", "cram", "3x4", "--threads", threads], USAGE, "from 1 to 256");
    }
}

#[test]
fn boards_that_are_none() {
    for (board, says) in [
        ("0x3", "has no cells"),
        ("3x", "3x"),
        ("x3", "x3"),
        ("3x3x3", "3x3x3"),
        ("potato", "potato"),
        ("3x-3", "3x-3"),
        ("3x43", "128 cells"),
        ("1x129", "128 cells"),
        ("99999999999x2", "128 cells"),
        ("99999999999999999999999x99999999999999999999999", "128 cells"),
        ("3x3..2x2", "empty"),
        ("3x3..", "\"3x3..\" is not a range of boards: it has two ends"),
        ("3x3,,3x4", "is not a board"),
    ] {
        let answer = refused(&["run", "cram", board], USAGE, says);
        assert!(answer["error"]["hint"].is_string(), "{answer}");
    }
}

#[test]
fn jobs_that_are_none() {
    for (words, says) in [
        (&["chess"][..], "chess"),
        (&["cram"], "cram needs BOARDS: say for example `cram 3x3..3x10`"),
        (&["cram", "ablation"], "cram ablation needs BOARDS"),
        (&["geography", "sweep"], "geography sweep needs VERTICES"),
        (&["cram", "3x3", "--method", "guess"], "guess"),
        (&["cram", "3x3", "--method", "guess"], "proof-number, certificate"),
        (&["cram", "ablation", "3x3", "--method", "mex"], "fixed methods"),
        (&["cram", "1x1..1x128", "2x1..2x64", "3x1..3x42", "--method", ""], "no method"),
        (&["geography", "sweep", "12"], "the most are 11"),
        (&["geography", "sweep", "8", "--value", "3"], "takes no --value"),
        (&["geography", "sweep", "0"], "from 1 to 11"),
        (&["geography", "sweep", "many"], "many"),
    ] {
        refused(&[&["run"], words].concat(), USAGE, says);
    }
    for value in ["-1", "x"] {
        let words = ["geography", "cover", "--vertices", "9", "--value", value];
        refused(&[&["run"], &words[..]].concat(), USAGE, "is no value from 0 to");
    }
    for (words, hint) in [
        (&["geography"][..], "which of `geography sweep`, `geography cover`,"),
        (&["geography", "swep", "9"], "did you mean `geography sweep`?"),
        (&["cram", "3x3", "--method", "MEX"], "did you mean `mex`?"),
    ] {
        let answer = refused(&[&["run"], words].concat(), USAGE, "");
        assert!(answer["error"]["hint"].as_str().unwrap().contains(hint), "{answer}");
    }
    // What was typed is repeated, but not a whole file of it.
    let long = "x".repeat(100_000);
    for words in [
        &[&long[..]][..],
        &["cram", &long],
        &["cram", "3x3", "--method", &long],
        &["geography", "sweep", &long],
        &["geography", "search", "--value", "3", "--vertices", &long],
    ] {
        let answer = refused(&[&["run"], words].concat(), USAGE, "xxx...");
        assert!(answer.to_string().len() < 1_500, "{answer}");
    }
    let answer = refused(&["cram", "position", &long], USAGE, "xxx...");
    assert!(answer.to_string().len() < 1_500, "{answer}");
}

#[test]
fn flags_that_cannot_be_meant() {
    for (words, says) in [
        (&["run"][..], "required"),
        (&["rnu"], "rnu"),
        (&["run", "cram", "3x3", "--workers", "0"], "from 1 to"),
        (&["run", "cram", "3x3", "--memory", "1KiB"], "no room"),
        (&["run", "cram", "3x3", "--memory", "plenty"], "512MiB"),
        (&["run", "cram", "3x3", "--memory", "100TiB"], "this machine has"),
        (&["worker", "--access", "x", "--memory", "16EiB"], "this machine has"),
        (&["worker", "--access", "x", "--name", " "], "nothing of it can be seen"),
        (&["cram", "position", "...", "--memory", "100TiB"], "this machine has"),
        (&["run", "cram", "3x3", "--budget", "soon"], "10min"),
        (&["run", "cram", "3x3", "--budget", "1500ms"], "whole seconds"),
        (&["verify", "cram", "3x3", "--budget", "1500ms", "--access", "x"], "whole seconds"),
        (&["serve", "--dir", "d", "--listen", "localhost"], "127.0.0.1:7700"),
        (&["serve", "--dir", "d", "--advertise", "nowhere"], "HOST:PORT"),
        (&["serve", "--dir", "d", "--listen", "0.0.0.0:0"], "worker could call"),
        (&["job", "show", "first", "--access", "x"], "first"),
        (&["worker"], "--access"),
        (&["jobs"], "--access"),
    ] {
        // Clap names the flag below its message for people, so `says` is what both forms say.
        refused(words, USAGE, says);
    }
}

#[test]
fn what_was_likely_meant_by_a_line_that_cannot_be_read() {
    for (words, says, hint) in [
        (&["run", "cram", "3x3", "--access", "x"][..], "--access", "`sprague submit` takes"),
        (&["job", "1"], "'1'", "`sprague job show 1` shows it"),
    ] {
        let answer = refused(words, USAGE, says);
        assert!(answer["error"]["hint"].as_str().unwrap().contains(hint), "{answer}");
        let told = run(words, b"");
        let told = text(&told.stderr);
        assert!(told.contains(hint) && !told.contains("tip:"), "{told}");
    }
    // Only what is a job's number is one, and only behind `job`.
    for words in [&["job", "first"][..], &["worker", "--nothing"]] {
        let told = run(words, b"");
        assert!(!text(&told.stderr).contains("hint:"), "{}", text(&told.stderr));
    }
}

#[test]
fn numbers_that_are_none_are_told_without_words_of_the_library() {
    for (words, says) in [
        (&["geography", "position", "DqK", "--start", "a"][..], "not a number from 0"),
        (&["geography", "position", "DqK", "--start", "-1"], "not a number from 0"),
        (&["geography", "construct", "section5", "--n", "2"], "not a number from 4 to 30"),
        (&["geography", "construct", "section5", "--n", "many"], "not a number from 4 to 30"),
        (&["geography", "construct", "half-graph", "--k", "-1"], "not a number from 1 to 2048"),
        (&["geography", "generate", "4", "--max-degree", "x"], "not a number from 0"),
        (&["run", "cram", "3x3", "--redundancy", "9"], "not a number from 1 to 8"),
        (&["run", "cram", "3x3", "--workers", "-1"], "not a number from 1 to"),
    ] {
        refused(words, USAGE, says);
    }
}

#[test]
fn positions_that_are_none() {
    for (rows, says) in [
        ("", "row 0 has no cells"),
        ("/", "row 0 has no cells"),
        (".../", "row 1"),
        ("..#/..", "row 1 has 2 cells"),
        ("..#/.", "row 1 has 1 cell where"),
        ("..x", "column 2"),
        ("..\u{fc}", "column 2"),
        (". .", "column 1"),
    ] {
        let answer = refused(&["cram", "position", rows], USAGE, says);
        assert_eq!(answer["error"]["code"], "position");
    }
    refused(&["cram", "position", &"./".repeat(200)[..399]], USAGE, "128 cells");
}

#[test]
fn graphs_that_are_none() {
    for line in include_str!("data/graph6-bad.tsv").lines().skip(1) {
        let [graph6, says, _why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let answer = refused(&["geography", "position", graph6], USAGE, says);
        assert_eq!(answer["error"]["code"], "graph6", "{line}");
    }
}

#[test]
fn starts_outside_the_graph() {
    for (graph6, start) in [("DqK", "5"), ("A_", "18446744073709551615"), ("?", "0")] {
        let words = ["geography", "position", graph6, "--start", start];
        let says = if graph6 == "?" { "without vertices" } else { "is not in a graph" };
        assert_eq!(refused(&words, USAGE, says)["error"]["code"], "start");
    }
    refused(&["geography", "position", "A_", "--start=-1"], USAGE, "-1");
}

#[test]
fn access_files_that_are_none() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("x.access");
    let commands: [&[&str]; 4] =
        [&["jobs"], &["worker"], &["submit", "cram", "3x3"], &["job", "watch", "1"]];
    let all_say = |says: &str| {
        for command in commands {
            let words = [command, &["--access", path(&file)]].concat();
            let answer = refused(&words, USAGE, says);
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("x.access"), "{message}");
        }
    };

    all_say("there is no access file");
    let write = |content: &str| {
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    };
    write("");
    all_say("0 bytes");
    write("Dear Sir,");
    all_say("is not an access file");
    write(&" ".repeat(100_000));
    all_say("is not an access file");
    write("{}");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    all_say("can be read by others");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    all_say("x.access");
}

#[test]
fn access_files_of_somebody_else() {
    let (ours, theirs) = (Coordinator::start(), Coordinator::start());
    let (worker, operator) = (ours.access("worker"), ours.access("operator"));
    refused(&["jobs", "--access", path(&worker)], USAGE, "the worker access file");
    refused(&["worker", "--access", path(&operator)], USAGE, "the operator access file");

    // Another coordinator's secret and certificate with our address: nobody is let in by mistake.
    let foreign: Json =
        serde_json::from_slice(&fs::read(theirs.access("operator")).unwrap()).unwrap();
    let mut forged = foreign.clone();
    forged["coordinator"] = ours.address.as_str().into();
    let file = ours.dir.path().join("forged.access");
    let write = |content: &Json| {
        fs::write(&file, content.to_string()).unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    };
    write(&forged);
    refused(&["jobs", "--access", path(&file)], USAGE, "another coordinator");

    // Even with our certificate their secret is none here.
    let own: Json = serde_json::from_slice(&fs::read(&operator).unwrap()).unwrap();
    forged["certificate"] = own["certificate"].clone();
    write(&forged);
    refused(&["jobs", "--access", path(&file)], USAGE, "does not accept");
}

#[test]
fn what_a_coordinator_does_not_have() {
    let coordinator = Coordinator::start();
    let access = coordinator.access("operator");
    let with_access = |words: &[&str], says: &str| {
        refused(&[words, &["--access", path(&access)]].concat(), USAGE, says);
    };
    for verb in ["show", "watch", "cancel", "explain"] {
        with_access(&["job", verb, "7"], "no job 7");
    }
    with_access(&["export", "7"], "no job 7");
    with_access(&["worker", "drain", "7"], "no worker 7");
    with_access(&["submit", "cram", "0x3"], "has no cells");
    let hint = |words: &[&str]| {
        let words = [&["submit"], words, &["--access", path(&access)]].concat();
        refused(&words, USAGE, "")["error"]["hint"].clone()
    };
    assert!(hint(&["geography", "sweep", "12"]).is_null());
    assert_eq!(hint(&["cram", "3x3", "--method", "mx"]), "did you mean `mex`?");
    with_access(&["values", "cram", "0x3"], "has no cells");
}

#[test]
fn a_coordinator_that_is_gone() {
    let gone = Coordinator::start();
    let file = TempDir::new().unwrap().path().with_extension("access");
    fs::copy(gone.access("operator"), &file).unwrap();
    drop(gone);
    let answer =
        refused(&["jobs", "--access", path(&file)], FAILED, "cannot reach the coordinator");
    assert_eq!(answer["error"]["code"], "unreachable");
    fs::remove_file(&file).unwrap();
}

#[test]
fn connections_that_never_say_who_they_are() {
    let dir = TempDir::new().unwrap();
    let few_descriptors =
        "ulimit -n 40 && exec \"$0\" serve --output json --dir \"$1\" 2> \"$1.log\"";
    let child = Command::new("sh")
        .args(["-c", few_descriptors, env!("CARGO_BIN_EXE_sprague"), path(dir.path())])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut coordinator = Coordinator { child, address: String::new(), dir };
    let mut line = String::new();
    BufReader::new(coordinator.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told: Json = serde_json::from_str(&line).unwrap();
    coordinator.address = told["address"].as_str().unwrap().to_owned();
    let connect = || std::net::TcpStream::connect(&coordinator.address).unwrap();
    let silent: Vec<_> = std::iter::repeat_with(connect).take(60).collect();
    // They are sent away in turn, and then whoever says who it is comes in.
    let access = coordinator.access("operator");
    let comes_in = || run(["jobs", "--access", path(&access)], b"").status.success();
    assert!((0..12).any(|_| comes_in()), "{} connections keep everybody out", silent.len());
    // While there was no place the coordinator did not ask for one over and over.
    let log = dir_log(&coordinator);
    let refused = log.matches("a connection cannot be taken").count();
    assert!((1..=120).contains(&refused), "{refused} times: {log}");
}

/// What a coordinator that writes its log beside its folder has said.
fn dir_log(coordinator: &Coordinator) -> String {
    let log = coordinator.dir.path().with_extension("log");
    let text = fs::read_to_string(&log).unwrap();
    fs::remove_file(log).unwrap();
    text
}

#[test]
fn a_port_and_a_store_that_are_taken() {
    let coordinator = Coordinator::start();
    let elsewhere = TempDir::new().unwrap();
    let words = ["serve", "--dir", path(elsewhere.path()), "--listen", &coordinator.address];
    refused(&words, FAILED, "cannot listen on");

    let dir = path(coordinator.dir.path());
    refused(&["serve", "--dir", dir], FAILED, "is open in another process");
    refused(&["run", "cram", "2x2", "--dir", dir], FAILED, "is open in another process");
    // The one that has it open goes on.
    let access = coordinator.access("operator");
    assert!(run(["jobs", "--access", path(&access)], b"").status.success());
}

/// A table of another program, or the one by which stores say whose they are.
fn table(name: &str) -> TableDefinition<'_, &'static str, &'static str> {
    TableDefinition::new(name)
}

fn write(file: &Path, name: &str, rows: &[(&str, &str)]) {
    let database = redb::Database::create(file).unwrap();
    let transaction = database.begin_write().unwrap();
    for (key, value) in rows {
        transaction.open_table(table(name)).unwrap().insert(key, value).unwrap();
    }
    transaction.commit().unwrap();
}

fn read(file: &Path, name: &str) -> Vec<(String, String)> {
    let database = redb::Database::open(file).unwrap();
    let transaction = database.begin_read().unwrap();
    let tables: Vec<String> =
        transaction.list_tables().unwrap().map(|table| table.name().to_owned()).collect();
    assert_eq!(tables, [name]);
    let rows = transaction.open_table(table(name)).unwrap();
    rows.iter()
        .unwrap()
        .map(|row| {
            row.map(|(key, value)| (key.value().to_owned(), value.value().to_owned())).unwrap()
        })
        .collect()
}

#[test]
fn stores_that_are_not_ours_keep_what_they_hold() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("store.redb");
    let refuse = |says: &str| {
        let answer = refused(&["serve", "--dir", path(folder.path())], FAILED, says);
        assert!(answer["error"]["hint"].is_string(), "{answer}");
    };
    let accounts = "these are the accounts of a grocer, not a store";
    fs::write(&file, accounts).unwrap();
    refuse("is not a store");
    assert_eq!(fs::read_to_string(&file).unwrap(), accounts);

    for (name, rows, says) in [
        ("groceries", [("eggs", "12"), ("milk", "2")], "is not a store"),
        ("meta", [("program", "grocer"), ("schema", "1")], "is not a store"),
        ("meta", [("program", "sprague"), ("schema", "999")], "has schema 999"),
    ] {
        fs::remove_file(&file).unwrap();
        write(&file, name, &rows);
        refuse(says);
        let kept = read(&file, name);
        assert!(kept.iter().map(|(k, v)| (k.as_str(), v.as_str())).eq(rows), "{kept:?}");
    }
}

#[test]
fn folders_that_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for command in [&["serve"][..], &["run", "cram", "2x2"]] {
        let inside = file.join("inside");
        let words = [command, &["--dir", path(&inside)]].concat();
        refused(&words, FAILED, "as a folder");
    }
}

/// Runs the program where a fresh file system of these options is mounted on a folder.
fn on_a_mount(options: &str, folder: &Path, words: &str) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_sprague");
    let ran = scripted_on_a_mount(options, folder, &format!("exec {program} {words}"));
    (ran.status.code(), text(&ran.stderr).to_owned())
}

/// Runs a script of a shell where a fresh file system of these options is mounted on a folder, which only this script
/// sees.
fn scripted_on_a_mount(options: &str, folder: &Path, script: &str) -> Output {
    let script = format!("mount -t tmpfs -o {options} none {} && {script}", path(folder));
    Command::new("timeout")
        .args(["60", "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .output()
        .unwrap()
}

#[test]
fn a_read_only_mount() {
    let folder = TempDir::new().unwrap();
    let mount = path(folder.path());
    for words in [
        format!("serve --dir {mount}"),
        format!("serve --dir {mount}/new"),
        format!("run cram 2x2 --dir {mount}/new"),
    ] {
        let (code, message) = on_a_mount("ro", folder.path(), &words);
        assert_eq!(code, Some(FAILED), "{words}: {message}");
        assert!(message.contains("Read-only file system"), "{words}: {message}");
        assert!(message.contains("hint: "), "{words}: {message}");
    }
}

#[test]
fn a_full_disk() {
    let folder = TempDir::new().unwrap();
    let mount = path(folder.path());
    // From no room for the store at all to room for its beginnings.
    for size in ["4k", "32k", "64k", "100k"] {
        let words = format!("run geography sweep 6 7 8 --workers 1 --dir {mount}/new");
        let options = format!("size={size}");
        let (code, message) = on_a_mount(&options, folder.path(), &words);
        assert_eq!(code, Some(FAILED), "{size}: {message}");
        let says = ["no space is left", "No space left", "cannot be written"];
        assert!(says.iter().any(|says| message.contains(says)), "{size}: {message}");
        assert!(!message.contains("panicked"), "{size}: {message}");
    }
}

#[test]
fn a_store_that_is_taken_away_on_a_disk_with_little_room_is_saved() {
    let folder = TempDir::new().unwrap();
    let script = format!(
        "cd {folder} && {{ {program} serve --dir games & }} && serve=$! && \
         for i in $(seq 200); do [ -s games/operator.access ] && break; sleep 0.1; done && \
         sleep 1 && rm games/store.redb && wait $serve; \
         [ -s games/rescued-1.redb ]",
        folder = path(folder.path()),
        program = env!("CARGO_BIN_EXE_sprague")
    );
    // Room for a store and its copy, but for less than a copy is commonly allowed for.
    let ran = scripted_on_a_mount("size=1500k", folder.path(), &script);
    let message = text(&ran.stderr);
    assert!(message.contains("all that it held is in"), "{message}");
    assert!(ran.status.success() && !message.contains("cannot be saved"), "{message}");
}

#[test]
fn a_variable_of_the_log_that_is_no_filter() {
    for nonsense in ["sprague=lots", "["] {
        let ran = program()
            .args(["cram", "position", "...", "--log-format", "json"])
            .env("SPRAGUE_LOG", nonsense)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{nonsense}");
        let told: Json = serde_json::from_slice(&ran.stderr).unwrap();
        assert_eq!(told["level"], "WARN", "{told}");
        let message = told["fields"]["message"].as_str().unwrap();
        assert!(message.starts_with("SPRAGUE_LOG is left aside"), "{message}");
    }
}

#[test]
fn standard_output_that_cannot_be_written() {
    for words in [&["cram", "position", "..."][..], &["geography", "position", "DqK"]] {
        for form in ["text", "json"] {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let ran = program()
                .args(words)
                .args(["--output", form])
                .stdout(full)
                .stderr(Stdio::piped())
                .output()
                .unwrap();
            assert_eq!(ran.status.code(), Some(FAILED));
            assert!(text(&ran.stderr).contains("cannot write to standard output"));
        }
    }
}

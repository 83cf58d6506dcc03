//! The direct commands on Undirected Vertex Geography: constructions, drawings, games, generation, streams.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use program::{program, run, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const USAGE: i32 = 2;
const STOPPED: i32 = 4;

fn said(words: &[&str]) -> String {
    let ran = run(words, b"");
    assert!(ran.status.success(), "{words:?}: {}", text(&ran.stderr));
    text(&ran.stdout).to_owned()
}

fn json(words: &[&str]) -> Json {
    serde_json::from_str(&said(&[words, &["--output", "json"]].concat())).unwrap()
}

/// The value of the start that a construction names.
fn value(construction: &Json) -> u64 {
    let start = construction["start"].to_string();
    let graph6 = construction["graph6"].as_str().unwrap();
    let position = json(&["geography", "position", graph6, "--start", &start]);
    position["value"].as_u64().unwrap_or_else(|| panic!("{position}"))
}

fn construct(words: &[&str]) -> Json {
    json(&[&["geography", "construct"], words].concat())
}

/// The rows of a table of known values, each cell by the name of its column.
fn rows(table: &'static str) -> Vec<BTreeMap<&'static str, &'static str>> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines.map(|line| names.iter().copied().zip(line.split('\t')).collect()).collect()
}

#[test]
fn section_5_is_constructed_in_every_variant() {
    let table = include_str!("../common/geography/tests/data/section5.tsv");
    let variants =
        ["figures", "as-printed", "without-first-root", "without-first-tree", "without-links"];
    for row in rows(table).into_iter().filter(|row| row["n"] < "7") {
        for variant in variants.into_iter().filter(|variant| !row[variant].is_empty()) {
            let built = construct(&["section5", "--n", row["n"], "--variant", variant]);
            assert_eq!(value(&built).to_string(), row[variant], "{variant} {}", row["n"]);
            if variant == "figures" {
                let sizes = (built["vertices"].to_string(), built["edges"].to_string());
                assert_eq!(sizes, (row["vertices"].to_owned(), row["edges"].to_owned()));
            }
        }
    }
}

/// Whether the next player wins on a digraph, by the definition.
fn wins(arcs: &[(usize, usize)], deleted: u32, token: usize) -> bool {
    let heads = arcs.iter().filter(|&&(tail, head)| tail == token && deleted >> head & 1 == 0);
    heads.map(|&(_, head)| head).any(|head| !wins(arcs, deleted | 1 << token, head))
}

#[test]
fn gadgets_and_preludes_carry_a_digraph_over() {
    for arcs in ["0-1", "0-1,1-0", "0-1,1-2", "0-1,1-2,2-0", "0-1,0-2,1-2,2-1", "1-0,2-0"] {
        let pairs: Vec<(usize, usize)> = arcs
            .split(',')
            .map(|arc| arc.split_once('-').unwrap())
            .map(|(tail, head)| (tail.parse().unwrap(), head.parse().unwrap()))
            .collect();
        for start in 0..=pairs.iter().map(|&(tail, head)| tail.max(head)).max().unwrap() {
            let words = ["--arcs", arcs, "--start", &start.to_string()];
            let gadget = value(&construct(&[&["gadget"], &words[..]].concat()));
            let prelude = value(&construct(&[&["prelude"], &words[..]].concat()));
            if wins(&pairs, 0, start) {
                assert!(gadget > 1, "{arcs} from {start} is worth {gadget}");
                assert_eq!(prelude, 2, "{arcs} from {start}");
            } else {
                assert_eq!((gadget, prelude), (1, 1), "{arcs} from {start}");
            }
        }
    }
}

#[test]
fn trees_and_half_graphs_are_constructed() {
    for k in 0..=6 {
        let tree = construct(&["tree", "--k", &k.to_string()]);
        assert_eq!((value(&tree), tree["vertices"].as_u64()), (k, Some(1 << k)));
    }
    let half = construct(&["half-graph", "--k", "5"]);
    assert_eq!((half["vertices"].as_u64(), half["edges"].as_u64()), (Some(10), Some(15)));
    assert!(value(&half) > 0, "there is a perfect matching");
}

#[test]
fn a_constructed_graph_is_one_line_and_the_start_is_told_beside_it() {
    let ran = run(["geography", "construct", "section5", "--n", "4"], b"");
    assert_eq!(text(&ran.stdout).lines().count(), 1);
    assert_eq!(text(&ran.stderr), "16 vertices, 15 edges, the start is 0\n");
}

#[test]
fn constructions_that_are_none_are_refused() {
    for (words, says) in [
        (&["section5", "--n", "3"][..], "from 4 to 30"),
        (&["section5", "--n", "4", "--variant", "as-written"], "as-printed"),
        (&["gadget", "--arcs", "0-0"], "no arc from 0 to 0"),
        (&["gadget", "--arcs", "0-1", "--vertices", "1"], "no arc from 0 to 1"),
        (&["gadget", "--arcs", "0-16"], "at most 16"),
        (&["gadget", "--arcs", "0>1"], "TAIL-HEAD"),
        (&["gadget", "--arcs", "0-1", "--start", "2"], "start 2 is not in a graph of order 2"),
        (&["prelude"], "--arcs 0-1,1-2,2-0"),
        (&["gadget", "--vertices", "0"], "without vertices"),
        (&["tree", "--k", "13"], "from 0 to 12"),
        (&["tree", "--k", "11", "--format", "svg"], "too large for a picture"),
    ] {
        let ran = run([&["geography", "construct"], words].concat(), b"");
        assert_eq!(ran.status.code(), Some(USAGE), "{words:?}");
        assert!(text(&ran.stderr).contains(says), "{words:?}: {}", text(&ran.stderr));
    }
}

#[test]
fn a_position_is_drawn_into_a_file_that_is_never_lost() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("position.svg");
    let words = ["geography", "draw", "DqK", "--start", "2", "--out", file.to_str().unwrap()];
    let told = said(&words);
    assert!(told.ends_with("5 vertices, 5 edges, the start is 2\n"), "{told}");
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    // Five vertices leave one out of every matching.
    assert_eq!(svg.matches("stroke-dasharray").count(), 1, "{svg}");
    assert_eq!(said(&words[..5]), svg, "standard output gets the same");

    let again = run(words, b"");
    assert_eq!(again.status.code(), Some(USAGE));
    assert!(text(&again.stderr).contains("is there already"));
    let dot = said(&[&words[..], &["--force", "--format", "dot"]].concat());
    assert!(dot.contains("the start is 2"));
    assert!(fs::read_to_string(&file).unwrap().starts_with("graph position {"));
}

#[test]
fn whoever_plays_against_a_won_position_loses() {
    let mut games = 0;
    for line in include_str!("data/graph6.tsv").lines().skip(1) {
        let (graph6, rest) = line.split_once('\t').unwrap();
        let vertices: usize = rest.split('\t').next().unwrap().parse().unwrap();
        for start in 0..vertices.min(4) {
            let start = start.to_string();
            let position = json(&["geography", "position", graph6, "--start", &start]);
            // Whoever the position is lost for is the person, who names all vertices over and over: what is no
            // move is asked for again.
            let side: &[&str] = if position["outcome"] == "N" { &["--second"] } else { &[] };
            let words = ["geography", "play", graph6, "--start", &start, "--output", "json", "-q"];
            let names: String = (0..vertices).rev().map(|v| format!("{v}\n")).collect();
            let ran = run([&words[..], side].concat(), names.repeat(vertices).as_bytes());
            assert!(ran.status.success(), "{graph6}: {}", text(&ran.stderr));
            let game: Json = serde_json::from_slice(&ran.stdout).unwrap();
            assert_eq!(game["winner"], "sprague", "{graph6} from {start}: {game}");
            games += 1;
        }
    }
    assert!(games > 20, "{games} games");
}

#[test]
fn a_game_says_what_cannot_be_meant_and_may_be_left() {
    let ran = run(["geography", "play", "DqK", "--start", "0"], b"9\nup\n\nquit\n");
    assert_eq!(ran.status.code(), Some(STOPPED));
    let told = text(&ran.stdout);
    for says in [
        "the token is on 0, and you can move to 1, 2",
        "there is no move from 0 to 9: take one of 1, 2",
        "\"up\" is no vertex",
        "the game was left",
    ] {
        assert!(told.contains(says), "{says}: {told}");
    }
    let ended = run(["geography", "play", "DqK"], b"1\n");
    assert_eq!(ended.status.code(), Some(STOPPED), "the input ended");
    let outside = run(["geography", "play", "DqK", "--start", "5"], b"");
    assert_eq!(outside.status.code(), Some(USAGE));
}

#[test]
fn generation_gives_the_published_counts() {
    let table = include_str!("../common/geography/tests/data/connected-graphs.tsv");
    let header = table.lines().find(|line| !line.starts_with('#')).unwrap();
    assert_eq!(header.split('\t').count(), 4, "{header}");
    let count = |words: &[&str]| {
        said(&[&["geography", "generate"], words, &["--count"]].concat()).trim().to_owned()
    };
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [order, all, trees, subcubic] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let n: usize = order.parse().unwrap();
        if n <= 9 {
            assert_eq!(count(&[order]), all, "{order} vertices");
            let lines = said(&["geography", "generate", order]).lines().count();
            assert_eq!(lines.to_string(), all, "{order} vertices");
        }
        assert_eq!(count(&[order, "--edges", &format!("..{}", n - 1)]), trees, "{order} vertices");
        assert_eq!(count(&[order, "--max-degree", "3"]), subcubic, "{order} vertices");
    }
}

#[test]
fn parts_of_a_generation_are_the_whole() {
    let all = json(&["geography", "generate", "7"]);
    let mut parts = Vec::new();
    for part in ["0/3", "1/3", "2/3"] {
        let part = said(&["geography", "generate", "7", "--part", part, "--output", "jsonl"]);
        parts.extend(part.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()));
    }
    let mut parts: Vec<&str> = parts.iter().map(|line| line["graph6"].as_str().unwrap()).collect();
    let whole = all["graph6"].as_array().unwrap();
    let mut whole: Vec<&str> = whole.iter().map(|graph6| graph6.as_str().unwrap()).collect();
    assert_eq!(all["graphs"].as_u64(), Some(whole.len() as u64));
    parts.sort_unstable();
    whole.sort_unstable();
    assert_eq!(parts, whole);
}

/// What a program makes of its input.
fn piped(program: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        child.wait_with_output().unwrap()
    });
    output.stdout
}

/// The canonical forms by nauty, sorted, of graphs in graph6.
fn labelled(graphs: &[u8]) -> Vec<String> {
    let output = piped(Command::new("nauty-labelg").arg("-qg"), graphs);
    let mut forms: Vec<String> = text(&output).lines().map(str::to_owned).collect();
    forms.sort_unstable();
    forms
}

#[test]
fn generation_gives_what_geng_gives() {
    if Command::new("nauty-geng").args(["-q", "2"]).output().is_err() {
        eprintln!("SKIPPED: nauty-geng is not installed (Debian: nauty)");
        return;
    }
    for (ours, theirs) in [
        (&["8"][..], &["-cq", "8"][..]),
        (&["8", "--max-degree", "4"], &["-cq", "-D4", "8"]),
        (&["9", "--bipartite"], &["-cq", "-b", "9"]),
        (&["9", "--edges", "10..12"], &["-cq", "9", "10:12"]),
        (&["8", "--edges", "20.."], &["-cq", "8", "20:28"]),
    ] {
        let expected = Command::new("nauty-geng").args(theirs).output().unwrap();
        assert!(expected.status.success(), "{theirs:?}");
        let found = said(&[&["geography", "generate"], ours].concat());
        assert!(labelled(found.as_bytes()) == labelled(&expected.stdout), "{ours:?}");
    }
}

#[test]
fn what_is_no_graph6_becomes_it_as_the_message_says() {
    if Command::new("nauty-geng").args(["-q", "2"]).output().is_err() {
        eprintln!("SKIPPED: nauty is not installed (Debian: nauty)");
        return;
    }
    for (foreign, graph6) in [
        // A path of three vertices: with a loop at either end, with its first edge twice.
        (":BCn", "Bg"),
        (":BdV", "Bg"),
        (":B_n", "Bg"),
        // A directed triangle.
        ("&BP_", "Bw"),
    ] {
        let ran = run(["geography", "position", foreign], b"");
        let said = text(&ran.stderr);
        let commands = said.split('`').nth(1).unwrap().split(" | ");
        let mut graph = format!("{foreign}\n").into_bytes();
        for command in commands {
            let mut words = command.split(' ');
            let tool = format!("nauty-{}", words.next().unwrap());
            graph = piped(Command::new(tool).args(words), &graph);
        }
        assert_eq!(text(&graph).trim_end(), graph6, "{foreign}: {said}");
    }
}

#[test]
fn a_least_number_of_edges_saves_work() {
    // Of more than 10^21 graphs all but a few are passed over.
    for (edges, graphs) in [("120", "1"), ("118..", "4")] {
        let words = ["geography", "generate", "16", "--edges", edges, "--count"];
        assert_eq!(said(&words).trim_end(), graphs, "{edges}");
    }
}

#[test]
fn generations_that_are_none_are_refused() {
    for (words, says) in [
        (&["0"][..], "1 to 16"),
        (&["17"], "1 to 16"),
        (&["7", "--edges", "9..3"], "is empty"),
        (&["7", "--edges", "some"], "A..B"),
        (&["7", "--part", "3/3"], "I/OF"),
    ] {
        let ran = run([&["geography", "generate"], words].concat(), b"");
        assert_eq!(ran.status.code(), Some(USAGE), "{words:?}");
        assert!(text(&ran.stderr).contains(says), "{words:?}: {}", text(&ran.stderr));
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_is_written() {
    let mut child = program()
        .args(["geography", "position"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for graph6 in ["DqK", "A_", "not one", "@"] {
        writeln!(stdin, "{graph6}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        let answer: Json = serde_json::from_str(&answer).unwrap();
        assert!(answer["graph6"] == graph6 || answer["line"] == 3, "{graph6}: {answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(USAGE));
}

#[test]
fn a_graph_beyond_the_budget_is_undecided_in_its_place() {
    // Sixty vertices, every second pair of them joined.
    let dense = format!("{}{}", char::from(63 + 60), "T".repeat(60 * 59 / 2 / 6));
    let input = format!("DqK\n{dense}\nA_\n{dense}\nB\n@\n");
    let ran = run(["geography", "position", "--budget", "1s"], input.as_bytes());
    assert_eq!(ran.status.code(), Some(USAGE), "one line is none");
    let lines: Vec<Json> =
        text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    for (at, graph6) in [(0, "DqK"), (2, "A_"), (5, "@")] {
        assert_eq!(lines[at]["graph6"], graph6);
        assert!(lines[at]["value"].is_number() && lines[at].get("note").is_none());
    }
    for at in [1, 3] {
        let undecided = &lines[at];
        assert!(undecided["value"].is_null(), "{undecided}");
        let note = undecided["note"].as_str().unwrap();
        assert!(note.contains("not decided within the time of --budget"), "{note}");
        let covered = undecided["matching_without_start"].as_u64() < undecided["matching"].as_u64();
        assert_eq!(undecided["outcome"], if covered { "N" } else { "P" });
        let options = undecided["options"].as_array().unwrap();
        assert_eq!(options.iter().any(|option| option["winning"] == true), covered);
    }
    assert_eq!((&lines[4]["line"], &lines[4]["error"]["code"]), (&5.into(), &"graph6".into()));
}

#[test]
fn only_the_component_of_the_token_counts() {
    // A path of three vertices beside a triangle.
    let graph6 = "EgCW";
    let path = json(&["geography", "position", graph6, "--start", "0"]);
    assert_eq!((&path["vertices"], &path["component"]), (&6.into(), &3.into()), "{path}");
    assert_eq!(path["value"], 0);
    let told = said(&["geography", "position", graph6, "--start", "3"]);
    assert!(told.contains("only the token's component counts: 3 vertices"), "{told}");
}

#[test]
fn a_component_beyond_the_method_is_said_and_the_winner_is_told() {
    // A path of 601 vertices: the only bits are those next to the diagonal.
    let order = 601_usize;
    let mut bits: Vec<bool> = Vec::new();
    for column in 1..order {
        bits.extend((0..column).map(|row| row + 1 == column));
    }
    let sextets = bits.chunks(6).map(|six| {
        let bit = |at: usize| u8::from(six.get(at) == Some(&true));
        char::from(63 + (0..6).fold(0, |all, at| all << 1 | bit(at)))
    });
    let head =
        [126, 63 + (order >> 12) as u8, 63 + (order >> 6 & 63) as u8, 63 + (order & 63) as u8];
    let graph6: String = head.into_iter().map(char::from).chain(sextets).collect();
    let ran = run(["geography", "position"], graph6.as_bytes());
    let answer: Json = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&answer["vertices"], &answer["outcome"]), (&601.into(), &"P".into()));
    assert!(answer["note"].as_str().unwrap().contains("601 vertices"), "{}", answer["note"]);
}

//! The engine, method `proof-number`, on whole boards, in pairs with the solver `igsolve` if there is one.
//!
//! `cargo bench -p sprague-cram --bench engine -- 3x17 4x11` prints for each board the CPU seconds of both in user
//! mode, their ratio, and the engine's counts, which do not depend on the machine: expansions, entries and bytes of
//! the table. Both run one after the other, on one thread each. `IGSOLVE` names the program (`cargo
//! install igsolve`); without it the engine runs alone. `TIES`, a list of numbers such as `0,1,2`, names the ways to break ties: each is
//! a run of its own, and the geometric means are printed at the end. `TURNED`, a list such as `star,half-turn`, names parts
//! of the engine that are turned the other way. `MEMORY` is the table's limit in MiB. `THREADS`, a list such as `1,2,8`, names how many
//! threads the engine has: each is a run of its own, whose expansions are compared with those of the first.
//!
//! The CPU times are the kernel's, from `/proc`, to a hundredth of a second.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use sprague_cram::{Board, Limits, Solved, Switch, Switches, solve_with};

/// What runs if no board is named: the boards on which the engine is measured.
const BOARDS: [&str; 5] = ["3x17", "3x18", "4x11", "5x8", "5x9"];

fn main() {
    let mut boards: Vec<String> = std::env::args().skip(1).collect();
    // What `cargo bench` adds; without it this is a test of the bench itself.
    let is_bench = boards.iter().any(|argument| argument == "--bench");
    boards.retain(|argument| !argument.starts_with("--"));
    if boards.is_empty() {
        boards = BOARDS[..].iter().map(ToString::to_string).collect();
    }
    if !is_bench {
        boards = vec!["3x8".to_owned()];
    }
    let igsolve = std::env::var("IGSOLVE").ok();
    let memory = number_list("MEMORY", "512")[0] as usize;
    let ties = number_list("TIES", "0");
    let threads = number_list("THREADS", "1");
    let turned = std::env::var("TURNED").unwrap_or_default();
    let switches = turned.split(',').filter(|name| !name.is_empty()).fold(
        Switches::default(),
        |switches, name| {
            let switch = Switch::ALL.into_iter().find(|switch| switch.name() == name);
            switches.turned(switch.expect("TURNED lists switches"))
        },
    );

    println!(
        "{:<6} {:>4} {:>7} {:>9} {:>9} {:>9} {:>7} {:>11} {:>8} {:>10} {:>11}",
        "board",
        "ties",
        "threads",
        "wall s",
        "CPU s",
        "igsolve",
        "ratio",
        "expansions",
        "overhead",
        "entries",
        "table bytes"
    );
    let (mut seconds, mut expansions) = (Mean::default(), Mean::default());
    for board in &boards {
        let peer = igsolve.as_ref().map(|program| peer_seconds(program, board));
        let runs =
            ties.iter().flat_map(|&ties| threads.iter().map(move |&threads| (ties, threads)));
        let mut first = None;
        for (ties, threads) in runs {
            let switches = Switches { ties, ..switches };
            let (wall, own, solved) = own_seconds(board, switches, memory << 20, threads as usize);
            seconds.add(own);
            expansions.add(solved.expansions as f64);
            let [peer, ratio] = match peer {
                Some(peer) => [format!("{peer:.2}"), format!("{:.1}", peer / own)],
                None => ["-".to_owned(), "-".to_owned()],
            };
            let Solved { expansions, entries, table_bytes, .. } = solved;
            let overhead = expansions as f64 / *first.get_or_insert(expansions) as f64;
            println!(
                "{board:<6} {ties:>4} {threads:>7} {wall:>9.2} {own:>9.2} {peer:>9} {ratio:>7} {expansions:>11} {overhead:>8.2} \
                 {entries:>10} {table_bytes:>11}"
            );
        }
    }
    println!(
        "geometric means: {:.2} CPU s, {:.0} expansions",
        seconds.geometric(),
        expansions.geometric()
    );
}

/// The engine's seconds on a board, by the clock and of CPU time, and what it found.
fn own_seconds(
    board: &str,
    switches: Switches,
    memory: usize,
    threads: usize,
) -> (f64, f64, Solved) {
    let board: Board = board.parse().expect("a board is named as in 3x17");
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory, cancel: &cancel, progress: &progress, threads };
    let (before, start) = (cpu_seconds().own, Instant::now());
    let solved = solve_with(switches, &board.position(), &limits).expect("the table fits");
    (start.elapsed().as_secs_f64(), cpu_seconds().own - before, solved)
}

/// The CPU seconds of `igsolve` on a board.
fn peer_seconds(program: &str, board: &str) -> f64 {
    let board: Board = board.parse().expect("a board is named as in 3x17");
    let (rows, cols) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    let before = cpu_seconds().children;
    let status = Command::new(program)
        .args(["--tt", "hash-map", "cram", "-r", &rows.to_string(), "-c", &cols.to_string()])
        .stdout(Stdio::null())
        .status()
        .expect("IGSOLVE names a program");
    assert!(status.success(), "igsolve failed on {board}");
    cpu_seconds().children - before
}

/// CPU seconds in user mode so far.
struct CpuSeconds {
    /// Of this process.
    own: f64,
    /// Of its children that have ended.
    children: f64,
}

/// Reads the kernel's account of this process.
fn cpu_seconds() -> CpuSeconds {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel gives accounts");
    // The name of the program, in brackets, may hold spaces. What follows begins with field 3; user time is field
    // 14, that of children field 16, both in hundredths of a second.
    let (_, fields) = stat.rsplit_once(')').expect("the second field is in brackets");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let seconds =
        |field: usize| fields[field - 3].parse::<f64>().expect("times are numbers") / 100.0;
    CpuSeconds { own: seconds(14), children: seconds(16) }
}

/// The numbers, parted by commas, of an environment variable.
fn number_list(variable: &str, default: &str) -> Vec<u64> {
    let list = std::env::var(variable).unwrap_or_else(|_| default.to_owned());
    list.split(',').map(|number| number.parse().expect("the variable lists numbers")).collect()
}

/// A geometric mean.
#[derive(Default)]
struct Mean {
    sum_of_logarithms: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        // A hundredth of a second is the least that can be told from nothing.
        self.sum_of_logarithms += value.max(0.01).ln();
        self.count += 1;
    }

    fn geometric(&self) -> f64 {
        (self.sum_of_logarithms / f64::from(self.count)).exp()
    }
}

//! `sprague geography position` on a stream of graphs: lines a second on one core.
//!
//! `cargo bench -p sprague --bench stream -- 1000000` feeds so many random graphs of 12 vertices, of edge densities
//! from 0.1 to 0.9, through a file and prints the lines a second, by the wall and by the CPU time of the program, which
//! runs on one thread. The graphs are a function of their number, so every run reads the same ones.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Vertices of the graphs.
const ORDER: usize = 12;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // What `cargo bench` adds; without it this is a test of the bench itself.
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    let named = arguments.iter().find_map(|argument| argument.parse().ok());
    let lines: u64 = if is_bench { named.unwrap_or(1_000_000) } else { 1000 };

    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("graphs.g6");
    let mut file = BufWriter::new(File::create(&path).expect("the folder is ours"));
    (0..lines).for_each(|number| {
        file.write_all(&graph(number)).expect("there is room for the graphs");
    });
    file.into_inner().expect("there is room for the graphs");

    let begun = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_sprague"))
        .args(["geography", "position", "--output", "jsonl"])
        .stdin(File::open(&path).expect("the file was just written"))
        .stdout(Stdio::null())
        .status()
        .expect("the program was built");
    let wall = begun.elapsed().as_secs_f64();
    assert!(status.success(), "every line is a graph");
    let cpu = children_cpu_seconds().max(0.01);
    println!(
        "{lines} graphs of {ORDER} vertices: {wall:.2} s, {:.0} lines/s; {cpu:.2} CPU s, {:.0} lines/s",
        lines as f64 / wall,
        lines as f64 / cpu
    );
}

/// A line: the graph of this number in graph6.
fn graph(number: u64) -> Vec<u8> {
    let mut random = Random(number);
    // Of 2^16, so that the densities are spread evenly.
    let density = 6554 + random.next() % 52_429;
    let mut line = vec![63 + ORDER as u8];
    let pairs = ORDER * (ORDER - 1) / 2;
    for sextet in 0..pairs.div_ceil(6) {
        let bits = (0..6).fold(0, |bits, bit| {
            let joined = 6 * sextet + bit < pairs && random.next() % (1 << 16) < density;
            bits << 1 | u8::from(joined)
        });
        line.push(63 + bits);
    }
    line.push(b'\n');
    line
}

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// CPU seconds of the children that have ended, in user and system mode, from the kernel.
fn children_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel gives accounts");
    // The name of the program, in brackets, may hold spaces. What follows begins with field 3; the times of children are
    // fields 16 and 17, in hundredths of a second.
    let (_, fields) = stat.rsplit_once(')').expect("the second field is in brackets");
    let times = fields.split_whitespace().skip(16 - 3).take(2);
    times.map(|field| field.parse::<f64>().expect("times are numbers") / 100.0).sum()
}

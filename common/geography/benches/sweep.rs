//! What a graph costs in a sweep, generation included, beside plainer ways to the same values.
//!
//! `cargo bench -p sprague-geography --bench sweep -- 9 10` prints for each order the CPU time a graph of: the sweep by `table`, with
//! matchings, counts and fingerprints; the same generator with the table for one graph at a time, values only; the graphs of
//! `geng -c` (nauty, if it is installed; `GENG` names it) through a pipe with that table; and the recursion, on a part of the graphs. All on one
//! thread each, one after the other; geng's own time is counted. A checksum of the values must be the same for all that see
//! all graphs.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::generate::{Constraints, Part, connected};
use sprague_geography::sweep::{Evaluator, Slice, run};
use sprague_geography::value::table::Table;
use sprague_geography::{Limits, SmallGraph, graph6};

/// One way, what it cost and what it saw.
struct Way {
    name: &'static str,
    graphs: u64,
    /// The sum of all values of all starts; none where only a part was seen.
    checksum: Option<u64>,
    seconds: f64,
}

fn main() {
    let mut orders: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    if orders.is_empty() {
        orders = vec![8, 9];
    }
    for order in orders {
        let ways = [
            Some(by_sweep(order)),
            Some(one_at_a_time(order)),
            from_geng(order),
            Some(by_recursion(order)),
        ];
        let ways: Vec<Way> = ways.into_iter().flatten().collect();
        if ways.len() < 4 {
            println!("geng is NOT INSTALLED (Debian: nauty): its graphs are left out");
        }
        let a_graph = |way: &Way| way.seconds / way.graphs as f64;
        let ours = a_graph(&ways[0]);
        println!("{order} vertices, {} graphs", ways[0].graphs);
        for way in &ways {
            println!(
                "    {:<28} {:>8.3} s on {:>9} graphs, {:>9.3} us a graph, {:>7.1} times the sweep",
                way.name,
                way.seconds,
                way.graphs,
                1e6 * a_graph(way),
                a_graph(way) / ours,
            );
            let same = way.checksum.is_none() || way.checksum == ways[0].checksum;
            assert!(same, "{} found other values than the sweep", way.name);
        }
    }
}

fn timed(name: &'static str, work: impl FnOnce() -> (u64, Option<u64>)) -> Way {
    let before = cpu_seconds();
    let (graphs, checksum) = work();
    Way { name, graphs, checksum, seconds: (cpu_seconds() - before).max(0.01) }
}

fn swept(slice: Slice, evaluator: Evaluator) -> (u64, Option<u64>) {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 30, cancel: &cancel, progress: &progress };
    let report = run(slice, evaluator, &limits).expect("nobody stops it");
    let sum = report.values.iter().map(|(&value, count)| u64::from(value) * count).sum();
    (report.graphs, Some(sum))
}

fn by_sweep(order: usize) -> Way {
    timed("sweep by table", || swept(Slice::whole(order as u8), Evaluator::Table))
}

/// One slice of so many that it takes about a second.
fn by_recursion(order: usize) -> Way {
    let of = 1 << (2 * order.saturating_sub(7));
    timed("recursion, on a slice", || {
        let (graphs, _) =
            swept(Slice { vertices: order as u8, index: 0, of }, Evaluator::Recursion);
        (graphs, None)
    })
}

/// Adds up the values of graphs that come one at a time.
#[derive(Default)]
struct Sum {
    table: Table,
    graphs: u64,
    values: u64,
}

impl Sum {
    fn add(&mut self, graph: &SmallGraph) {
        let values = self.table.solve(graph).values();
        self.values += values.iter().map(|&value| u64::from(value)).sum::<u64>();
        self.graphs += 1;
    }
}

fn one_at_a_time(order: usize) -> Way {
    timed("table, one graph at a time", || {
        let mut sum = Sum::default();
        connected(order, &Constraints::NONE, Part::WHOLE, |family| {
            family.children().for_each(|graph| sum.add(&graph));
            Ok(())
        })
        .expect("nobody stops it");
        (sum.graphs, Some(sum.values))
    })
}

fn from_geng(order: usize) -> Option<Way> {
    let named = std::env::var("GENG").into_iter();
    let names = named.chain(["nauty-geng", "geng"].map(str::to_owned));
    let mut geng = names.into_iter().find_map(|program| {
        let mut command = Command::new(program);
        command.args(["-cq", &order.to_string()]).stdout(Stdio::piped());
        command.spawn().ok()
    })?;
    let lines = BufReader::new(geng.stdout.take().expect("it is piped")).lines();
    Some(timed("geng, one graph at a time", || {
        let mut sum = Sum::default();
        for line in lines {
            let graph = graph6::parse(line.expect("geng writes text").as_bytes());
            let graph = SmallGraph::try_from(&graph.expect("geng writes graph6"));
            sum.add(&graph.expect("the order is small"));
        }
        geng.wait().expect("geng ends");
        (sum.graphs, Some(sum.values))
    }))
}

/// CPU seconds of this process in user mode, and of the children that it waited for.
fn cpu_seconds() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel gives accounts");
    let (_, fields) = stat.rsplit_once(')').expect("the second field is in brackets");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // Fields 14 and 16 of proc(5), of which two are gone and one counts from 1.
    let ticks = |field: usize| fields[field - 3].parse::<f64>().expect("times are numbers");
    (ticks(14) + ticks(16)) / TICKS
}

//! Evaluations to the first graph of value *k on 2k vertices: growth by leaf pairs beside flips of edges.
//!
//! An evaluation is one graph of which all starts are valued. The peer flips one edge at a time of a graph on 2k
//! vertices and keeps what leaves the value of one start at least as great, which is how the first graphs of value *5, *6 and
//! *7 were found. Counts, no times: they are the same on every machine. Run it with `cargo bench --bench search`; `SEEDS` and `MOST` set the
//! number of runs and the evaluations after which a run is given up.

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64};

use sprague_geography::search::{Aim, Walk, walk};
use sprague_geography::value::table::Table;
use sprague_geography::{Limits, SmallGraph};

fn setting(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Evaluations until growth has a hit, if no more than `most`.
fn growth(value: usize, seed: u64, most: u64) -> Option<u64> {
    let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { memory: 1 << 32, cancel: &cancel, progress: &progress };
    let aim = Aim::new(value, 2 * value).expect("half the vertices are possible");
    let end = walk(&aim, Walk { seed, number: 0, evaluations: most }, &limits).expect("it ends");
    end.hit.map(|_| end.evaluations)
}

/// Evaluations until flips have a hit, if no more than `most`. Begins anew after so many without a better value.
fn flips(value: usize, seed: u64, most: u64) -> Option<u64> {
    const PATIENCE: u64 = 2_000;
    let order = 2 * value;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut table = Table::default();
    let mut evaluations = 0;
    while evaluations < most {
        let mut rows = vec![0_u16; order];
        for w in 1..order {
            for v in 0..w {
                if random() & 1 == 1 {
                    rows[v] |= 1 << w;
                    rows[w] |= 1 << v;
                }
            }
        }
        let (mut best, mut since) = (0, 0);
        while since < PATIENCE && evaluations < most {
            let (v, w) = (random() as usize % order, random() as usize % order);
            if v == w {
                continue;
            }
            rows[v] ^= 1 << w;
            rows[w] ^= 1 << v;
            let graph = (0..order)
                .fold(SmallGraph::EMPTY, |graph, u| graph.extended(rows[u] & ((1 << u) - 1)));
            let found = table.solve(&graph).values()[0];
            evaluations += 1;
            since += 1;
            if usize::from(found) == value {
                return Some(evaluations);
            }
            if found >= best {
                since = if found > best { 0 } else { since };
                best = found;
            } else {
                rows[v] ^= 1 << w;
                rows[w] ^= 1 << v;
            }
        }
    }
    None
}

/// How many runs had a hit and the median of all, a run without one counting as more than any.
fn line(name: &str, runs: &mut [Option<u64>]) -> Option<u64> {
    runs.sort_by_key(|evaluations| evaluations.unwrap_or(u64::MAX));
    let hits = runs.iter().flatten().count();
    let median = runs[runs.len() / 2];
    let shown = median.map_or_else(|| "more than allowed".to_owned(), |count| count.to_string());
    println!("    {name:<8} hits in {hits:>2} of {}, median {shown}", runs.len());
    median
}

fn main() {
    let (seeds, most) = (setting("SEEDS", 20), setting("MOST", 1_000_000));
    for value in 4..=7 {
        println!("*{value} on {} vertices, at most {most} evaluations", 2 * value);
        let runs = |method: fn(usize, u64, u64) -> Option<u64>| -> Vec<Option<u64>> {
            (1..=seeds).map(|seed| method(value, seed, most)).collect()
        };
        let ours = line("growth", &mut runs(growth));
        let theirs = line("flips", &mut runs(flips));
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                println!("    ratio {:.0}", theirs as f64 / ours as f64);
            }
            (Some(ours), None) => println!("    ratio above {:.0}", most as f64 / ours as f64),
            _ => {}
        }
    }
}

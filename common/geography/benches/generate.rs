//! The generator in pairs with `geng -c` of nauty, if it is installed.
//!
//! `cargo bench -p sprague-geography --bench generate -- 9 10` prints for each order the graphs, the CPU seconds of
//! both in user mode, their rates and the ratio of the rates. Both only count (`geng -cu`), one after the other, on one
//! thread each. `GENG` names the program; without it `nauty-geng` and `geng` are looked for.
//!
//! The CPU times are the kernel's, from `/proc`, to a hundredth of a second.

use std::process::{Command, Stdio};

use sprague_geography::generate::{Constraints, Part, connected};

/// What runs if no order is named.
const ORDERS: [&str; 2] = ["9", "10"];

fn main() {
    let mut orders: Vec<String> = std::env::args().skip(1).collect();
    // What `cargo bench` adds; without it this is a test of the bench itself.
    let is_bench = orders.iter().any(|argument| argument == "--bench");
    orders.retain(|argument| !argument.starts_with("--"));
    if orders.is_empty() {
        orders = ORDERS.map(str::to_owned).to_vec();
    }
    if !is_bench {
        orders = vec!["7".to_owned()];
    }
    let geng = geng();
    if geng.is_none() {
        println!("geng is NOT INSTALLED (Debian: nauty): the generator runs alone");
    }
    println!(
        "{:>5} {:>10} {:>7} {:>11} {:>7} {:>11} {:>6}",
        "order", "graphs", "CPU s", "graphs/s", "geng", "graphs/s", "ratio"
    );
    for order in &orders {
        let order = order.parse().expect("an order is a number");
        let before = cpu_seconds().own;
        let mut graphs = 0_u64;
        let count = |family: sprague_geography::generate::Family<'_>| {
            graphs += family.neighbourhoods.len() as u64;
            Ok(())
        };
        connected(order, &Constraints::NONE, Part::WHOLE, count).expect("nobody stops it");
        let own = (cpu_seconds().own - before).max(0.01);
        let rate = |seconds: f64| graphs as f64 / seconds;
        let [peer, peer_rate, ratio] = match &geng {
            Some(program) => {
                let peer = peer_seconds(program, order);
                [
                    format!("{peer:.2}"),
                    format!("{:.0}", rate(peer)),
                    format!("{:.2}", rate(own) / rate(peer)),
                ]
            }
            None => ["-", "-", "-"].map(str::to_owned),
        };
        println!(
            "{order:>5} {graphs:>10} {own:>7.2} {:>11.0} {peer:>7} {peer_rate:>11} {ratio:>6}",
            rate(own)
        );
    }
}

/// The program to compare with.
fn geng() -> Option<String> {
    let named = std::env::var("GENG").ok();
    let candidates = named.into_iter().chain(["nauty-geng", "geng"].map(str::to_owned));
    candidates.into_iter().find(|program| {
        let mut started = Command::new(program);
        started.args(["-cuq", "2"]).stdout(Stdio::null()).stderr(Stdio::null());
        started.status().is_ok_and(|status| status.success())
    })
}

/// The CPU seconds of `geng` on an order.
fn peer_seconds(program: &str, order: usize) -> f64 {
    let before = cpu_seconds().children;
    let status = Command::new(program)
        .args(["-cuq", &order.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the program was started before");
    assert!(status.success(), "{program} failed on {order}");
    (cpu_seconds().children - before).max(0.01)
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

//! What processes cost, as the system accounts for it.

/// Clock ticks a second in `/proc`: fixed by the kernel's contract with user space.
const TICKS: f64 = 100.0;

/// Processor seconds that this process has used.
pub(crate) fn own() -> f64 {
    of(std::process::id())
}

/// Processor seconds that a process has used, in user and system mode.
pub(crate) fn of(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // The name, in brackets, may hold anything. Behind it the state is the first field.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS
}

/// The most bytes that this process has had resident.
pub(crate) fn peak_memory() -> u64 {
    status("VmHWM:")
}

/// The bytes that this process has resident now.
pub(crate) fn memory() -> u64 {
    status("VmRSS:")
}

/// A line of what the system says of this process, which is in kilobytes there.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() << 10
}

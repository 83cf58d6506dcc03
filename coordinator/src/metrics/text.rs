//! The figures of a coordinator in the text format of Prometheus, version 0.0.4.
//!
//! No label names a unit, a job or a worker, so the number of series stays what it is.

use std::fmt::Write as _;

use crate::core::{Figures, Tally};

/// What the process itself is asked for, beside the core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Process {
    /// Seconds since the coordinator started.
    pub(super) uptime: f64,
    /// Resident bytes.
    pub(super) resident: u64,
    /// Open files and sockets.
    pub(super) descriptors: u64,
    /// Bytes of the store's file.
    pub(super) store: u64,
}

/// The page.
pub(super) fn render(figures: &Figures, process: Process) -> String {
    let mut page = Page(String::new());
    let Figures { tally, .. } = figures;
    page.family("sprague_jobs", "gauge", "Jobs in each state.");
    for (state, count) in &figures.jobs {
        page.sample("sprague_jobs", Some(("state", &state.to_string())), *count as f64);
    }
    page.family("sprague_units", "gauge", "Units of jobs that have not ended, by where they are.");
    for (place, count) in
        [("waiting", figures.waiting), ("running", figures.running), ("parked", figures.parked)]
    {
        page.sample("sprague_units", Some(("place", place)), count as f64);
    }
    page.family("sprague_workers", "gauge", "Workers, by whether they can be given units.");
    for (state, count) in [
        ("present", figures.present),
        ("draining", figures.draining),
        ("lost", figures.lost),
        ("distrusted", figures.distrusted),
    ] {
        page.sample("sprague_workers", Some(("state", state)), count as f64);
    }
    for (name, help, value) in [
        ("sprague_slots", "Slots of connected workers.", figures.slots as f64),
        (
            "sprague_units_resident_bytes",
            "Memory that running units have resident.",
            figures.memory as f64,
        ),
        ("sprague_disputed_values", "Values that something contradicts.", figures.disputed as f64),
        ("sprague_store_bytes", "Size of the store's file.", process.store as f64),
        ("sprague_uptime_seconds", "Time since the coordinator started.", process.uptime),
        (
            "process_resident_memory_bytes",
            "Resident memory of the coordinator.",
            process.resident as f64,
        ),
        (
            "process_open_fds",
            "Open files and sockets of the coordinator.",
            process.descriptors as f64,
        ),
    ] {
        page.family(name, "gauge", help);
        page.sample(name, None, value);
    }
    for (name, help, value) in counters(tally) {
        page.family(name, "counter", help);
        page.sample(name, None, value as f64);
    }
    page.0
}

fn counters(tally: &Tally) -> [(&'static str, &'static str, u64); 10] {
    [
        ("sprague_leases_total", "Leases given.", tally.leases),
        ("sprague_units_done_total", "Units that ended well.", tally.units_done),
        (
            "sprague_units_out_of_memory_total",
            "Attempts that needed more memory than their slot had.",
            tally.out_of_memory,
        ),
        (
            "sprague_units_ended_badly_total",
            "Attempts that crashed or stood still.",
            tally.ended_badly,
        ),
        (
            "sprague_units_taken_away_total",
            "Attempts whose worker went away with them.",
            tally.taken_away,
        ),
        ("sprague_units_parked_total", "Units given up after too many bad ends.", tally.parked),
        ("sprague_units_split_total", "Units split for want of a larger slot.", tally.split),
        (
            "sprague_units_outvoted_total",
            "Results that were not those of enough other workers.",
            tally.outvoted,
        ),
        ("sprague_findings_total", "Findings.", tally.findings),
        ("sprague_disputes_total", "Disputes of running jobs.", tally.disputes),
    ]
}

struct Page(String);

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, label: Option<(&str, &str)>, value: f64) {
        let _ = match label {
            Some((label, of)) => writeln!(self.0, "{name}{{{label}=\"{of}\"}} {value}"),
            None => writeln!(self.0, "{name} {value}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Core, Settings};
    use sprague_work::Registry;

    /// What a scraper makes of a line: a name with its label, and a number.
    fn parse(line: &str) -> (String, f64) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let plain = |c: char| c.is_ascii_lowercase() || "_{}=\"".contains(c);
        assert!(name.chars().all(plain), "{line}");
        (name.to_owned(), value.parse().unwrap())
    }

    #[test]
    fn every_series_has_its_family_and_appears_once() {
        let core = Core::new(Registry::standard(), Settings::default());
        let mut figures = core.figures();
        figures.tally.leases = 7;
        let page = render(&figures, Process { uptime: 1.5, store: 9, ..Process::default() });
        let mut families = Vec::new();
        let mut series = Vec::new();
        for line in page.lines() {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                families.push(rest.split(' ').next().unwrap().to_owned());
            } else if !line.starts_with("# HELP ") {
                let (name, value) = parse(line);
                assert!(name.starts_with(families.last().unwrap().as_str()), "{line}");
                assert!(!series.iter().any(|(known, _)| *known == name), "{line} again");
                series.push((name, value));
            }
        }
        let value = |name: &str| series.iter().find(|(known, _)| known == name).unwrap().1;
        assert_eq!(value("sprague_leases_total"), 7.0);
        assert_eq!(value("sprague_uptime_seconds"), 1.5);
        assert_eq!(value("sprague_jobs{state=\"running\"}"), 0.0);
    }
}

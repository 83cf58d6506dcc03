//! How far a job is, on standard error: a bar on a terminal, a plain line now and then otherwise,
//! nothing with `--quiet`.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use indicatif::{HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use rustix::termios::tcgetwinsize;

use crate::context::Context;
use crate::output::{Notes, done, known_so_far};
use crate::remote::{Explanation, Job, RunningUnit};

/// How often a plain line is due.
pub(crate) const LINE_EVERY: Duration = Duration::from_secs(10);

/// Units that are named below the bar. The rest is counted.
const NAMED: usize = 8;

/// The progress of one job.
pub(crate) struct Progress {
    place: Place,
    pace: Pace,
    latest: Option<Job>,
}

enum Place {
    Terminal { bars: MultiProgress, head: ProgressBar, units: Vec<ProgressBar> },
    Lines(Notes),
    Nowhere,
}

impl Progress {
    pub(crate) fn new(context: &Context) -> Self {
        let place = if context.global.quiet {
            Place::Nowhere
        } else if std::io::stderr().is_terminal() {
            let bars = context.bars.clone();
            let head = bars.add(ProgressBar::no_length().with_style(head_style(None)));
            head.enable_steady_tick(Duration::from_secs(1));
            Place::Terminal { bars, head, units: Vec::new() }
        } else {
            Place::Lines(context.notes)
        };
        Self { place, pace: Pace::new(Instant::now()), latest: None }
    }

    /// Takes in the job as it is now.
    pub(crate) fn update(&mut self, job: &Job) {
        self.pace.note(job, Instant::now());
        if let Place::Terminal { bars, head, units } = &mut self.place {
            if head.length() != job.units.total {
                head.set_style(head_style(job.units.total));
                job.units.total.map_or_else(|| head.unset_length(), |total| head.set_length(total));
            }
            head.set_position(job.units.done);
            let columns = columns();
            let before = width_before_message(job.units.done, job.units.total);
            let room = columns.saturating_sub(before);
            head.set_message(fitted(&summary(job, &self.pace), room));
            let lines = unit_lines(&job.running);
            let lines: Vec<String> =
                lines.iter().map(|line| fitted(line, columns.saturating_sub(2))).collect();
            while units.len() > lines.len() {
                if let Some(bar) = units.pop() {
                    bars.remove(&bar);
                }
            }
            while units.len() < lines.len() {
                units.push(bars.add(ProgressBar::no_length().with_style(unit_style())));
            }
            for (bar, line) in units.iter().zip(lines) {
                bar.set_message(line);
            }
        }
        self.latest = Some(job.clone());
    }

    /// Writes the plain line that is due every [`LINE_EVERY`]. A terminal is only told that the coordinator is away.
    pub(crate) fn line_is_due(&self, is_away: bool) {
        match (&self.place, self.line(is_away)) {
            (Place::Lines(notes), Some(line)) => notes.say(&line),
            (Place::Terminal { head, .. }, Some(line)) if is_away => head.set_message(line),
            _ => {}
        }
    }

    /// The job in one line, if anything is known of it. Of one whose coordinator is away nothing is.
    fn line(&self, is_away: bool) -> Option<String> {
        if is_away {
            return Some("the coordinator does not answer, and is tried again".to_owned());
        }
        let job = self.latest.as_ref()?;
        let units = unit_lines(&job.running).join("; ");
        let running = if units.is_empty() { String::new() } else { format!("; {units}") };
        Some(format!("{} units done, {}{running}", done(job.units), summary(job, &self.pace)))
    }

    /// Leaves the terminal as it was.
    pub(crate) fn clear(self) {
        if let Place::Terminal { head, units, .. } = self.place {
            units.iter().chain([&head]).for_each(ProgressBar::finish_and_clear);
        }
    }
}

/// One line, however long the message is: the terminal never wraps it. Where nobody knows how many units there will
/// be, there is no bar to fill.
fn head_style(total: Option<u64>) -> ProgressStyle {
    let template = match total {
        Some(_) => "{bar:16} {pos}/{len} units done  {elapsed}  {wide_msg}",
        None => "{pos} units done  {elapsed}  {wide_msg}",
    };
    ProgressStyle::with_template(template).expect("the template is well formed")
}

/// How many columns of a head come before its message.
fn width_before_message(done: u64, total: Option<u64>) -> usize {
    /// Such as `59m`: with four columns it never pushes the message over the edge between two updates.
    const ELAPSED: usize = 4;
    let counts = match total {
        Some(total) => format!("{:16} {done}/{total} units done", ""),
        None => format!("{done} units done"),
    };
    counts.len() + "  ".len() + ELAPSED + "  ".len()
}

/// How wide the terminal is.
fn columns() -> usize {
    match tcgetwinsize(std::io::stderr()) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        // Then it does not say so to whoever draws on it either.
        _ => 80,
    }
}

/// The text as far as there is room for it: what is cut ends after a word, with dots.
fn fitted(text: &str, room: usize) -> String {
    const DOTS: &str = " ...";
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let most = room.saturating_sub(DOTS.len());
    let ends = text.char_indices().enumerate().take_while(|(column, _)| *column <= most);
    let last = ends.filter(|(_, (_, letter))| *letter == ' ').last();
    match last {
        Some((_, (end, _))) => text[..end].trim_end_matches([',', ':', ';']).to_owned() + DOTS,
        None => String::new(),
    }
}

fn unit_style() -> ProgressStyle {
    ProgressStyle::with_template("  {wide_msg}").expect("the template is well formed")
}

/// How fast a job goes.
struct Pace {
    begun: Instant,
    /// Units that were done before anybody looked.
    done_before: Option<u64>,
    /// An earlier count of expansions, and the rate since the one before it.
    mark: Option<(Instant, u64)>,
    per_second: Option<f64>,
}

impl Pace {
    /// A rate over less time than this would jump about.
    const SPAN: Duration = Duration::from_secs(3);

    fn new(now: Instant) -> Self {
        Self { begun: now, done_before: None, mark: None, per_second: None }
    }

    fn note(&mut self, job: &Job, now: Instant) {
        self.done_before.get_or_insert(job.units.done);
        let expansions = job.expansions_so_far();
        let (since, count) = *self.mark.get_or_insert((now, expansions));
        let span = now.duration_since(since);
        if span >= Self::SPAN {
            self.per_second = Some(expansions.saturating_sub(count) as f64 / span.as_secs_f64());
            self.mark = Some((now, expansions));
        }
    }

    /// The time that the remaining units take if they are like the finished ones: the least, the most
    /// likely, and the most. Nothing is said where they are not: a task that is one unit says nothing on
    /// the next task, a larger board.
    ///
    /// The bounds are two standard deviations away, for units whose times are spread exponentially: of
    /// both the mean of those that are done and the sum of those that are to come.
    fn left(&self, job: &Job, now: Instant) -> Option<[Duration; 3]> {
        const ENOUGH: u64 = 8;
        let (total, tasks) = (job.units.total?, job.tasks.total?);
        let finished = job.units.done - self.done_before?.min(job.units.done);
        if total < ENOUGH * tasks || finished < ENOUGH {
            return None;
        }
        let each = now.duration_since(self.begun).as_secs_f64() / finished as f64;
        let remaining = total.saturating_sub(job.units.done) as f64;
        let spread = 2.0 * (remaining + remaining * remaining / finished as f64).sqrt();
        let times = [(remaining - spread).max(0.0), remaining, remaining + spread];
        Some(times.map(|units| Duration::from_secs_f64(each * units)))
    }
}

/// All but the count of units.
fn summary(job: &Job, pace: &Pace) -> String {
    let mut parts = vec![format!("{} running", job.units.running)];
    if job.units.parked > 0 {
        parts.push(format!("{} parked", job.units.parked));
    }
    // What a narrow terminal cuts off is what can be missed.
    if let Some(Explanation { code, reason, .. }) = &job.idle {
        parts.push(format!("{reason} ({code})"));
    }
    if let Some([least, left, most]) = pace.left(job, Instant::now()) {
        let [least, left, most] = [least, left, most].map(HumanDuration);
        parts.push(format!("about {left} left ({least} to {most})"));
    }
    if let Some(rate) = pace.per_second {
        parts.push(format!("{} expansions/s", HumanCount(rate as u64)));
    }
    parts.extend(job.known.iter().map(known_so_far));
    parts.join(", ")
}

/// What each worker does, and how many more there are.
fn unit_lines(running: &[RunningUnit]) -> Vec<String> {
    let mut lines: Vec<String> = running.iter().take(NAMED).map(unit_line).collect();
    if running.len() > NAMED {
        lines.push(format!("and {} more", running.len() - NAMED));
    }
    lines
}

fn unit_line(unit: &RunningUnit) -> String {
    let mut line = format!(
        "{} by {} on {} for {}s",
        unit.question, unit.method, unit.worker, unit.seconds as u64,
    );
    // What has just begun has not told yet.
    if unit.memory > 0 {
        line.push_str(&format!(", {}", ByteSize(unit.memory).display().iec()));
    }
    if unit.attempt > 1 {
        line.push_str(&format!(", attempt {}", unit.attempt));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remote::Counts;
    use sprague_proto::v1;

    fn job(done: u64, total: u64, tasks: u64, expansions: u64) -> Job {
        let job = v1::Job { state: "running".to_owned(), expansions, ..v1::Job::default() };
        let units = Counts { total: Some(total), done, ..Counts::default() };
        let tasks = Counts { total: Some(tasks), ..Counts::default() };
        Job { units, tasks, ..Job::try_from(job).unwrap() }
    }

    fn after(begun: Instant, seconds: u64) -> Instant {
        begun + Duration::from_secs(seconds)
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let begun = Instant::now();
        let mut pace = Pace::new(begun);
        pace.note(&job(0, 9, 9, 100), begun);
        pace.note(&job(0, 9, 9, 500), after(begun, 1));
        assert_eq!(pace.per_second, None);
        pace.note(&job(0, 9, 9, 1100), after(begun, 10));
        assert_eq!(pace.per_second, Some(100.0));
    }

    #[test]
    fn a_job_of_which_nothing_runs_says_why() {
        let pace = Pace::new(Instant::now());
        let idle = Explanation {
            code: "R1".to_owned(),
            units: 9,
            reason: "no worker is connected".to_owned(),
            hint: None,
        };
        let waiting = Job { idle: Some(idle), ..job(0, 9, 9, 0) };
        assert_eq!(summary(&waiting, &pace), "0 running, no worker is connected (R1)");
    }

    #[test]
    fn what_a_terminal_has_no_room_for_is_cut_after_a_word() {
        let known = "2 running, cram 5x13 so far: not worth 0, so the next player wins";
        assert_eq!(fitted(known, known.len()), known);
        assert_eq!(
            fitted(known, known.len() - 1),
            "2 running, cram 5x13 so far: not worth 0, so the next player ..."
        );
        assert_eq!(fitted(known, 32), "2 running, cram 5x13 so far ...");
        for room in 0..=known.len() {
            assert!(fitted(known, room).len() <= room, "{room}");
        }
    }

    #[test]
    fn nothing_is_said_of_a_job_whose_coordinator_is_away() {
        let pace = Pace::new(Instant::now());
        let mut progress = Progress { place: Place::Nowhere, pace, latest: None };
        assert_eq!(progress.line(false), None);
        progress.update(&job(3, 9, 9, 0));
        assert_eq!(progress.line(false).unwrap(), "3/9 units done, 0 running");
        assert!(progress.line(true).unwrap().contains("does not answer"));
    }

    #[test]
    fn time_left_is_told_only_for_units_that_are_alike() {
        let begun = Instant::now();
        let mut pace = Pace::new(begun);
        pace.note(&job(0, 100, 1, 0), begun);
        let now = after(begun, 50);
        let [least, left, most] = pace.left(&job(50, 100, 1, 0), now).unwrap();
        assert_eq!(left, Duration::from_secs(50));
        // Two deviations: twice the root of 50 + 50 * 50 / 50.
        assert_eq!((least, most), (Duration::from_secs(30), Duration::from_secs(70)));
        assert_eq!(pace.left(&job(7, 100, 1, 0), now), None, "too few to judge by");
        assert_eq!(pace.left(&job(50, 100, 100, 0), now), None, "boards differ");
    }
}

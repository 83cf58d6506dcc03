//! Jobs: what they are doing, how they ended, why they wait.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value as Json, json};
use sprague_work::{Align, JobId, JobState, Registry, Table, Value, counted};

use super::{Document, Paint, Tone, ValuesDocument, table};
use crate::remote::{Counts, Explanation, Job, Known};

/// All jobs.
pub(crate) struct JobsDocument(pub(crate) Vec<Job>);

impl Document for JobsDocument {
    fn json(&self) -> Json {
        json!({ "jobs": self.0 })
    }

    fn lines(&self) -> Vec<Json> {
        self.0.iter().map(|job| json!(job)).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.0.is_empty() {
            return "no jobs".to_owned();
        }
        let mut table = Table::new([
            ("id", Align::Right),
            ("job", Align::Left),
            ("state", Align::Left),
            ("tasks", Align::Right),
            ("units", Align::Right),
            ("time", Align::Right),
            ("submitted", Align::Left),
        ]);
        table.rows.extend(self.0.iter().map(|job| {
            vec![
                job.id.to_string(),
                job.words.clone(),
                job.state.to_string(),
                done(job.tasks),
                done(job.units),
                time(job.seconds),
                job.submitted.clone(),
            ]
        }));
        table::text(&table, paint)
    }
}

/// One job as it is now.
pub(crate) struct JobDocument(pub(crate) Job);

impl Document for JobDocument {
    fn json(&self) -> Json {
        json!({ "job": self.0 })
    }

    fn text(&self, paint: Paint) -> String {
        let job = &self.0;
        let mut text = format!("job {}: {}\n{}", job.id, job.words, state_line(job, paint));
        let _ = write!(
            text,
            "\ntasks {}, units {}, {}, {}, {} of processor time",
            done(job.tasks),
            done(job.units),
            counted(job.attempts, "attempt", "attempts"),
            counted(job.expansions, "expansion", "expansions"),
            time(job.cpu_seconds),
        );
        if job.units.parked > 0 {
            let _ = write!(
                text,
                "\n{}",
                paint.text(
                    Tone::Bad,
                    counted(job.units.parked, "unit is parked", "units are parked")
                )
            );
        }
        if let Some(Explanation { code, reason, .. }) = &job.idle {
            let _ = write!(text, "\nnothing runs: {reason} ({code})");
        }
        for unit in &job.running {
            let _ = write!(
                text,
                "\n  {} by {} on {}, attempt {}, {}, {}",
                unit.question,
                unit.method,
                unit.worker,
                unit.attempt,
                time(unit.seconds),
                counted(unit.expansions, "expansion", "expansions")
            );
        }
        for known in &job.known {
            let _ = write!(text, "\n{}", known_so_far(known));
        }
        text
    }
}

/// What is known of a question that is not answered.
pub(crate) fn known_so_far(Known { question, method, known }: &Known) -> String {
    format!("{question} by {method} so far: {known}")
}

/// A job that ended, with what it found.
pub(crate) struct JobResult<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) job: &'a Job,
    pub(crate) values: &'a [Value],
}

impl Document for JobResult<'_> {
    fn json(&self) -> Json {
        json!({ "job": self.job, "values": self.values })
    }

    fn lines(&self) -> Vec<Json> {
        let values = self.values.iter().map(|value| json!(value));
        values.chain([json!({ "job": self.job })]).collect()
    }

    fn text(&self, paint: Paint) -> String {
        let view = &self.job.view;
        let values = ValuesDocument { registry: self.registry, view, values: self.values };
        let mut head = format!("job {}: {}", self.job.id, state_line(self.job, paint));
        for known in &self.job.known {
            let _ = write!(head, "\n{}", known_so_far(known));
        }
        if self.values.is_empty() { head } else { format!("{}\n\n{head}", values.text(paint)) }
    }
}

/// The number of a job that was just submitted.
pub(crate) struct Submitted(pub(crate) JobId);

impl Document for Submitted {
    fn json(&self) -> Json {
        json!({ "job": { "id": self.0.to_string() } })
    }

    fn text(&self, _paint: Paint) -> String {
        self.0.to_string()
    }
}

/// Why the units of a job do not run.
pub(crate) struct ExplanationsDocument(pub(crate) Vec<Explanation>);

impl Document for ExplanationsDocument {
    fn json(&self) -> Json {
        json!({ "explanations": self.0 })
    }

    fn lines(&self) -> Vec<Json> {
        self.0.iter().map(|explanation| json!(explanation)).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.0.is_empty() {
            return "nothing of this job waits".to_owned();
        }
        let each = self.0.iter().map(|explanation| {
            let Explanation { code, units, reason, hint } = explanation;
            let mut text = match units {
                0 => format!("{reason} ({code})"),
                1 => format!("1 unit: {reason} ({code})"),
                units => format!("{units} units: {reason} ({code})"),
            };
            if let Some(hint) = hint {
                let _ = write!(text, "\n  {} {hint}", paint.text(Tone::Hint, "hint:"));
            }
            text
        });
        each.collect::<Vec<_>>().join("\n")
    }
}

/// The state of a job in a few words, with the reason where it did not end well.
fn state_line(job: &Job, paint: Paint) -> String {
    let state = match job.state {
        JobState::Done => paint.text(Tone::Good, job.state),
        JobState::Failed | JobState::Disputed => paint.text(Tone::Bad, job.state),
        _ => job.state.to_string(),
    };
    let reason = job.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{state} after {}{reason}", time(job.seconds))
}

/// `3/7`, or `3` of nobody knows how many.
pub(crate) fn done(counts: Counts) -> String {
    match counts.total {
        Some(total) => format!("{}/{total}", counts.done),
        None => counts.done.to_string(),
    }
}

/// Seconds for people: `0.3s`, `4m 12s`.
pub(super) fn time(seconds: f64) -> String {
    if seconds < 10.0 {
        return format!("{seconds:.1}s");
    }
    humantime::format_duration(Duration::from_secs(seconds as u64)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_keep_a_digit_and_long_ones_their_units() {
        assert_eq!(time(0.26), "0.3s");
        assert_eq!(time(252.9), "4m 12s");
    }

    #[test]
    fn an_unknown_total_is_left_out() {
        assert_eq!(done(Counts { total: Some(7), done: 3, ..Counts::default() }), "3/7");
        assert_eq!(done(Counts { done: 3, ..Counts::default() }), "3");
    }
}

//! A job as its coordinator tells it.

use serde::de::IntoDeserializer;
use serde::de::value::{Error as Unreadable, StrDeserializer};
use serde::{Deserialize, Serialize, Serializer};
use sprague_proto::v1;
use sprague_work::{JobId, JobOptions, JobSpec, JobState, MethodName};

use super::RemoteError;

/// A job, in the shape in which the command line shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Job {
    #[serde(serialize_with = "as_text")]
    pub(crate) id: JobId,
    /// The words of the job.
    #[serde(rename = "job")]
    pub(crate) words: String,
    pub(crate) state: JobState,
    /// Why it ended, when it did not end well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// From its first lease to its end, or to now.
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) submitted: String,
    pub(crate) tasks: Counts,
    pub(crate) units: Counts,
    pub(crate) attempts: u64,
    pub(crate) expansions: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) running: Vec<RunningUnit>,
    /// Why nothing of it runs, when nothing does though it has not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idle: Option<Explanation>,
    /// What is known already of questions that are not answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) known: Vec<Known>,
    /// What the flags said when it was submitted.
    #[serde(skip)]
    pub(crate) options: JobOptions,
    /// Which of the kind's tables shows the result.
    #[serde(skip)]
    pub(crate) view: String,
}

/// How far the units or the tasks of a job are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Absent while nobody knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<u64>,
    pub(crate) done: u64,
    pub(crate) running: u64,
    pub(crate) waiting: u64,
    pub(crate) parked: u64,
}

/// What a worker does for a job just now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunningUnit {
    pub(crate) unit: u32,
    pub(crate) attempt: u32,
    pub(crate) question: String,
    pub(crate) method: String,
    pub(crate) worker: String,
    pub(crate) seconds: f64,
    pub(crate) expansions: u64,
    pub(crate) memory: u64,
}

/// What is known already of a question by a method that has not answered it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Known {
    pub(crate) question: String,
    pub(crate) method: String,
    pub(crate) known: String,
}

/// Why some units do not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Explanation {
    pub(crate) code: String,
    pub(crate) units: u64,
    pub(crate) reason: String,
    pub(crate) hint: Option<String>,
}

impl Job {
    /// Whether this is the job that the words and flags of `spec` mean.
    pub(crate) fn is(&self, spec: &JobSpec) -> bool {
        self.words == spec.words && self.options == spec.options
    }

    /// Expansions of units that are done and, as far as they have told, of those that run.
    pub(crate) fn expansions_so_far(&self) -> u64 {
        let running = self.running.iter().map(|unit| unit.expansions);
        running.fold(self.expansions, u64::saturating_add)
    }
}

fn as_text<S: Serializer>(id: &JobId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

impl TryFrom<v1::Job> for Job {
    type Error = RemoteError;

    fn try_from(job: v1::Job) -> Result<Self, RemoteError> {
        let state: StrDeserializer<'_, Unreadable> = job.state.as_str().into_deserializer();
        let state = JobState::deserialize(state)
            .map_err(|_| RemoteError::Answer(format!("no job can be {:?}", job.state)))?;
        Ok(Self {
            id: JobId(job.id),
            words: job.words,
            state,
            reason: some(job.reason),
            seconds: job.seconds,
            cpu_seconds: job.cpu_seconds,
            submitted: job.submitted,
            tasks: job.tasks.unwrap_or_default().into(),
            units: job.units.unwrap_or_default().into(),
            attempts: job.attempts,
            expansions: job.expansions,
            running: job.running.into_iter().map(Into::into).collect(),
            idle: job.idle.map(Explanation::from),
            known: job.known.into_iter().map(Into::into).collect(),
            options: JobOptions {
                methods: job.methods.into_iter().map(MethodName::new).collect(),
                budget_seconds: job.budget_seconds,
                redundancy: job.redundancy,
            },
            view: job.view,
        })
    }
}

impl From<v1::Counts> for Counts {
    fn from(counts: v1::Counts) -> Self {
        let v1::Counts { total, done, running, waiting, parked } = counts;
        Self { total, done, running, waiting, parked }
    }
}

impl From<v1::RunningUnit> for RunningUnit {
    fn from(unit: v1::RunningUnit) -> Self {
        Self {
            unit: unit.unit,
            attempt: unit.attempt,
            question: unit.question,
            method: unit.method,
            worker: unit.worker,
            seconds: unit.seconds,
            expansions: unit.expansions,
            memory: unit.memory,
        }
    }
}

impl From<v1::Known> for Known {
    fn from(known: v1::Known) -> Self {
        let v1::Known { question, method, known } = known;
        Self { question, method, known }
    }
}

impl From<v1::Explanation> for Explanation {
    fn from(explanation: v1::Explanation) -> Self {
        let v1::Explanation { code, units, reason, hint } = explanation;
        Self { code, units, reason, hint: some(hint) }
    }
}

/// Absent texts are empty on the wire.
fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_shown_in_the_shape_of_the_contract() {
        let wire = v1::Job { id: 1, state: "done".to_owned(), seconds: 1.5, ..v1::Job::default() };
        let json = serde_json::to_value(Job::try_from(wire).unwrap()).unwrap();
        assert_eq!((&json["id"], &json["state"]), (&"1".into(), &"done".into()));
        assert_eq!(json["seconds"], 1.5);
        assert!(json.get("reason").is_none());
    }

    #[test]
    fn a_job_is_the_one_that_was_meant_only_with_the_same_flags() {
        let registry = sprague_work::Registry::standard();
        let words = ["cram", "3x3"].map(str::to_owned);
        let spec = |methods: &[&str]| {
            let methods = methods.iter().copied().map(MethodName::new).collect();
            registry.parse(&words, &JobOptions { methods, ..JobOptions::default() }).unwrap()
        };
        let wire = v1::Job {
            words: "cram 3x3".to_owned(),
            state: "running".to_owned(),
            methods: vec!["mex".to_owned()],
            ..v1::Job::default()
        };
        let job = Job::try_from(wire).unwrap();
        assert!(job.is(&spec(&["mex"])));
        assert!(!job.is(&spec(&[])) && !job.is(&spec(&["couples"])));
    }

    #[test]
    fn a_state_of_a_later_version_is_refused() {
        let wire = v1::Job { state: "sleeping".to_owned(), ..v1::Job::default() };
        assert!(matches!(Job::try_from(wire), Err(RemoteError::Answer(_))));
    }
}

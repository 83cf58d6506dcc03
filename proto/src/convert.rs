//! Between the messages of the wire and the words of `sprague-work`.

use sprague_work::{
    Answer, Attempt, Ending, JobId, MethodName, Part, Question, QuestionError, UnitId, UnitInput,
    UnitResult, Usage,
};

use crate::v1;

/// How many characters of a crash or a refusal are kept.
const LONGEST_WORDS: usize = 1000;

/// Why a message does not mean anything.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A field that must be there is not.
    #[error("the message lacks its {0}")]
    Missing(&'static str),
    /// A field that holds JSON holds something else.
    #[error("the message's {field} is not JSON of the expected shape: {source}")]
    Json {
        /// Which field.
        field: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// An answer has a field whose name means something else in a finding or a value.
    #[error("an answer may not have a field named {0:?}")]
    Reserved(String),
    /// The question cannot be one.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

impl v1::AttemptId {
    /// The message for an attempt at a unit.
    #[must_use]
    pub fn new(unit: UnitId, attempt: Attempt) -> Self {
        Self { job: unit.job.0, unit: unit.number, attempt: attempt.0 }
    }

    /// The unit.
    #[must_use]
    pub fn unit_id(&self) -> UnitId {
        UnitId { job: JobId(self.job), number: self.unit }
    }

    /// Which execution of it.
    #[must_use]
    pub fn attempt_number(&self) -> Attempt {
        Attempt(self.attempt)
    }
}

impl v1::Unit {
    /// The message for an attempt at a unit with all that a worker needs to know.
    #[must_use]
    pub fn new(unit: UnitId, attempt: Attempt, task: u32, input: &UnitInput) -> Self {
        Self {
            id: Some(v1::AttemptId::new(unit, attempt)),
            task,
            question: input.question.to_string(),
            method: input.method.to_string(),
            part: serde_json::to_string(&input.part).expect("a part is JSON"),
        }
    }

    /// The task that it is a piece of.
    #[must_use]
    pub fn task_id(&self) -> v1::TaskId {
        v1::TaskId { job: self.id.unwrap_or_default().job, task: self.task }
    }

    /// What is to be done.
    ///
    /// # Errors
    /// When the question or the part cannot be read.
    pub fn input(&self) -> Result<UnitInput, ConvertError> {
        let part: Part = serde_json::from_str(&self.part)
            .map_err(|source| ConvertError::Json { field: "part", source })?;
        let question = Question::new(self.question.as_str())?;
        Ok(UnitInput { question, method: MethodName::new(self.method.as_str()), part })
    }
}

impl v1::Report {
    /// The message for the end of an attempt.
    #[must_use]
    pub fn new(id: v1::AttemptId, report: &sprague_work::Report) -> Self {
        let Usage { seconds, cpu_seconds, peak_memory } = report.usage;
        let ending = Some(ending_to_wire(&report.ending));
        Self { id: Some(id), seconds, cpu_seconds, peak_memory, ending }
    }

    /// Which attempt ended and how.
    ///
    /// # Errors
    /// When a field is missing or the answer is not a JSON object.
    pub fn read(self) -> Result<(v1::AttemptId, sprague_work::Report), ConvertError> {
        let id = self.id.ok_or(ConvertError::Missing("attempt"))?;
        let ending = ending_from_wire(self.ending.ok_or(ConvertError::Missing("ending"))?)?;
        let usage = Usage {
            seconds: duration(self.seconds),
            cpu_seconds: duration(self.cpu_seconds),
            peak_memory: self.peak_memory,
        };
        Ok((id, sprague_work::Report { ending, usage }))
    }
}

/// Seconds that a store can keep: JSON has no infinity, and no work takes negative time.
fn duration(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds.max(0.0) } else { 0.0 }
}

/// Words from outside, of a length that a store can keep for each unit.
fn bounded(words: &str) -> String {
    words.chars().take(LONGEST_WORDS).collect()
}

fn ending_to_wire(ending: &Ending) -> v1::report::Ending {
    use v1::report::Ending as Wire;
    match ending {
        Ending::Done(result) => Wire::Done(v1::Done {
            answer: serde_json::to_string(&result.answer).expect("an answer is JSON"),
            fingerprint: result.fingerprint,
            entries: result.entries,
            expansions: result.expansions,
            notes: result.notes.clone(),
        }),
        &Ending::OutOfMemory { cap, needed } => Wire::OutOfMemory(v1::OutOfMemory { cap, needed }),
        Ending::Crashed { how } => Wire::Crashed(v1::Crashed { how: how.clone() }),
        Ending::Cancelled => Wire::Cancelled(v1::Cancelled {}),
        Ending::Refused { reason } => Wire::Refused(v1::Refused { reason: reason.clone() }),
    }
}

fn ending_from_wire(ending: v1::report::Ending) -> Result<Ending, ConvertError> {
    use v1::report::Ending as Wire;
    Ok(match ending {
        Wire::Done(done) => {
            let answer: Answer = serde_json::from_str(&done.answer)
                .map_err(|source| ConvertError::Json { field: "answer", source })?;
            if let Some(field) = answer.reserved_field() {
                return Err(ConvertError::Reserved(field.to_owned()));
            }
            Ending::Done(UnitResult {
                answer,
                fingerprint: done.fingerprint,
                entries: done.entries,
                expansions: done.expansions,
                notes: done.notes,
            })
        }
        Wire::OutOfMemory(v1::OutOfMemory { cap, needed }) => Ending::OutOfMemory { cap, needed },
        Wire::Crashed(crashed) => Ending::Crashed { how: bounded(&crashed.how) },
        Wire::Cancelled(_) => Ending::Cancelled,
        Wire::Refused(refused) => Ending::Refused { reason: bounded(&refused.reason) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_survives_the_wire() {
        let result = UnitResult {
            answer: serde_json::from_str(r#"{"nimber":4}"#).unwrap(),
            fingerprint: u64::MAX,
            entries: 1,
            expansions: 2,
            notes: vec![0, 255, 7],
        };
        let endings = [
            Ending::Done(result),
            Ending::OutOfMemory { cap: 1, needed: 2 },
            Ending::Crashed { how: "signal 11".to_owned() },
            Ending::Cancelled,
            Ending::Refused { reason: "unknown".to_owned() },
        ];
        for ending in endings {
            let usage = Usage { seconds: 1.5, cpu_seconds: 1.0, peak_memory: 9 };
            let report = sprague_work::Report { ending, usage };
            let id = v1::AttemptId { job: 1, unit: 2, attempt: 3 };
            assert_eq!(v1::Report::new(id, &report).read().unwrap(), (id, report));
        }
    }

    #[test]
    fn what_a_store_could_not_keep_is_refused_or_made_harmless() {
        let done = |answer: &str| v1::Report {
            id: Some(v1::AttemptId::default()),
            seconds: f64::NAN,
            cpu_seconds: f64::NEG_INFINITY,
            ending: Some(v1::report::Ending::Done(v1::Done {
                answer: answer.to_owned(),
                ..v1::Done::default()
            })),
            ..v1::Report::default()
        };
        let (_, report) = done(r#"{"nimber":1}"#).read().unwrap();
        assert_eq!((report.usage.seconds, report.usage.cpu_seconds), (0.0, 0.0));
        for field in ["method", "standing", "seconds"] {
            let read = done(&format!(r#"{{"{field}":1}}"#)).read();
            assert!(matches!(read, Err(ConvertError::Reserved(_))), "{field}");
        }
    }

    #[test]
    fn half_a_message_is_refused() {
        assert!(matches!(v1::Report::default().read(), Err(ConvertError::Missing("attempt"))));
        let unit = v1::Unit { question: "cram 3x3".to_owned(), ..v1::Unit::default() };
        assert!(matches!(unit.input(), Err(ConvertError::Json { field: "part", .. })));
    }
}

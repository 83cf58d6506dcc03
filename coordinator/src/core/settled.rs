//! What is kept of a unit that is done, for as long as results of other attempts at it may come.
//!
//! The store has all of it. A job of a million units has nearly all of them in this state, so it is as
//! small as a comparison allows: the answer as text is a tenth of its tree.

use sprague_work::{Answer, Attempt, UnitResult};

/// The result that counts, as far as another one is compared with it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settled {
    /// The number of its task.
    pub(super) task: u32,
    attempt: Attempt,
    fingerprint: u64,
    answer: Box<str>,
}

impl Settled {
    pub(super) fn new(task: usize, attempt: Attempt, result: &UnitResult) -> Self {
        Self {
            task: u32::try_from(task).expect("jobs have at most 10,000 tasks"),
            attempt,
            fingerprint: result.fingerprint,
            answer: text(&result.answer),
        }
    }

    /// Whether another result says the same, as the same work must.
    pub(super) fn agrees(&self, other: &UnitResult) -> bool {
        self.fingerprint == other.fingerprint && self.answer == text(&other.answer)
    }

    /// Which attempt gave what, in words.
    pub(super) fn shown(&self) -> String {
        let answer: Answer = serde_json::from_str(&self.answer).unwrap_or_default();
        shown(self.attempt, &answer, self.fingerprint)
    }
}

/// Which attempt gave what, in words.
pub(super) fn shown(attempt: Attempt, answer: &Answer, fingerprint: u64) -> String {
    format!("attempt {attempt} gave {} with fingerprint {fingerprint:016x}", answer.shown())
}

/// Equal answers have equal texts: their fields are in the order of their names.
fn text(answer: &Answer) -> Box<str> {
    serde_json::to_string(answer).expect("an answer is JSON").into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(answer: &str, fingerprint: u64) -> UnitResult {
        let answer = serde_json::from_str(answer).unwrap();
        UnitResult { answer, fingerprint, entries: 1, expansions: 1, notes: Vec::new() }
    }

    #[test]
    fn results_agree_when_answer_and_fingerprint_do() {
        let settled = Settled::new(3, Attempt(2), &result(r#"{"a":1,"b":[2.5]}"#, 7));
        assert!(settled.agrees(&result(r#"{"b":[2.5],"a":1}"#, 7)));
        assert!(!settled.agrees(&result(r#"{"a":1,"b":[2.5]}"#, 8)));
        assert!(!settled.agrees(&result(r#"{"a":1,"b":[2]}"#, 7)));
        let shown = settled.shown();
        assert_eq!(shown, r#"attempt 2 gave {"a":1,"b":[2.5]} with fingerprint 0000000000000007"#);
    }
}

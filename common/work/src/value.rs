//! A value: the merged answer of a question and how far it can be believed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Answer, Check, Finding, Question};

/// How far a value can be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// No finding yet.
    Open,
    /// One method says so, or several that are not independent.
    Single,
    /// Two independent methods agree.
    Confirmed,
    /// A certificate passed the independent checker.
    Certified,
    /// Something contradicts something. All evidence is kept.
    Disputed,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Single => "single",
            Self::Confirmed => "confirmed",
            Self::Certified => "certified",
            Self::Disputed => "disputed",
        })
    }
}

/// A contradiction that no pair of findings shows: two attempts at one unit that differ, a total
/// that cannot be. Disputes are only ever appended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The question that is in doubt.
    pub question: Question,
    /// What contradicts what, with both answers.
    pub note: String,
    /// When it was seen, as RFC 3339 in UTC.
    pub when: String,
}

/// The merged answer of a question: what `sprague values` shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The question.
    pub question: Question,
    /// How far the answer can be believed.
    pub standing: Standing,
    /// The findings that it rests on, oldest first.
    pub findings: Vec<Finding>,
    /// The checks that it had to pass.
    pub checks: Vec<Check>,
    /// What contradicts what. Empty unless the standing is disputed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<String>,
    /// The answer: the fields that no other field claims. Empty while open; while disputed, what
    /// the first finding says.
    #[serde(flatten)]
    pub answer: Answer,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, MethodName};

    #[test]
    fn a_value_survives_json_with_its_fields_flat() {
        let question = Question::new("cram 3x3").unwrap();
        let answer: Answer = serde_json::from_str(r#"{"nimber":0,"outcome":"P"}"#).unwrap();
        let finding = Finding {
            question: question.clone(),
            method: MethodName::new("mex"),
            effort: Effort { entries: 9, seconds: 0.5, ..Effort::default() },
            answer: answer.clone(),
            fingerprint: "00".to_owned(),
            workers: vec!["a".to_owned()],
            when: "2026-01-01T00:00:00Z".to_owned(),
            version: "0.1.0".to_owned(),
        };
        let value = Value {
            question,
            standing: Standing::Single,
            findings: vec![finding],
            checks: vec![Check::theorem("symmetry", None)],
            disputes: vec![],
            answer,
        };
        let json = serde_json::to_value(&value).unwrap();
        assert_eq!(json["nimber"], 0);
        assert_eq!(json["findings"][0]["entries"], 9);
        assert_eq!(json["findings"][0]["outcome"], "P");
        assert_eq!(serde_json::from_value::<Value>(json).unwrap(), value);
    }
}

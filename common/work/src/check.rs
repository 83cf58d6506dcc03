//! A check: something that a value must also satisfy, known from outside the searches.

use serde::{Deserialize, Serialize};

/// What it means when a check fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// A theorem or a count that is beyond doubt: a failure makes the value disputed.
    Theorem,
    /// What somebody published: a failure is shown loudly, but two agreeing methods stand.
    Literature,
}

/// One check and how it came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its name, such as `symmetry` or `A001349`.
    pub name: String,
    /// Whether the value satisfies it.
    pub ok: bool,
    /// What a failure means.
    pub weight: Weight,
    /// Who published what is checked against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What was expected and what was found, when they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Check {
    /// A check against a theorem; `fault` says what is wrong, if anything is.
    #[must_use]
    pub fn theorem(name: impl Into<String>, fault: Option<String>) -> Self {
        Self {
            name: name.into(),
            ok: fault.is_none(),
            weight: Weight::Theorem,
            source: None,
            note: fault,
        }
    }

    /// A check against what `source` published; `fault` says what differs, if anything does.
    #[must_use]
    pub fn literature(source: impl Into<String>, fault: Option<String>) -> Self {
        Self {
            name: "literature".to_owned(),
            ok: fault.is_none(),
            weight: Weight::Literature,
            source: Some(source.into()),
            note: fault,
        }
    }
}

//! An answer: what a finding or a unit says, in the kind's own shape.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::table::{grouped, shortened};

/// What a unit or a finding says: a JSON object whose fields the kind defines.
///
/// Its fields are the ones that the command line shows in a value (`nimber`, `outcome`, `graphs`),
/// so nothing between the kind and the reader has to know them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answer(Map<String, Json>);

/// The fields of findings and values beside those of the answer.
const RESERVED: [&str; 15] = [
    "question",
    "method",
    "units",
    "entries",
    "expansions",
    "seconds",
    "cpu_seconds",
    "peak_memory",
    "fingerprint",
    "workers",
    "when",
    "version",
    "standing",
    "findings",
    "checks",
];

/// The longest text that is told in a line among others, in bytes.
const LONGEST_WORD: usize = 20;
/// The longest such line, in characters.
const LONGEST_WORDS: usize = 100;

/// An answer does not have the shape that its kind expects, or is no object.
#[derive(Debug, thiserror::Error)]
#[error("the answer {shown} is not of the expected shape: {source}")]
pub struct AnswerError {
    shown: String,
    source: serde_json::Error,
}

impl Answer {
    /// The answer with the fields of `fields`.
    ///
    /// # Panics
    /// When `fields` does not serialise to a JSON object: a mistake in the kind.
    #[must_use]
    pub fn of<T: Serialize>(fields: &T) -> Self {
        match serde_json::to_value(fields) {
            Ok(Json::Object(map)) => Self(map),
            other => unreachable!("an answer is a struct or a map, not {other:?}"),
        }
    }

    /// Reads the fields as the kind's own type.
    ///
    /// # Errors
    /// When they do not have its shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, AnswerError> {
        serde_json::from_value(Json::Object(self.0.clone()))
            .map_err(|source| AnswerError { shown: self.shown(), source })
    }

    /// The fields.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Json> {
        &self.0
    }

    /// A field of the answer whose name a finding or a value uses for something else.
    #[must_use]
    pub fn reserved_field(&self) -> Option<&str> {
        RESERVED.into_iter().find(|name| self.0.contains_key(*name))
    }

    /// The answer as JSON, cut after 200 characters: for messages to people.
    #[must_use]
    pub fn shown(&self) -> String {
        shortened(&Json::Object(self.0.clone()).to_string(), 200).into_owned()
    }

    /// What it says in a few words, for a line among others: `nimber 3`. Only what is a number, a word or a yes or no;
    /// lists and what is long are not for one line.
    #[must_use]
    pub fn in_short(&self) -> String {
        let word = |(name, value): (&String, &Json)| {
            let value = match value {
                Json::String(text) if text.len() <= LONGEST_WORD => text.clone(),
                Json::Number(number) => match number.as_u64() {
                    Some(count) => grouped(count),
                    None => number.to_string(),
                },
                Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
                _ => return None,
            };
            Some(format!("{} {value}", name.replace('_', " ")))
        };
        let all: Vec<String> = self.0.iter().filter_map(word).collect();
        shortened(&all.join(", "), LONGEST_WORDS).into_owned()
    }
}

/// How two answers to one question stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Each says all that the other says: one confirms the other.
    Confirms,
    /// Both can be true, but at least one leaves open what the other says (an outcome beside a
    /// nimber that is not 0).
    Compatible,
    /// They cannot both be true.
    Contradicts,
}

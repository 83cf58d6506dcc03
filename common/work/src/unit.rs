//! A unit: the piece of one (question, method) that a worker does in one go.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{MethodName, Question};

/// Which piece of a (question, method) a unit is: JSON that only the kind reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Part(Json);

impl Part {
    /// The part for a question that is answered in one go.
    pub const WHOLE: Self = Self(Json::Null);

    /// The part described by `fields`.
    ///
    /// # Panics
    /// When `fields` does not serialise to JSON: a mistake in the kind.
    #[must_use]
    pub fn of<T: Serialize>(fields: &T) -> Self {
        Self(serde_json::to_value(fields).expect("parts are plain data with string keys"))
    }

    /// Reads the part as the kind's own type.
    ///
    /// # Errors
    /// When it has another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.0)
    }
}

/// All that a worker needs to know of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitInput {
    /// The question that the unit helps to answer.
    pub question: Question,
    /// The method by which.
    pub method: MethodName,
    /// Which piece of it.
    pub part: Part,
}

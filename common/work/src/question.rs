//! A question: something with one right answer, in its canonical words.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest question in bytes. Questions are keys in the store and words in messages.
const LONGEST: usize = 200;

/// Something with one right answer, such as `cram 3x14` or `geography sweep 9`.
///
/// The text is canonical: two questions with the same answer by the rules of notation alone
/// (`cram 14x3` and `cram 3x14`) are one question. The kinds make them, see
/// [`Kind::parse`](crate::Kind::parse).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Question(String);

/// Why a text is not a question.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum QuestionError {
    /// Nothing but white space.
    #[error("the question is empty")]
    Empty,
    /// More than 200 bytes.
    #[error("the question has {0} bytes, the most is {LONGEST}")]
    TooLong(usize),
    /// Something other than printable ASCII and single spaces.
    #[error("the question holds the character {0:?} at byte {1}")]
    Character(char, usize),
}

impl Question {
    /// Takes canonical text: printable ASCII, words parted by single spaces, at most 200 bytes.
    ///
    /// # Errors
    /// Says which of these does not hold.
    pub fn new(text: impl Into<String>) -> Result<Self, QuestionError> {
        let text = text.into();
        if text.trim().is_empty() {
            return Err(QuestionError::Empty);
        }
        if text.len() > LONGEST {
            return Err(QuestionError::TooLong(text.len()));
        }
        if let Some((at, fault)) = text.char_indices().find(|(_, c)| !(' '..='~').contains(c)) {
            return Err(QuestionError::Character(fault, at));
        }
        Ok(Self(text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Question {
    type Error = QuestionError;

    fn try_from(text: String) -> Result<Self, QuestionError> {
        Self::new(text)
    }
}

impl From<Question> for String {
    fn from(question: Question) -> Self {
        question.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_folded() {
        assert_eq!(Question::new(" cram  3x14 ").unwrap().as_str(), "cram 3x14");
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(Question::new("  "), Err(QuestionError::Empty));
        assert_eq!(Question::new("x".repeat(201)), Err(QuestionError::TooLong(201)));
        assert_eq!(Question::new("a\nb"), Err(QuestionError::Character('\n', 1)));
    }
}

//! A question: something with one right answer, in its canonical words.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest question in bytes. Questions are keys in the store and words in messages.
const LONGEST: usize = 200;

/// Something with one right answer, such as `cram 3x14` or `geography sweep 9`.
///
/// The text is canonical: two questions with the same answer by the rules of notation alone
/// (`cram 14x3` and `cram 3x14`) are one question. The kinds make them, see
/// [`Kind::parse`](crate::Kind::parse).
///
/// Questions are ordered as people order them: `cram 3x4` comes before `cram 3x14`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl Ord for Question {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut one, mut two) = (self.0.as_bytes(), other.0.as_bytes());
        while let (Some(&first), Some(&second)) = (one.first(), two.first()) {
            let ordering = if first.is_ascii_digit() && second.is_ascii_digit() {
                take_number(&mut one).cmp(&take_number(&mut two))
            } else {
                (one, two) = (&one[1..], &two[1..]);
                first.cmp(&second)
            };
            if ordering.is_ne() {
                return ordering;
            }
        }
        // What is left of one of them; then zeros at the front of numbers, as different texts are different questions.
        one.len().cmp(&two.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Question {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Takes the digits off the front of a text: their number, without zeros at its front, and the digits, in an order that is that of the numbers.
fn take_number<'a>(text: &mut &'a [u8]) -> (usize, &'a [u8]) {
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(end);
    *text = rest;
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    (end - zeros, &digits[zeros..])
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn white_space_is_folded() {
        assert_eq!(Question::new(" cram  3x14 ").unwrap().as_str(), "cram 3x14");
    }

    #[test]
    fn numbers_in_questions_are_ordered_as_numbers() {
        let ordered =
            ["cram 3", "cram 3x3", "cram 3x14", "cram 4x4", "cram 010x10", "cram 10x10", "crax"];
        let mut questions = ordered.map(|text| Question::new(text).unwrap());
        questions.reverse();
        questions.sort();
        assert_eq!(questions.each_ref().map(Question::as_str), ordered);
    }

    proptest! {
        #[test]
        fn the_order_is_total_and_agrees_with_equality(texts in prop::collection::vec("[01a]{1,4}", 3)) {
            let [one, two, three] = [0, 1, 2].map(|at| Question::new(texts[at].as_str()).unwrap());
            prop_assert_eq!(one.cmp(&two), two.cmp(&one).reverse());
            prop_assert_eq!(one.cmp(&two).is_eq(), one == two);
            prop_assert!(!(one <= two && two <= three) || one <= three);
        }
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(Question::new("  "), Err(QuestionError::Empty));
        assert_eq!(Question::new("x".repeat(201)), Err(QuestionError::TooLong(201)));
        assert_eq!(Question::new("a\nb"), Err(QuestionError::Character('\n', 1)));
    }
}

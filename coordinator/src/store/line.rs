//! The lines of an export. docs/store.md tells their meaning.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::row::Row;

/// One line: what the line says in its only field.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line<'a> {
    Begin(Begin),
    Job {
        number: u64,
        #[serde(borrow)]
        row: &'a RawValue,
    },
    Unit {
        job: u64,
        number: u32,
        #[serde(borrow)]
        row: &'a RawValue,
    },
    Notes {
        job: u64,
        number: u32,
        hex: String,
    },
    Event {
        job: u64,
        number: u32,
        #[serde(borrow)]
        row: &'a RawValue,
    },
    Finding {
        number: u64,
        #[serde(borrow)]
        row: &'a RawValue,
    },
    Dispute {
        number: u64,
        #[serde(borrow)]
        row: &'a RawValue,
    },
    Distrusted {
        worker: String,
        why: String,
    },
    Drained {
        worker: String,
        place: u64,
    },
    Need {
        class: String,
        bytes: u64,
    },
    Workers {
        last: u64,
    },
    End(End),
}

/// The head of a section: what the sections before it hold of the tables that only grow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begin {
    pub(super) program: String,
    pub(super) schema: u64,
    pub(super) findings: u64,
    pub(super) disputes: u64,
}

/// The foot of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    /// Lines between the head and this one.
    pub(super) lines: u64,
    /// Findings and disputes of this section and all before it.
    pub(super) findings: u64,
    pub(super) disputes: u64,
    /// The checksum of the section's lines before this one.
    pub(super) checksum: String,
    /// The checksum of all findings and disputes, by which an export is known to be of the same store.
    pub(super) ledger: String,
}

impl<'a> Line<'a> {
    /// A row as a line.
    ///
    /// # Errors
    /// When the row is no JSON.
    pub(super) fn of(row: Row<'a>) -> Result<Self, serde_json::Error> {
        Ok(match row {
            Row::Job(number, row) => Self::Job { number, row: raw(row)? },
            Row::Unit((job, number), row) => Self::Unit { job, number, row: raw(row)? },
            Row::Notes((job, number), notes) => Self::Notes { job, number, hex: to_hex(notes) },
            Row::Event((job, number), row) => Self::Event { job, number, row: raw(row)? },
            Row::Finding(number, row) => Self::Finding { number, row: raw(row)? },
            Row::Dispute(number, row) => Self::Dispute { number, row: raw(row)? },
            Row::Distrusted(worker, why) => {
                Self::Distrusted { worker: worker.to_owned(), why: why.to_owned() }
            }
            Row::Drained(worker, place) => Self::Drained { worker: worker.to_owned(), place },
            Row::Need(class, bytes) => Self::Need { class: class.to_owned(), bytes },
            Row::Workers(last) => Self::Workers { last },
        })
    }
}

fn raw(row: &[u8]) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_slice(row)
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// The bytes behind hexadecimal digits; `None` when the text is something else.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| u8::try_from((digit(pair[0])? << 4) | digit(*pair.get(1)?)?).ok();
    text.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_are_the_bytes_again_and_nothing_else_is() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        assert_eq!(from_hex(""), Some(Vec::new()));
        for text in ["a", "0g", "abc", "é"] {
            assert_eq!(from_hex(text), None, "{text}");
        }
    }
}

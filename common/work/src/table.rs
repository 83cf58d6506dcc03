//! A table for people: what a kind shows of values, before anybody chose how it is drawn.

use std::borrow::Cow;

use serde::Serialize;

/// Which way a column leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its head.
    pub name: String,
    /// Which way it leans.
    pub align: Align,
}

/// Rows below columns, with notes below the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// Sentences to print below.
    pub notes: Vec<String>,
}

impl Table {
    /// A table with these columns and no rows.
    #[must_use]
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        Self {
            columns: columns
                .into_iter()
                .map(|(name, align)| Column { name: name.to_owned(), align })
                .collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// A count with its digits in groups of three: `1,467,180`.
#[must_use]
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things: `1 walk`, `2,048 walks`.
#[must_use]
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A text for a message, cut after so many characters: what was typed may be of any length.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
    }
}

/// Seconds with as many digits as matter.
#[must_use]
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds >= 100.0 { format!("{seconds:.0} s") } else { format!("{seconds:.2} s") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_text_is_cut_between_characters() {
        let shortened = |text| super::shortened(text, 3).into_owned();
        assert_eq!(["", "abc", "abcd", "äöüß"].map(shortened), ["", "abc", "abc...", "äöü..."]);
    }

    #[test]
    fn counts_are_grouped_by_three() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_467_180, "1,467,180")] {
            assert_eq!(super::grouped(count), text);
        }
    }
}

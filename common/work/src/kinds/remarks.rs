//! What every kind's table says of a value's checks and disputes.

use crate::{Standing, Value};

/// The checks of a value in a cell, each name once; a failing one cannot be overlooked.
pub(super) fn marks(value: &Value) -> String {
    let mut marks: Vec<String> = Vec::new();
    for check in &value.checks {
        let mark = if check.ok { check.name.clone() } else { format!("{} FAILS", check.name) };
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    marks.join(", ")
}

/// What a reader must not miss: disputes, and published values that differ.
pub(super) fn troubles(value: &Value) -> Vec<String> {
    let mut notes = Vec::new();
    if value.standing == Standing::Disputed {
        let disputes = value.disputes.iter();
        notes.extend(disputes.map(|note| format!("DISPUTED {}: {note}", value.question)));
    }
    for check in value.checks.iter().filter(|check| !check.ok) {
        let (name, note) = (&check.name, check.note.as_deref().unwrap_or_default());
        let source = check.source.as_deref().map(|s| format!(" ({s})")).unwrap_or_default();
        notes.push(format!("CHECK FAILS {}: {name}: {note}{source}", value.question));
    }
    notes
}

//! Searches as a table.

use super::answer::SearchAnswer;
use crate::kinds::{marks, troubles};
use crate::table::{counted, seconds};
use crate::{Align, Table, Value};

/// One line a graph found, and what the searches cost.
pub(super) fn searches_table(values: &[Value]) -> Table {
    let mut table = Table::new([
        ("value", Align::Right),
        ("graph6", Align::Left),
        ("start", Align::Right),
        ("edges", Align::Right),
        ("standing", Align::Left),
        ("checks", Align::Left),
    ]);
    for value in values {
        let answer = value.answer.read::<SearchAnswer>().unwrap_or_default();
        for hit in &answer.hits {
            table.rows.push(vec![
                format!("*{}", hit.value),
                hit.graph6.clone(),
                hit.start.to_string(),
                hit.edges.to_string(),
                value.standing.to_string(),
                marks(value),
            ]);
        }
        table.notes.extend(troubles(value));
        if answer.hits.is_empty() && !value.findings.is_empty() {
            table.notes.push(format!(
                "{}: none found; the furthest of {} came to {}, which says nothing of whether there are such graphs",
                value.question,
                counted(answer.walks, "walk", "walks"),
                counted(answer.furthest as u64, "vertex", "vertices"),
            ));
        }
        for finding in &value.findings {
            table.notes.push(format!(
                "{} by {}: {} evaluated in {}, {} of processor time",
                value.question,
                finding.method,
                counted(answer.evaluations, "graph", "graphs"),
                counted(answer.walks, "walk", "walks"),
                seconds(finding.effort.cpu_seconds),
            ));
        }
        if let Some(hit) = answer.hits.first() {
            table.notes.push(format!(
                "`sprague geography position '{}' --start {}` values it again",
                hit.graph6, hit.start
            ));
        }
    }
    table
}

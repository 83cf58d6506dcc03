//! The items as a table.

use super::METHODS;
use super::answer::{Item, LiteratureAnswer};
use crate::kinds::troubles;
use crate::table::{counted, grouped, seconds};
use crate::{Align, Table, Value};

/// One line an item: what it came to, and how many of its cases each method reached.
pub(super) fn items_table(values: &[Value]) -> Table {
    let head = [("item", Align::Left), ("ok", Align::Left), ("failed", Align::Right)];
    let reached = METHODS.iter().map(|method| (method.name, Align::Right));
    let mut table = Table::new(head.into_iter().chain(reached).chain([("claim", Align::Left)]));
    for value in values {
        let answer = value.answer.read::<LiteratureAnswer>().unwrap_or_default();
        let findings = METHODS.map(|method| {
            let finding = value.findings.iter().find(|f| f.method.as_str() == method.name)?;
            finding.answer.read::<LiteratureAnswer>().ok()
        });
        for item in &answer.items {
            let ok = match item {
                Item { cases: 0, .. } => "not tested",
                Item { ok: true, .. } => "yes",
                Item { ok: false, .. } => "NO",
            };
            let mut row = vec![item.item.clone(), ok.to_owned(), grouped(item.failed)];
            row.extend(findings.iter().map(|finding| {
                let mut found = finding.iter().flat_map(|finding| &finding.items);
                let same = found.find(|found| found.item == item.item);
                same.map_or_else(|| "-".to_owned(), |found| grouped(found.cases))
            }));
            row.push(item.note.clone());
            table.rows.push(row);
        }
        table.notes.push(format!("{}: {}", value.question, value.standing));
        table.notes.extend(troubles(value));
        for finding in &value.findings {
            table.notes.push(format!(
                "by {}: {}, {}, {} of processor time",
                finding.method,
                counted(finding.effort.units, "unit", "units"),
                counted(finding.effort.expansions, "expansion", "expansions"),
                seconds(finding.effort.cpu_seconds),
            ));
        }
    }
    if !table.rows.is_empty() {
        table.notes.push("below each method: cases that it reached".to_owned());
    }
    table
}

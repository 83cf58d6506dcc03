//! Sweeps as a table.

use super::METHODS;
use super::answer::SweepAnswer;
use crate::kinds::{marks, troubles};
use crate::table::{counted, grouped, seconds};
use crate::{Align, Table, Value};

/// One line a sweep: positions by value, and what each method cost.
pub(super) fn sweeps_table(values: &[Value]) -> Table {
    let answers = values.iter().map(|value| value.answer.read::<SweepAnswer>().unwrap_or_default());
    let answers: Vec<SweepAnswer> = answers.collect();
    let largest = answers.iter().filter_map(|answer| answer.values.keys().max()).max();
    let columns: Vec<u8> = largest.map_or_else(Vec::new, |&largest| (0..=largest).collect());
    let names: Vec<String> = columns.iter().map(|value| format!("*{value}")).collect();

    let left = [("vertices", Align::Right), ("graphs", Align::Right), ("positions", Align::Right)];
    let by_value = names.iter().map(|name| (name.as_str(), Align::Right));
    let right = [("standing", Align::Left), ("checks", Align::Left)];
    let mut table = Table::new(left.into_iter().chain(by_value).chain(right));
    for (value, answer) in values.iter().zip(&answers) {
        let known = !value.findings.is_empty();
        let count = |count: u64| if known { grouped(count) } else { "-".to_owned() };
        let vertices = value.question.as_str().rsplit(' ').next().unwrap_or_default();
        let mut row = vec![vertices.to_owned(), count(answer.graphs), count(answer.positions)];
        row.extend(columns.iter().map(|v| count(answer.values.get(v).copied().unwrap_or(0))));
        row.push(value.standing.to_string());
        row.push(marks(value));
        table.rows.push(row);
        table.notes.extend(troubles(value));
        let in_order = METHODS.iter().flat_map(|method| {
            value.findings.iter().filter(|finding| finding.method.as_str() == method.name)
        });
        for finding in in_order {
            let effort = &finding.effort;
            table.notes.push(format!(
                "{} by {}: {}, {}, {} of processor time",
                value.question,
                finding.method,
                counted(effort.units, "slice", "slices"),
                counted(effort.expansions, "expansion", "expansions"),
                seconds(effort.cpu_seconds),
            ));
        }
    }
    table
}

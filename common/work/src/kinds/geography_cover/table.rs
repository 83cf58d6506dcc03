//! Answers of the covering lemma as a table.

use super::answer::CoverAnswer;
use super::sweeps::orders_needed;
use super::{Asked, BOUND, SWEEPS};
use crate::kinds::{marks, troubles};
use crate::{Align, Standing, Table, Value};

/// One line a question, with the argument below.
pub(super) fn covers_table(values: &[Value]) -> Table {
    let mut table = Table::new([
        ("value", Align::Right),
        ("vertices", Align::Right),
        ("exists", Align::Left),
        ("graph6", Align::Left),
        ("start", Align::Right),
        ("standing", Align::Left),
        ("checks", Align::Left),
    ]);
    for value in values {
        let answer = value.answer.read::<CoverAnswer>().ok();
        let asked = Asked::of_question(&value.question).ok();
        let shown =
            |number: Option<usize>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let exists = match &answer {
            Some(answer) if answer.exists => "yes",
            Some(_) => "no",
            None => "-",
        };
        table.rows.push(vec![
            asked.map_or_else(|| "-".to_owned(), |asked| format!("*{}", asked.value)),
            shown(asked.map(|asked| asked.order)),
            exists.to_owned(),
            answer
                .as_ref()
                .and_then(|answer| answer.graph6.clone())
                .unwrap_or_else(|| "-".to_owned()),
            shown(answer.as_ref().and_then(|answer| answer.start)),
            value.standing.to_string(),
            marks(value),
        ]);
        table.notes.extend(troubles(value));
        for finding in &value.findings {
            if let Ok(answer) = finding.answer.read::<CoverAnswer>() {
                table.notes.push(format!("{}: {}", finding.method, answer.argument));
            }
        }
        table.notes.extend(asked.and_then(|asked| offer(asked, value)));
    }
    table
}

/// How to have it confirmed where one theorem says no and the sweeps for it are long.
fn offer(asked: Asked, value: &Value) -> Option<String> {
    let largest = orders_needed(asked.value, asked.order)?;
    let by_bound_alone = value.standing == Standing::Single && asked.is_ruled_out();
    by_bound_alone.then(|| {
        format!("to have it confirmed by sweeps of all graphs on up to {largest} vertices: --method {BOUND},{SWEEPS}")
    })
}

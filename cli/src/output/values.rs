//! Values: as a table of their kind, as JSON, and as what an export writes.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};
use sprague_work::{Kind, Registry, Value};

use super::{Document, Paint, Tone, table};

/// Values of any kinds.
pub(crate) struct ValuesDocument<'a> {
    pub(crate) registry: &'a Registry,
    /// The table of the kind that shows them; its usual one when empty.
    pub(crate) view: &'a str,
    pub(crate) values: &'a [Value],
}

impl Document for ValuesDocument<'_> {
    fn json(&self) -> Json {
        json!({ "values": self.values })
    }

    fn lines(&self) -> Vec<Json> {
        self.values.iter().map(as_json).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.values.is_empty() {
            return "no values".to_owned();
        }
        let tables = by_kind(self.registry, self.values);
        let tables = tables.iter().map(|(kind, values)| {
            let mut text = table::text(&kind.table(self.view, values), paint);
            let disputed = values.iter().filter(|value| !value.disputes.is_empty()).count();
            if disputed > 0 {
                let warning = format!("{disputed} DISPUTED: the evidence is kept in the store");
                let _ = write!(text, "\n{}", paint.text(Tone::Bad, warning));
            }
            text
        });
        tables.collect::<Vec<_>>().join("\n\n")
    }
}

/// The values in Markdown: a table for each kind, under its name.
pub(crate) fn as_markdown(registry: &Registry, view: &str, values: &[Value]) -> String {
    let sections = by_kind(registry, values).into_iter().map(|(kind, values)| {
        format!("## {}\n\n{}\n", kind.name(), table::markdown(&kind.table(view, &values)))
    });
    sections.collect::<Vec<_>>().join("\n")
}

/// The values as CSV (RFC 4180): a row for each, with the fields of its answer as columns, and the
/// methods behind it. Several things in one cell are parted by `;`, see [`cell`].
pub(crate) fn as_csv(values: &[Value]) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for field in values.iter().flat_map(|value| value.answer.fields().keys()) {
        if !fields.contains(&field.as_str()) {
            fields.push(field);
        }
    }
    let head = ["question", "standing"].into_iter().chain(fields.iter().copied());
    let mut text = csv_row(head.chain(["methods"]).map(str::to_owned));
    for value in values {
        let known = value.answer.fields();
        let mut methods: Vec<&str> = value.findings.iter().map(|f| f.method.as_str()).collect();
        methods.sort_unstable();
        let head = [value.question.to_string(), value.standing.to_string()];
        let answer = fields.iter().map(|field| cell(known, field));
        text.push_str(&csv_row(head.into_iter().chain(answer).chain([methods.join(";")])));
    }
    text
}

/// What a field holds, in plain words: `0=4357;1=59405` for numbers by name, and for a list of things
/// with fields `edges=3 value=2;edges=4 value=2`.
fn cell(fields: &Map<String, Json>, name: &str) -> String {
    match fields.get(name) {
        None => String::new(),
        Some(Json::Array(items)) => items.iter().map(item).collect::<Vec<_>>().join(";"),
        Some(Json::Object(parts)) => named(parts, ";"),
        Some(single) => plain(single),
    }
}

fn item(value: &Json) -> String {
    match value {
        Json::Object(parts) => named(parts, " "),
        single => plain(single),
    }
}

fn named(parts: &Map<String, Json>, separator: &str) -> String {
    let parts = parts.iter().map(|(name, value)| format!("{name}={}", plain(value)));
    parts.collect::<Vec<_>>().join(separator)
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn csv_row(cells: impl Iterator<Item = String>) -> String {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    let mut row = quoted.collect::<Vec<_>>().join(",");
    row.push_str("\r\n");
    row
}

fn as_json(value: &Value) -> Json {
    json!(value)
}

/// The values of each kind that has some, in the order of the registry. Values of a kind that this
/// program does not know are in none.
fn by_kind<'a>(registry: &'a Registry, values: &[Value]) -> Vec<(&'a dyn Kind, Vec<Value>)> {
    let of_kind = |kind: &'a dyn Kind| {
        let owned = values.iter().filter(|value| kind.owns(&value.question));
        (kind, owned.cloned().collect::<Vec<_>>())
    };
    registry.kinds().map(of_kind).filter(|(_, values)| !values.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<Value> {
        let value = |question: &str, answer: Json| {
            let mut value = json!({ "question": question, "standing": "single", "findings": [],
                                    "checks": [] });
            let fields = value.as_object_mut().unwrap();
            fields.extend(answer.as_object().unwrap().clone());
            serde_json::from_value(value).unwrap()
        };
        vec![
            value("cram 3x3", json!({ "nimber": 0, "outcome": "P" })),
            value("geography sweep 2", json!({ "graphs": 1, "value_sets": { "1": 1, "0,1": 2 } })),
            value(
                "geography search --value 1 --vertices 2",
                json!({ "hits": [{ "graph6": "A_", "start": 0 }, { "graph6": "A_", "start": 1 }] }),
            ),
        ]
    }

    #[test]
    fn csv_has_a_column_for_every_field_and_quotes_what_needs_it() {
        let text = as_csv(&values());
        let mut rows = text.split("\r\n");
        let head = rows.next().unwrap();
        assert_eq!(head, "question,standing,nimber,outcome,graphs,value_sets,hits,methods");
        assert_eq!(rows.next(), Some("cram 3x3,single,0,P,,,,"));
        assert_eq!(rows.next(), Some("geography sweep 2,single,,,1,\"0,1=2;1=1\",,"));
        let hits = "graph6=A_ start=0;graph6=A_ start=1";
        let search = "geography search --value 1 --vertices 2";
        assert_eq!(rows.next(), Some(format!("{search},single,,,,,{hits},").as_str()));
    }

    #[test]
    fn every_kind_has_its_own_table() {
        let registry = Registry::standard();
        let text = as_markdown(&registry, "", &values());
        assert!(text.contains("## cram\n") && text.contains("## geography sweep\n"), "{text}");
    }

    #[test]
    fn each_value_is_a_line() {
        let (registry, values) = (Registry::standard(), values());
        let document = ValuesDocument { registry: &registry, view: "", values: &values };
        assert_eq!(document.lines().len(), 3);
        assert_eq!(document.json()["values"][0]["nimber"], 0);
    }
}

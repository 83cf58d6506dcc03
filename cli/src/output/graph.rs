//! A position of Undirected Vertex Geography and its moves.

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use sprague_geography::{Analysis, GeoOption, Outcome, Stop};
use sprague_work::{Align, Table, counted};

use super::{Document, Paint, Tone, table};

/// A token on a vertex of a graph, and all that is known of it.
pub(crate) struct GraphDocument {
    /// The graph's one text, without header.
    pub(crate) graph6: String,
    pub(crate) analysis: Analysis,
}

impl GraphDocument {
    /// Why there is no value, if there is none.
    fn note(&self) -> Option<String> {
        let reason = match self.analysis.value {
            Ok(_) => return None,
            Err(Stop::Cancelled) => "the value is not decided within the time of --budget",
            Err(Stop::OutOfMemory { .. }) => "the value is not decided within --memory",
            Err(Stop::TooLarge { order, limit }) => {
                return Some(format!(
                    "the value is not decided: the component of the start has {order} vertices, and \
                     values are found to {limit}; who wins is, by matchings"
                ));
            }
            Err(_) => "the value is not decided",
        };
        Some(format!("{reason}; who wins is, by matchings"))
    }
}

impl Serialize for GraphDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = &self.analysis;
        Fields {
            graph6: &self.graph6,
            vertices: analysis.vertices,
            edges: analysis.edges,
            start: analysis.start,
            component: analysis.component,
            value: analysis.value.ok(),
            outcome: letter(analysis.outcome),
            matching: analysis.matching,
            matching_without_start: analysis.matching_without_start,
            options: Options(&analysis.options),
            note: self.note(),
        }
        .serialize(serializer)
    }
}

/// A position in the shape of the contract.
#[derive(Serialize)]
struct Fields<'a> {
    graph6: &'a str,
    vertices: usize,
    edges: usize,
    start: usize,
    component: usize,
    value: Option<u16>,
    outcome: &'static str,
    matching: usize,
    matching_without_start: usize,
    options: Options<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

struct Options<'a>(&'a [GeoOption]);

impl Serialize for Options<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|option| OptionFields {
            vertex: option.vertex,
            value: option.value,
            winning: option.winning,
        }))
    }
}

#[derive(Serialize)]
struct OptionFields {
    vertex: usize,
    value: Option<u16>,
    winning: bool,
}

fn letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P => "P",
        Outcome::N => "N",
    }
}

impl Document for GraphDocument {
    fn json(&self) -> Json {
        json!(self)
    }

    fn text(&self, paint: Paint) -> String {
        let analysis = &self.analysis;
        let winner = match analysis.outcome {
            Outcome::P => "P: the previous player wins",
            Outcome::N => "N: the next player wins",
        };
        let value = analysis.value.map_or_else(|_| "unknown".to_owned(), |value| value.to_string());
        let mut table =
            Table::new([("move to", Align::Right), ("value", Align::Right), ("", Align::Left)]);
        table.rows.extend(analysis.options.iter().map(|option| {
            let value = option.value.map_or_else(|| "?".to_owned(), |value| value.to_string());
            let mark = if option.winning { "wins" } else { "" };
            vec![option.vertex.to_string(), value, mark.to_owned()]
        }));
        let winning = analysis.options.iter().filter(|option| option.winning).count();
        table.notes.push(match analysis.options.len() {
            0 => "no moves".to_owned(),
            all => paint.text(Tone::Head, format!("{winning} of {all} moves win")),
        });
        table.notes.extend(self.note().map(|note| format!("note: {note}")));
        let vertices = |count: usize| counted(count as u64, "vertex", "vertices");
        let alone = if analysis.component < analysis.vertices {
            format!("\nonly the token's component counts: {}", vertices(analysis.component))
        } else {
            String::new()
        };
        format!(
            "{}: {}, {}, the token on {}{alone}\nvalue {value} ({winner})\nlargest matching {}, \
             without the start {}\n\n{}",
            self.graph6,
            vertices(analysis.vertices),
            counted(analysis.edges as u64, "edge", "edges"),
            analysis.start,
            analysis.matching,
            analysis.matching_without_start,
            table::text(&table, paint)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undecided() -> GraphDocument {
        GraphDocument {
            graph6: "A_".to_owned(),
            analysis: Analysis {
                vertices: 2,
                edges: 1,
                start: 0,
                component: 2,
                value: Err(Stop::Cancelled),
                outcome: Outcome::N,
                matching: 1,
                matching_without_start: 0,
                options: vec![GeoOption { vertex: 1, value: None, winning: true }],
                pairs: vec![(0, 1)],
                states: 0,
            },
        }
    }

    #[test]
    fn an_undecided_value_is_null_with_a_note_and_the_winner_is_told() {
        let json = undecided().json();
        assert!(json["value"].is_null() && json["options"][0]["value"].is_null());
        let note =
            "the value is not decided within the time of --budget; who wins is, by matchings";
        assert_eq!((&json["outcome"], &json["note"]), (&json!("N"), &json!(note)));
        let text = undecided().text(Paint::Off);
        assert!(text.contains("value unknown (N: the next player wins)"), "{text}");
        assert!(text.contains(note), "{text}");
    }
}

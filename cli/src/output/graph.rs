//! A position of Undirected Vertex Geography and its moves.

use serde_json::{Value as Json, json};
use sprague_geography::{Analysis, GeoOption, Outcome};
use sprague_work::{Align, Table};

use super::{Document, Paint, Tone, table};

/// A token on a vertex of a graph, and all that is known of it.
pub(crate) struct GraphDocument {
    /// The graph's one text, without header.
    pub(crate) graph6: String,
    pub(crate) analysis: Analysis,
}

impl Document for GraphDocument {
    fn json(&self) -> Json {
        let analysis = &self.analysis;
        let options = analysis.options.iter().map(|GeoOption { vertex, value, winning }| {
            json!({ "vertex": vertex, "value": value, "winning": winning })
        });
        let mut document = json!({
            "graph6": self.graph6,
            "vertices": analysis.vertices,
            "edges": analysis.edges,
            "start": analysis.start,
            "value": analysis.value,
            "outcome": analysis.outcome.to_string(),
            "matching": analysis.matching,
            "matching_without_start": analysis.matching_without_start,
            "options": options.collect::<Vec<_>>(),
        });
        if analysis.value.is_none() {
            document["note"] = json!(UNDECIDED);
        }
        document
    }

    fn text(&self, paint: Paint) -> String {
        let analysis = &self.analysis;
        let winner = match analysis.outcome {
            Outcome::P => "P: the previous player wins",
            Outcome::N => "N: the next player wins",
        };
        let value = analysis.value.map_or_else(|| "unknown".to_owned(), |value| value.to_string());
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
        if analysis.value.is_none() {
            table.notes.push(format!("note: {UNDECIDED}"));
        }
        format!(
            "{}: {} vertices, {} edges, the token on {}\nvalue {value} ({winner})\nlargest matching {}, \
             without the start {}\n\n{}",
            self.graph6,
            analysis.vertices,
            analysis.edges,
            analysis.start,
            analysis.matching,
            analysis.matching_without_start,
            table::text(&table, paint)
        )
    }
}

const UNDECIDED: &str =
    "the value is not decided within the memory and the time; who wins is, by matchings";

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
                value: None,
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
        assert_eq!((&json["outcome"], &json["note"]), (&json!("N"), &json!(UNDECIDED)));
        let text = undecided().text(Paint::Off);
        assert!(text.contains("value unknown (N: the next player wins)"), "{text}");
        assert!(text.contains(UNDECIDED), "{text}");
    }
}

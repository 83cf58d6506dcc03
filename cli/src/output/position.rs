//! A Cram position, drawn with its components and its moves.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use sprague_cram::{Analysis, Move, Outcome, Position};
use sprague_work::{Align, Table};

use super::{Document, Paint, Tone, table};

/// A position and all that is known of it.
pub(crate) struct PositionDocument {
    pub(crate) position: Position,
    pub(crate) analysis: Analysis,
}

impl Document for PositionDocument {
    fn json(&self) -> Json {
        let Analysis { components, nimber, moves } = &self.analysis;
        let components = components
            .iter()
            .map(|component| json!({ "cells": component.cells, "nimber": component.nimber.get() }));
        let moves = moves.iter().map(|Move { cells, nimber, winning }| {
            json!({ "cells": cells, "nimber": nimber.get(), "winning": winning })
        });
        json!({
            "rows": self.position.rows(),
            "nimber": nimber.get(),
            "outcome": nimber.outcome().to_string(),
            "components": components.collect::<Vec<_>>(),
            "moves": moves.collect::<Vec<_>>(),
        })
    }

    fn text(&self, paint: Paint) -> String {
        let sections =
            [self.board(), self.verdict(), self.component_table(paint), self.moves(paint)];
        let sections = sections.into_iter().filter(|section| !section.is_empty());
        sections.collect::<Vec<_>>().join("\n\n")
    }
}

impl PositionDocument {
    /// The grid with a letter for each component, `.` for a cell without empty neighbours.
    fn board(&self) -> String {
        let regions = regions(&self.position);
        let cell = |row, col| match regions.get(&(row, col)) {
            Some(&region) => name(region),
            None if self.position.is_empty(row, col) => ".".to_owned(),
            None => "#".to_owned(),
        };
        let columns = 0..self.position.grid_cols();
        let rows = (0..self.position.grid_rows())
            .map(|row| columns.clone().map(|col| cell(row, col)).collect::<Vec<_>>().join(" "));
        rows.collect::<Vec<_>>().join("\n")
    }

    fn verdict(&self) -> String {
        let nimber = self.analysis.nimber;
        let winner = match nimber.outcome() {
            Outcome::P => "P: the previous player wins",
            Outcome::N => "N: the next player wins",
        };
        format!("nimber {nimber} ({winner})")
    }

    fn component_table(&self, paint: Paint) -> String {
        let columns =
            [("component", Align::Left), ("cells", Align::Right), ("nimber", Align::Right)];
        let mut table = Table::new(columns);
        table.rows.extend(self.analysis.components.iter().enumerate().map(|(at, component)| {
            vec![name(at), component.cells.to_string(), component.nimber.to_string()]
        }));
        table::text(&table, paint)
    }

    fn moves(&self, paint: Paint) -> String {
        let moves = &self.analysis.moves;
        let columns = [("move", Align::Left), ("leads to", Align::Right), ("", Align::Left)];
        let mut table = Table::new(columns);
        table.rows.extend(moves.iter().map(|Move { cells: [from, to], nimber, winning }| {
            let mark = if *winning { "wins" } else { "" };
            vec![format!("{}-{}", cell(from), cell(to)), nimber.to_string(), mark.to_owned()]
        }));
        let winning = moves.iter().filter(|a_move| a_move.winning).count();
        table.notes.push(match moves.len() {
            0 => "no moves".to_owned(),
            all => paint.text(Tone::Head, format!("{winning} of {all} moves win")),
        });
        if !moves.is_empty() {
            table.notes.push(
                "a move is two cells (row,column), counted from the top left, from 0".to_owned(),
            );
        }
        table::text(&table, paint)
    }
}

fn cell([row, col]: &[usize; 2]) -> String {
    format!("({row},{col})")
}

/// `a` to `z`, then `A` to `Z`: a grid of 128 cells has at most 42 components.
fn name(component: usize) -> String {
    let letter = ('a'..='z').chain('A'..='Z').nth(component);
    letter.map_or_else(|| "?".to_owned(), String::from)
}

/// The number of its component for every cell that a domino can cover, in the order of the analysis:
/// by first cells from the top left.
fn regions(position: &Position) -> BTreeMap<(usize, usize), usize> {
    let (rows, cols) = (position.grid_rows(), position.grid_cols());
    let mut regions = BTreeMap::new();
    let mut next = 0;
    for start in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let mut frontier = vec![start];
        let mut region = Vec::new();
        while let Some((row, col)) = frontier.pop() {
            let seen = regions.contains_key(&(row, col)) || region.contains(&(row, col));
            if seen || !position.is_empty(row, col) {
                continue;
            }
            region.push((row, col));
            frontier.extend([(row + 1, col), (row, col + 1)]);
            frontier.extend(row.checked_sub(1).map(|above| (above, col)));
            frontier.extend(col.checked_sub(1).map(|left| (row, left)));
        }
        if region.len() > 1 {
            regions.extend(region.into_iter().map(|cell| (cell, next)));
            next += 1;
        }
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprague_cram::{Component, Nimber};

    #[test]
    fn components_are_lettered_and_lone_cells_are_not() {
        let document = PositionDocument {
            position: "..#./###./.#..".parse().unwrap(),
            analysis: Analysis { components: vec![], nimber: Nimber::ZERO, moves: vec![] },
        };
        assert_eq!(document.board(), "a a # b\n# # # b\n. # b b");
    }

    #[test]
    fn the_text_tells_who_wins_and_which_moves() {
        let won = Move { cells: [[0, 0], [0, 1]], nimber: Nimber::ZERO, winning: true };
        let document = PositionDocument {
            position: "..".parse().unwrap(),
            analysis: Analysis {
                components: vec![Component { cells: 2, nimber: Nimber::ONE }],
                nimber: Nimber::ONE,
                moves: vec![won],
            },
        };
        let text = document.text(Paint::Off);
        assert!(text.contains("nimber 1 (N: the next player wins)"), "{text}");
        assert!(text.contains("(0,0)-(0,1)         0  wins"), "{text}");
        assert!(text.contains("1 of 1 moves win"), "{text}");
    }
}

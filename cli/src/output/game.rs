//! A game that was played.

use serde_json::{Value as Json, json};

use super::{Document, Paint};

/// A game against the matching player.
pub(crate) struct PlayedGame {
    /// The graph's one text, without header.
    pub(crate) graph6: String,
    pub(crate) start: usize,
    /// Where the token went.
    pub(crate) moves: Vec<usize>,
    /// None if the game was left.
    pub(crate) winner: Option<Winner>,
}

/// Who moved last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Winner {
    Person,
    Sprague,
}

impl Document for PlayedGame {
    fn json(&self) -> Json {
        let winner = self.winner.map(|winner| match winner {
            Winner::Person => "you",
            Winner::Sprague => "sprague",
        });
        json!({
            "graph6": self.graph6,
            "start": self.start,
            "moves": self.moves,
            "winner": winner,
        })
    }

    fn text(&self, _paint: Paint) -> String {
        let last = self.moves.last().unwrap_or(&self.start);
        match self.winner {
            None => "the game was left".to_owned(),
            Some(Winner::Person) => format!("there is no move from {last}: you win"),
            Some(Winner::Sprague) => format!("there is no move from {last}: sprague wins"),
        }
    }
}

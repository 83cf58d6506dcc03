//! A player who moves to the mate of the token's vertex in a maximum matching wins every game in which
//! the matching criterion says so, whatever the other player does.
//!
//! A case is a game against random moves on a random graph of 8 to 17 vertices. The matching player moves first
//! where the next player wins and second elsewhere, so every game is to be won.

use super::inquiry::{By, Inquiry};
use crate::matching::{bitmask_size, outcome, winning_move};
use crate::random::{Random, mix};
use crate::small_graph::MAX_SMALL_ORDER;
use crate::{Graph, Outcome, SmallGraph, Stop};

/// The number of games.
pub(super) const COUNT: u32 = 200;

pub(super) fn test(inquiry: &mut Inquiry<'_>, input: u32) -> Result<(), Stop> {
    let mut random = Random::of("game", input.into());
    let order = 8 + random.below(10);
    let density = 5 + random.below(90);
    let pairs = (0..order).flat_map(|w| (0..w).map(move |v| (v, w)));
    let edges: Vec<_> = pairs.filter(|_| random.chance(density)).collect();
    let graph = Graph::from_edges(order, edges).expect("the edges are among the vertices");
    let start = random.below(order);
    let reached = inquiry.by == By::Recursion || order <= MAX_SMALL_ORDER;
    let won = reached.then(|| {
        let Game { won, moves } = play(inquiry.by, graph.clone(), start, &mut random);
        inquiry.tally.expansions += moves;
        let found = mix(u64::from(input) << 32 | moves << 1 | u64::from(won));
        inquiry.tally.fingerprint = inquiry.tally.fingerprint.wrapping_add(found);
        won
    });
    inquiry.tally.case(won, || format!("lost from {start} of {graph:?}"));
    inquiry.limits.advance(order as u64)
}

/// How a game went.
struct Game {
    /// Whether the matching player made the last move.
    won: bool,
    moves: u64,
}

fn play(by: By, mut graph: Graph, mut token: usize, random: &mut Random) -> Game {
    let mut matching_player_moves = mate(by, &graph, token).is_some();
    let mut moves = 0;
    loop {
        let options: Vec<usize> = graph.neighbours(token).collect();
        let to = if matching_player_moves {
            mate(by, &graph, token)
        } else {
            (!options.is_empty()).then(|| options[random.below(options.len())])
        };
        let Some(to) = to else {
            return Game { won: !matching_player_moves, moves };
        };
        (graph, token) = (graph.without(token), to - usize::from(to > token));
        matching_player_moves = !matching_player_moves;
        moves += 1;
    }
}

/// A move that wins by the criterion, if there is one, with matchings of the method's own.
fn mate(by: By, graph: &Graph, token: usize) -> Option<usize> {
    match by {
        By::Recursion => {
            (outcome(graph, token) == Outcome::N).then(|| winning_move(graph, token)).flatten()
        }
        By::Table => {
            let small = SmallGraph::try_from(graph).expect("larger graphs are not played on");
            let rest = small.vertices() & !(1 << token);
            let size = bitmask_size(&small, rest);
            graph.neighbours(token).find(|&to| bitmask_size(&small, rest & !(1 << to)) == size)
        }
    }
}

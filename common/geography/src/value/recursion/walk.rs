//! The recursion itself, for any kind of vertex set and any way to remember positions.

use super::vertex_set::VertexSet;
use crate::Stop;

/// Remembers the values of positions.
pub(super) trait Memo<S> {
    /// The value of a position, if it is known.
    fn get(&self, token: usize, component: S) -> Option<u16>;

    /// Notes the value of a position that was not known before.
    ///
    /// # Errors
    ///
    /// If there is no room for it, or the caller stops the computation.
    fn insert(&mut self, token: usize, component: S, value: u16) -> Result<(), Stop>;
}

/// The value of the token on a vertex of `component`, which is the set of all vertices that can be
/// reached from it, itself included. `rows` holds the neighbours of each vertex.
///
/// The recursion is as deep as the longest play, so at most the order of the component.
pub(super) fn walk<S: VertexSet>(
    rows: &[S],
    token: usize,
    component: S,
    memo: &mut impl Memo<S>,
) -> Result<u16, Stop> {
    if let Some(value) = memo.get(token, component) {
        return Ok(value);
    }
    let mut rest = component.minus(S::single(token));
    let mut values = S::EMPTY;
    let mut options = rows[token].and(rest);
    // One component at a time: all options inside it have the same set left. Each component of what is left has an
    // option in it, as the token was joined to all of them.
    while let Some(option) = options.first() {
        let around = part_around(rows, option, rest, options);
        rest = rest.minus(around);
        for option in options.and(around).members() {
            values.insert(usize::from(walk(rows, option, around, memo)?));
        }
        options = options.minus(around);
    }
    let value = u16::try_from(values.first_absent()).expect("a value is less than the order");
    memo.insert(token, component, value)?;
    Ok(value)
}

/// The component of `option` in `rest`, each component of which has one of the `options` in it: so if these can all be
/// reached from one, it is all of `rest`, and most of it need not be walked through.
fn part_around<S: VertexSet>(rows: &[S], option: usize, rest: S, options: S) -> S {
    let mut reached = S::single(option);
    let mut frontier = reached;
    while options.minus(reached) != S::EMPTY {
        if frontier == S::EMPTY {
            return reached;
        }
        let around = frontier.members().fold(S::EMPTY, |around, v| around.or(rows[v]));
        frontier = around.and(rest).minus(reached);
        reached = reached.or(frontier);
    }
    rest
}

/// The vertices of `within` that can be reached from `start` inside it.
pub(super) fn reach<S: VertexSet>(rows: &[S], start: usize, within: S) -> S {
    let mut reached = S::single(start);
    let mut frontier = reached;
    while frontier != S::EMPTY {
        let around = frontier.members().fold(S::EMPTY, |around, v| around.or(rows[v]));
        frontier = around.and(within).minus(reached);
        reached = reached.or(frontier);
    }
    reached
}

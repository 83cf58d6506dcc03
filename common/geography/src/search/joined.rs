//! What the last vertex of a leaf pair may be joined to.

use super::Aim;
use crate::random::Random;
use crate::value::table::WideStarts;

/// The sets that are allowed: some start of each of the values 1..=k, no more vertices than the greatest degree leaves,
/// and only vertices that can take another edge and, in a bipartite graph, are on one side.
#[derive(Clone, Debug)]
pub(super) struct Joinable {
    /// For each value that is wanted the starts that have it and can be joined.
    wanted: Vec<u32>,
    /// All vertices that can be joined.
    open: Vec<u32>,
    most: u32,
}

impl Joinable {
    /// The sets for a graph with these rows and starts that hold the values 1..=k and none of the vertices `barred`; none if there is no such
    /// set.
    pub(super) fn new(
        rows: &[u32],
        starts: &WideStarts,
        k: usize,
        barred: u32,
        side: Option<u32>,
        aim: &Aim,
    ) -> Option<Self> {
        let has_room = |&v: &usize| (rows[v].count_ones() as usize) < aim.max_degree();
        let with_room = (0..rows.len()).filter(has_room).fold(0, |set, v| set | 1_u32 << v);
        let open = with_room & !barred & side.unwrap_or(u32::MAX);
        let wanted: Vec<u32> = starts[1..=k].iter().map(|set| set & open).collect();
        // One neighbour is the leaf.
        let most = aim.max_degree() - 1;
        let vertices = (0..u32::BITS).map(|v| 1 << v).filter(|vertex| open & vertex != 0).collect();
        let possible = wanted.iter().all(|&set| set != 0) && k <= most;
        possible.then(|| Self { wanted, open: vertices, most: most.min(32) as u32 })
    }

    /// Whether a set is allowed.
    fn allows(&self, set: u32) -> bool {
        set.count_ones() <= self.most && self.wanted.iter().all(|wanted| wanted & set != 0)
    }

    /// Some set that is allowed: one start of each value, and of the other vertices as many as it happens.
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        let mut set = 0;
        for &wanted in &self.wanted {
            if wanted & set == 0 {
                let which = random.below(wanted.count_ones() as usize);
                set |= nth(wanted, which);
            }
        }
        let more = random.next();
        for (at, vertex) in self.open.iter().enumerate() {
            if more >> at & 1 == 1 && (set | vertex).count_ones() <= self.most {
                set |= vertex;
            }
        }
        set
    }

    /// A set that differs from an allowed one in a vertex or two, or another one altogether where such is hard to find.
    pub(super) fn vary(&self, set: u32, random: &mut Random) -> u32 {
        for _ in 0..16 {
            let changes = 1 + random.below(2);
            let varied =
                (0..changes).fold(set, |set, _| set ^ self.open[random.below(self.open.len())]);
            if varied != set && self.allows(varied) {
                return varied;
            }
        }
        self.draw(random)
    }
}

/// The n-th member of a set, from 0, as a set.
fn nth(set: u32, n: usize) -> u32 {
    let rest = (0..n).fold(set, |rest, _| rest & (rest - 1));
    rest & rest.wrapping_neg()
}

//! Published values, embedded so that a running cluster checks against them. Never fed to a search.

use std::sync::LazyLock;

use sprague_cram::Board;

/// A published value of a Cram board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    /// `rows x cols` as published.
    pub(crate) board: Board,
    /// What was published: a nimber, or only an outcome.
    pub(crate) says: PublishedValue,
    /// By whom.
    pub(crate) source: String,
}

/// What a publication says of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PublishedValue {
    /// Its nimber.
    Nimber(u64),
    /// `P` or `N`.
    Outcome(String),
}

/// A published row of the geography sweep: all connected graphs of one order, all starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublishedSweep {
    pub(crate) vertices: u8,
    pub(crate) graphs: u64,
    pub(crate) positions: u64,
    /// Positions with each value, from 0.
    pub(crate) values: Vec<u64>,
}

static CRAM: LazyLock<Vec<Published>> =
    LazyLock::new(|| read_cram(include_str!("../data/cram-known.tsv")));

static SWEEPS: LazyLock<Vec<PublishedSweep>> =
    LazyLock::new(|| read_sweeps(include_str!("../data/geography-known.tsv")));

impl Published {
    /// All that was published of this board, whichever way it is turned.
    pub(crate) fn of(board: Board) -> impl Iterator<Item = &'static Self> {
        CRAM.iter().filter(move |row| [board, board.turned()].contains(&row.board))
    }
}

static CONNECTED: LazyLock<Vec<(u8, u64)>> = LazyLock::new(|| {
    let row = |line: &str| {
        let (vertices, rest) = line.split_once('\t')?;
        let (graphs, _source) = rest.split_once('\t')?;
        Some((vertices.parse().ok()?, graphs.parse().ok()?))
    };
    include_str!("../data/connected-graphs.tsv")
        .lines()
        .skip(1)
        .map(|line| row(line).expect("the embedded table is well formed, as its test shows"))
        .collect()
});

/// How many connected graphs of this order there are, up to isomorphism: OEIS A001349.
pub(crate) fn connected_graphs(vertices: u8) -> Option<u64> {
    CONNECTED.iter().find(|row| row.0 == vertices).map(|row| row.1)
}

/// What was published of the sweep of this order.
pub(crate) fn published_sweep(vertices: u8) -> Option<&'static PublishedSweep> {
    SWEEPS.iter().find(|row| row.vertices == vertices)
}

/// How many cases an item of the geography literature has, where that is known from elsewhere.
pub(crate) fn published_cases(item: &str) -> Option<u64> {
    let mut rows = include_str!("../data/geography-claims.tsv").lines().skip(1);
    rows.find_map(|line| {
        line.strip_prefix(item)?.strip_prefix('\t')?.split('\t').next()?.parse().ok()
    })
}

/// What a variant of Section 5, by the name of its item, was published to be worth for n.
pub(crate) fn published_worth(item: &str, n: u8) -> Option<u16> {
    let mut lines = include_str!("../data/geography-section5.tsv").lines();
    let column = lines.next()?.split('\t').position(|name| name == item)?;
    let mut rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    rows.find(|row| row[0].parse() == Ok(n))?.get(column)?.parse().ok()
}

fn read_cram(text: &str) -> Vec<Published> {
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let board = cells.next()?.parse().ok()?;
        let says = match (cells.next()?, cells.next()?) {
            ("nimber", value) => PublishedValue::Nimber(value.parse().ok()?),
            ("outcome", value) => PublishedValue::Outcome(value.to_owned()),
            _ => return None,
        };
        Some(Published { board, says, source: cells.next()?.to_owned() })
    };
    text.lines()
        .skip(1)
        .map(|line| row(line).expect("the embedded table is well formed, as its test shows"))
        .collect()
}

fn read_sweeps(text: &str) -> Vec<PublishedSweep> {
    let row = |line: &str| {
        let cells = line.split('\t').map(str::parse).collect::<Result<Vec<u64>, _>>().ok()?;
        let [vertices, graphs, positions, ref values @ ..] = cells[..] else { return None };
        let values = values.to_vec();
        Some(PublishedSweep { vertices: u8::try_from(vertices).ok()?, graphs, positions, values })
    };
    text.lines()
        .skip(1)
        .map(|line| row(line).expect("the embedded table is well formed, as its test shows"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_tables_are_well_formed() {
        assert_eq!(CRAM.len(), include_str!("../data/cram-known.tsv").lines().count() - 1);
        assert_eq!(SWEEPS.len(), 9);
        assert_eq!(CONNECTED.len(), 11);
        for sweep in SWEEPS.iter() {
            assert_eq!(sweep.values.iter().sum::<u64>(), sweep.positions);
            assert_eq!(connected_graphs(sweep.vertices), Some(sweep.graphs));
            assert_eq!(sweep.graphs * u64::from(sweep.vertices), sweep.positions);
        }
    }

    #[test]
    fn the_tables_of_claims_are_well_formed() {
        use sprague_geography::literature::Claim;
        for line in include_str!("../data/geography-claims.tsv").lines().skip(1) {
            let name = line.split('\t').next().unwrap();
            assert!(name.parse::<Claim>().is_ok() && published_cases(name).is_some(), "{line}");
        }
        assert_eq!(published_cases("induction"), None);
        let worth = |n| published_worth("section5-figures", n);
        assert_eq!((4..=9).filter_map(worth).collect::<Vec<_>>(), (4..=9).collect::<Vec<_>>());
        assert_eq!((worth(3), published_worth("gadget", 4)), (None, None));
    }

    #[test]
    fn a_turned_board_is_the_same_board() {
        let of = |text: &str| Published::of(text.parse().unwrap()).collect::<Vec<_>>();
        assert_eq!(of("3x14"), of("14x3"));
        assert_eq!(of("3x14").len(), 1);
    }
}

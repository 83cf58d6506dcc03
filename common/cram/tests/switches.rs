//! Every part of the engine that can be turned off, against raw mex.

mod common;

use common::{limits, nimber};
use proptest::prelude::*;
use sprague_cram::{Limits, Method, Position, Switch, Switches, solve, solve_with};

/// A grid and at most 18 of its cells left empty, as a rule most of it.
fn position() -> impl Strategy<Value = Position> {
    (1_usize..=6, 1_usize..=6, 1_usize..=10).prop_flat_map(|(rows, cols, most_stones)| {
        let cells = rows * cols;
        let stones =
            (cells.saturating_sub(18))..=(most_stones.max(cells.saturating_sub(18))).min(cells);
        prop::sample::subsequence((0..cells).collect::<Vec<_>>(), stones).prop_map(move |stones| {
            let row = |row: usize| {
                let letter = |col| if stones.contains(&(row * cols + col)) { '#' } else { '.' };
                (0..cols).map(letter).collect::<String>()
            };
            (0..rows).map(row).collect::<Vec<_>>().join("/").parse().expect("it is a grid")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn each_switch_alone_and_all_but_it_agree_with_mex(position in position(), ties in 0_u64..4) {
        // Little room, so that the table forgets.
        let limits = Limits { memory: 1 << 20, ..limits() };
        let by_mex = nimber(&solve(Method::Mex, &position, &limits).unwrap());
        let base = [Switches::NONE, Switches::default()].map(|base| Switches { ties, ..base });
        let turned = Switch::ALL.into_iter().flat_map(|switch| base.map(|base| base.turned(switch)));
        for switches in turned.chain(base) {
            let solved = solve_with(switches, &position, &limits).unwrap();
            prop_assert_eq!(nimber(&solved), by_mex, "{:?} {}", switches, position);
        }
    }
}

#[test]
fn the_names_of_the_switches_differ() {
    for (at, switch) in Switch::ALL.into_iter().enumerate() {
        assert!(Switch::ALL[..at].iter().all(|other| other.name() != switch.name()));
        let turned = Switches::default().turned(switch);
        assert_ne!(turned, Switches::default());
        assert_eq!(turned.turned(switch), Switches::default());
    }
}

//! The hard memory cap of a slot's child, and what it leaves for tables.
//!
//! The cap is `RLIMIT_DATA`: it counts private writable pages (heap, tables, thread stacks) when
//! they are mapped, not when they are touched. `RLIMIT_AS` would count address space that is only
//! reserved, and stops threads from starting long before any memory is used.

use rustix::process::{Resource, Rlimit, setrlimit};
use sprague_work::THREAD_STACK;

use crate::usage::data_bytes;

const MIB: u64 = 1 << 20;

/// The stack of the thread that runs the units. The whole of it counts towards the cap. It is the
/// same under every cap, so that a unit that ends under one ends under all larger ones.
pub(crate) const SOLVER_STACK: usize = 8 << 20;

/// The stack of the thread that sends progress.
pub(crate) const TICKER_STACK: usize = 256 << 10;

/// The least cap of a slot, in bytes: the solver's stack, the program's own data, the margin for
/// what is no table, and some megabytes of tables.
pub const LEAST_CAP: u64 = 24 * MIB;

/// The least cap in bytes of a slot whose units use so many threads: [`LEAST_CAP`] and a stack for each further one.
#[must_use]
pub fn least_cap(threads: u32) -> u64 {
    LEAST_CAP + further_stacks(threads)
}

fn further_stacks(threads: u32) -> u64 {
    u64::from(threads.saturating_sub(1)) * THREAD_STACK as u64
}

/// Caps this process: no more than `cap` bytes of private memory from now on, and no core dumps,
/// since a unit that crashes five times would leave five of them of the size of its tables.
pub(crate) fn apply(cap: u64) -> rustix::io::Result<()> {
    setrlimit(Resource::Data, Rlimit { current: Some(cap), maximum: Some(cap) })?;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
}

/// How a cap is divided between tables and everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    cap: u64,
    beside: u64,
}

impl Budget {
    /// Divides `cap` in a process that has its threads but no tables yet.
    ///
    /// Beside the tables stand what is in use now, the stacks of further threads, and a margin for what a search keeps outside its
    /// tables (its path, lists of children, its answer): 4 MiB and a thirty-second of the cap. It is
    /// measured once, because tables that a kind keeps from unit to unit are still tables.
    pub(crate) fn measure(cap: u64, threads: u32) -> Self {
        let in_use = data_bytes().unwrap_or(SOLVER_STACK as u64);
        Self::new(cap, in_use + further_stacks(threads))
    }

    fn new(cap: u64, in_use: u64) -> Self {
        Self { cap, beside: in_use + 4 * MIB + cap / 32 }
    }

    /// The bytes that tables may take together.
    pub(crate) fn tables(self) -> u64 {
        self.cap.saturating_sub(self.beside)
    }

    /// The cap in bytes.
    pub(crate) fn cap(self) -> u64 {
        self.cap
    }

    /// The least cap under which [`tables`](Self::tables) is at least `tables`; always more than
    /// this cap, which was not enough.
    pub(crate) fn cap_for(self, tables: u64) -> u64 {
        let fixed = self.beside - self.cap / 32;
        // The margin is a thirty-second of the cap, so the rest is 31 parts of 32.
        let least = (u128::from(tables) + u128::from(fixed)) * 32 / 31 + 1;
        u64::try_from(least).unwrap_or(u64::MAX).max(self.cap.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_asked_for_holds_the_tables_that_did_not_fit() {
        for in_use in [0, 9 * MIB, 9 * MIB + 4097] {
            for cap in [LEAST_CAP, 64 * MIB, 1 << 34] {
                let budget = Budget::new(cap, in_use);
                for more in [1, 31, 32, MIB, 1 << 40] {
                    let needed = budget.tables() + more;
                    let larger = budget.cap_for(needed);
                    assert!(Budget::new(larger, in_use).tables() >= needed);
                    assert!(Budget::new(larger - 32, in_use).tables() < needed);
                }
            }
        }
    }

    #[test]
    fn a_kind_that_asks_for_less_than_it_had_is_not_given_the_same_again() {
        let budget = Budget::new(64 * MIB, 9 * MIB);
        assert_eq!(budget.cap_for(0), 64 * MIB + 1);
        assert_eq!(budget.cap_for(u64::MAX), u64::MAX);
    }
}

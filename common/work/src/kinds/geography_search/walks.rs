//! The state machine of a search: numbers the walks and decides when their hits are the answer.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprague_geography::search::{Walk, suggested_evaluations};

use super::Wish;
use super::answer::SearchAnswer;
use crate::{Answer, Conclusion, Contradiction, Driver, Part, UnitResult};

/// Which walk a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WalkPart {
    /// Its number.
    pub(super) number: u64,
    /// The graphs that it may evaluate.
    pub(super) evaluations: u64,
}

impl WalkPart {
    pub(super) fn walk(self, seed: u64) -> Walk {
        Walk { seed, number: self.number, evaluations: self.evaluations }
    }
}

/// The walks of a search.
pub(super) struct Walks {
    wish: Wish,
    next: u64,
    /// What the walks that are done came to, by their numbers; of those without a hit only the sums, as soon as all
    /// before them are done.
    done: BTreeMap<u64, SearchAnswer>,
    /// The walks before this one are done and have no hit, or all hits are wanted.
    settled: u64,
    /// What they came to together.
    sum: SearchAnswer,
}

impl Walks {
    pub(super) fn new(wish: Wish) -> Self {
        Self { wish, next: 0, done: BTreeMap::new(), settled: 0, sum: SearchAnswer::default() }
    }

    /// Evaluations of a walk, the last one of which may have fewer.
    fn evaluations_of(&self, number: u64) -> u64 {
        let most = suggested_evaluations(self.wish.aim.order());
        let before = number.saturating_mul(most);
        self.wish.evaluations.map_or(most, |all| all.saturating_sub(before).min(most))
    }

    /// Whether there is such a walk.
    fn exists(&self, number: u64) -> bool {
        self.evaluations_of(number) > 0
    }

    /// Whether the answer is known.
    fn is_over(&self) -> bool {
        !self.exists(self.settled) || (!self.wish.all && !self.sum.hits.is_empty())
    }

    /// Moves on over walks all of whose predecessors are done.
    fn settle_in_order(&mut self) {
        while !self.is_over() {
            let Some(answer) = self.done.remove(&self.settled) else { return };
            self.sum.add(answer);
            self.settled += 1;
        }
    }

    fn conclusion(mut sum: SearchAnswer) -> Conclusion {
        let mut known = BTreeSet::new();
        sum.hits.retain(|hit| known.insert(hit.class.clone()));
        Conclusion { fingerprint: sum.fingerprint(), answer: Answer::of(&sum) }
    }
}

impl Driver for Walks {
    fn next(&mut self) -> Option<Part> {
        let number = self.next;
        if self.is_over() || !self.exists(number) {
            return None;
        }
        self.next += 1;
        Some(Part::of(&WalkPart { number, evaluations: self.evaluations_of(number) }))
    }

    fn replan(&mut self, part: &Part) {
        if let Ok(WalkPart { number, .. }) = part.read() {
            self.next = self.next.max(number + 1);
        }
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let unreadable = |fault| Contradiction(format!("a walk cannot be read: {fault}"));
        let WalkPart { number, .. } = part.read().map_err(|fault| unreadable(fault.to_string()))?;
        let answer: SearchAnswer =
            result.answer.read().map_err(|fault| unreadable(fault.to_string()))?;
        if let Some(fault) = answer.hits.iter().find_map(|hit| hit.fault(&self.wish.aim)) {
            return Err(Contradiction(fault));
        }
        self.done.insert(number, answer);
        self.settle_in_order();
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        self.is_over().then(|| Self::conclusion(self.sum.clone()))
    }

    fn total(&self) -> Option<u64> {
        let most = suggested_evaluations(self.wish.aim.order());
        self.wish.evaluations.map(|all| all.div_ceil(most))
    }

    /// With what the walks that are done have found, even if one before them is not.
    fn settle(&self) -> Option<Conclusion> {
        let mut sum = self.sum.clone();
        for answer in self.done.values() {
            sum.add(answer.clone());
        }
        if !self.wish.all {
            sum.hits.truncate(1);
        }
        Some(Self::conclusion(sum))
    }
}

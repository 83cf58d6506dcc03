//! What a method says of the claims, as findings carry it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprague_geography::construct::Variant;
use sprague_geography::literature::{Claim, Tally};

use crate::Agreement;

/// What a method says of all claims, or a unit of some cases of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LiteratureAnswer {
    pub(super) items: Vec<Item>,
}

/// What was found of one claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item {
    /// The name of the claim.
    pub(super) item: String,
    /// Cases in which it was found out whether the claim holds.
    pub(super) cases: u64,
    /// Those in which it does not.
    pub(super) failed: u64,
    /// Cases beyond the reach of the method.
    pub(super) skipped: u64,
    /// Whether there are cases and all came out as expected: that the claim holds, or, for the algorithm as
    /// printed, that it fails.
    pub(super) ok: bool,
    /// The claim and what is to be said of it, in words.
    pub(super) note: String,
    /// For a claim on Section 5, what the construction for n is worth.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) worth: BTreeMap<u8, u16>,
    /// Likewise the positions that its value took, as the method counts them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) states: BTreeMap<u8, u64>,
    /// Questions that the degree-3 algorithm asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) oracle_calls: Option<u64>,
    /// A case that failed: of all of them the one that sorts first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) counterexample: Option<String>,
}

impl Item {
    /// The item of a claim of which nothing is known.
    pub(super) fn untested(claim: Claim) -> Self {
        Self::new(claim, &Tally::default())
    }

    pub(super) fn new(claim: Claim, tally: &Tally) -> Self {
        let mut item = Self {
            item: claim.name().to_owned(),
            cases: tally.cases,
            failed: tally.failed,
            skipped: tally.skipped,
            worth: tally.worth.clone(),
            states: tally.states.clone(),
            oracle_calls: (tally.oracle_calls > 0).then_some(tally.oracle_calls),
            counterexample: tally.counterexample.clone(),
            ..Self::default()
        };
        item.judge(claim);
        item
    }

    /// Adds what was found in other cases of the claim.
    pub(super) fn add(&mut self, other: &Self) {
        let Ok(claim) = self.item.parse::<Claim>() else { return };
        let mut tally = self.tally();
        tally.merge(&other.tally());
        *self = Self::new(claim, &tally);
    }

    /// All cases of the claim, reached or not.
    pub(super) fn all_cases(&self) -> u64 {
        self.cases.saturating_add(self.skipped)
    }

    fn tally(&self) -> Tally {
        Tally {
            cases: self.cases,
            failed: self.failed,
            skipped: self.skipped,
            worth: self.worth.clone(),
            states: self.states.clone(),
            oracle_calls: self.oracle_calls.unwrap_or(0),
            counterexample: self.counterexample.clone(),
            ..Tally::default()
        }
    }

    /// Says whether the counts are as expected of the claim, and puts them in words.
    fn judge(&mut self, claim: Claim) {
        let fails = fails_as_published(claim);
        self.ok = self.cases > 0 && self.failed == if fails { self.cases } else { 0 };
        let mut notes = vec![claim.statement().to_owned()];
        if fails && self.failed > 0 {
            notes.push(
                "fails as printed: the edges N_i-M_i and N_i-P_i for i >= 5, the edge N_4-R_4 and \
                 the t(3) of N_4 are missing"
                    .to_owned(),
            );
        }
        if !self.worth.is_empty() {
            let worth = self.worth.iter().map(|(n, value)| format!("{n}: *{value}"));
            notes.push(format!("worth by n {}", worth.collect::<Vec<_>>().join(", ")));
        }
        if let Some(calls) = self.oracle_calls.filter(|_| self.cases > 0) {
            notes.push(format!("{:.1} oracle calls a case", calls as f64 / self.cases as f64));
        }
        if self.skipped > 0 {
            notes.push(format!("{} cases beyond the method", self.skipped));
        }
        if let Some(case) = self.counterexample.as_ref().filter(|_| !fails) {
            notes.push(format!("fails for {case}"));
        }
        self.note = notes.join("; ");
    }
}

/// Whether it is known that the claim is false as it was published.
fn fails_as_published(claim: Claim) -> bool {
    claim == Claim::Section5(Variant::AsPrinted)
}

impl LiteratureAnswer {
    /// Cases beyond the reach of the method, over all items.
    pub(super) fn skipped(&self) -> u64 {
        self.items.iter().fold(0, |sum, item| item.skipped.saturating_add(sum))
    }

    /// How two answers stand to each other: cases that one method does not reach leave open what the other
    /// found in them.
    pub(super) fn compare(&self, other: &Self) -> Agreement {
        let names = |answer: &Self| answer.items.iter().map(|i| i.item.clone()).collect::<Vec<_>>();
        let contradict = |(a, b): (&Item, &Item)| contradict(a, b);
        if names(self) != names(other) || self.items.iter().zip(&other.items).any(contradict) {
            return Agreement::Contradicts;
        }
        if self.skipped() == 0 && other.skipped() == 0 {
            Agreement::Confirms
        } else {
            Agreement::Compatible
        }
    }
}

/// Whether two items cannot both be true.
fn contradict(a: &Item, b: &Item) -> bool {
    let (narrow, wide) = if a.skipped >= b.skipped { (a, b) } else { (b, a) };
    let shared_worth =
        narrow.worth.iter().any(|(n, value)| wide.worth.get(n).is_some_and(|other| other != value));
    // Of the cases that only one of them reached, all or none may have failed.
    let only_wide = narrow.skipped;
    let only_narrow = wide.skipped;
    a.all_cases() != b.all_cases()
        || narrow.failed > wide.failed.saturating_add(only_narrow)
        || wide.failed > narrow.failed.saturating_add(only_wide)
        || shared_worth
}

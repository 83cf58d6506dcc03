//! What a method says of a slice or of a whole sweep, as findings carry it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprague_geography::sweep;

/// What a method says of a slice or of the whole sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SweepAnswer {
    pub(super) vertices: u8,
    pub(super) graphs: u64,
    pub(super) positions: u64,
    /// Positions won by the next player.
    pub(super) won: u64,
    /// Positions with each value. Empty for a method that knows only who wins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) values: BTreeMap<u8, u64>,
    /// Graphs with each set of values over their starts: `0,1,3`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) value_sets: BTreeMap<String, u64>,
    /// Graphs by their largest value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) graphs_by_maximum: BTreeMap<u8, u64>,
    /// A graph with each largest value, as graph6: the first in the order of their texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) examples: BTreeMap<u8, String>,
    /// How many starts the matching criterion fails for. It is a theorem: none.
    pub(super) exceptions: u64,
    /// The first of them, each a graph6, a space and a start.
    pub(super) matching_exceptions: Vec<String>,
    /// A sum over all graphs of a hash of the graph and its winning starts, in hexadecimal.
    pub(super) won_fingerprint: String,
    /// Likewise of the graph and all its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) value_fingerprint: Option<String>,
}

impl SweepAnswer {
    pub(super) fn new(vertices: u8, report: &sweep::Report) -> Self {
        let value_sets = report.value_sets.iter().map(|(&set, &count)| (set_name(set), count));
        Self {
            vertices,
            graphs: report.graphs,
            positions: report.positions,
            won: report.nonzero,
            values: report.values.clone(),
            value_sets: value_sets.collect(),
            graphs_by_maximum: report.graphs_by_maximum.clone(),
            examples: report.examples.clone(),
            exceptions: report.exceptions,
            matching_exceptions: report.matching_exceptions.clone(),
            won_fingerprint: format!("{:016x}", report.zero_fingerprint),
            value_fingerprint: (!report.values.is_empty())
                .then(|| format!("{:016x}", report.fingerprint)),
        }
    }

    /// The library's report again, without its count of work.
    pub(super) fn report(&self) -> Result<sweep::Report, String> {
        let hexadecimal = |text: &str| {
            u64::from_str_radix(text, 16).map_err(|fault| format!("fingerprint {text:?}: {fault}"))
        };
        let value_sets = self.value_sets.iter().map(|(name, &count)| Ok((set_of(name)?, count)));
        Ok(sweep::Report {
            graphs: self.graphs,
            positions: self.positions,
            values: self.values.clone(),
            value_sets: value_sets.collect::<Result<_, String>>()?,
            graphs_by_maximum: self.graphs_by_maximum.clone(),
            examples: self.examples.clone(),
            fingerprint: self.value_fingerprint.as_deref().map_or(Ok(0), hexadecimal)?,
            zero_fingerprint: hexadecimal(&self.won_fingerprint)?,
            nonzero: self.won,
            exceptions: self.exceptions,
            matching_exceptions: self.matching_exceptions.clone(),
            expansions: 0,
        })
    }
}

/// A set of values as text: bits 0 and 2 are `0,2`.
pub(super) fn set_name(set: u32) -> String {
    let values = (0..u32::BITS).filter(|value| set >> value & 1 == 1);
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}

pub(super) fn set_of(name: &str) -> Result<u32, String> {
    name.split(',').try_fold(0, |set, value| match value.parse::<u32>() {
        Ok(value) if value < u32::BITS => Ok(set | 1 << value),
        _ => Err(format!("{name:?} is not a set of values")),
    })
}

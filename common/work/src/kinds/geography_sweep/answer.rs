//! What a method says of a slice or of a whole sweep, as findings carry it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprague_geography::sweep;

use crate::{Agreement, Answer};

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
    /// A graph with each set of values, as graph6: the first in the order of their texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) examples: BTreeMap<String, String>,
    /// The graphs that have all of the values from 1 to half their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) full_graphs: Vec<String>,
    /// How many starts the matching criterion fails for. It is a theorem: none.
    pub(super) exceptions: u64,
    /// The first of them, each a graph6, a space and a start.
    pub(super) matching_exceptions: Vec<String>,
    /// A sum over all graphs of a hash of the graph and its winning starts, in hexadecimal.
    pub(super) won_fingerprint: String,
    /// Likewise of the graph and all its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) value_fingerprint: Option<String>,
    /// What was found in the slices of the sample, in a sweep that is too large for a second method
    /// to go through all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sample: Option<Sample>,
}

/// What other kinds want to know of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::kinds) struct SweepSummary {
    /// How many connected graphs have each set of values, bit k of which says whether value k occurs.
    pub(in crate::kinds) value_sets: BTreeMap<u32, u64>,
    /// A graph with each set, as graph6.
    pub(in crate::kinds) examples: BTreeMap<u32, String>,
    /// The graphs with all values from 1 to half their order.
    pub(in crate::kinds) full_graphs: Vec<String>,
}

impl SweepSummary {
    /// Reads the answer of a sweep by a method that knows values.
    ///
    /// # Errors
    /// When it cannot be read, or knows no values.
    pub(in crate::kinds) fn of(answer: &Answer) -> Result<Self, String> {
        let answer: SweepAnswer = answer.read().map_err(|fault| fault.to_string())?;
        let report = answer.report()?;
        if report.value_sets.is_empty() || !report.value_sets.keys().eq(report.examples.keys()) {
            return Err(format!(
                "a sweep of {} vertices does not name a graph for each of its value sets: it was made by an older version; sweep again in another folder",
                answer.vertices
            ));
        }
        Ok(Self {
            value_sets: report.value_sets,
            examples: report.examples,
            full_graphs: report.full_graphs,
        })
    }
}

/// What a method says of the slices of the sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// How many slices, and of how many.
    pub(super) slices: u32,
    pub(super) of: u32,
    pub(super) graphs: u64,
    pub(super) positions: u64,
    pub(super) exceptions: u64,
    pub(super) won_fingerprint: String,
    pub(super) value_fingerprint: String,
}

/// What the method that goes through the sample only says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SampleAnswer {
    pub(super) vertices: u8,
    pub(super) sample: Sample,
}

impl Sample {
    pub(super) fn new(slices: u32, of: u32, report: &sweep::Report) -> Self {
        Self {
            slices,
            of,
            graphs: report.graphs,
            positions: report.positions,
            exceptions: report.exceptions,
            won_fingerprint: hexadecimal(report.zero_fingerprint),
            value_fingerprint: hexadecimal(report.fingerprint),
        }
    }
}

fn hexadecimal(number: u64) -> String {
    format!("{number:016x}")
}

impl SweepAnswer {
    pub(super) fn new(vertices: u8, report: &sweep::Report) -> Self {
        let value_sets = report.value_sets.iter().map(|(&set, &count)| (set_name(set), count));
        let examples = report.examples.iter().map(|(&set, graph)| (set_name(set), graph.clone()));
        Self {
            vertices,
            graphs: report.graphs,
            positions: report.positions,
            won: report.nonzero,
            values: report.values.clone(),
            value_sets: value_sets.collect(),
            graphs_by_maximum: report.graphs_by_maximum.clone(),
            examples: examples.collect(),
            full_graphs: report.full_graphs.clone(),
            exceptions: report.exceptions,
            matching_exceptions: report.matching_exceptions.clone(),
            won_fingerprint: hexadecimal(report.zero_fingerprint),
            value_fingerprint: (!report.values.is_empty()).then(|| hexadecimal(report.fingerprint)),
            sample: None,
        }
    }

    /// How two answers on all slices stand to each other. Which graphs are named as examples does not matter.
    pub(super) fn compare(&self, other: &Self) -> Agreement {
        let known_to_all = |s: &Self| (s.graphs, s.positions, s.won, s.won_fingerprint.clone());
        let values =
            |s: &Self| (s.values.clone(), s.value_sets.clone(), s.value_fingerprint.clone());
        if known_to_all(self) != known_to_all(other) {
            Agreement::Contradicts
        } else if self.value_fingerprint.is_some() != other.value_fingerprint.is_some() {
            Agreement::Compatible
        } else if values(self) != values(other) {
            Agreement::Contradicts
        } else {
            Agreement::Confirms
        }
    }

    /// The library's report again, without its count of work.
    pub(super) fn report(&self) -> Result<sweep::Report, String> {
        let hexadecimal = |text: &str| {
            u64::from_str_radix(text, 16).map_err(|fault| format!("fingerprint {text:?}: {fault}"))
        };
        let value_sets = self.value_sets.iter().map(|(name, &count)| Ok((set_of(name)?, count)));
        let examples = self.examples.iter().map(|(name, graph)| Ok((set_of(name)?, graph.clone())));
        Ok(sweep::Report {
            graphs: self.graphs,
            positions: self.positions,
            values: self.values.clone(),
            value_sets: value_sets.collect::<Result<_, String>>()?,
            graphs_by_maximum: self.graphs_by_maximum.clone(),
            examples: examples.collect::<Result<_, String>>()?,
            full_graphs: self.full_graphs.clone(),
            fingerprint: self.value_fingerprint.as_deref().map_or(Ok(0), hexadecimal)?,
            zero_fingerprint: hexadecimal(&self.won_fingerprint)?,
            nonzero: self.won,
            exceptions: self.exceptions,
            matching_exceptions: self.matching_exceptions.clone(),
            expansions: 0,
        })
    }
}

/// How two answers stand to each other if at least one of them says nothing but what is in the sample.
pub(super) fn compare_samples(a: &Answer, b: &Answer) -> Option<Agreement> {
    let is_whole = |answer: &Answer| answer.fields().contains_key("graphs");
    if is_whole(a) && is_whole(b) {
        return None;
    }
    let (Ok(sample_a), Ok(sample_b)) = (a.read::<SampleAnswer>(), b.read::<SampleAnswer>()) else {
        // `matching` goes through all and knows nothing of a sample.
        let whole = if is_whole(a) { a } else { b };
        let silent = is_whole(whole) && !whole.fields().contains_key("sample");
        return Some(if silent { Agreement::Compatible } else { Agreement::Contradicts });
    };
    Some(match (sample_a == sample_b, is_whole(a) || is_whole(b)) {
        (false, _) => Agreement::Contradicts,
        (true, true) => Agreement::Compatible,
        (true, false) => Agreement::Confirms,
    })
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

//! The state machine of method `sweeps`: what follows from the value sets of all smaller graphs.
//!
//! With sweeps to n - 1 vertices the lemma decides at once. With sweeps to n - 2 it is used twice: the graphs on n - 2
//! vertices with all values 0..k-1 are extended by a vertex worth k - 1 in every way. They are the connected ones that the sweep
//! lists, and those that fall apart: a part of them with a start of the greatest value there has all vertices but one, as
//! the sweeps of smaller orders show.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprague_geography::cover::{Attained, Decision, Extender, decide, with_start};
use sprague_geography::search::{Hit, Unverified};
use sprague_geography::value::table;
use sprague_geography::{Graph, Limits, SmallGraph, Stop, graph6};

use super::answer::CoverAnswer;
use crate::kinds::geography::Unanswered;
use crate::kinds::geography_sweep::{LARGEST, SweepSummary};
use crate::{Answer, Conclusion, Contradiction, Driver, Finding, Part, UnitResult};

/// Graphs that one unit extends.
const GRAPHS_A_UNIT: usize = 500;

/// The value set of some graph and such a graph, as graph6.
type Sets = BTreeMap<u32, String>;

/// One piece of the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CoverPart {
    /// The lemma on the value sets of the connected graphs of every order from 1 to n - 1.
    Once(Vec<Sets>),
    /// The lemma again on graphs with n - 2 vertices, as graph6.
    Twice(Vec<String>),
    /// The sweeps do not say enough.
    Wanting(String),
}

/// The largest order that must have been swept to decide; `None` if the lemma does not reach it.
pub(super) fn orders_needed(value: usize, order: usize) -> Option<usize> {
    let largest = usize::from(LARGEST);
    if order <= largest + 1 {
        Some(order - 1)
    } else {
        // The sweep lists the graphs with all values up to half the order and no others.
        (order == largest + 2 && value == largest / 2 + 2).then_some(largest)
    }
}

/// Lists the parts once the sweeps are known, and adds up what they say.
pub(super) struct FromSweeps {
    value: usize,
    order: usize,
    parts: Vec<CoverPart>,
    next: usize,
    absorbed: usize,
    /// Graphs with two vertices less that were extended.
    bases: usize,
    examined: u64,
    found: Option<CoverAnswer>,
    argument: Option<String>,
}

impl FromSweeps {
    pub(super) fn new(value: usize, order: usize) -> Self {
        // Below one vertex there is nothing to sweep, so nothing to be told.
        let parts = if order == 1 { vec![CoverPart::Once(Vec::new())] } else { Vec::new() };
        Self {
            value,
            order,
            parts,
            next: 0,
            absorbed: 0,
            bases: 0,
            examined: 0,
            found: None,
            argument: None,
        }
    }

    /// The parts that follow from sweeps of the orders 1 to `sweeps.len()`.
    fn parts_from(&self, sweeps: &[SweepSummary]) -> Vec<CoverPart> {
        if sweeps.len() + 1 == self.order {
            return vec![CoverPart::Once(
                sweeps.iter().map(|sweep| sweep.examples.clone()).collect(),
            )];
        }
        match twice(self.value, sweeps) {
            Ok(graphs) => {
                graphs.chunks(GRAPHS_A_UNIT).map(|some| CoverPart::Twice(some.to_vec())).collect()
            }
            Err(fault) => vec![CoverPart::Wanting(fault)],
        }
    }
}

/// All graphs on n - 2 vertices with starts of all the values 0..k-1, where n - 2 is odd and half of it k - 2: one of each
/// class, and perhaps others.
fn twice(k: usize, sweeps: &[SweepSummary]) -> Result<Vec<String>, String> {
    let order = sweeps.len();
    let top = k - 2;
    let has = |set: u32, value: usize| set >> value & 1 == 1;
    for (sweep, order) in sweeps.iter().zip(1..order - 1) {
        if sweep.examples.keys().any(|&set| has(set, top)) {
            return Err(format!(
                "a graph on {order} vertices has a start of value *{top}, so other graphs fall apart into such"
            ));
        }
    }
    let all = (2_u32 << top) - 1;
    let mut graphs = Vec::new();
    for (sweep, wanted, alone) in [(&sweeps[order - 1], all, 0), (&sweeps[order - 2], all & !1, 1)]
    {
        let counted: u64 = sweep
            .value_sets
            .iter()
            .filter(|(set, _)| *set & wanted == wanted)
            .map(|(_, n)| n)
            .sum();
        let before = graphs.len();
        for text in &sweep.full_graphs {
            let graph =
                graph6::parse(text.as_bytes()).map_err(|fault| format!("{text}: {fault}"))?;
            let graph = Graph::from_edges(graph.order() + alone, graph.edges())
                .map_err(|fault| format!("{text}: {fault}"))?;
            graphs.push(graph6::write(&graph));
        }
        let listed = (graphs.len() - before) as u64;
        if listed < counted {
            return Err(format!(
                "a sweep lists {listed} graphs with all values and counts {counted}: it was made by an older version; sweep again in another folder"
            ));
        }
    }
    Ok(graphs)
}

impl Driver for FromSweeps {
    fn next(&mut self) -> Option<Part> {
        let part = self.parts.get(self.next)?;
        self.next += 1;
        Some(Part::of(part))
    }

    fn replan(&mut self, _part: &Part) {
        // The same sweeps give the same parts in the same order.
        self.next += 1;
    }

    fn learn(&mut self, findings: &[&Finding]) {
        let sweeps: Result<Vec<SweepSummary>, String> =
            findings.iter().map(|finding| SweepSummary::of(&finding.answer)).collect();
        self.parts = match sweeps {
            Ok(sweeps) => self.parts_from(&sweeps),
            Err(fault) => vec![CoverPart::Wanting(fault)],
        };
        let bases = |part: &CoverPart| match part {
            CoverPart::Twice(graphs) => graphs.len(),
            CoverPart::Once(_) | CoverPart::Wanting(_) => 0,
        };
        self.bases = self.parts.iter().map(bases).sum();
    }

    fn absorb(&mut self, _part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let answer = result.answer.read::<CoverAnswer>();
        let answer =
            answer.map_err(|fault| Contradiction(format!("a part cannot be read: {fault}")))?;
        self.absorbed += 1;
        self.examined += answer.examined;
        if answer.exists {
            self.found = Some(answer);
        } else {
            self.argument = Some(answer.argument);
        }
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        if self.parts.is_empty() || self.absorbed < self.parts.len() {
            return None;
        }
        let nothing = || CoverAnswer {
            argument: match &self.argument {
                Some(argument) if self.bases == 0 => argument.clone(),
                _ => nowhere(self.value, self.order, self.bases, self.examined),
            },
            ..CoverAnswer::default()
        };
        let answer =
            CoverAnswer { examined: self.examined, ..self.found.clone().unwrap_or_else(nothing) };
        Some(Conclusion { fingerprint: answer.fingerprint(), answer: Answer::of(&answer) })
    }

    fn total(&self) -> Option<u64> {
        (!self.parts.is_empty()).then_some(self.parts.len() as u64)
    }
}

/// Why there is no such graph, when the lemma was used twice.
fn nowhere(value: usize, order: usize, bases: usize, examined: u64) -> String {
    format!(
        "{bases} graphs on {} vertices have starts of all the values below *{}; with a vertex of that value more, in each of {examined} ways, \
         none has starts of all the values below *{value}, so by the covering lemma none on {order} vertices has a start of that value",
        order - 2,
        value - 1,
    )
}

/// Why a part could not be done.
#[derive(Debug, thiserror::Error)]
pub(super) enum CoverFault {
    /// A graph is not what it was taken for, or the work was stopped.
    #[error(transparent)]
    Unverified(#[from] Unverified),
    /// The sweeps do not say enough.
    #[error("{0}")]
    Wanting(String),
}

impl From<Stop> for CoverFault {
    fn from(stop: Stop) -> Self {
        Self::Unverified(stop.into())
    }
}

impl From<CoverFault> for Unanswered {
    fn from(fault: CoverFault) -> Self {
        match fault {
            CoverFault::Unverified(fault) => fault.into(),
            fault @ CoverFault::Wanting(_) => Self::refused(fault),
        }
    }
}

impl CoverPart {
    /// What a part says.
    pub(super) fn answer(
        &self,
        value: usize,
        order: usize,
        limits: &Limits<'_>,
    ) -> Result<CoverAnswer, CoverFault> {
        match self {
            Self::Once(sets) => once(value, order, sets, limits),
            Self::Twice(graphs) => {
                let mut extender = Extender::default();
                let mut answer = CoverAnswer::default();
                for text in graphs {
                    let extended = extender.extend(&small(text)?, value - 1, limits)?;
                    answer.examined += extended.graphs;
                    if let Some(found) = extended.with_all {
                        return with_all(&Graph::from(&found), value, answer.examined, limits);
                    }
                }
                Ok(answer)
            }
            Self::Wanting(fault) => Err(CoverFault::Wanting(fault.clone())),
        }
    }
}

/// The lemma, from the value sets of the connected graphs of every order from 1 to `order` - 1.
fn once(
    value: usize,
    order: usize,
    sets: &[Sets],
    limits: &Limits<'_>,
) -> Result<CoverAnswer, CoverFault> {
    let of_order = |sets: &Sets| sets.keys().copied().collect::<BTreeSet<u32>>();
    let connected: Vec<BTreeSet<u32>> =
        std::iter::once(BTreeSet::new()).chain(sets.iter().map(of_order)).collect();
    let examined = connected.iter().map(BTreeSet::len).sum::<usize>() as u64;
    match decide(value as u32, order, &connected) {
        Some(Decision::Exists(attained)) => {
            let graph = union(&attained, sets)?;
            with_all(&graph, value, examined, limits)
        }
        Some(Decision::None) => Ok(CoverAnswer {
            argument: format!(
                "no graph on {} vertices, connected or not, has starts of all the values below *{value}, as sweeps of all connected graphs \
                 of at most so many vertices show; so by the covering lemma none on {order} vertices has a start of that value",
                order - 1
            ),
            examined,
            ..CoverAnswer::default()
        }),
        None => Err(CoverFault::Wanting(format!("the sweeps end below {} vertices", order - 1))),
    }
}

/// A graph of these components.
fn union(attained: &Attained, sets: &[Sets]) -> Result<Graph, CoverFault> {
    let mut edges = Vec::new();
    let mut order = 0;
    for component in &attained.components {
        let text = sets[component.order - 1].get(&component.values).ok_or_else(|| {
            CoverFault::Wanting("a sweep names no graph with one of its value sets".to_owned())
        })?;
        let graph = Graph::from(&small(text)?);
        edges.extend(graph.edges().map(|(v, w)| (v + order, w + order)));
        order += component.order;
    }
    Graph::from_edges(order, edges)
        .map_err(|fault| CoverFault::Wanting(format!("the graphs of the sweeps: {fault}")))
}

/// The answer from a graph with starts of all smaller values.
fn with_all(
    graph: &Graph,
    value: usize,
    examined: u64,
    limits: &Limits<'_>,
) -> Result<CoverAnswer, CoverFault> {
    let small =
        SmallGraph::try_from(graph).map_err(|fault| CoverFault::Wanting(fault.to_string()))?;
    let values: Vec<u16> = table::values(&small).into_iter().map(u16::from).collect();
    let (graph, start) = with_start(graph, &values, value as u16).ok_or_else(|| {
        CoverFault::Wanting(
            "a graph of the sweeps has not the values that it was listed for".to_owned(),
        )
    })?;
    let hit = Hit { graph, start, value };
    hit.verify(limits)?;
    let argument = format!(
        "start {start} of this graph is worth *{value}, by the table and by the recursion: without it the graph has starts of all smaller values"
    );
    Ok(CoverAnswer::by_graph(&hit.graph, start, argument, examined))
}

fn small(text: &str) -> Result<SmallGraph, CoverFault> {
    let graph = graph6::parse(text.as_bytes())
        .map_err(|fault| CoverFault::Wanting(format!("{text} is no graph: {fault}")))?;
    SmallGraph::try_from(&graph).map_err(|fault| CoverFault::Wanting(fault.to_string()))
}

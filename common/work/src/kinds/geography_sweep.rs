//! All connected graphs of an order, all starts: `geography sweep 9`.
//!
//! The graphs are cut into slices that share nothing; a slice is a unit. Every method generates them
//! anew, and their number is checked against the published one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sprague_geography::sweep::{self, Evaluator, Slice};
use sprague_geography::{Limits, Stop};

use super::{marks, methods, troubles};
use crate::literature::{connected_graphs, published_sweep};
use crate::table::{grouped, seconds};
use crate::{
    Agreement, Align, Answer, Check, Conclusion, Contradiction, Driver, Form, JobError, JobOptions,
    JobSpec, Kind, Method, MethodName, Part, Question, RunEnd, RunLimits, Table, Task, UnitInput,
    UnitResult, Value,
};

/// The sweep of all connected graphs of an order.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeographySweep;

/// Larger sweeps are out of reach: order 12 has 164 thousand million graphs.
const LARGEST: u8 = 11;

const PREFIX: &str = "geography sweep";

const FORMS: [Form; 1] = [Form {
    words: "geography sweep VERTICES",
    example: "geography sweep 8",
    about: "the values of every start of every connected graph of that many vertices",
}];

const METHODS: [Method; 3] = [
    Method {
        name: "table",
        about: "a table over all subsets of the vertices, bottom up; matchings by bitmask",
        rests_on: &["table", "bitmask matching"],
    },
    Method {
        name: "recursion",
        about: "memoised recursion on the token and its component; matchings by blossoms",
        rests_on: &["recursion", "blossom matching"],
    },
    Method {
        name: "matching",
        about: "only which starts are won, by both kinds of matching",
        rests_on: &["bitmask matching", "blossom matching"],
    },
];

/// Which slice a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SlicePart {
    index: u32,
    of: u32,
}

/// What a method says of a slice or of the whole sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct SweepAnswer {
    vertices: u8,
    graphs: u64,
    positions: u64,
    /// Positions won by the next player.
    won: u64,
    /// Positions with each value. Empty for a method that knows only who wins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<u8, u64>,
    /// Graphs with each set of values over their starts: `0,1,3`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    value_sets: BTreeMap<String, u64>,
    /// Graphs by their largest value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    graphs_by_maximum: BTreeMap<u8, u64>,
    /// A graph with each largest value, as graph6: the first in the order of their texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    examples: BTreeMap<u8, String>,
    /// How many starts the matching criterion fails for. It is a theorem: none.
    exceptions: u64,
    /// The first of them, each a graph6, a space and a start.
    matching_exceptions: Vec<String>,
    /// A sum over all graphs of a hash of the graph and its winning starts, in hexadecimal.
    won_fingerprint: String,
    /// Likewise of the graph and all its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value_fingerprint: Option<String>,
}

/// Lists the slices and adds up what they say.
struct Slices {
    vertices: u8,
    of: u32,
    next: u32,
    absorbed: u32,
    sum: sweep::Report,
}

impl Driver for Slices {
    fn next(&mut self) -> Option<Part> {
        if self.next == self.of {
            return None;
        }
        let part = SlicePart { index: self.next, of: self.of };
        self.next += 1;
        Some(Part::of(&part))
    }

    fn replan(&mut self, part: &Part) {
        // The number of slices was fixed when the sweep was first planned, maybe by another version.
        if let Ok(SlicePart { index, of }) = part.read() {
            self.of = of;
            self.next = self.next.max(index + 1);
        }
    }

    fn absorb(&mut self, _part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let report = result
            .answer
            .read::<SweepAnswer>()
            .map_err(|fault| fault.to_string())
            .and_then(|answer| answer.report())
            .map_err(|fault| Contradiction(format!("a slice's answer cannot be read: {fault}")))?;
        self.sum.merge(&report);
        self.absorbed += 1;
        match connected_graphs(self.vertices) {
            Some(published) if self.sum.graphs > published => Err(Contradiction(format!(
                "{} graphs so far, but there are only {published}",
                self.sum.graphs
            ))),
            _ => Ok(()),
        }
    }

    fn conclude(&self) -> Option<Conclusion> {
        (self.absorbed == self.of).then(|| Conclusion {
            answer: Answer::of(&SweepAnswer::new(self.vertices, &self.sum)),
            fingerprint: self.sum.fingerprint.wrapping_add(self.sum.zero_fingerprint),
        })
    }

    fn total(&self) -> Option<u64> {
        Some(self.of.into())
    }
}

impl SweepAnswer {
    fn new(vertices: u8, report: &sweep::Report) -> Self {
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
    fn report(&self) -> Result<sweep::Report, String> {
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
fn set_name(set: u32) -> String {
    let values = (0..u32::BITS).filter(|value| set >> value & 1 == 1);
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}

fn set_of(name: &str) -> Result<u32, String> {
    name.split(',').try_fold(0, |set, value| match value.parse::<u32>() {
        Ok(value) if value < u32::BITS => Ok(set | 1 << value),
        _ => Err(format!("{name:?} is not a set of values")),
    })
}

fn question(vertices: u8) -> Question {
    Question::new(format!("{PREFIX} {vertices}")).expect("short and printable")
}

fn vertices(text: &str) -> Result<u8, JobError> {
    match text.parse() {
        Ok(vertices @ 1..=LARGEST) => Ok(vertices),
        _ => Err(JobError::Number {
            text: text.to_owned(),
            what: "vertices",
            least: 1,
            most: LARGEST.into(),
        }),
    }
}

fn vertices_of(question: &Question) -> Result<u8, JobError> {
    let text = question.as_str().strip_prefix(PREFIX).and_then(|rest| rest.strip_prefix(' '));
    vertices(text.unwrap_or_default())
}

impl GeographySweep {
    fn spec(&self, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
        if words.is_empty() {
            return Err(JobError::Empty("`geography sweep 8`"));
        }
        let all = || METHODS.iter().map(MethodName::from).collect();
        let methods = methods::chosen(self, options)?.unwrap_or_else(all);
        let mut tasks: Vec<Task> = Vec::new();
        for word in words {
            let question = question(vertices(word)?);
            if tasks.iter().all(|task| task.question != question) {
                tasks.extend(
                    methods
                        .iter()
                        .map(|method| Task { question: question.clone(), method: method.clone() }),
                );
            }
        }
        Ok(JobSpec {
            kind: self.name().to_owned(),
            words: format!("{PREFIX} {}", words.join(" ")),
            view: "sweeps".to_owned(),
            tasks,
            options: options.clone(),
        })
    }
}

impl Kind for GeographySweep {
    fn name(&self) -> &'static str {
        PREFIX
    }

    fn forms(&self) -> &'static [Form] {
        &FORMS
    }

    fn methods(&self) -> &'static [Method] {
        &METHODS
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        match words {
            [game, form, rest @ ..] if game == "geography" && form == "sweep" => {
                Some(self.spec(rest, options))
            }
            _ => None,
        }
    }

    fn owns(&self, question: &Question) -> bool {
        vertices_of(question).is_ok()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let vertices = vertices_of(&task.question)?;
        let of = sweep::suggested_slices(vertices);
        let sum = sweep::Report::default();
        Ok(Box::new(Slices { vertices, of, next: 0, absorbed: 0, sum }))
    }

    fn run(&self, input: &UnitInput, limits: &RunLimits<'_>) -> RunEnd {
        let refused = |reason: String| RunEnd::Refused { reason };
        let vertices = match vertices_of(&input.question) {
            Ok(vertices) => vertices,
            Err(fault) => return refused(fault.to_string()),
        };
        let Ok(evaluator) = input.method.as_str().parse::<Evaluator>() else {
            return refused(format!("{PREFIX} has no method {}", input.method));
        };
        let SlicePart { index, of } = match input.part.read() {
            Ok(part) => part,
            Err(fault) => return refused(format!("the part is not a slice: {fault}")),
        };
        let limits = Limits {
            memory: usize::try_from(limits.memory).unwrap_or(usize::MAX),
            cancel: limits.cancel,
            progress: limits.progress,
        };
        match sweep::run(Slice { vertices, index, of }, evaluator, &limits) {
            Ok(report) => RunEnd::Done(UnitResult {
                answer: Answer::of(&SweepAnswer::new(vertices, &report)),
                fingerprint: report.fingerprint.wrapping_add(report.zero_fingerprint),
                entries: report.positions,
                expansions: report.expansions,
            }),
            Err(Stop::Cancelled) => RunEnd::Cancelled,
            Err(Stop::OutOfMemory { needed, .. }) => RunEnd::OutOfMemory { needed },
            Err(fault) => refused(fault.to_string()),
        }
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        let (Ok(a), Ok(b)) = (a.read::<SweepAnswer>(), b.read::<SweepAnswer>()) else {
            return Agreement::Contradicts;
        };
        let known_to_all =
            |s: &SweepAnswer| (s.graphs, s.positions, s.won, s.won_fingerprint.clone());
        match (&a.value_fingerprint, &b.value_fingerprint) {
            _ if known_to_all(&a) != known_to_all(&b) => Agreement::Contradicts,
            (Some(_), Some(_)) if a != b => Agreement::Contradicts,
            (Some(_), None) | (None, Some(_)) => Agreement::Compatible,
            _ => Agreement::Confirms,
        }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        let with_values =
            answers.iter().find(|answer| answer.fields().contains_key("value_fingerprint"));
        with_values.or(answers.first()).map_or_else(Answer::default, |answer| (*answer).clone())
    }

    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check> {
        match (vertices_of(question), answer.read()) {
            (Ok(vertices), Ok(answer)) => checks(vertices, &answer),
            _ => Vec::new(),
        }
    }

    fn table(&self, _view: &str, values: &[Value]) -> Table {
        sweeps_table(values)
    }
}

/// What theorems and publications say of the sweep, beside what was found.
fn checks(vertices: u8, answer: &SweepAnswer) -> Vec<Check> {
    let mut checks = Vec::new();
    if let Some(published) = connected_graphs(vertices) {
        let fault = (answer.graphs != published)
            .then(|| format!("{published} graphs are expected and {} were seen", answer.graphs));
        checks.push(Check::theorem("A001349", fault));
    }
    let fault = (answer.exceptions > 0).then(|| {
        format!("{} exceptions: {}", answer.exceptions, answer.matching_exceptions.join("; "))
    });
    checks.push(Check::theorem("matching-criterion", fault));
    if let Some(published) = published_sweep(vertices).filter(|_| !answer.values.is_empty()) {
        let values = published.values.iter().zip(0..).filter(|(count, _)| **count > 0);
        let values: BTreeMap<u8, u64> = values.map(|(&count, value)| (value, count)).collect();
        let same = (published.graphs, published.positions) == (answer.graphs, answer.positions)
            && values == answer.values;
        let fault =
            (!same).then(|| format!("the values should be {values:?} and are {:?}", answer.values));
        checks.push(Check::literature("the user's own exhaustive sweep to 9 vertices", fault));
    }
    checks
}

/// One line a sweep: positions by value, and what each method cost.
fn sweeps_table(values: &[Value]) -> Table {
    let answers = values.iter().map(|value| value.answer.read::<SweepAnswer>().unwrap_or_default());
    let answers: Vec<SweepAnswer> = answers.collect();
    let largest = answers.iter().filter_map(|answer| answer.values.keys().max()).max();
    let columns: Vec<u8> = largest.map_or_else(Vec::new, |&largest| (0..=largest).collect());
    let names: Vec<String> = columns.iter().map(|value| format!("*{value}")).collect();

    let left = [("vertices", Align::Right), ("graphs", Align::Right), ("positions", Align::Right)];
    let by_value = names.iter().map(|name| (name.as_str(), Align::Right));
    let right = [("standing", Align::Left), ("checks", Align::Left)];
    let mut table = Table::new(left.into_iter().chain(by_value).chain(right));
    for (value, answer) in values.iter().zip(&answers) {
        let known = !value.findings.is_empty();
        let count = |count: u64| if known { grouped(count) } else { "-".to_owned() };
        let vertices = value.question.as_str().rsplit(' ').next().unwrap_or_default();
        let mut row = vec![vertices.to_owned(), count(answer.graphs), count(answer.positions)];
        row.extend(columns.iter().map(|v| count(answer.values.get(v).copied().unwrap_or(0))));
        row.push(value.standing.to_string());
        row.push(marks(value));
        table.rows.push(row);
        table.notes.extend(troubles(value));
        let in_order = METHODS.iter().flat_map(|method| {
            value.findings.iter().filter(|finding| finding.method.as_str() == method.name)
        });
        for finding in in_order {
            let effort = &finding.effort;
            table.notes.push(format!(
                "{} by {}: {} slices, {} expansions, {} of processor time",
                value.question,
                finding.method,
                grouped(effort.units),
                grouped(effort.expansions),
                seconds(effort.cpu_seconds),
            ));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_of_values_survives_its_name(set in 1u32..) {
            prop_assert_eq!(set_of(&set_name(set)), Ok(set));
        }
    }

    #[test]
    fn sizes_out_of_reach_are_refused() {
        let options = JobOptions::default();
        for word in ["0", "12", "x", "-1", "99999999999"] {
            let words = ["geography", "sweep", word].map(str::to_owned);
            let parsed = GeographySweep.parse(&words, &options).unwrap();
            assert!(matches!(parsed, Err(JobError::Number { .. })), "{word}");
        }
    }

    #[test]
    fn a_driver_goes_on_where_it_was() {
        let task = Task { question: question(8), method: MethodName::new("table") };
        let mut first = GeographySweep.driver(&task).unwrap();
        let parts: Vec<Part> = std::iter::from_fn(|| first.next()).collect();
        let mut second = GeographySweep.driver(&task).unwrap();
        second.replan(&parts[0]);
        assert_eq!(second.next().as_ref(), parts.get(1));
        assert_eq!(second.total(), Some(parts.len() as u64));
    }
}

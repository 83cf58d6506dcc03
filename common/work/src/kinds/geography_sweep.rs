//! All connected graphs of an order, all starts: `geography sweep 9`.
//!
//! The graphs are cut into slices that share nothing; a slice is a unit. Every method generates them
//! anew, and their number is checked against the published one. Where the independent method would take days, it goes
//! through a sample of the slices, and the whole stays the word of one method.

mod answer;
mod slices;
mod table;

use std::collections::BTreeMap;

use sprague_geography::Limits;
use sprague_geography::sweep::{self, Evaluator, Slice};

pub(super) use self::answer::SweepSummary;
use self::answer::{SweepAnswer, compare_samples};
use self::slices::{SlicePart, Slices};
use self::table::sweeps_table;
use super::geography::{self, Unanswered, words_after};
use super::methods;
use crate::literature::{connected_graphs, published_sweep};
use crate::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method,
    MethodName, Question, RunEnd, RunLimits, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// The sweep of all connected graphs of an order.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeographySweep;

/// Larger sweeps are out of reach: order 12 has 164 thousand million graphs.
pub(in crate::kinds) const LARGEST: u8 = 11;

const PREFIX: &str = "geography sweep";

const FORMS: [Form; 1] = [Form {
    words: "geography sweep VERTICES",
    example: "geography sweep 8",
    about: "the values of every start of every connected graph of that many vertices",
}];

/// The method that goes through a sample.
const SAMPLE: &str = "sample";

/// The least order that is sampled: below it the second method goes through all graphs.
const LEAST_SAMPLED: u8 = 11;

const METHODS: [Method; 4] = [
    Method {
        name: "table",
        about: "a table over all subsets of the vertices, bottom up; matchings by bitmask",
        rests_on: &["table", "bitmask matching"],
        certifies: false,
    },
    Method {
        name: "recursion",
        about: "memoised recursion on the token and its component; matchings by blossoms",
        rests_on: &["recursion", "blossom matching"],
        certifies: false,
    },
    Method {
        name: "matching",
        about: "only which starts are won, by both kinds of matching",
        rests_on: &["bitmask matching", "blossom matching"],
        certifies: false,
    },
    Method {
        name: SAMPLE,
        about: "recursion on one slice in a hundred, for a sweep of 11",
        rests_on: &["recursion", "blossom matching"],
        certifies: false,
    },
];

/// The task of a sweep by the table.
pub(super) fn table_task(vertices: u8) -> Task {
    Task { question: question(vertices), method: MethodName::new("table") }
}

fn question(vertices: u8) -> Question {
    Question::new(format!("{PREFIX} {vertices}")).expect("short and printable")
}

fn vertices(text: &str) -> Result<u8, JobError> {
    match text.parse::<u64>() {
        Ok(vertices) if vertices > LARGEST.into() => Err(JobError::RuledOut(format!(
            "{vertices} vertices are too many for a sweep: the most are {LARGEST}, and each vertex more makes more \
             than a hundred times as many graphs"
        ))),
        Ok(vertices @ 1..) => Ok(vertices as u8),
        _ => Err(JobError::Number {
            text: text.to_owned(),
            what: "number of vertices",
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
            return Err(FORMS[0].lacks());
        }
        if let Some(flag) = words.iter().find(|word| word.starts_with("--")) {
            let (flag, known) = (flag.clone(), vec!["numbers of vertices"]);
            return Err(JobError::Flag { job: PREFIX, flag, known });
        }
        let chosen = methods::chosen(self, options)?;
        let mut tasks: Vec<Task> = Vec::new();
        for word in words {
            let vertices = vertices(word)?;
            let question = question(vertices);
            let methods = match &chosen {
                Some(methods) => methods.clone(),
                None => default_methods(vertices),
            };
            if vertices < LEAST_SAMPLED && methods.iter().any(|method| method.as_str() == SAMPLE) {
                return Err(JobError::Unfit {
                    question,
                    method: MethodName::new(SAMPLE),
                    reason: "recursion goes through all of it".to_owned(),
                });
            }
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
        words_after(PREFIX, words).map(|words| self.spec(words, options))
    }

    fn owns(&self, question: &Question) -> bool {
        vertices_of(question).is_ok()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let vertices = vertices_of(&task.question)?;
        Ok(Box::new(Slices::new(vertices, task.method.as_str() == SAMPLE)))
    }

    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        _workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        geography::run(limits, |limits| unit(input, limits))
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        if let Some(agreement) = compare_samples(a, b) {
            return agreement;
        }
        let (Ok(a), Ok(b)) = (a.read::<SweepAnswer>(), b.read::<SweepAnswer>()) else {
            return Agreement::Contradicts;
        };
        a.compare(&b)
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        let with = |field: &str| answers.iter().find(|answer| answer.fields().contains_key(field));
        let best = with("value_fingerprint").or_else(|| with("graphs")).or(answers.first());
        best.map_or_else(Answer::default, |answer| (*answer).clone())
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

/// Sweeps a slice.
fn unit(input: &UnitInput, limits: &Limits<'_>) -> Result<UnitResult, Unanswered> {
    let vertices = vertices_of(&input.question)?;
    let evaluator = match input.method.as_str() {
        SAMPLE => Evaluator::Recursion,
        name => name.parse::<Evaluator>().map_err(Unanswered::refused)?,
    };
    let SlicePart { index, of } = geography::part(input, "a slice")?;
    let report = sweep::run(Slice { vertices, index, of }, evaluator, limits)?;
    Ok(UnitResult {
        answer: Answer::of(&SweepAnswer::new(vertices, &report)),
        fingerprint: report.fingerprint.wrapping_add(report.zero_fingerprint),
        entries: report.positions,
        expansions: report.expansions,
        notes: Vec::new(),
    })
}

/// The methods that a sweep is done by unless others are named.
fn default_methods(vertices: u8) -> Vec<MethodName> {
    let names: &[&str] = if vertices < LEAST_SAMPLED {
        &["table", "recursion", "matching"]
    } else {
        &["table", SAMPLE]
    };
    names.iter().map(|&name| MethodName::new(name)).collect()
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
        checks.push(Check::literature("known table of all connected graphs to 9 vertices", fault));
    }
    checks
}

#[cfg(test)]
mod tests;

//! Whether some graph on so many vertices has a start of some value: `geography cover --value 6 --vertices 11`.
//!
//! `sweeps` decides it by the covering lemma from the value sets of all smaller graphs, which the job sweeps first where the
//! store does not have them. `bound` says no by a theorem, `growth` yes by a graph: which of these two can answer
//! is known from the numbers.

mod answer;
mod grown;
mod sweeps;
mod table;

use sprague_geography::Limits;
use sprague_geography::cover::{fewest_vertices, greatest_value};

use self::answer::CoverAnswer;
use self::sweeps::{CoverPart, FromSweeps, orders_needed};
use self::table::covers_table;
use super::flags::{Flag, Flagged, Flags, Number};
use super::geography::{self, Unanswered, words_after};
use super::geography_sweep::table_task;
use super::methods;
use super::whole::Whole;
use crate::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method,
    MethodName, Question, RunEnd, RunLimits, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// The question whether some graph on N vertices has a start of value *K.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeographyCover;

const NAME: &str = "geography cover";

const EXAMPLE: &str = "geography cover --value 6 --vertices 11";

const FORMS: [Form; 1] = [Form {
    words: "geography cover --value K --vertices N",
    example: EXAMPLE,
    about: "whether some graph on N vertices has a start of value *K, with a graph or an argument",
}];

const SWEEPS: &str = "sweeps";
const BOUND: &str = "bound";
const GROWTH: &str = "growth";

const METHODS: [Method; 3] = [
    Method {
        name: SWEEPS,
        about: "the covering lemma on sweeps of all smaller graphs, which are run first",
        rests_on: &["table", "covering lemma"],
        certifies: false,
    },
    Method {
        name: BOUND,
        about: "no: no start is worth more than the size of a maximum matching",
        rests_on: &["matching bound"],
        certifies: false,
    },
    Method {
        name: GROWTH,
        about: "yes: a graph that grew by leaf pairs, valued by table and recursion",
        rests_on: &["recursion"],
        certifies: true,
    },
];

const FLAGGED: Flagged = Flagged {
    job: NAME,
    flags: &[
        Flag { name: "--value", number: Some(Number { what: "value", least: 0, most: 1000 }) },
        Flag {
            name: "--vertices",
            number: Some(Number { what: "number of vertices", least: 1, most: 2000 }),
        },
    ],
    example: EXAMPLE,
};

/// The largest sweep that a job runs unasked: what a theorem or a graph says must not wait for larger ones.
const LARGEST_EASY_SWEEP: usize = 10;

/// What a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    value: usize,
    order: usize,
}

impl Asked {
    fn of(flags: &Flags) -> Result<Self, JobError> {
        let number = |flag| FLAGGED.required(flags, flag).map(|number| number as usize);
        Ok(Self { value: number("--value")?, order: number("--vertices")? })
    }

    fn of_question(question: &Question) -> Result<Self, JobError> {
        let rest = question.as_str().strip_prefix(NAME).unwrap_or_default();
        Self::of(&FLAGGED.read(&rest.split_whitespace().map(str::to_owned).collect::<Vec<_>>())?)
    }

    /// Whether the matching bound rules it out.
    fn is_ruled_out(self) -> bool {
        self.order < fewest_vertices(self.value)
    }

    /// Why a method cannot answer, if it cannot.
    fn unfit(self, method: &str) -> Option<String> {
        let Self { value, order } = self;
        match method {
            SWEEPS if orders_needed(value, order).is_none() => Some(
                "the lemma needs sweeps of more than 11 vertices, or does not reach so far"
                    .to_owned(),
            ),
            BOUND if !self.is_ruled_out() => Some(format!(
                "it only says no, and starts on {order} vertices may be worth *{} as far as it knows",
                greatest_value(order)
            )),
            GROWTH if self.is_ruled_out() => {
                Some("it only says yes, and a theorem says no".to_owned())
            }
            GROWTH if value > grown::GREATEST => {
                Some(format!("graphs that grow are searched to *{}", grown::GREATEST))
            }
            _ => None,
        }
    }

    /// What can be answered within seconds.
    fn usual_methods(self) -> Vec<&'static str> {
        let by_sweeps =
            orders_needed(self.value, self.order).filter(|&largest| largest <= LARGEST_EASY_SWEEP);
        let methods = [BOUND, GROWTH].into_iter().filter(|method| self.unfit(method).is_none());
        methods.chain(by_sweeps.map(|_| SWEEPS)).collect()
    }
}

impl GeographyCover {
    fn spec(&self, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
        let flags = FLAGGED.read(words)?;
        let asked = Asked::of(&flags)?;
        let words = FLAGGED.words(&flags, &[]);
        let question = Question::new(words.clone())?;
        let usual = || asked.usual_methods().into_iter().map(MethodName::new).collect();
        let methods: Vec<MethodName> = methods::chosen(self, options)?.unwrap_or_else(usual);
        for method in &methods {
            if let Some(reason) = asked.unfit(method.as_str()) {
                let (question, method) = (question.clone(), method.clone());
                return Err(JobError::Unfit { question, method, reason });
            }
        }
        if methods.is_empty() {
            return Err(JobError::RuledOut(format!(
                "whether some graph on {} vertices has a start of value *{} is out of reach: graphs that grow are searched to *{}",
                asked.order,
                asked.value,
                grown::GREATEST
            )));
        }
        let mut tasks: Vec<Task> =
            methods.into_iter().map(|method| Task { question: question.clone(), method }).collect();
        let needed: Vec<Task> = tasks.iter().flat_map(|task| self.needs(task)).collect();
        tasks.extend(needed);
        Ok(JobSpec {
            kind: NAME.to_owned(),
            words,
            view: String::new(),
            tasks,
            options: options.clone(),
        })
    }
}

impl Kind for GeographyCover {
    fn name(&self) -> &'static str {
        NAME
    }

    fn forms(&self) -> &'static [Form] {
        &FORMS
    }

    fn methods(&self) -> &'static [Method] {
        &METHODS
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        words_after(NAME, words).map(|words| self.spec(words, options))
    }

    fn owns(&self, question: &Question) -> bool {
        question.as_str().starts_with(NAME) && Asked::of_question(question).is_ok()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let Asked { value, order } = Asked::of_question(&task.question)?;
        Ok(if task.method.as_str() == SWEEPS {
            Box::new(FromSweeps::new(value, order))
        } else {
            Box::new(Whole::default())
        })
    }

    fn needs(&self, task: &Task) -> Vec<Task> {
        let asked = Asked::of_question(&task.question).ok();
        let largest = asked
            .filter(|_| task.method.as_str() == SWEEPS)
            .and_then(|asked| orders_needed(asked.value, asked.order));
        (1..=largest.unwrap_or(0)).map(|order| table_task(order as u8)).collect()
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
        match (a.read::<CoverAnswer>(), b.read::<CoverAnswer>()) {
            (Ok(a), Ok(b)) if a.exists == b.exists => Agreement::Confirms,
            _ => Agreement::Contradicts,
        }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        answers.first().map_or_else(Answer::default, |answer| (*answer).clone())
    }

    fn certifies(&self, method: &Method, answer: &Answer) -> bool {
        method.certifies && answer.read().is_ok_and(|answer: CoverAnswer| answer.exists)
    }

    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check> {
        match (Asked::of_question(question), answer.read::<CoverAnswer>()) {
            (Ok(asked), Ok(answer)) => vec![
                Check::theorem(
                    "matching-bound",
                    (answer.exists && asked.is_ruled_out()).then(|| {
                        format!("a value of *{} on {} vertices", asked.value, asked.order)
                    }),
                ),
                Check::theorem("matching-criterion", answer.fault(asked.value, asked.order)),
            ],
            _ => Vec::new(),
        }
    }

    fn table(&self, _view: &str, values: &[Value]) -> Table {
        covers_table(values)
    }
}

/// Answers a question, or a part of it.
fn unit(input: &UnitInput, limits: &Limits<'_>) -> Result<UnitResult, Unanswered> {
    let asked = Asked::of_question(&input.question)?;
    let Asked { value, order } = asked;
    if let Some(reason) = asked.unfit(input.method.as_str()) {
        return Err(Unanswered::Refused(reason));
    }
    let answer = match input.method.as_str() {
        BOUND => CoverAnswer::by_bound(value, order),
        GROWTH => grown::answer(value, order, limits)?,
        SWEEPS => {
            geography::part::<CoverPart>(input, "one of sweeps")?.answer(value, order, limits)?
        }
        other => return Err(Unanswered::refused(format!("{NAME} has no method {other}"))),
    };
    Ok(UnitResult {
        fingerprint: answer.fingerprint(),
        entries: 0,
        expansions: answer.examined,
        answer: Answer::of(&answer),
        notes: Vec::new(),
    })
}

#[cfg(test)]
mod tests;

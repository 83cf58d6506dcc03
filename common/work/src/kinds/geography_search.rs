//! The hunt for small graphs of a wanted value: `geography search --value 6 --vertices 12`.
//!
//! A unit is a walk, which depends on its number and the seed alone. Unless all hits are wanted, the answer is that of the first walk in
//! their order that has a hit, and it is known when all walks before it are done: so the answer is the same with one
//! worker or five. A graph that was found is proven by itself, as two evaluators that share no code have valued it.

mod answer;
mod table;
mod walks;

use sprague_geography::search::{Aim, Unverified, reduce, walk};
use sprague_geography::{Limits, Stop, analyse};

use self::answer::{FoundGraph, SearchAnswer};
use self::table::searches_table;
use self::walks::{WalkPart, Walks};
use super::flags::{Flag, Flagged, Flags, Number};
use super::geography::{self, Unanswered, words_after};
use super::methods;
use crate::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method, Question,
    RunEnd, RunLimits, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// The search for graphs with a start of some value.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeographySearch;

const NAME: &str = "geography search";

const EXAMPLE: &str = "geography search --value 6 --vertices 12";

const FORMS: [Form; 1] = [Form {
    words: "geography search --value K --vertices N [--max-degree D] [--bipartite] [--seed S] [--evaluations E] [--all]",
    example: EXAMPLE,
    about: "graphs on N vertices with a start of value *K, made by seeded walks",
}];

const METHODS: [Method; 1] = [Method {
    name: "growth",
    about: "graphs that grow by leaf pairs; what is found is valued by table and recursion",
    rests_on: &["table", "recursion"],
    certifies: true,
}];

/// The seed unless one is named.
const USUAL_SEED: u64 = 1;

const FLAGGED: Flagged = Flagged {
    job: NAME,
    flags: &[
        numbered("--value", "value", 0, 255),
        numbered("--vertices", "number of vertices", 1, 255),
        numbered("--max-degree", "number of neighbours", 0, 255),
        Flag { name: "--bipartite", number: None },
        numbered("--seed", "seed", 0, u64::MAX),
        numbered("--evaluations", "number of evaluations", 1, 1 << 50),
        Flag { name: "--all", number: None },
    ],
    example: EXAMPLE,
};

const fn numbered(name: &'static str, what: &'static str, least: u64, most: u64) -> Flag {
    Flag { name, number: Some(Number { what, least, most }) }
}

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish {
    aim: Aim,
    seed: u64,
    /// How many graphs to evaluate in all; as many as it takes if none.
    evaluations: Option<u64>,
    /// Whether all hits are wanted.
    all: bool,
}

impl Wish {
    fn of(flags: &Flags) -> Result<Self, JobError> {
        let ruled_out =
            |fault: sprague_geography::search::AimError| JobError::RuledOut(fault.to_string());
        let number = |flag| FLAGGED.required(flags, flag).map(|number| number as usize);
        let mut aim = Aim::new(number("--value")?, number("--vertices")?).map_err(ruled_out)?;
        if let Some(degree) = flags.get("--max-degree") {
            aim = aim.with_max_degree(degree as usize).map_err(ruled_out)?;
        }
        if flags.get("--bipartite").is_some() {
            aim = aim.bipartite();
        }
        Ok(Self {
            aim,
            seed: flags.get("--seed").unwrap_or(USUAL_SEED),
            evaluations: flags.get("--evaluations"),
            all: flags.get("--all").is_some(),
        })
    }

    fn of_question(question: &Question) -> Result<Self, JobError> {
        let rest = question.as_str().strip_prefix(NAME).unwrap_or_default();
        Self::of(&FLAGGED.read(&rest.split_whitespace().map(str::to_owned).collect::<Vec<_>>())?)
    }
}

impl GeographySearch {
    fn spec(&self, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
        let flags = FLAGGED.read(words)?;
        let wish = Wish::of(&flags)?;
        if wish.all && wish.evaluations.is_none() && options.budget_seconds.is_none() {
            return Err(JobError::RuledOut(
                "a search for all graphs has no end of its own: give it --evaluations or --budget"
                    .to_owned(),
            ));
        }
        let words = FLAGGED.words(&flags, &[("--seed", USUAL_SEED)]);
        let question = Question::new(words.clone())?;
        let methods = methods::chosen_or_all(self, options)?;
        let task = |method| Task { question: question.clone(), method };
        Ok(JobSpec {
            kind: NAME.to_owned(),
            words,
            view: "searches".to_owned(),
            tasks: methods.into_iter().map(task).collect(),
            options: options.clone(),
        })
    }
}

impl Kind for GeographySearch {
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
        question.as_str().starts_with(NAME) && Wish::of_question(question).is_ok()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        Ok(Box::new(Walks::new(Wish::of_question(&task.question)?)))
    }

    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        _workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        geography::run(limits, |limits| unit(input, limits))
    }

    fn memory_class(&self, input: &UnitInput) -> String {
        match Wish::of_question(&input.question) {
            Ok(wish) => format!("{NAME} on {} vertices", wish.aim.order()),
            Err(_) => input.question.to_string(),
        }
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        match (a.read::<SearchAnswer>(), b.read::<SearchAnswer>()) {
            (Ok(a), Ok(b)) if a == b => Agreement::Confirms,
            (Ok(_), Ok(_)) => Agreement::Compatible,
            _ => Agreement::Contradicts,
        }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        let hits =
            |answer: &&&Answer| answer.read().map_or(0, |answer: SearchAnswer| answer.hits.len());
        answers.iter().max_by_key(hits).map_or_else(Answer::default, |answer| (*answer).clone())
    }

    fn certifies(&self, method: &Method, answer: &Answer) -> bool {
        method.certifies && answer.read().is_ok_and(|answer: SearchAnswer| !answer.hits.is_empty())
    }

    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check> {
        match (Wish::of_question(question), answer.read::<SearchAnswer>()) {
            (Ok(wish), Ok(answer)) => vec![Check::theorem(
                "matching-criterion",
                answer.hits.iter().find_map(|hit| hit.fault(&wish.aim)),
            )],
            _ => Vec::new(),
        }
    }

    fn table(&self, _view: &str, values: &[Value]) -> Table {
        searches_table(values)
    }
}

/// Walks.
fn unit(input: &UnitInput, limits: &Limits<'_>) -> Result<UnitResult, Unanswered> {
    let wish = Wish::of_question(&input.question)?;
    let answer = found_by(&wish, geography::part(input, "a walk")?, limits)?;
    Ok(UnitResult {
        fingerprint: answer.fingerprint(),
        entries: answer.walks,
        expansions: answer.evaluations,
        answer: Answer::of(&answer),
        notes: Vec::new(),
    })
}

/// What a walk finds, verified and reduced.
fn found_by(wish: &Wish, part: WalkPart, limits: &Limits<'_>) -> Result<SearchAnswer, Unverified> {
    let end = walk(&wish.aim, part.walk(wish.seed), limits)?;
    let mut answer = SearchAnswer {
        walks: 1,
        evaluations: end.evaluations,
        furthest: end.furthest,
        hits: Vec::new(),
    };
    if let Some(hit) = end.hit {
        hit.verify(limits)?;
        let reduced = reduce(&hit, limits)?;
        reduced.verify(limits)?;
        let analysis = analyse(&reduced.graph, reduced.start, limits)
            .expect("the start of a hit is in its graph");
        if let Err(stop @ Stop::Cancelled) = analysis.value {
            return Err(stop.into());
        }
        answer.hits.push(FoundGraph::new(part.number, &hit, &reduced, &analysis));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests;

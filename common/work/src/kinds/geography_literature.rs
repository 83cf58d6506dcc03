//! What was published about the game, tested again: `geography literature`.
//!
//! An item is one claim; its inputs are cut into parts, and a part is a unit. `recursion` reaches every case,
//! `table` those within 16 vertices: so the value as a whole is `single` until a second method reaches all
//! of it, and the table says for each item how far the second one goes.

mod answer;
mod parts;
mod table;

use sprague_geography::Limits;
use sprague_geography::literature::{By, Claim, test};

use self::answer::{Item, LiteratureAnswer};
use self::parts::{ClaimPart, Parts};
use self::table::items_table;
use super::flags::{Flag, Flagged};
use super::geography::{self, Unanswered, words_after};
use super::methods;
use crate::literature::{published_cases, published_worth};
use crate::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method, Question,
    RunEnd, RunLimits, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// The test of what was published about Undirected Vertex Geography.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeographyLiterature;

const NAME: &str = "geography literature";

const FLAGGED: Flagged =
    Flagged { job: NAME, flags: &[Flag { name: "--all", number: None }], example: NAME };

const FORMS: [Form; 1] = [Form {
    words: "geography literature [--all]",
    example: "geography literature",
    about: "every published claim about the game, tested again, with counts of cases; all: cases of gigabytes as well",
}];

const METHODS: [Method; 2] = [
    Method {
        name: "recursion",
        about: "memoised recursion on the token and its component; matchings by blossoms",
        rests_on: &["recursion", "blossom matching"],
        certifies: false,
    },
    Method {
        name: "table",
        about: "a table over all subsets of the vertices; only cases within 16 vertices",
        rests_on: &["table", "bitmask matching"],
        certifies: false,
    },
];

const PAPER: &str = "K. Burke, M. Ferland, S.-H. Teng, FOCS 2021, arXiv 2106.02114";

/// The theorems among the claims: one that fails is a fault of the program.
const THEOREMS: [Claim; 4] = [
    Claim::MatchingCriterion,
    Claim::MatchingPlayer,
    Claim::SubcubicExhaustive,
    Claim::SubcubicRandom,
];

impl GeographyLiterature {
    fn spec(&self, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
        let words = FLAGGED.words(&FLAGGED.read(words)?, &[]);
        let methods = methods::chosen_or_all(self, options)?;
        let question = Question::new(words.clone())?;
        let task = |method| Task { question: question.clone(), method };
        Ok(JobSpec {
            kind: NAME.to_owned(),
            words,
            view: "items".to_owned(),
            tasks: methods.into_iter().map(task).collect(),
            options: options.clone(),
        })
    }
}

impl Kind for GeographyLiterature {
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
        question.as_str() == NAME || asks_for_all(question)
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        Ok(Box::new(Parts::new(asks_for_all(&task.question))))
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
        // The parts of an item differ too much to be of one class.
        let part = input.part.read::<ClaimPart>();
        let part =
            part.map_or_else(|_| String::new(), |part| format!("{} {}", part.item, part.from));
        format!("{} by {}: {part}", input.question, input.method)
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        match (a.read::<LiteratureAnswer>(), b.read::<LiteratureAnswer>()) {
            (Ok(a), Ok(b)) => a.compare(&b),
            _ => Agreement::Contradicts,
        }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        let skipped = |answer: &&&Answer| {
            answer.read::<LiteratureAnswer>().map_or(u64::MAX, |answer| answer.skipped())
        };
        answers.iter().min_by_key(skipped).map_or_else(Answer::default, |answer| (*answer).clone())
    }

    fn checks(&self, _question: &Question, answer: &Answer) -> Vec<Check> {
        answer.read().map_or_else(|_| Vec::new(), |answer| checks(&answer))
    }

    fn table(&self, _view: &str, values: &[Value]) -> Table {
        items_table(values)
    }
}

/// Tests a claim on some of its cases.
fn unit(input: &UnitInput, limits: &Limits<'_>) -> Result<UnitResult, Unanswered> {
    let by = input.method.as_str().parse::<By>().map_err(Unanswered::refused)?;
    let ClaimPart { item, from, to } = geography::part(input, "one of a claim")?;
    let claim = item.parse::<Claim>().map_err(Unanswered::refused)?;
    let tally = test(claim, from..to, by, limits)?;
    Ok(UnitResult {
        answer: Answer::of(&LiteratureAnswer { items: vec![Item::new(claim, &tally)] }),
        fingerprint: tally.fingerprint,
        entries: tally.cases,
        expansions: tally.expansions,
        notes: Vec::new(),
    })
}

/// Whether the cases that take gigabytes are asked for as well.
fn asks_for_all(question: &Question) -> bool {
    question.as_str().strip_prefix(NAME) == Some(" --all")
}

/// What the claims came to beside what theorems and publications say.
fn checks(answer: &LiteratureAnswer) -> Vec<Check> {
    let (theorems, published): (Vec<&Item>, Vec<&Item>) =
        answer.items.iter().partition(|item| THEOREMS.iter().any(|t| t.name() == item.item));
    let faults = |items: &[&Item], fault: fn(&Item) -> Option<String>| {
        let faults: Vec<String> = items.iter().filter_map(|item| fault(item)).collect();
        (!faults.is_empty()).then(|| faults.join("; "))
    };
    let all: Vec<&Item> = answer.items.iter().collect();
    vec![
        Check::theorem("theorems", faults(&theorems, claim_fault)),
        Check::theorem("cases", faults(&all, cases_fault)),
        Check::literature(
            PAPER,
            faults(&published, |item| claim_fault(item).or_else(|| worth_fault(item))),
        ),
    ]
}

/// A claim that came out otherwise than expected in a case that was reached.
fn claim_fault(item: &Item) -> Option<String> {
    (item.cases > 0 && !item.ok)
        .then(|| format!("{}: {} of {} cases failed", item.item, item.failed, item.cases))
}

/// An item with fewer or more cases than there are.
fn cases_fault(item: &Item) -> Option<String> {
    let expected = published_cases(&item.item)?;
    let found = item.all_cases();
    (found != expected).then(|| format!("{}: {found} cases instead of {expected}", item.item))
}

/// A construction that is worth something else than was published.
fn worth_fault(item: &Item) -> Option<String> {
    let differs = |(&n, &value): (&u8, &u16)| {
        published_worth(&item.item, n)
            .filter(|&published| published != value)
            .map(|published| format!("{}: *{value} instead of *{published} for n = {n}", item.item))
    };
    item.worth.iter().find_map(differs)
}

#[cfg(test)]
mod tests;

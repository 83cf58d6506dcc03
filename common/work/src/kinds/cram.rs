//! The nimbers of Cram boards: `cram 3x3..3x10`, and the comparison `cram ablation 3x3..3x12`.
//!
//! A board is one unit for each method, except for `proof-number`, which spreads a board over many, see `spread`, and for
//! `certificate`, which has units check what one of them wrote; `mex` cuts a board that is too large for every slot, see
//! `definition`. The mathematics is in `sprague-cram`.

mod ablation;
mod certificate;
mod definition;
mod spread;

use serde::{Deserialize, Serialize};
use sprague_cram::{Board, Limits, MAX_BRUTE_FORCE_CELLS, SolveError, Solved, Switch, theory};

use self::certificate::Proving;
use self::definition::ByDefinition;
use self::spread::Spread;
use super::whole::Whole;
use super::{boards, marks, methods, troubles};
use crate::literature::{Published, PublishedValue};
use crate::table::{grouped, seconds};
use crate::{
    Agreement, Align, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method,
    MethodName, Question, RunEnd, RunLimits, Table, Task, UnitInput, UnitResult, Value, Workplace,
};

/// Cram boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cram;

const FORMS: [Form; 2] = [
    Form {
        words: "cram BOARDS",
        example: "cram 3x3..3x10",
        about: "the nimber of every board, by independent methods",
    },
    Form {
        words: "cram ablation BOARDS",
        example: "cram ablation 2x4,3x3..3x8",
        about: "what mex, outcome and couples need, and what the parts of proof-number save",
    },
];

const METHODS: [Method; 13] = [
    Method {
        name: "brute-force",
        about: "the definition and nothing else: no split, no symmetry; to 12 cells and a little on",
        rests_on: &["brute-force"],
        certifies: false,
    },
    Method {
        name: "mex",
        about: "the nimber of every shape that can be reached, by definition",
        rests_on: &["mex"],
        certifies: false,
    },
    Method {
        name: "outcome",
        about: "win or loss of sums without nimbers; decides only whether the nimber is 0",
        rests_on: &["outcome"],
        certifies: false,
    },
    Method {
        name: "couples",
        about: "win or loss of (shape, *n), depth first: Lemoine and Viennot",
        rests_on: &["couples"],
        certifies: false,
    },
    Method {
        name: "proof-number",
        about: "df-pn over couples with a table of fixed size: for the large boards",
        rests_on: &["proof-number"],
        certifies: false,
    },
    Method {
        name: certificate::METHOD,
        about: "a certificate that a checker follows by the rules alone, without search",
        rests_on: &["certificate checker"],
        certifies: true,
    },
    ablation::ENGINE,
    ablation::variant(Switch::Star),
    ablation::variant(Switch::Bridge),
    ablation::variant(Switch::Twins),
    ablation::variant(Switch::Copies),
    ablation::variant(Switch::Reach),
    ablation::variant(Switch::HalfTurn),
];

const BOARDS_VIEW: &str = "boards";
const ABLATION_VIEW: &str = "ablation";

/// What a method says of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CramAnswer {
    /// Absent when only the outcome is known, and it is N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nimber: Option<u64>,
    /// `P` when the previous player wins, which is nimber 0, `N` when the next player does.
    outcome: String,
}

impl CramAnswer {
    fn nimber(nimber: u64) -> Self {
        let outcome = if nimber == 0 { "P" } else { "N" };
        Self { nimber: Some(nimber), outcome: outcome.to_owned() }
    }

    fn of(answer: sprague_cram::Answer) -> Self {
        match answer {
            sprague_cram::Answer::Nimber(nimber) => Self::nimber(nimber.get().into()),
            sprague_cram::Answer::Outcome(outcome) => {
                Self { nimber: None, outcome: outcome.to_string() }
            }
        }
    }

    /// The nimber as far as it follows from what is said.
    fn implied(&self) -> Option<u64> {
        self.nimber.or((self.outcome == "P").then_some(0))
    }
}

impl Kind for Cram {
    fn name(&self) -> &'static str {
        "cram"
    }

    fn forms(&self) -> &'static [Form] {
        &FORMS
    }

    fn methods(&self) -> &'static [Method] {
        &METHODS
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        let (first, rest) = words.split_first()?;
        (first == "cram").then(|| match rest {
            [] => Err(FORMS[0].lacks()),
            [form, words @ ..] if form == "ablation" => ablation::job(words, options),
            words => all_boards(self, words, options),
        })
    }

    fn owns(&self, question: &Question) -> bool {
        board_of(question).is_ok()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let board = board_of(&task.question)?;
        Ok(match task.method.as_str() {
            "proof-number" if spread::is_worth_while(board) => Box::new(Spread::new(board)),
            certificate::METHOD => Box::new(Proving::new(board)),
            "mex" => Box::new(ByDefinition::new(board)),
            _ => Box::new(Whole::default()),
        })
    }

    fn run(
        &self,
        input: &UnitInput,
        limits: &RunLimits<'_>,
        workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        let board = match board_of(&input.question) {
            Ok(board) => board,
            Err(fault) => return RunEnd::Refused { reason: fault.to_string() },
        };
        if input.method.as_str() == certificate::METHOD {
            return certificate::run(board, &input.part, limits, workplace);
        }
        if let Some(switches) = ablation::switches(&input.method) {
            let solved =
                sprague_cram::solve_with(switches, &board.position(), &search_limits(limits));
            return solved
                .map_or_else(|fault| unanswered(&fault), |s| RunEnd::Done(unit_result(&s)));
        }
        let Ok(method) = input.method.as_str().parse() else {
            return RunEnd::Refused { reason: format!("cram has no method {}", input.method) };
        };
        if method == sprague_cram::Method::ProofNumber && spread::is_worth_while(board) {
            return spread::run(board, &input.part, limits, workplace);
        }
        // Only `mex` has other parts than the whole board.
        let position = match definition::place(board, &input.part) {
            Ok((position, _)) => position,
            Err(reason) => return RunEnd::Refused { reason },
        };
        match sprague_cram::solve(method, &position, &search_limits(limits)) {
            Ok(solved) => RunEnd::Done(unit_result(&solved)),
            Err(fault) => unanswered(&fault),
        }
    }

    fn memory_class(&self, input: &UnitInput) -> String {
        let UnitInput { question, method, part } = input;
        match board_of(question).map(|board| definition::place(board, part)) {
            Ok(Ok((position, 1..))) => format!("{question} by {method}, {position}"),
            _ => format!("{question} by {method}"),
        }
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        let (Ok(a), Ok(b)) = (a.read::<CramAnswer>(), b.read::<CramAnswer>()) else {
            return Agreement::Contradicts;
        };
        match (a.implied(), b.implied()) {
            _ if a.outcome != b.outcome => Agreement::Contradicts,
            (Some(a), Some(b)) if a != b => Agreement::Contradicts,
            (Some(_), None) | (None, Some(_)) => Agreement::Compatible,
            _ => Agreement::Confirms,
        }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        let answers = answers.iter().filter_map(|answer| answer.read::<CramAnswer>().ok());
        let best = answers.reduce(|best, next| if best.implied().is_some() { best } else { next });
        match best {
            Some(answer) => Answer::of(&answer.implied().map_or(answer, CramAnswer::nimber)),
            None => Answer::default(),
        }
    }

    fn checks(&self, question: &Question, answer: &Answer) -> Vec<Check> {
        match (board_of(question), answer.read()) {
            (Ok(board), Ok(answer)) => checks(board, &answer),
            _ => Vec::new(),
        }
    }

    fn table(&self, view: &str, values: &[Value]) -> Table {
        if view == ABLATION_VIEW { ablation::table(values) } else { boards_table(values) }
    }
}

fn question(board: Board) -> Question {
    Question::new(format!("cram {board}")).expect("short and printable")
}

fn board_of(question: &Question) -> Result<Board, JobError> {
    boards::board(question.as_str().strip_prefix("cram ").unwrap_or_default())
}

fn all_boards(kind: &Cram, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
    let chosen = methods::chosen(kind, options)?;
    let mut tasks = Vec::new();
    for board in boards::parse(words)? {
        if let Some(method) = unfit(board, chosen.as_deref()) {
            return Err(JobError::Unfit {
                question: question(board),
                method,
                reason: format!("it is for at most {MAX_BRUTE_FORCE_CELLS} cells"),
            });
        }
        let methods = chosen.clone().unwrap_or_else(|| {
            let methods = sprague_cram::default_methods(&board);
            let alone = (methods.len() == 1).then_some(certificate::METHOD);
            let names = methods.iter().map(|method| method.name());
            names.chain(alone).map(MethodName::new).collect()
        });
        tasks.extend(methods.into_iter().map(|method| Task { question: question(board), method }));
    }
    Ok(spec(format!("cram {}", words.join(" ")), BOARDS_VIEW, tasks, options))
}

/// A chosen method that the board is too large for.
fn unfit(board: Board, chosen: Option<&[MethodName]>) -> Option<MethodName> {
    let brute_force = chosen?.iter().find(|method| method.as_str() == "brute-force")?;
    (board.cells() > MAX_BRUTE_FORCE_CELLS).then(|| brute_force.clone())
}

fn spec(words: String, view: &str, tasks: Vec<Task>, options: &JobOptions) -> JobSpec {
    JobSpec {
        kind: "cram".to_owned(),
        words,
        view: view.to_owned(),
        tasks,
        options: options.clone(),
    }
}

fn unit_result(solved: &Solved) -> UnitResult {
    UnitResult {
        answer: Answer::of(&CramAnswer::of(solved.answer)),
        fingerprint: solved.fingerprint,
        entries: solved.entries,
        expansions: solved.expansions,
        notes: Vec::new(),
    }
}

/// What a unit may use, as the searches have it.
fn search_limits<'a>(limits: &RunLimits<'a>) -> Limits<'a> {
    Limits {
        memory: usize::try_from(limits.memory).unwrap_or(usize::MAX),
        cancel: limits.cancel,
        progress: limits.progress,
        threads: limits.threads,
    }
}

/// The end of a unit whose search ended without an answer.
fn unanswered(fault: &SolveError) -> RunEnd {
    match *fault {
        SolveError::Cancelled => RunEnd::Cancelled,
        SolveError::OutOfMemory { needed, .. } => RunEnd::OutOfMemory { needed },
        SolveError::TooLarge { .. } | SolveError::ForeignShape => {
            RunEnd::Refused { reason: fault.to_string() }
        }
    }
}

/// What theorems and publications say of the board, beside what was found.
fn checks(board: Board, answer: &CramAnswer) -> Vec<Check> {
    let mut checks = Vec::new();
    let symmetric = match theory::symmetry(&board) {
        theory::Symmetry::Zero => Some("P"),
        theory::Symmetry::NotZero => Some("N"),
        theory::Symmetry::Nothing => None,
    };
    if let Some(expected) = symmetric {
        checks.push(Check::theorem("symmetry", differs("outcome", expected, &answer.outcome)));
    }
    let exact = |name, expected: u64| {
        answer.implied().map(|found| Check::theorem(name, differs("nimber", &expected, &found)))
    };
    if board.rows() == 1 {
        checks.extend(exact("dawson", theory::dawson(board.cells()).get().into()));
    }
    if board.rows() == 2 {
        checks.extend(exact("2xn", theory::two_rows(board.cols()).get().into()));
    }
    for published in Published::of(board) {
        let fault = match &published.says {
            PublishedValue::Nimber(expected) => match answer.implied() {
                Some(found) => differs("nimber", expected, &found),
                None => continue,
            },
            PublishedValue::Outcome(expected) => differs("outcome", expected, &answer.outcome),
        };
        checks.push(Check::literature(&published.source, fault));
    }
    checks
}

fn differs<T: PartialEq + std::fmt::Display + ?Sized>(
    what: &str,
    expected: &T,
    found: &T,
) -> Option<String> {
    (expected != found).then(|| format!("the {what} should be {expected} and is {found}"))
}

fn board_name(value: &Value) -> String {
    value.question.as_str().trim_start_matches("cram ").to_owned()
}

fn nimber_cell(value: &Value) -> String {
    match value.answer.read::<CramAnswer>() {
        Ok(CramAnswer { nimber: Some(nimber), .. }) => nimber.to_string(),
        Ok(CramAnswer { outcome, .. }) => format!("{outcome} only"),
        Err(_) => "-".to_owned(),
    }
}

/// One line a board: what it is worth, how far that can be believed, what each method cost.
fn boards_table(values: &[Value]) -> Table {
    let used = METHODS.iter().filter(|method| {
        let by = |value: &Value| value.findings.iter().any(|f| f.method.as_str() == method.name);
        // A store may also know what variants of the engine have found for an ablation.
        ablation::switches(&MethodName::from(*method)).is_none() && values.iter().any(by)
    });
    let used: Vec<&str> = used.map(|method| method.name).collect();
    let head = [("board", Align::Left), ("nimber", Align::Right), ("standing", Align::Left)];
    let costs = used.iter().map(|name| (*name, Align::Right));
    let mut table = Table::new(head.into_iter().chain(costs).chain([("checks", Align::Left)]));

    for value in values {
        let mut row = vec![board_name(value), nimber_cell(value), value.standing.to_string()];
        row.extend(used.iter().map(|name| {
            let finding = value.findings.iter().find(|f| f.method.as_str() == *name);
            finding.map_or_else(String::new, |finding| {
                format!("{}  {}", grouped(finding.effort.entries), seconds(finding.effort.seconds))
            })
        }));
        row.push(marks(value));
        table.rows.push(row);
        table.notes.extend(troubles(value));
    }
    if !used.is_empty() {
        table.notes.push("below each method: entries in its table and seconds".to_owned());
    }
    table
}

#[cfg(test)]
mod tests;

//! Kinds for tests of the core: each asks for the sum of the numbers below N, with a word and in parts of its own. The test
//! answers itself.

pub(crate) mod sum;

use serde::{Deserialize, Serialize};
use sprague_work::{
    Agreement, Answer, Check, Driver, Form, JobError, JobOptions, JobSpec, Kind, Method,
    MethodName, Question, RunEnd, RunLimits, Table, Task, UnitInput, Value, Workplace,
};

/// A kind whose questions are `WORD N`.
#[derive(Clone, Copy)]
pub(crate) struct Counting {
    pub(crate) word: &'static str,
    pub(crate) methods: &'static [Method],
    /// The driver of a question of so many numbers.
    pub(crate) driver: fn(u64) -> Box<dyn Driver>,
    /// Which units need the same memory.
    pub(crate) memory_class: fn(&UnitInput) -> String,
}

/// Units of a question by a method are alike.
pub(crate) fn all_alike(input: &UnitInput) -> String {
    format!("{} by {}", input.question, input.method)
}

/// The answer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Total {
    pub(crate) total: u64,
}

impl Counting {
    /// The N of a question, if it is one of this kind.
    pub(crate) fn numbers(&self, question: &Question) -> Option<u64> {
        question.as_str().strip_prefix(self.word)?.strip_prefix(' ')?.parse().ok()
    }
}

impl Kind for Counting {
    fn name(&self) -> &'static str {
        self.word
    }

    fn forms(&self) -> &'static [Form] {
        &[]
    }

    fn methods(&self) -> &'static [Method] {
        self.methods
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        let question = Question::new(words.join(" ")).ok()?;
        self.numbers(&question)?;
        let task = |method| Task { question: question.clone(), method: MethodName::from(method) };
        Some(Ok(JobSpec {
            kind: self.word.to_owned(),
            words: words.join(" "),
            view: String::new(),
            tasks: self.methods.iter().map(task).collect(),
            options: options.clone(),
        }))
    }

    fn owns(&self, question: &Question) -> bool {
        self.numbers(question).is_some()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        Ok((self.driver)(self.numbers(&task.question).unwrap()))
    }

    fn run(
        &self,
        _input: &UnitInput,
        _limits: &RunLimits<'_>,
        _workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        unreachable!("the test answers itself")
    }

    fn memory_class(&self, input: &UnitInput) -> String {
        (self.memory_class)(input)
    }

    fn compare(&self, a: &Answer, b: &Answer) -> Agreement {
        if a == b { Agreement::Confirms } else { Agreement::Contradicts }
    }

    fn combine(&self, answers: &[&Answer]) -> Answer {
        answers[0].clone()
    }

    fn checks(&self, _question: &Question, _answer: &Answer) -> Vec<Check> {
        Vec::new()
    }

    fn table(&self, _view: &str, _values: &[Value]) -> Table {
        Table::default()
    }
}

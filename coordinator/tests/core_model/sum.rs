//! A kind for the model: sums whose parts are known, answered by the model itself.

use serde::{Deserialize, Serialize};
use sprague_work::{
    Agreement, Answer, Check, Conclusion, Contradiction, Driver, Form, JobError, JobOptions,
    JobSpec, Kind, Method, MethodName, Part, Question, RunEnd, RunLimits, Table, Task, UnitInput,
    UnitResult, Value, Workplace,
};

/// A kind whose questions are `sum N`: the sum of 0..N, a unit for each number.
pub(crate) struct Sum;

pub(crate) const METHODS: [Method; 2] = [
    Method { name: "up", about: "", rests_on: &["up"], certifies: false },
    Method { name: "down", about: "", rests_on: &["down"], certifies: false },
];

#[derive(Serialize, Deserialize)]
pub(crate) struct Total {
    pub(crate) total: u64,
}

pub(crate) struct SumDriver {
    parts: u64,
    next: u64,
    absorbed: u64,
    total: u64,
}

impl Driver for SumDriver {
    fn next(&mut self) -> Option<Part> {
        let part = (self.next < self.parts).then(|| Part::of(&self.next));
        self.next += u64::from(part.is_some());
        part
    }

    fn replan(&mut self, part: &Part) {
        self.next = self.next.max(part.read::<u64>().unwrap() + 1);
    }

    fn absorb(&mut self, _part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        self.absorbed += 1;
        self.total += result.answer.read::<Total>().unwrap().total;
        if self.absorbed > self.parts {
            return Err(Contradiction("a part was counted twice".to_owned()));
        }
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        let answer = Answer::of(&Total { total: self.total });
        (self.absorbed == self.parts).then_some(Conclusion { answer, fingerprint: self.total })
    }

    fn total(&self) -> Option<u64> {
        Some(self.parts)
    }
}

pub(crate) fn parts(question: &Question) -> Option<u64> {
    question.as_str().strip_prefix("sum ")?.parse().ok()
}

impl Kind for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn forms(&self) -> &'static [Form] {
        &[]
    }

    fn methods(&self) -> &'static [Method] {
        &METHODS
    }

    fn parse(&self, words: &[String], options: &JobOptions) -> Option<Result<JobSpec, JobError>> {
        let question = Question::new(words.join(" ")).ok()?;
        parts(&question)?;
        let tasks = METHODS
            .iter()
            .map(|method| Task { question: question.clone(), method: MethodName::from(method) });
        Some(Ok(JobSpec {
            kind: "sum".to_owned(),
            words: words.join(" "),
            view: String::new(),
            tasks: tasks.collect(),
            options: options.clone(),
        }))
    }

    fn owns(&self, question: &Question) -> bool {
        parts(question).is_some()
    }

    fn driver(&self, task: &Task) -> Result<Box<dyn Driver>, JobError> {
        let parts = parts(&task.question).unwrap();
        Ok(Box::new(SumDriver { parts, next: 0, absorbed: 0, total: 0 }))
    }

    fn run(
        &self,
        _input: &UnitInput,
        _limits: &RunLimits<'_>,
        _workplace: &mut Workplace<'_>,
    ) -> RunEnd {
        unreachable!("the model answers itself")
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

pub(crate) fn right(input: &UnitInput) -> UnitResult {
    let number: u64 = input.part.read().unwrap();
    UnitResult {
        answer: Answer::of(&Total { total: number }),
        fingerprint: number,
        entries: 1,
        expansions: 1,
        notes: Vec::new(),
    }
}

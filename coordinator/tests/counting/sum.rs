//! A kind whose parts are known from the beginning: a unit for each number.

use sprague_work::{
    Answer, Conclusion, Contradiction, Driver, Method, Part, UnitInput, UnitResult,
};

use super::{Counting, Total, all_alike};

pub(crate) const SUM: Counting = Counting {
    word: "sum",
    methods: &[
        Method { name: "up", about: "", rests_on: &["up"], certifies: false },
        Method { name: "down", about: "", rests_on: &["down"], certifies: false },
    ],
    driver: |parts| Box::new(SumDriver { parts, ..SumDriver::default() }),
    memory_class: all_alike,
};

#[derive(Default)]
struct SumDriver {
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

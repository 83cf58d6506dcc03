//! A kind whose units need the more memory the more numbers they have, and can be cut in half while they have more than
//! [`WHOLE`].

use std::collections::BTreeMap;

use sprague_work::{
    Answer, Conclusion, Contradiction, Driver, Method, Part, UnitInput, UnitResult,
};

use crate::counting::{Counting, Total};

pub(crate) const HALVES: Counting = Counting {
    word: "halves",
    methods: &[Method { name: "pieces", about: "", rests_on: &["pieces"], certifies: false }],
    driver: |numbers| Box::new(HalvesDriver { numbers, parts: BTreeMap::new() }),
    memory_class: |input| format!("{} {:?}", input.question, input.part),
};

/// The most numbers of a unit that cannot be cut.
pub(crate) const WHOLE: u64 = 4;

/// The numbers from one to below another.
type Range = (u64, u64);

struct HalvesDriver {
    numbers: u64,
    /// What was given out and not split, and what it came to.
    parts: BTreeMap<Range, Option<u64>>,
}

impl Driver for HalvesDriver {
    fn next(&mut self) -> Option<Part> {
        let all = (0, self.numbers);
        self.parts.is_empty().then(|| {
            self.parts.insert(all, None);
            Part::of(&all)
        })
    }

    fn replan(&mut self, part: &Part) {
        self.parts.insert(part.read().unwrap(), None);
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let total = result.answer.read::<Total>().unwrap().total;
        let before = self.parts.insert(part.read().unwrap(), Some(total));
        if before == Some(None) {
            Ok(())
        } else {
            Err(Contradiction(format!("{part:?} was not given out, or is counted twice")))
        }
    }

    fn conclude(&self) -> Option<Conclusion> {
        let total = self.parts.values().copied().sum::<Option<u64>>()?;
        let answer = Answer::of(&Total { total });
        (!self.parts.is_empty()).then_some(Conclusion { answer, fingerprint: total })
    }

    fn total(&self) -> Option<u64> {
        Some(self.parts.len() as u64)
    }

    fn splits(&self, part: &Part) -> bool {
        size(part) > WHOLE
    }

    fn split(&mut self, part: &Part) -> Vec<Part> {
        let (from, to): Range = part.read().unwrap();
        let middle = from + (to - from) / 2;
        assert_eq!(self.parts.remove(&(from, to)), Some(None), "it is given out and not done");
        let halves = [(from, middle), (middle, to)];
        self.parts.extend(halves.map(|half| (half, None)));
        halves.iter().map(Part::of).collect()
    }
}

/// How many numbers a unit has.
pub(crate) fn size(part: &Part) -> u64 {
    let (from, to): Range = part.read().unwrap();
    to - from
}

pub(crate) fn right(input: &UnitInput) -> UnitResult {
    let (from, to): Range = input.part.read().unwrap();
    let total = (from..to).sum();
    UnitResult {
        answer: Answer::of(&Total { total }),
        fingerprint: total,
        entries: 1,
        expansions: to - from,
        notes: Vec::new(),
    }
}

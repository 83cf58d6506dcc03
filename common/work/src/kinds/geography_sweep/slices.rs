//! The state machine of a sweep: lists the slices and adds up what they say.

use serde::{Deserialize, Serialize};
use sprague_geography::sweep::{self, Slice};

use super::LEAST_SAMPLED;
use super::answer::{Sample, SampleAnswer, SweepAnswer};
use crate::literature::connected_graphs;
use crate::{Answer, Conclusion, Contradiction, Driver, Part, UnitResult};

/// Which slice a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SlicePart {
    pub(super) index: u32,
    pub(super) of: u32,
}

/// What some slices say together.
#[derive(Default)]
struct Sum {
    slices: u32,
    report: sweep::Report,
}

impl Sum {
    fn add(&mut self, report: &sweep::Report) {
        self.slices += 1;
        self.report.merge(report);
    }
}

/// Lists the slices and adds up what they say.
pub(super) struct Slices {
    vertices: u8,
    /// Whether only those of the sample are wanted.
    only_sampled: bool,
    of: u32,
    next: u32,
    all: Sum,
    sampled: Sum,
}

impl Slices {
    /// The slices of the sweep of an order, or those of its sample.
    pub(super) fn new(vertices: u8, only_sampled: bool) -> Self {
        Self {
            vertices,
            only_sampled,
            of: sweep::suggested_slices(vertices),
            next: 0,
            all: Sum::default(),
            sampled: Sum::default(),
        }
    }

    fn slice(&self, index: u32) -> Slice {
        Slice { vertices: self.vertices, index, of: self.of }
    }

    fn is_wanted(&self, index: u32) -> bool {
        !self.only_sampled || self.slice(index).is_sampled()
    }

    /// How many slices are wanted.
    fn wanted(&self) -> u32 {
        if self.only_sampled {
            let wanted = (0..self.of).filter(|&index| self.is_wanted(index)).count();
            u32::try_from(wanted).expect("no more than there are slices")
        } else {
            self.of
        }
    }

    fn answer(&self) -> Answer {
        let sample = || Sample::new(self.sampled.slices, self.of, &self.sampled.report);
        if self.only_sampled {
            return Answer::of(&SampleAnswer { vertices: self.vertices, sample: sample() });
        }
        let sample = (self.vertices >= LEAST_SAMPLED).then(sample);
        Answer::of(&SweepAnswer { sample, ..SweepAnswer::new(self.vertices, &self.all.report) })
    }
}

impl Driver for Slices {
    fn next(&mut self) -> Option<Part> {
        let index = (self.next..self.of).find(|&index| self.is_wanted(index));
        self.next = index.map_or(self.of, |index| index + 1);
        index.map(|index| Part::of(&SlicePart { index, of: self.of }))
    }

    fn replan(&mut self, part: &Part) {
        // The number of slices was fixed when the sweep was first planned, maybe by another version.
        if let Ok(SlicePart { index, of }) = part.read() {
            self.of = of;
            self.next = self.next.max(index + 1);
        }
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let unreadable =
            |fault: String| Contradiction(format!("a slice's answer cannot be read: {fault}"));
        let SlicePart { index, .. } = part.read().map_err(|fault| unreadable(fault.to_string()))?;
        let report = result
            .answer
            .read::<SweepAnswer>()
            .map_err(|fault| fault.to_string())
            .and_then(|answer| answer.report())
            .map_err(unreadable)?;
        self.all.add(&report);
        if self.slice(index).is_sampled() {
            self.sampled.add(&report);
        }
        match connected_graphs(self.vertices) {
            Some(published) if self.all.report.graphs > published => Err(Contradiction(format!(
                "{} graphs so far, but there are only {published}",
                self.all.report.graphs
            ))),
            _ => Ok(()),
        }
    }

    fn conclude(&self) -> Option<Conclusion> {
        let report = &self.all.report;
        (self.all.slices == self.wanted()).then(|| Conclusion {
            answer: self.answer(),
            fingerprint: report.fingerprint.wrapping_add(report.zero_fingerprint),
        })
    }

    fn total(&self) -> Option<u64> {
        Some(self.wanted().into())
    }
}

//! The parts that the claims are cut into, and what they say together.

use serde::{Deserialize, Serialize};
use sprague_geography::literature::Claim;

use super::answer::{Item, LiteratureAnswer};
use crate::{Answer, Conclusion, Contradiction, Driver, Part, UnitResult};

/// Some inputs of one claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClaimPart {
    /// The name of the claim.
    pub(super) item: String,
    /// The first input.
    pub(super) from: u32,
    /// The first input that is not meant any more.
    pub(super) to: u32,
}

/// Lists the parts and adds up what they say.
pub(super) struct Parts {
    parts: Vec<ClaimPart>,
    next: usize,
    absorbed: usize,
    fingerprint: u64,
    /// One item a claim, in the order of the claims.
    items: Vec<Item>,
}

impl Parts {
    /// The parts of the usual inputs, or of all.
    pub(super) fn new(all: bool) -> Self {
        let inputs = if all { Claim::inputs } else { Claim::usual_inputs };
        Self {
            parts: Claim::ALL
                .into_iter()
                .flat_map(|claim| parts_of(claim, inputs(claim)))
                .collect(),
            next: 0,
            absorbed: 0,
            fingerprint: 0,
            items: Claim::ALL.map(Item::untested).into(),
        }
    }
}

fn parts_of(claim: Claim, end: u32) -> impl Iterator<Item = ClaimPart> {
    let step = claim.inputs_a_part();
    (0..end).step_by(step as usize).map(move |from| ClaimPart {
        item: claim.name().to_owned(),
        from,
        to: end.min(from + step),
    })
}

impl Driver for Parts {
    fn next(&mut self) -> Option<Part> {
        let part = self.parts.get(self.next)?;
        self.next += 1;
        Some(Part::of(part))
    }

    fn replan(&mut self, part: &Part) {
        // Another version may have cut the claims otherwise: what it gave out goes before the rest.
        let Ok(part) = part.read::<ClaimPart>() else { return };
        if let Some(at) = self.parts[self.next..].iter().position(|known| *known == part) {
            self.parts[self.next..=self.next + at].rotate_right(1);
            self.next += 1;
        }
    }

    fn absorb(&mut self, part: &Part, result: &UnitResult) -> Result<(), Contradiction> {
        let unreadable = |what: &str, fault: &dyn std::fmt::Display| {
            Contradiction(format!("{what} of a claim cannot be read: {fault}"))
        };
        let part = part.read::<ClaimPart>().map_err(|fault| unreadable("a part", &fault))?;
        let answer = result.answer.read::<LiteratureAnswer>();
        let answer = answer.map_err(|fault| unreadable("an answer to a part", &fault))?;
        let [found] = &answer.items[..] else {
            return Err(Contradiction(format!("{} items for a part of one", answer.items.len())));
        };
        match self.items.iter_mut().find(|item| item.item == part.item) {
            Some(item) if found.item == part.item => item.add(found),
            _ => {
                let (asked, found) = (part.item, &found.item);
                return Err(Contradiction(format!("{asked} was asked and {found} answered")));
            }
        }
        self.fingerprint = self.fingerprint.wrapping_add(result.fingerprint);
        self.absorbed += 1;
        Ok(())
    }

    fn conclude(&self) -> Option<Conclusion> {
        (self.absorbed == self.parts.len()).then(|| Conclusion {
            answer: Answer::of(&LiteratureAnswer { items: self.items.clone() }),
            fingerprint: self.fingerprint,
        })
    }

    fn total(&self) -> Option<u64> {
        Some(self.parts.len() as u64)
    }
}

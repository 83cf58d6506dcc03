//! The claims, and how one is tested on some of its inputs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use super::inquiry::{By, Inquiry};
use super::{
    Tally, at_least_four, correct_way, digraphs, gadget, grounded, induction, matching_criterion,
    matching_player, parity, prelude, removal, root_to_hub, section5, skip_star,
    subcubic_exhaustive, subcubic_random, wrong_way,
};
use crate::construct::Variant;
use crate::{Limits, Stop};

/// A published claim about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The arc gadgets carry Directed Vertex Geography over.
    Gadget,
    /// A gadget entered from its head is worth *2 or *3.
    WrongWay,
    /// A gadget entered from its tail hands * on.
    CorrectWay,
    /// The prelude tells who wins by * against *2.
    Prelude,
    /// A variant of Section 5 is worth what is claimed of it: *n by the figures and as printed, *(n-1)
    /// without the first tree, not *n without the other things.
    Section5(Variant),
    /// A removed hub grounds its root.
    Grounded,
    /// The move from a root to its hub leads to 0.
    RootToHub,
    /// What M_i and P_i are worth where their hub is removed.
    SkipStar,
    /// Hubs below which no hub is removed are worth their number.
    AtLeastFour,
    /// The other hubs are worth * or *2 by their number.
    Parity,
    /// The options of the start are worth all smaller values.
    Induction,
    /// The degree-3 algorithm is exact on small graphs.
    SubcubicExhaustive,
    /// The degree-3 algorithm is exact on larger graphs.
    SubcubicRandom,
    /// The next player wins iff every maximum matching covers the start.
    MatchingCriterion,
    /// Who follows maximum matchings wins against random play.
    MatchingPlayer,
}

/// There is no claim of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no claim `{0}`")]
pub struct UnknownClaim(String);

/// The inputs asked for are not all inputs of the claim.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{claim} has no inputs {}..{}: it has {}", .inputs.start, .inputs.end, .claim.inputs())]
pub struct NoSuchInput {
    claim: Claim,
    inputs: Range<u32>,
}

/// Why a claim was not tested to the end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TestError {
    /// The inputs do not exist.
    #[error(transparent)]
    NoSuchInput(#[from] NoSuchInput),
    /// The limits did not suffice, or the caller stopped it.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl Claim {
    /// All claims.
    pub const ALL: [Self; 19] = [
        Self::Gadget,
        Self::WrongWay,
        Self::CorrectWay,
        Self::Prelude,
        Self::Section5(Variant::Figures),
        Self::Section5(Variant::AsPrinted),
        Self::Section5(Variant::WithoutFirstRoot),
        Self::Section5(Variant::WithoutFirstTree),
        Self::Section5(Variant::WithoutLinks),
        Self::Grounded,
        Self::RootToHub,
        Self::SkipStar,
        Self::AtLeastFour,
        Self::Parity,
        Self::Induction,
        Self::SubcubicExhaustive,
        Self::SubcubicRandom,
        Self::MatchingCriterion,
        Self::MatchingPlayer,
    ];

    /// The name of the claim.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gadget => "gadget",
            Self::WrongWay => "wrong-way",
            Self::CorrectWay => "correct-way",
            Self::Prelude => "prelude",
            Self::Section5(Variant::Figures) => "section5-figures",
            Self::Section5(Variant::AsPrinted) => "section5-as-printed",
            Self::Section5(Variant::WithoutFirstRoot) => "section5-without-first-root",
            Self::Section5(Variant::WithoutFirstTree) => "section5-without-first-tree",
            Self::Section5(Variant::WithoutLinks) => "section5-without-links",
            Self::Grounded => "grounded",
            Self::RootToHub => "root-to-hub",
            Self::SkipStar => "skip-star",
            Self::AtLeastFour => "at-least-four",
            Self::Parity => "parity",
            Self::Induction => "induction",
            Self::SubcubicExhaustive => "subcubic-exhaustive",
            Self::SubcubicRandom => "subcubic-random",
            Self::MatchingCriterion => "matching-criterion",
            Self::MatchingPlayer => "matching-player",
        }
    }

    /// The claim in one sentence.
    #[must_use]
    pub fn statement(self) -> &'static str {
        match self {
            Self::Gadget => {
                "with gadgets v is * if the digraph position is P, else neither 0 nor *"
            }
            Self::WrongWay => "a gadget entered from its head is *2 or *3",
            Self::CorrectWay => "d to y is * iff x to a is *",
            Self::Prelude => "the start is * if the digraph position is P, else *2",
            Self::Section5(Variant::Figures) => "by the figures N_n is *n",
            Self::Section5(Variant::AsPrinted) => "by Algorithm 1 as printed N_n is *n",
            Self::Section5(Variant::WithoutFirstRoot) => "without the edge N_4-R_4 it is not *n",
            Self::Section5(Variant::WithoutFirstTree) => "without the t(3) of N_4 it is *(n-1)",
            Self::Section5(Variant::WithoutLinks) => {
                "without N_i-M_i and N_i-P_i for i >= 5 it is not *n"
            }
            Self::Grounded => "R_i is 0 when its hub is removed",
            Self::RootToHub => "R_i to N_i is 0",
            Self::SkipStar => {
                "M_i is * and P_i is *2 with their hub removed and all lower ones there, else both *3"
            }
            Self::AtLeastFour => "N_i is *i when all lower hubs are there",
            Self::Parity => "hubs above the lowest removed one are * if odd in number, else *2",
            Self::Induction => "the options of N_n are 0, *, ..., *(n-1)",
            Self::SubcubicExhaustive => {
                "the degree-3 algorithm is exact on all connected graphs to 9 vertices"
            }
            Self::SubcubicRandom => {
                "the degree-3 algorithm is exact on random graphs of 12 to 28 vertices"
            }
            Self::MatchingCriterion => {
                "the next player wins iff every maximum matching covers the start"
            }
            Self::MatchingPlayer => "who moves to the mate in a maximum matching wins every game",
        }
    }

    /// The number of inputs. What an input is, and how many cases it has, differs from claim to claim.
    #[must_use]
    pub fn inputs(self) -> u32 {
        match self {
            Self::Gadget | Self::WrongWay | Self::CorrectWay | Self::Prelude => digraphs::COUNT,
            Self::Section5(variant) => section5::count(variant),
            Self::Grounded
            | Self::RootToHub
            | Self::SkipStar
            | Self::AtLeastFour
            | Self::Parity => removal::COUNT,
            Self::Induction => induction::COUNT,
            Self::SubcubicExhaustive => subcubic_exhaustive::COUNT,
            Self::SubcubicRandom => subcubic_random::COUNT,
            Self::MatchingCriterion => matching_criterion::count(),
            Self::MatchingPlayer => matching_player::COUNT,
        }
    }

    /// The number of inputs that are tested unless all are asked for: those after them take gigabytes of memory.
    #[must_use]
    pub fn usual_inputs(self) -> u32 {
        match self {
            Self::Section5(variant) => self.inputs() - section5::large(variant),
            _ => self.inputs(),
        }
    }

    /// How many inputs a part is to have so that it is some seconds of work at most.
    #[must_use]
    pub fn inputs_a_part(self) -> u32 {
        match self {
            Self::Section5(_) => 1,
            Self::MatchingCriterion => 4,
            _ => self.inputs(),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(name: &str) -> Result<Self, UnknownClaim> {
        let named = Self::ALL.into_iter().find(|claim| claim.name() == name);
        named.ok_or_else(|| UnknownClaim(name.to_owned()))
    }
}

/// Tests a claim on some of its inputs, which are numbered from 0.
///
/// # Errors
///
/// If there are no such inputs, the tables would outgrow the limit, or the caller stops the test.
pub fn test(
    claim: Claim,
    inputs: Range<u32>,
    by: By,
    limits: &Limits<'_>,
) -> Result<Tally, TestError> {
    if inputs.end > claim.inputs() {
        return Err(NoSuchInput { claim, inputs }.into());
    }
    let mut total = Tally::default();
    for input in inputs {
        let mut inquiry = Inquiry { by, limits: *limits, tally: Tally::default() };
        match claim {
            Claim::Gadget => gadget::test(&mut inquiry, input),
            Claim::WrongWay => wrong_way::test(&mut inquiry, input),
            Claim::CorrectWay => correct_way::test(&mut inquiry, input),
            Claim::Prelude => prelude::test(&mut inquiry, input),
            Claim::Section5(variant) => section5::test(&mut inquiry, variant, input),
            Claim::Grounded => grounded::test(&mut inquiry, input),
            Claim::RootToHub => root_to_hub::test(&mut inquiry, input),
            Claim::SkipStar => skip_star::test(&mut inquiry, input),
            Claim::AtLeastFour => at_least_four::test(&mut inquiry, input),
            Claim::Parity => parity::test(&mut inquiry, input),
            Claim::Induction => induction::test(&mut inquiry, input),
            Claim::SubcubicExhaustive => subcubic_exhaustive::test(&mut inquiry, input),
            Claim::SubcubicRandom => subcubic_random::test(&mut inquiry, input),
            Claim::MatchingCriterion => matching_criterion::test(&mut inquiry, input),
            Claim::MatchingPlayer => matching_player::test(&mut inquiry, input),
        }?;
        total.merge(&inquiry.tally);
    }
    Ok(total)
}

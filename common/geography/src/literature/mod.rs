//! What was published about the game, as claims that can be tested again, with counts of cases.
//!
//! K. Burke, M. Ferland, S.-H. Teng, *Winning the War by (Strategically) Losing Battles*, FOCS 2021 (arXiv
//! 2106.02114), and the matching criterion of Fraenkel, Scheinerman and Ullman. A [`Claim`] is tested on
//! numbered inputs by [`test`](fn@test); what came of it is a [`Tally`], and tallies of disjoint inputs add up.
//! Each claim has a file that says what it claims and what a case of it is.
//!
//! Random inputs are functions of their number, so a claim has the same cases on every machine and in every
//! cut. Not here: what the outcome of a test means, which is for the caller to say.

mod at_least_four;
mod claim;
mod correct_way;
mod digraphs;
mod gadget;
mod grounded;
mod induction;
mod inquiry;
mod matching_criterion;
mod matching_player;
mod parity;
mod prelude;
mod removal;
mod root_to_hub;
mod section5;
mod skip_star;
mod subcubic_exhaustive;
mod subcubic_random;
mod tally;
mod wrong_way;

pub use claim::{Claim, NoSuchInput, TestError, UnknownClaim, test};
pub use inquiry::{By, UnknownMethod};
pub use tally::Tally;

//! The hunt for small graphs with a start of a wanted value.
//!
//! *Growth by leaf pairs.* Let G have starts of all the values 1..k. A new leaf is worth 0 while its neighbour is gone; so a new
//! vertex s, joined to the leaf and to at least one start of each of these values, is worth k + 1 at least, on
//! two vertices more. If the new graph has starts of all the values 1..k + 1 again, it can grow further. By the
//! [matching bound](crate::cover) no graph does with fewer vertices, so what grows from K2 is as small as can be.
//!
//! A [`walk`](fn@walk) grows a graph from a small one, pair by pair. What s is joined to is found by climbing: [`PAIRS`] sets are tried at
//! a time, a vertex or two are changed, and what leaves more of the values present is kept. A walk is a function of its
//! number and seed, so that any machine makes the same one.
//!
//! What a walk finds is [reduced](fn@reduce) and [verified](Hit::verify) by both evaluators.
//!
//! [`PAIRS`]: crate::value::table::PAIRS

mod aim;
mod hit;
mod joined;
mod reduce;
mod walk;

pub use aim::{Aim, AimError};
pub use hit::{Hit, Unverified};
pub use reduce::reduce;
pub use walk::{Walk, WalkEnd, suggested_evaluations, walk};

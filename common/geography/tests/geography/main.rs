//! What the crate promises, from outside: one module a promise, known values from `tests/data`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;
mod construct;
mod cover;
mod data;
mod draw;
mod generation;
mod graph6;
mod literature;
mod matching;
mod random;
mod search;
mod subcubic;
mod sweep;
mod values;

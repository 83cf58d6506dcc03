//! Hashes of finished work: the same facts give the same fingerprint in whatever order they were found.

use crate::shape::{Bits, mix};

/// The fingerprint of no facts.
pub(crate) const EMPTY: u64 = 0;

/// A fingerprint with one fact more.
#[inline]
pub(crate) fn with(fingerprint: u64, key: u128, value: u64) -> u64 {
    fingerprint.wrapping_add(mix(key.hash64() ^ mix(value.wrapping_add(1))))
}

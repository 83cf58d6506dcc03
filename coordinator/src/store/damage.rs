//! What becomes of a file that the disk has changed or cut, or that was copied in the middle of things.
//!
//! A store is opened with all that it held, or is refused. Never is it taken for an empty or another one.

use std::fs;
use std::path::Path;

use super::{Store, StoreError, samples};
use crate::core::Snapshot;

/// A filled store: its bytes and what they hold.
fn filled(path: &Path) -> (Vec<u8>, Snapshot) {
    let store = Store::open(path).unwrap();
    samples::fill(&store);
    let snapshot = store.snapshot().unwrap();
    drop(store);
    (fs::read(path).unwrap(), snapshot)
}

/// What the store holds when it is opened, if it is.
fn open(path: &Path, bytes: &[u8]) -> Result<Snapshot, StoreError> {
    fs::write(path, bytes).unwrap();
    Store::open(path)?.snapshot()
}

/// Opens each damaged file and counts those that were refused; all others must hold everything.
fn refused(files: impl Iterator<Item = (usize, Vec<u8>)>, path: &Path, whole: &Snapshot) -> usize {
    let mut refused = 0;
    for (at, bytes) in files {
        match open(path, &bytes) {
            Ok(snapshot) => assert!(snapshot == *whole, "damage at {at} lost or changed something"),
            Err(fault) => {
                refused += 1;
                let is_told =
                    matches!(fault, StoreError::Damaged { .. } | StoreError::Foreign { .. });
                assert!(is_told, "damage at {at}: {fault}");
            }
        }
    }
    refused
}

#[test]
fn a_byte_that_flipped_anywhere_is_found_or_was_in_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    let (bytes, whole) = filled(&path);
    // The head byte by byte, then every region of it.
    let head = 0..512;
    let regions = (512..bytes.len()).step_by(bytes.len() / 300);
    let flipped = head.chain(regions).map(|at| {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x04;
        (at, flipped)
    });
    let refused = refused(flipped, &path, &whole);
    assert!(refused > 50, "{refused} of some 800 were refused");
}

#[test]
fn a_region_that_was_zeroed_is_found_or_was_in_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    let (bytes, whole) = filled(&path);
    let zeroed = (0..bytes.len()).step_by(4096).map(|at| {
        let mut zeroed = bytes.clone();
        let end = (at + 4096).min(zeroed.len());
        zeroed[at..end].fill(0);
        (at, zeroed)
    });
    assert!(refused(zeroed, &path, &whole) > 0);
}

#[test]
fn a_file_cut_at_any_of_fifty_places_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    let (bytes, whole) = filled(&path);
    let cuts = (0..50).map(|part| part * bytes.len() / 50).map(|at| (at, bytes[..at].to_vec()));
    assert_eq!(refused(cuts, &path, &whole), 50);
}

//! What the kinds that find graphs have in common.

/// A hash of graphs that were found, as text, and of how much work it took: FNV-1a.
pub(super) fn fingerprint<'a>(graphs: impl Iterator<Item = &'a str>, work: u64) -> u64 {
    let bytes = graphs.flat_map(str::bytes).chain(work.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

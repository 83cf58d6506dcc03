//! Asking the processor for memory ahead of its use: the table is larger than the caches, and the options of a
//! couple can be asked for together.

#![expect(unsafe_code, reason = "the instruction is not offered as a safe function")]

/// Begins to bring an item into the cache. Nothing else happens, and nothing at all where it is not known how.
#[inline]
pub(super) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 processor, reads and writes nothing that a program can
        // observe, and would not fault even if the address were not that of a live item, as it is.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

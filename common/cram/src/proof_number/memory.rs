//! Reaching memory fast: the table is larger than the caches and is read in no order at all.
//!
//! Nothing here changes what a program computes.

#![expect(
    unsafe_code,
    reason = "neither the instruction nor the call is offered as a safe function"
)]

/// Begins to bring an item into the cache, so that several can be asked for together. Does nothing where it is not
/// known how.
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

/// Asks the kernel to lay room that was not written to yet in large pages, whose addresses the processor translates
/// without looking them up. A hint: nothing happens where it is not known how or the kernel does not care.
pub(super) fn prefer_large_pages<T>(room: &[T]) {
    #[cfg(target_os = "linux")]
    {
        /// No page is smaller, and what begins at a multiple of it is refused if pages are larger.
        const PAGE: usize = 1 << 12;
        /// Less than a few large pages, which have 2 MiB, is not worth the call.
        const WORTHWHILE: usize = 1 << 23;
        let bytes = size_of_val(room);
        if bytes < WORTHWHILE {
            return;
        }
        let start = room.as_ptr().cast::<u8>().cast_mut();
        let skipped = start.align_offset(PAGE);
        // SAFETY: the addresses from the first page's start to the room's end are within the room, as it is longer than
        // a page, and the advice changes neither what they hold nor who may access them.
        unsafe {
            libc::madvise(start.add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}

/// Something that shares no line of the processor's cache, nor the one that is fetched along with it, with anything else: who writes
/// to it does not slow down who reads what lies beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct OwnLine<T>(pub(super) T);

//! The allocator of a slot's child: running out of memory is an exit code, not a crash.
//!
//! Stable Rust answers a failed allocation with an abort, which looks like any other crash. This
//! thin wrapper around the system's allocator ends the process with a code of its own instead,
//! once [`slot_main`](crate::slot_main) has switched that on; in every other process it does
//! nothing but pass calls on.
//!
//! A failed *zeroed* allocation is passed through as null. Tables take their pages that way and
//! check the result, so that a kind can say how much it would have needed. A `vec![0; n]` that
//! nobody checks therefore still aborts, and the supervisor knows it by the words it aborts with.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that could not have the memory it asked for. Not one that Rust, a
/// shell or `sysexits.h` uses.
pub(crate) const OUT_OF_MEMORY: i32 = 112;

/// Whether a failed allocation ends the process.
static ENDS: AtomicBool = AtomicBool::new(false);

/// From now on a failed allocation ends this process with [`OUT_OF_MEMORY`].
pub(crate) fn end_on_exhaustion() {
    ENDS.store(true, Ordering::Relaxed);
}

/// The system's allocator, which in a slot's child ends the process when memory runs out.
///
/// The program that calls [`run`](crate::run) and [`slot_main`](crate::slot_main) makes it its
/// `#[global_allocator]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CappedAllocator;

impl CappedAllocator {
    fn checked(memory: *mut u8) -> *mut u8 {
        if memory.is_null() && ENDS.load(Ordering::Relaxed) {
            end();
        }
        memory
    }
}

#[expect(unsafe_code, reason = "ending the process must not allocate, lock or run exit handlers")]
#[cold]
fn end() -> ! {
    // SAFETY: `_exit` takes no pointer, touches no memory of this program and does not return. It
    // is async-signal-safe, so it may be called from within an allocator, whatever locks are held.
    unsafe { libc::_exit(OUT_OF_MEMORY) }
}

#[expect(unsafe_code, reason = "a global allocator is an unsafe trait")]
// SAFETY: every call goes to `System`, which keeps the contract of `GlobalAlloc`, with the
// arguments unchanged, and the pointer that it returns is handed on unchanged. Between the two
// stands only an atomic load, or the end of the process, which returns nothing to anybody.
unsafe impl GlobalAlloc for CappedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System.alloc`.
        Self::checked(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from one of these methods and so from `System`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is `System`'s.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the pointer came from `System`, and the caller keeps the contract of `realloc`.
        Self::checked(unsafe { System.realloc(memory, layout, new_size) })
    }
}

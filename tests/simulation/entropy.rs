//! The randomness of the operating system, replaced by a sequence that is the same in every process.
//!
//! Hash maps of the standard library are keyed by it, and tokio seeds by it the order in which `select!`
//! looks at its branches, in this program and in the libraries that it uses. With the system's own
//! randomness the same seed would not give the same run.
//!
//! Key pairs and TLS draw from it as well: nothing here is secret.

use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

static DRAWN: AtomicU64 = AtomicU64::new(0);

/// The next byte of the sequence.
fn next_byte() -> u8 {
    let n = DRAWN.fetch_add(1, Ordering::Relaxed);
    let mixed = (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9).to_le_bytes()[7]
}

/// What the C library's function of this name does: fills `buffer` and says how many bytes that are.
///
/// # Safety
/// `buffer` must be valid for writes of `length` bytes, as for the C library's function.
#[expect(unsafe_code, reason = "takes the place of a symbol of the C library, for this test alone")]
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut c_void, length: usize, _flags: c_uint) -> isize {
    for at in 0..length {
        // SAFETY: in bounds, as the caller vouches for `length` bytes.
        unsafe { buffer.cast::<u8>().add(at).write(next_byte()) };
    }
    isize::try_from(length).unwrap_or(isize::MAX)
}

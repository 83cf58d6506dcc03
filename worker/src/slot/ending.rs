//! What the end of a child process says about the attempt that it ran.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use sprague_work::Ending;

use crate::allocator::OUT_OF_MEMORY;

/// How the standard library's last words begin when a failed allocation aborts the process.
const UNCHECKED: &str = "memory allocation of ";

/// The ending of an attempt whose process could not have the memory that it asked for.
///
/// Nobody knows how much more it would have asked for, so twice the cap is reported as needed: the usual
/// step of a table or a vector that grows.
pub(super) fn of_want_of_memory(cap: u64) -> Ending {
    Ending::OutOfMemory { cap, needed: cap.saturating_mul(2) }
}

/// The ending of an attempt whose process ended by itself under a cap of `cap` bytes.
///
/// A zeroed allocation that nobody checked (`vec![0; n]`) aborts with the standard library's
/// [`UNCHECKED`] words, and is told apart by them. Should they change, it would read as a crash.
pub(super) fn of_dead_process(status: ExitStatus, last_words: &str, cap: u64) -> Ending {
    let unchecked = status.signal() == Some(libc::SIGABRT) && last_words.starts_with(UNCHECKED);
    if status.code() == Some(OUT_OF_MEMORY) || unchecked {
        return of_want_of_memory(cap);
    }
    let how = match (status.signal(), status.code()) {
        (Some(libc::SIGKILL), _) => {
            "signal 9 (SIGKILL): if nobody sent it, the system was out of memory".to_owned()
        }
        (Some(signal), _) => format!("signal {signal} ({})", signal_name(signal)),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => status.to_string(),
    };
    let how = if last_words.is_empty() { how } else { format!("{how}: {last_words}") };
    Ending::Crashed { how }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        _ => "see signal(7)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(raw: i32, last_words: &str) -> String {
        match of_dead_process(ExitStatus::from_raw(raw), last_words, 64) {
            Ending::Crashed { how } => how,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_reserved_code_and_the_failed_allocation_are_out_of_memory() {
        let ending = of_dead_process(ExitStatus::from_raw(OUT_OF_MEMORY << 8), "x", 64);
        assert_eq!(ending, Ending::OutOfMemory { cap: 64, needed: 128 });
        let words = "memory allocation of 9 bytes failed";
        let ending = of_dead_process(ExitStatus::from_raw(libc::SIGABRT), words, 64);
        assert_eq!(ending, Ending::OutOfMemory { cap: 64, needed: 128 });
    }

    #[test]
    fn crashes_are_told_in_words() {
        assert_eq!(crash(11, ""), "signal 11 (SIGSEGV)");
        assert_eq!(crash(6, "no more stack"), "signal 6 (SIGABRT): no more stack");
        assert_eq!(crash(3 << 8, ""), "exit code 3");
        assert!(crash(9, "").contains("SIGKILL") && crash(9, "").contains("out of memory"));
    }
}

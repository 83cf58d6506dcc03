//! Waiting for a child process in the one way that also says what it cost.
//!
//! `std::process::Child::wait` does not tell the child's processor time and peak, and once it has
//! waited nobody else can ask.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// How a child process ended and what it cost in its whole life.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) status: ExitStatus,
    /// The processor time of all its threads.
    pub(super) processor: Duration,
    /// The most bytes that were resident. The kernel counts the time between fork and exec as well,
    /// so it is never less than the worker's own size was (some 20 MiB).
    pub(super) peak_memory: u64,
}

/// Waits until `child` has ended and releases its process number.
///
/// # Errors
/// When the system says that there is no such child.
pub(super) fn reap(child: Child) -> io::Result<Reaped> {
    let pid = libc::pid_t::try_from(child.id()).expect("process numbers fit the system's type");
    let (status, usage) = wait4(pid)?;
    // The process number is free now, and nothing can be sent to it any more.
    drop(child);
    Ok(Reaped {
        status: ExitStatus::from_raw(status),
        processor: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024),
    })
}

#[expect(unsafe_code, reason = "neither std nor rustix has wait4")]
fn wait4(pid: libc::pid_t) -> io::Result<(libc::c_int, libc::rusage)> {
    let mut status = 0;
    // SAFETY: `rusage` is a C struct of integers, for which all zeros are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live locals of the types that `wait4` writes, and it keeps
        // neither. Waiting cannot touch memory; that the child is ours and not yet waited for is
        // shown by the `Child` that `reap` owns, and otherwise the call fails with ECHILD.
        let waited = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
        if waited == pid {
            return Ok((status, usage));
        }
        let fault = io::Error::last_os_error();
        if fault.kind() != io::ErrorKind::Interrupted {
            return Err(fault);
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_status_and_the_cost_of_a_child_are_told_once() {
        let spin = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 7";
        let child = Command::new("sh").args(["-c", spin]).spawn().unwrap();
        let pid = libc::pid_t::try_from(child.id()).unwrap();
        let reaped = reap(child).unwrap();
        assert_eq!(reaped.status.code(), Some(7));
        assert!(reaped.processor > Duration::ZERO && reaped.peak_memory > 0, "{reaped:?}");
        assert_eq!(wait4(pid).unwrap_err().raw_os_error(), Some(libc::ECHILD));
    }
}

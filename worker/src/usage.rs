//! What a process has used, asked of the kernel by the process itself.

use std::fs;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use sprague_work::Usage;

/// Measures one attempt in the process that runs it and nothing else.
#[derive(Debug)]
pub(crate) struct Meter {
    began: Instant,
    processor: Duration,
}

impl Meter {
    /// Begins to measure, and forgets the peak of what was run before.
    ///
    /// Where the kernel does not let a process reset its peak, the peak stays that of its whole
    /// life: too high, never too low.
    pub(crate) fn start() -> Self {
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self { began: Instant::now(), processor: processor_time() }
    }

    /// What was used since.
    pub(crate) fn read(&self) -> Usage {
        Usage {
            seconds: self.began.elapsed().as_secs_f64(),
            cpu_seconds: processor_time().saturating_sub(self.processor).as_secs_f64(),
            peak_memory: status_bytes("VmHWM:").unwrap_or(0),
        }
    }
}

/// Bytes resident in this process now; 0 when the kernel does not say.
pub(crate) fn resident_bytes() -> u64 {
    status_bytes("VmRSS:").unwrap_or(0)
}

/// Bytes of this process that count towards `RLIMIT_DATA`.
pub(crate) fn data_bytes() -> Option<u64> {
    status_bytes("VmData:")
}

/// The processor time of all threads of this process.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
}

fn status_bytes(field: &str) -> Option<u64> {
    field_bytes(&fs::read_to_string("/proc/self/status").ok()?, field)
}

/// A field of `/proc/PID/status`, which are in units of 1024 bytes.
fn field_bytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_bytes() {
        let status = "Name:\tx\nVmHWM:\t    2144 kB\nThreads:\t1\n";
        assert_eq!(field_bytes(status, "VmHWM:"), Some(2144 * 1024));
        assert_eq!(field_bytes(status, "Threads:"), None);
        assert_eq!(field_bytes(status, "VmRSS:"), None);
    }

    #[test]
    fn a_peak_is_seen_after_the_memory_is_given_back() {
        const BYTES: usize = 32 << 20;
        let meter = Meter::start();
        drop(std::hint::black_box(vec![1_u8; BYTES]));
        let usage = meter.read();
        assert!(usage.peak_memory >= BYTES as u64, "{usage:?}");
        assert!(usage.seconds > 0.0 && usage.cpu_seconds > 0.0, "{usage:?}");
    }
}

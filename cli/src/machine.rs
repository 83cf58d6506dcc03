//! What this machine has to give: cores, and the memory that the default of `--memory` divides.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::args::Memory;

/// The cores that this process may use.
pub(crate) fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// How many teams of so many threads the cores make: at least one.
pub(crate) fn teams(threads: u32) -> NonZeroUsize {
    NonZeroUsize::new(cores().get() / threads.max(1) as usize).unwrap_or(NonZeroUsize::MIN)
}

/// What the machine or this process's cgroup has, if either says.
pub(crate) fn memory() -> Option<u64> {
    total().into_iter().chain(cgroup()).min()
}

/// Four fifths of what the machine or this process's cgroup has, divided by `shares`.
pub(crate) fn share(shares: NonZeroUsize) -> Memory {
    /// Where neither says: what the smallest machine of today has.
    const UNKNOWN: u64 = 1 << 30;
    let has = memory().unwrap_or(UNKNOWN);
    Memory::at_least(has / 5 * 4 / shares.get() as u64)
}

/// The bytes of main memory.
fn total() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    meminfo_total(&text)
}

fn meminfo_total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The least limit of the cgroups around this process, if one of them has any.
fn cgroup() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = text.lines().filter_map(cgroup_of_line).flat_map(|(root, path, file)| {
        let folders: Vec<PathBuf> = path.ancestors().map(|path| root.join(path)).collect();
        folders.into_iter().filter_map(move |folder| limit(&folder.join(file)))
    });
    limits.min()
}

/// Where a line of `/proc/self/cgroup` says that a memory limit may stand: the root of its
/// hierarchy, the path below it, the name of the file. Version 2 has one hierarchy for everything.
fn cgroup_of_line(line: &str) -> Option<(&'static Path, &Path, &'static str)> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let path = Path::new(path.trim_start_matches('/'));
    if controllers.is_empty() {
        Some((Path::new("/sys/fs/cgroup"), path, "memory.max"))
    } else if controllers.split(',').any(|name| name == "memory") {
        Some((Path::new("/sys/fs/cgroup/memory"), path, "memory.limit_in_bytes"))
    } else {
        None
    }
}

/// The number in a limit's file. Version 2 says `max` for none; version 1 says a number that no
/// machine has, which does no harm in a minimum.
fn limit(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(meminfo_total("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16 * 1024));
        assert_eq!(meminfo_total("MemFree: 1 kB\n"), None);
        assert!(total().is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn both_versions_of_cgroups_are_read() {
        let v2 = cgroup_of_line("0::/a/b").unwrap();
        assert_eq!((v2.1, v2.2), (Path::new("a/b"), "memory.max"));
        let v1 = cgroup_of_line("9:memory:/docker/x").unwrap();
        assert_eq!((v1.1, v1.2), (Path::new("docker/x"), "memory.limit_in_bytes"));
        assert!(cgroup_of_line("3:cpu,cpuacct:/").is_none());
        assert!(cgroup_of_line("").is_none());
    }

    #[test]
    fn a_share_is_never_too_little_to_run_in() {
        assert_eq!(share(NonZeroUsize::MAX), Memory::LEAST);
        assert!(share(NonZeroUsize::MIN) >= share(NonZeroUsize::new(2).unwrap()));
    }
}

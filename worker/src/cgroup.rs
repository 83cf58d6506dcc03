//! Groups of processes with a memory limit of the kernel's own (cgroup v2), where this worker was given a
//! part of the tree to rule over.
//!
//! The cap of a slot is `RLIMIT_DATA`, always. A group adds what that does not count (shared and kernel
//! memory, files) and a kill that hits the slot alone. Many machines have only cgroup v1, or delegate
//! nothing: then there are no groups, and nothing is lost but the second fence.
//!
//! A group that has processes of its own may not limit those below it, so the worker first moves itself
//! into one below: the kernel's documentation, "Control Group v2", section "No Internal Process Constraint".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the tree is mounted.
const ROOT: &str = "/sys/fs/cgroup";

/// What a group may have beside the slot's private memory: the program's text, its pipes, page tables.
const BESIDE: u64 = 32 << 20;

/// A part of the tree in which groups can be made.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    base: PathBuf,
    worker: u32,
}

impl Groups {
    /// The part of the tree that this process was given, if it was given one.
    pub(crate) fn delegated() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        match Self::at(Path::new(ROOT), &own, std::process::id()) {
            Ok(groups) => Some(groups),
            Err(fault) => {
                tracing::debug!(%fault, "no memory limits of cgroups: the resource limit is the cap");
                None
            }
        }
    }

    /// As [`delegated`](Self::delegated), with a tree at `root`, what `/proc/self/cgroup` says, and the
    /// number of this process.
    fn at(root: &Path, own: &str, worker: u32) -> io::Result<Self> {
        let path = own.lines().find_map(|line| line.strip_prefix("0::/"));
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no cgroup v2");
        let base = root.join(path.ok_or_else(missing)?);
        if !has_word(&fs::read_to_string(base.join("cgroup.controllers"))?, "memory") {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no memory controller"));
        }
        let groups = Self { base, worker };
        let leaf = groups.base.join(format!("sprague-{worker}"));
        make(&leaf)?;
        fs::write(leaf.join("cgroup.procs"), worker.to_string())?;
        if let Err(fault) = fs::write(groups.base.join("cgroup.subtree_control"), "+memory") {
            // Somebody else is in there as well. Back to where it was.
            let _ = fs::write(groups.base.join("cgroup.procs"), worker.to_string());
            let _ = fs::remove_dir(&leaf);
            return Err(fault);
        }
        Ok(groups)
    }

    /// Makes the group of a slot with so many bytes of private memory.
    ///
    /// # Errors
    /// When the kernel does not let it.
    pub(crate) fn slot(&self, number: usize, cap: u64) -> io::Result<Group> {
        let folder = self.base.join(format!("sprague-{}-slot-{number}", self.worker));
        make(&folder)?;
        // Removed again when what follows fails.
        let group = Group { folder };
        let limit = cap.saturating_add(cap / 32).saturating_add(BESIDE);
        fs::write(group.folder.join("memory.max"), limit.to_string())?;
        // What would go to the swap space would be slower than not to be.
        let swap = group.folder.join("memory.swap.max");
        if swap.exists() {
            fs::write(swap, "0")?;
        }
        Ok(group)
    }
}

/// The group of a slot: its child, one after the other.
#[derive(Debug)]
pub(crate) struct Group {
    folder: PathBuf,
}

impl Group {
    /// Takes in a process, which must not have taken memory yet.
    ///
    /// # Errors
    /// When the kernel does not let it.
    pub(crate) fn join(&self, process: u32) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), process.to_string())
    }

    /// How often the kernel has killed in this group for want of memory.
    pub(crate) fn kills(&self) -> u64 {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group with a process in it stays, and goes with the tree that it is in.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Makes a group; one that an earlier worker of this number left will do.
fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split_whitespace().any(|each| each == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folders and files where a kernel would have them.
    fn tree(controllers: &str) -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().join("system.slice/sprague.service");
        fs::create_dir_all(&base).unwrap();
        fs::write(base.join("cgroup.controllers"), controllers).unwrap();
        for file in ["cgroup.procs", "cgroup.subtree_control"] {
            fs::write(base.join(file), "").unwrap();
        }
        (root, base)
    }

    const OWN: &str = "0::/system.slice/sprague.service\n";

    fn read(path: PathBuf) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_slot_gets_a_group_with_a_limit_above_its_cap_and_the_worker_stands_beside_it() {
        let (root, base) = tree("cpu memory pids\n");
        let groups = Groups::at(root.path(), OWN, 7).unwrap();
        assert_eq!(read(base.join("cgroup.subtree_control")), "+memory");
        assert_eq!(read(base.join("sprague-7/cgroup.procs")), "7");
        let slot = groups.slot(3, 64 << 20).unwrap();
        let folder = base.join("sprague-7-slot-3");
        assert_eq!(read(folder.join("memory.max")), (98 << 20).to_string());
        slot.join(4321).unwrap();
        assert_eq!(read(folder.join("cgroup.procs")), "4321");
    }

    #[test]
    fn swap_is_taken_where_there_is_any() {
        let (root, base) = tree("memory");
        let groups = Groups::at(root.path(), OWN, 7).unwrap();
        let folder = base.join("sprague-7-slot-0");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("memory.swap.max"), "max").unwrap();
        let _slot = groups.slot(0, 1 << 30).unwrap();
        assert_eq!(read(folder.join("memory.swap.max")), "0");
    }

    #[test]
    fn kills_for_want_of_memory_are_counted() {
        let (root, base) = tree("memory");
        let slot = Groups::at(root.path(), OWN, 7).unwrap().slot(0, 1 << 30).unwrap();
        assert_eq!(slot.kills(), 0);
        let events = "low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n";
        fs::write(base.join("sprague-7-slot-0/memory.events"), events).unwrap();
        assert_eq!(slot.kills(), 2);
    }

    #[test]
    fn where_nothing_is_delegated_there_are_no_groups_and_nothing_is_left() {
        let (root, base) = tree("cpu pids");
        assert!(Groups::at(root.path(), OWN, 7).is_err(), "no memory controller");
        assert!(Groups::at(root.path(), "9:memory:/x\n", 7).is_err(), "cgroup v1");
        assert!(Groups::at(root.path(), "0::/elsewhere\n", 7).is_err(), "no such group");
        // The kernel refuses when others are in the group: here, when there is no such file to write.
        fs::write(base.join("cgroup.controllers"), "memory").unwrap();
        fs::remove_file(base.join("cgroup.subtree_control")).unwrap();
        fs::create_dir(base.join("cgroup.subtree_control")).unwrap();
        assert!(Groups::at(root.path(), OWN, 7).is_err());
        assert_eq!(read(base.join("cgroup.procs")), "7", "it moved back");
    }
}

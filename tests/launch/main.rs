//! `sprague launch`: each way to start workers is tried for real, or checked by the tool that owns its format. A test
//! whose tool is not installed says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod compose;
mod kubernetes;
mod slurm;
mod ssh;
mod support;
mod systemd;

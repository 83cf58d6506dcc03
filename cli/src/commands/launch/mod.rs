//! `sprague launch ...`, a verb a file.

pub(crate) mod compose;
mod hosts;
pub(crate) mod k8s;
mod remote;
pub(crate) mod slurm;
pub(crate) mod ssh;
pub(crate) mod systemd;
mod template;

pub(crate) use hosts::HostsError;

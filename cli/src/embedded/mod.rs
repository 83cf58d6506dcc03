//! A cluster of its own for one command: a coordinator in this process and worker processes beside
//! it, talked to in the same way as any other.

mod cluster;
mod fleet;

pub(crate) use cluster::{Cluster, Crew};

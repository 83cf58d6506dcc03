//! What Prometheus and probes read: `/metrics` and `/healthz` over plain HTTP, on loopback only.

mod serve;
mod text;

pub use serve::MetricsError;
pub(crate) use serve::serve;

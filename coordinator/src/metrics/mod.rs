//! What Prometheus and probes read: `/metrics` and `/healthz` over plain HTTP, on loopback only.

mod serve;
mod text;

pub(crate) use serve::{MetricsError, serve};

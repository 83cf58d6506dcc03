//! The two pages over HTTP.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::text::{Process, render};
use crate::owner::Owner;

/// An owner that does not answer within this time is not well.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why the pages cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// Others than this machine could read them.
    #[error("{0} is no loopback address, and metrics are served in plain text")]
    NotLoopback(SocketAddr),
    /// The address is taken, or not one of this machine's.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// What the pages are made from.
struct Source {
    owner: Owner,
    store: PathBuf,
    started: Instant,
}

/// Serves `/metrics` and `/healthz` until told to stop, and gives the address that it listens on.
///
/// # Errors
/// When the address is not one of loopback, or cannot be listened on.
pub(crate) async fn serve(
    address: SocketAddr,
    owner: Owner,
    store: &Path,
    stop: CancellationToken,
) -> Result<SocketAddr, MetricsError> {
    if !address.ip().is_loopback() {
        return Err(MetricsError::NotLoopback(address));
    }
    let fault = |source| MetricsError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(fault)?;
    let bound = listener.local_addr().map_err(fault)?;
    let source = Source { owner, store: store.to_owned(), started: Instant::now() };
    let pages = Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(health))
        .with_state(Arc::new(source));
    tokio::spawn(async move {
        let stopped = stop.clone();
        let served = axum::serve(listener, pages).with_graceful_shutdown(stopped.cancelled_owned());
        tokio::select! {
            end = served => if let Err(fault) = end {
                tracing::error!(%fault, "the server of metrics ended");
            },
            // Nobody's connection holds up the stopping.
            () = async { stop.cancelled().await; tokio::time::sleep(PATIENCE).await } => {}
        }
    });
    Ok(bound)
}

async fn metrics(State(source): State<Arc<Source>>) -> impl IntoResponse {
    let Ok(Ok(figures)) =
        timeout(PATIENCE, source.owner.call(|state, _| state.core.figures())).await
    else {
        return (StatusCode::SERVICE_UNAVAILABLE, [(header::CONTENT_TYPE, PLAIN)], String::new());
    };
    let page = render(&figures, process(&source));
    (StatusCode::OK, [(header::CONTENT_TYPE, PROMETHEUS)], page)
}

const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";

/// Well is a coordinator whose owner, which holds the store, takes events and commits.
async fn health(State(source): State<Arc<Source>>) -> impl IntoResponse {
    match timeout(PATIENCE, source.owner.call(|_, _| ())).await {
        Ok(Ok(())) => (StatusCode::OK, "ok\n"),
        Ok(Err(_)) => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "does not answer\n"),
    }
}

fn process(source: &Source) -> Process {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = resident.and_then(|size| size.trim().strip_suffix("kB")?.trim().parse().ok());
    Process {
        uptime: source.started.elapsed().as_secs_f64(),
        resident: kibibytes.unwrap_or(0) * 1024,
        descriptors: std::fs::read_dir("/proc/self/fd").map_or(0, |open| open.count() as u64),
        store: std::fs::metadata(&source.store).map_or(0, |meta| meta.len()),
    }
}

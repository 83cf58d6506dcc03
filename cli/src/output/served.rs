//! Where a coordinator can be found, told once at its start.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::{Document, Paint};

/// A coordinator that listens.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// What the access files name.
    pub(crate) advertised: String,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) worker_access: PathBuf,
    pub(crate) operator_access: PathBuf,
}

impl Document for Served {
    fn json(&self) -> Json {
        json!({
            "address": self.address.to_string(),
            "advertised": self.advertised,
            "metrics": self.metrics.map(|address| address.to_string()),
            "worker_access": self.worker_access.display().to_string(),
            "operator_access": self.operator_access.display().to_string(),
        })
    }

    fn text(&self, _paint: Paint) -> String {
        let mut text = format!(
            "listening on {}\nfor workers:   {}\nfor operators: {}",
            self.address,
            self.worker_access.display(),
            self.operator_access.display()
        );
        if self.advertised != self.address.to_string() {
            text.push_str(&format!("\nthey name:     {}", self.advertised));
        }
        if let Some(address) = self.metrics {
            text.push_str(&format!("\nmetrics:       http://{address}/metrics"));
        }
        text
    }
}

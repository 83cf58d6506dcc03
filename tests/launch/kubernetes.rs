//! Manifests for Kubernetes, by its schema.

use std::process::Command;

use crate::support::{complaint, file, is_installed, said, sprague, unfilled};

#[test]
fn the_manifest_is_one_of_kubernetes() {
    let words =
        ["launch", "k8s", "--image", "registry.example.org/sprague:0.1.0", "--workers", "20"];
    let manifest = said(&mut sprague(words));
    assert_eq!(unfilled(&manifest), [""; 0]);
    assert!(manifest.contains("replicas: 20"), "{manifest}");
    assert!(manifest.contains("--workers 20 > sprague.yaml\n"), "{manifest}");
    let usual = said(&mut sprague(["launch", "k8s", "--image", "x"]));
    assert!(usual.contains("--workers 4 > sprague.yaml\n"), "its head, too: {usual}");
    if is_installed("kubernetes-validate", "pip install kubernetes-validate") {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "sprague.yaml", &manifest);
        let output =
            Command::new("kubernetes-validate").arg("--strict").arg(path).output().unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
    }
}

#[test]
fn a_pod_has_more_memory_than_the_caps_of_its_slots() {
    let words = ["launch", "k8s", "--image", "x", "--slots", "3", "--memory", "1GiB"];
    let manifest = said(&mut sprague(words));
    assert_eq!(manifest.matches(&format!("memory: {}Mi", 3 * 1024 + 512)).count(), 2, "{manifest}");
}

#[test]
fn a_pod_has_a_core_for_each_thread_of_each_slot() {
    let words = ["launch", "k8s", "--image", "x", "--slots", "3", "--threads", "4"];
    let manifest = said(&mut sprague(words));
    assert!(manifest.contains("cpu: \"12\""), "{manifest}");
    assert!(manifest.contains("- --threads\n            - \"4\""), "{manifest}");
}

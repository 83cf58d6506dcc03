//! Services, by `systemd-analyze verify`.

use std::process::Command;

use crate::support::{SPRAGUE, complaint, file, is_installed, said, sprague};

fn verify(role: &[&str], name: &str) -> String {
    let words = [&["launch", "systemd"], role].concat();
    let service = said(&mut sprague(words));
    if is_installed("systemd-analyze", "Debian: systemd") {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), name, &service);
        let output = Command::new("systemd-analyze")
            .args(["verify", "--man=no"])
            .arg(path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Whatever it says of our file is a fault of it; other units of the machine are not our business.
        assert!(!said.contains(name), "{said}");
    }
    service
}

#[test]
fn the_coordinator_is_a_service() {
    let service = verify(
        &["coordinator", "--advertise", "games.example.org:7700", "--program", SPRAGUE],
        "sprague-coordinator.service",
    );
    assert!(service.contains("--advertise games.example.org:7700"), "{service}");
}

#[test]
fn a_worker_is_a_service_with_its_memory_above_its_slots() {
    let words =
        ["worker", "--slots", "8", "--threads", "2", "--memory", "4GiB", "--program", SPRAGUE];
    let service = verify(&words, "sprague-worker.service");
    assert!(service.contains("--slots 8 --threads 2 --memory 4096MiB"), "{service}");
    assert!(service.contains(&format!("MemoryMax={}M", 8 * 4096 + 512)), "{service}");
    let all = verify(&["worker", "--program", SPRAGUE], "sprague-worker.service");
    assert!(
        !all.contains("MemoryMax") && !all.contains("--slots") && !all.contains("--threads"),
        "{all}"
    );
}

#[test]
fn what_would_break_a_service_is_quoted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("my games 100%");
    std::fs::create_dir(&odd).unwrap();
    let program = odd.join("sprague");
    std::os::unix::fs::symlink(SPRAGUE, &program).unwrap();
    verify(&["worker", "--program", program.to_str().unwrap()], "sprague-worker.service");
    let broken =
        sprague(["launch", "systemd", "worker", "--program", "a\nExecStartPre=b"]).output();
    assert_eq!(broken.unwrap().status.code(), Some(2));
    let broken = sprague(["launch", "systemd", "worker", "--user", "root\nGroup=x"]).output();
    assert_eq!(broken.unwrap().status.code(), Some(2));
}

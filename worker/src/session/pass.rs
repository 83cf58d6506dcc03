//! What lets the worker in: the content of its access file, which may change while the worker lives.
//!
//! A coordinator that listens on another port, is advertised elsewhere or has a new secret for workers writes
//! its access files anew. Where the worker has that file, or is given a new copy of it, it need not be restarted.

use std::path::PathBuf;

use sprague_proto::{Access, Role, usable};

/// The way in of now.
#[derive(Debug)]
pub(super) struct Pass {
    access: Access,
    /// What was wrong with the file when it was last read. Told once, not at every attempt.
    fault: Option<String>,
}

impl Pass {
    pub(super) fn new(access: Access) -> Self {
        Self { access, fault: None }
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Takes what the file says now, and gives whether that is something new. What cannot be used leaves all as it was.
    pub(super) fn renew(&mut self, read: Result<Access, String>) -> bool {
        let new = match read {
            Ok(new) => new,
            Err(fault) => {
                if self.fault.as_ref() != Some(&fault) {
                    tracing::warn!("{fault}; going on with what it said before");
                    self.fault = Some(fault);
                }
                return false;
            }
        };
        self.fault = None;
        if new == self.access {
            return false;
        }
        let (before, now) = (&self.access.coordinator, &new.coordinator);
        if before == now {
            tracing::info!(coordinator = now, "the access file has changed");
        } else {
            tracing::info!(before, coordinator = now, "the access file names another address");
        }
        self.access = new;
        true
    }
}

/// Reads the access file again, or says why it cannot be used.
pub(super) async fn read_again(file: PathBuf) -> Result<Access, String> {
    // On a network file system that is away it would hold up the session's task.
    let reading = tokio::task::spawn_blocking(move || {
        let access = Access::read(&file, Role::Worker).map_err(|fault| fault.to_string())?;
        usable(&access).map_err(|fault| format!("{}: {fault}", file.display()))?;
        Ok(access)
    });
    reading.await.unwrap_or_else(|fault| Err(format!("cannot read the access file: {fault}")))
}

#[cfg(test)]
mod tests {
    use sprague_proto::Secret;

    use super::*;

    #[test]
    fn what_is_new_is_taken_and_what_cannot_be_used_is_not() {
        let secret = Secret::draw().unwrap();
        let at = |address: &str| {
            Access::new(Role::Worker, address.to_owned(), "PEM".to_owned(), secret.clone())
        };
        let mut pass = Pass::new(at("a:1"));
        assert!(!pass.renew(Ok(at("a:1"))));
        assert!(!pass.renew(Err("there is no access file".to_owned())));
        assert_eq!((pass.access(), pass.fault.is_some()), (&at("a:1"), true));
        assert!(pass.renew(Ok(at("b:2"))));
        assert_eq!((pass.access(), pass.fault.is_some()), (&at("b:2"), false));
    }
}

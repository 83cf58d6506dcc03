//! The secrets that let in, while the coordinator runs: which are accepted, how new ones come and old
//! ones go, and who must leave when one goes.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sprague_proto::{Access, Role, Secret, open_regular, write_private};
use tokio_util::sync::CancellationToken;

use crate::keys::{KeyError, access_path, must_be_private};

/// How many secrets of a role are accepted beside each other at most.
const MOST_ACCEPTED: usize = 8;

/// No file of older secrets is larger.
const LARGEST: u64 = 64 * 1024;

/// The version of that file's shape.
const VERSION: u32 = 1;

/// What one that was let in holds: it says when that is over.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    revoked: CancellationToken,
    newest: bool,
}

impl Pass {
    /// Resolves when the secret that it was given for is revoked.
    pub(crate) async fn revoked(&self) {
        self.revoked.cancelled().await;
    }

    /// Whether it was given for the newest secret of its role, which [`Secrets::revoke`] leaves alone.
    pub(crate) fn is_of_the_newest(&self) -> bool {
        self.newest
    }
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The secret is that of the other role.
    OtherRole,
    /// The secret is none.
    Unknown,
}

/// Why secrets cannot be changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretsError {
    /// Too many are accepted beside each other.
    #[error("{MOST_ACCEPTED} secrets of a {0} are accepted: revoke the older ones first")]
    TooMany(Role),
    /// There is none but the newest.
    #[error("a {0} has no older secret than that in its access file: rotate it first")]
    NoneOlder(Role),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] KeyError),
}

/// An accepted secret.
struct Accepted {
    secret: Secret,
    revoked: CancellationToken,
}

impl From<Secret> for Accepted {
    fn from(secret: Secret) -> Self {
        Self { secret, revoked: CancellationToken::new() }
    }
}

/// The secrets of both roles. Clones are the same ones.
#[derive(Clone)]
pub(crate) struct Secrets(Arc<Mutex<Inner>>);

struct Inner {
    dir: PathBuf,
    /// What goes into access files beside the secret.
    address: String,
    certificate: String,
    /// The accepted ones, the newest last.
    worker: Vec<Accepted>,
    operator: Vec<Accepted>,
}

impl Inner {
    fn of(&self, role: Role) -> &[Accepted] {
        match role {
            Role::Worker => &self.worker,
            Role::Operator => &self.operator,
        }
    }

    fn of_mut(&mut self, role: Role) -> &mut Vec<Accepted> {
        match role {
            Role::Worker => &mut self.worker,
            Role::Operator => &mut self.operator,
        }
    }
}

impl Secrets {
    /// The newest secrets of both roles and what else access files hold; older ones come from their file.
    pub(crate) fn new(
        dir: &Path,
        address: String,
        certificate: String,
        [worker, operator]: [Secret; 2],
    ) -> Result<Self, KeyError> {
        let older = Older::read(dir)?;
        // One that a kill left in the file though it is the newest is not older.
        let all = |older: Vec<Secret>, newest: Secret| -> Vec<Accepted> {
            let older = older.into_iter().filter(|secret| *secret != newest);
            older
                .take(MOST_ACCEPTED - 1)
                .map(Accepted::from)
                .chain([newest.clone().into()])
                .collect()
        };
        Ok(Self(Arc::new(Mutex::new(Inner {
            dir: dir.to_owned(),
            address,
            certificate,
            worker: all(older.worker, worker),
            operator: all(older.operator, operator),
        }))))
    }

    /// Lets in whoever presents a secret of the role.
    pub(crate) fn admit(&self, role: Role, presented: &str) -> Result<Pass, Refusal> {
        let inner = self.lock();
        let find = |role| inner.of(role).iter().position(|one| one.secret.matches(presented));
        match find(role) {
            Some(at) => {
                let accepted = inner.of(role);
                let newest = at + 1 == accepted.len();
                Ok(Pass { revoked: accepted[at].revoked.clone(), newest })
            }
            None if find(role.other()).is_some() => Err(Refusal::OtherRole),
            None => Err(Refusal::Unknown),
        }
    }

    /// Makes a new secret and writes the role's access file with it. Those before are still accepted.
    pub(crate) fn rotate(&self, role: Role) -> Result<Access, SecretsError> {
        let mut inner = self.lock();
        if inner.of(role).len() >= MOST_ACCEPTED {
            return Err(SecretsError::TooMany(role));
        }
        let random = |source| KeyError::Io { path: PathBuf::from("/dev/urandom"), source };
        let secret = Secret::draw().map_err(random)?;
        let (address, certificate) = (inner.address.clone(), inner.certificate.clone());
        let access = Access::new(role, address, certificate, secret.clone());
        // The older ones first: a kill in between leaves the newest among them, which harms nobody.
        Older::write(&inner, role, inner.of(role))?;
        access.write(&access_path(&inner.dir, role)).map_err(KeyError::from)?;
        inner.of_mut(role).push(secret.into());
        Ok(access)
    }

    /// Takes every secret of the role but the newest. Whoever was let in with one must leave. Gives how
    /// many there were.
    pub(crate) fn revoke(&self, role: Role) -> Result<usize, SecretsError> {
        let mut inner = self.lock();
        let older = inner.of(role).len() - 1;
        if older == 0 {
            return Err(SecretsError::NoneOlder(role));
        }
        Older::write(&inner, role, &[])?;
        for accepted in inner.of_mut(role).drain(..older) {
            accepted.revoked.cancel();
        }
        Ok(older)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing is changed before it can go wrong, so what a panic leaves is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file of the secrets that are accepted beside those of the access files.
#[derive(Default, Serialize, Deserialize)]
struct Older {
    sprague_secrets: u32,
    worker: Vec<Secret>,
    operator: Vec<Secret>,
}

impl Older {
    fn read(dir: &Path) -> Result<Self, KeyError> {
        let path = older_path(dir);
        let fault = |source| KeyError::Io { path: path.clone(), source };
        let file = match open_regular(&path) {
            Ok(file) => file,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(fault(source)),
        };
        must_be_private(&file, &path)?;
        let mut text = String::new();
        file.take(LARGEST).read_to_string(&mut text).map_err(fault)?;
        let older: Self = serde_json::from_str(&text).map_err(|found| fault(found.into()))?;
        if older.sprague_secrets != VERSION {
            let newer = "it was written by another version of the program";
            return Err(fault(io::Error::new(io::ErrorKind::InvalidData, newer)));
        }
        Ok(older)
    }

    /// Writes the file with `changed` for one role, and for the other its older ones as they are.
    fn write(inner: &Inner, role: Role, changed: &[Accepted]) -> Result<(), KeyError> {
        let secrets = |accepted: &[Accepted]| -> Vec<Secret> {
            accepted.iter().map(|accepted| accepted.secret.clone()).collect()
        };
        let other = inner.of(role.other());
        let other = secrets(&other[..other.len() - 1]);
        let changed = secrets(changed);
        let (worker, operator) = match role {
            Role::Worker => (changed, other),
            Role::Operator => (other, changed),
        };
        let older = Self { sprague_secrets: VERSION, worker, operator };
        let path = older_path(&inner.dir);
        let bytes = serde_json::to_vec(&older).expect("plain data serialises");
        write_private(&path, &bytes).map_err(|source| KeyError::Io { path, source })
    }
}

pub(crate) fn older_path(dir: &Path) -> PathBuf {
    dir.join("older.secrets")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(dir: &Path) -> (Secrets, [Secret; 2]) {
        let newest = [Secret::draw().unwrap(), Secret::draw().unwrap()];
        let secrets = Secrets::new(dir, "h:1".to_owned(), "PEM".to_owned(), newest.clone());
        (secrets.unwrap(), newest)
    }

    #[test]
    fn an_older_secret_lets_in_until_it_is_revoked() {
        let folder = tempfile::tempdir().unwrap();
        let (secrets, [first, other]) = secrets(folder.path());
        assert!(matches!(secrets.revoke(Role::Worker), Err(SecretsError::NoneOlder(Role::Worker))));
        let old = secrets.admit(Role::Worker, first.reveal()).unwrap();
        let access = secrets.rotate(Role::Worker).unwrap();
        assert_eq!(
            Access::read(&access_path(folder.path(), Role::Worker), Role::Worker).unwrap(),
            access
        );
        let new = secrets.admit(Role::Worker, access.secret.reveal()).unwrap();
        assert!(new.is_of_the_newest());
        assert!(!secrets.admit(Role::Worker, first.reveal()).unwrap().is_of_the_newest());

        assert_eq!(secrets.revoke(Role::Worker).unwrap(), 1);
        assert!(old.revoked.is_cancelled() && !new.revoked.is_cancelled());
        assert_eq!(secrets.admit(Role::Worker, first.reveal()).unwrap_err(), Refusal::Unknown);
        secrets.admit(Role::Operator, other.reveal()).unwrap();
    }

    #[test]
    fn what_is_accepted_stays_so_over_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let (before, [first, operator]) = secrets(folder.path());
        let second = before.rotate(Role::Worker).unwrap().secret;
        let restart = || {
            let newest = [second.clone(), operator.clone()];
            Secrets::new(folder.path(), "h:1".to_owned(), "PEM".to_owned(), newest).unwrap()
        };
        let after = restart();
        after.admit(Role::Worker, first.reveal()).unwrap();
        after.rotate(Role::Operator).unwrap();
        after.revoke(Role::Worker).unwrap();
        assert!(restart().admit(Role::Worker, first.reveal()).is_err());
    }

    #[test]
    fn no_more_are_accepted_than_their_bound() {
        let folder = tempfile::tempdir().unwrap();
        let (secrets, _) = secrets(folder.path());
        for _ in 1..MOST_ACCEPTED {
            secrets.rotate(Role::Operator).unwrap();
        }
        let fault = secrets.rotate(Role::Operator).map(drop);
        assert!(matches!(fault, Err(SecretsError::TooMany(Role::Operator))));
        assert_eq!(secrets.revoke(Role::Operator).unwrap(), MOST_ACCEPTED - 1);
    }
}

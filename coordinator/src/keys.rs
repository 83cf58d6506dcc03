//! The coordinator's key pair, its two secrets and the access files, made at its first start.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, KeyPair};
use sprague_proto::{
    Access, AccessError, CERTIFICATE_NAME, Role, Secret, mode_for_others, open_regular,
    write_private,
};

use crate::secrets::older_path;
use crate::store::{self, Store, StoreError};

/// The private key. Nobody but the coordinator ever reads it.
const KEY_FILE: &str = "coordinator.key";

/// No key is larger.
const LARGEST_KEY: u64 = 64 * 1024;

/// What a coordinator proves itself with, and what others prove themselves to it with.
pub(crate) struct Keys {
    pub(crate) certificate: String,
    pub(crate) key: String,
    pub(crate) worker: Secret,
    pub(crate) operator: Secret,
    /// What the access files name.
    published: Option<String>,
    dir: PathBuf,
}

/// Why the keys cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A file cannot be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others than its owner can read it, so it proves nothing.
    #[error("{path} can be read by others than its owner (mode {mode:o}), so it proves nothing")]
    Open {
        /// Which file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The key is gone, and the workers know the coordinator by it.
    #[error("{0} is gone, and workers know this coordinator by it")]
    Lost(PathBuf),
    /// An access file is not what it should be.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// A certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
}

impl Keys {
    /// Reads the keys of a folder, or makes them where there are none and the folder is `new`.
    ///
    /// # Errors
    /// When a file is there and cannot be used, or is gone, or cannot be written.
    pub(crate) fn in_folder(dir: &Path, new: bool) -> Result<Self, KeyError> {
        let key_path = dir.join(KEY_FILE);
        match open_regular(&key_path) {
            Ok(file) => {
                must_be_private(&file, &key_path)?;
                let mut key = String::new();
                file.take(LARGEST_KEY)
                    .read_to_string(&mut key)
                    .map_err(|source| KeyError::Io { path: key_path, source })?;
                let worker = Access::read(&access_path(dir, Role::Worker), Role::Worker)?;
                let operator = Access::read(&access_path(dir, Role::Operator), Role::Operator)?;
                Ok(Self {
                    certificate: operator.certificate,
                    key,
                    worker: worker.secret,
                    operator: operator.secret,
                    published: Some(operator.coordinator),
                    dir: dir.to_owned(),
                })
            }
            Err(fault) if fault.kind() == io::ErrorKind::NotFound && new => Self::make(dir),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Err(KeyError::Lost(key_path)),
            Err(source) => Err(KeyError::Io { path: key_path, source }),
        }
    }

    fn make(dir: &Path) -> Result<Self, KeyError> {
        let key = KeyPair::generate()?;
        let certificate =
            CertificateParams::new([CERTIFICATE_NAME.to_owned()])?.self_signed(&key)?;
        let random = |source| KeyError::Io { path: PathBuf::from("/dev/urandom"), source };
        Ok(Self {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
            worker: Secret::draw().map_err(random)?,
            operator: Secret::draw().map_err(random)?,
            published: None,
            dir: dir.to_owned(),
        })
    }

    /// Writes the access files for an address, and the key last: a folder with a key has all three.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn publish(&self, address: &str) -> Result<(), KeyError> {
        if self.published.as_deref() == Some(address) {
            return Ok(());
        }
        let access = |role, secret: &Secret| {
            Access::new(role, address.to_owned(), self.certificate.clone(), secret.clone())
        };
        access(Role::Worker, &self.worker).write(&access_path(&self.dir, Role::Worker))?;
        access(Role::Operator, &self.operator).write(&access_path(&self.dir, Role::Operator))?;
        let path = self.dir.join(KEY_FILE);
        write_private(&path, self.key.as_bytes()).map_err(|source| KeyError::Io { path, source })
    }
}

/// The access file of a role in a coordinator's folder.
pub(crate) fn access_path(dir: &Path, role: Role) -> PathBuf {
    dir.join(format!("{role}.access"))
}

/// Refuses a file that others than its owner can read.
pub(crate) fn must_be_private(file: &File, path: &Path) -> Result<(), KeyError> {
    match mode_for_others(file) {
        Ok(None) => Ok(()),
        Ok(Some(mode)) => Err(KeyError::Open { path: path.to_owned(), mode }),
        Err(source) => Err(KeyError::Io { path: path.to_owned(), source }),
    }
}

/// Why the keys of a folder cannot be made anew.
#[derive(Debug, thiserror::Error)]
pub enum RenewError {
    /// The folder's store is in use, or is none.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files cannot be written.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// Makes a new key pair and new secrets for a coordinator that is stopped. Nobody's access file of before
/// lets in any more.
///
/// # Errors
/// When the folder holds no store, a coordinator runs on it, or it cannot be written.
pub fn renew_keys(dir: &Path) -> Result<(), RenewError> {
    // Whoever has the store open owns the folder.
    let _store = Store::open_existing(&store::in_folder(dir))?;
    // Its next start writes the address, unless what was there tells a better one.
    let address = Access::read(&access_path(dir, Role::Operator), Role::Operator)
        .map_or_else(|_| "127.0.0.1:0".to_owned(), |access| access.coordinator);
    let older = older_path(dir);
    match std::fs::remove_file(&older) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            return Err(KeyError::Io { path: older, source }.into());
        }
        _ => {}
    }
    Ok(Keys::make(dir)?.publish(&address)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn keys_stay_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::in_folder(folder.path(), true).unwrap();
        keys.publish("127.0.0.1:4321").unwrap();
        let again = Keys::in_folder(folder.path(), false).unwrap();
        assert_eq!((&again.key, &again.certificate), (&keys.key, &keys.certificate));
        assert!(again.worker == keys.worker && again.operator == keys.operator);
        assert_eq!(again.published.as_deref(), Some("127.0.0.1:4321"));
    }

    #[test]
    fn a_folder_with_half_of_the_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Keys::in_folder(folder.path(), true).unwrap().publish("127.0.0.1:1").unwrap();
        let worker = access_path(folder.path(), Role::Worker);
        std::fs::remove_file(worker).unwrap();
        let fault = Keys::in_folder(folder.path(), true).err().unwrap();
        assert!(matches!(fault, KeyError::Access(AccessError::Missing(_))), "{fault}");
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_gone_is_not_replaced_silently() {
        let folder = tempfile::tempdir().unwrap();
        Keys::in_folder(folder.path(), true).unwrap().publish("127.0.0.1:1").unwrap();
        let key = folder.path().join(KEY_FILE);
        std::fs::set_permissions(&key, PermissionsExt::from_mode(0o644)).unwrap();
        let fault = Keys::in_folder(folder.path(), false).err().unwrap();
        assert!(matches!(fault, KeyError::Open { mode: 0o644, .. }), "{fault}");
        std::fs::remove_file(&key).unwrap();
        let fault = Keys::in_folder(folder.path(), false).err().unwrap();
        assert!(matches!(fault, KeyError::Lost(_)), "{fault}");
    }

    #[test]
    fn renewed_keys_are_others_at_the_same_address() {
        let folder = tempfile::tempdir().unwrap();
        assert!(renew_keys(folder.path()).is_err(), "there is no store");
        let before = Keys::in_folder(folder.path(), true).unwrap();
        before.publish("games.example.org:4321").unwrap();
        let store = Store::open(&store::in_folder(folder.path())).unwrap();
        assert!(renew_keys(folder.path()).is_err(), "somebody has the store open");
        drop(store);
        renew_keys(folder.path()).unwrap();
        let after = Keys::in_folder(folder.path(), false).unwrap();
        assert!(after.key != before.key && after.certificate != before.certificate);
        assert!(after.worker != before.worker && after.operator != before.operator);
        assert_eq!(after.published.as_deref(), Some("games.example.org:4321"));
    }
}

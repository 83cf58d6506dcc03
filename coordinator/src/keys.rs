//! The coordinator's key pair, its two secrets and the access files, made at its first start.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, KeyPair};
use sprague_proto::{
    Access, AccessError, CERTIFICATE_NAME, Role, Secret, open_regular, write_private,
};

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
    /// The port of the last time.
    pub(crate) last_address: Option<String>,
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
    /// An access file is not what it should be.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// A certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
}

impl Keys {
    /// Reads the keys of a folder, or makes them where there are none yet.
    ///
    /// # Errors
    /// When a file is there and cannot be used, or cannot be written.
    pub(crate) fn in_folder(dir: &Path) -> Result<Self, KeyError> {
        let key_path = dir.join(KEY_FILE);
        match open_regular(&key_path) {
            Ok(file) => {
                let mut key = String::new();
                file.take(LARGEST_KEY)
                    .read_to_string(&mut key)
                    .map_err(|source| KeyError::Io { path: key_path, source })?;
                let worker = Access::read(&worker_access(dir), Role::Worker)?;
                let operator = Access::read(&operator_access(dir), Role::Operator)?;
                Ok(Self {
                    certificate: operator.certificate,
                    key,
                    worker: worker.secret,
                    operator: operator.secret,
                    last_address: Some(operator.coordinator),
                    dir: dir.to_owned(),
                })
            }
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Self::make(dir),
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
            last_address: None,
            dir: dir.to_owned(),
        })
    }

    /// Writes the access files for an address, and the key last: a folder with a key has all three.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn publish(&self, address: &str) -> Result<(), KeyError> {
        if self.last_address.as_deref() == Some(address) {
            return Ok(());
        }
        let access = |role, secret: &Secret| {
            Access::new(role, address.to_owned(), self.certificate.clone(), secret.clone())
        };
        access(Role::Worker, &self.worker).write(&worker_access(&self.dir))?;
        access(Role::Operator, &self.operator).write(&operator_access(&self.dir))?;
        let path = self.dir.join(KEY_FILE);
        write_private(&path, self.key.as_bytes()).map_err(|source| KeyError::Io { path, source })
    }

    /// The address to listen on: the port of the last time where any port would do.
    pub(crate) fn listen_address(&self, wanted: SocketAddr) -> SocketAddr {
        let last = self.last_address.as_deref().and_then(|last| last.rsplit_once(':'));
        match last.and_then(|(_, port)| port.parse().ok()) {
            Some(port) if wanted.port() == 0 => SocketAddr::new(wanted.ip(), port),
            _ => wanted,
        }
    }
}

pub(crate) fn worker_access(dir: &Path) -> PathBuf {
    dir.join("worker.access")
}

pub(crate) fn operator_access(dir: &Path) -> PathBuf {
    dir.join("operator.access")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_the_same_and_the_port_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::in_folder(folder.path()).unwrap();
        keys.publish("127.0.0.1:4321").unwrap();
        let again = Keys::in_folder(folder.path()).unwrap();
        assert_eq!((&again.key, &again.certificate), (&keys.key, &keys.certificate));
        assert!(again.worker == keys.worker && again.operator == keys.operator);
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        assert_eq!(again.listen_address(any).port(), 4321);
        assert_eq!(keys.listen_address(any).port(), 0);
    }

    #[test]
    fn a_folder_with_half_of_the_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Keys::in_folder(folder.path()).unwrap().publish("127.0.0.1:1").unwrap();
        std::fs::remove_file(worker_access(folder.path())).unwrap();
        let fault = Keys::in_folder(folder.path()).err().unwrap();
        assert!(matches!(fault, KeyError::Access(AccessError::Missing(_))), "{fault}");
    }
}

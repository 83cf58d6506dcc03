//! An access file: what lets a worker or an operator in to one coordinator.
//!
//! It holds the coordinator's address, the certificate that it must show, and a secret that says
//! who calls. Whoever has the file has the access, so it is written with mode 0600.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The version of the file's shape.
const VERSION: u32 = 1;

/// No access file is larger: a certificate and a few words.
const LARGEST: u64 = 64 * 1024;

/// What the bearer of a secret may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Open a session and be given units. Nothing else.
    Worker,
    /// Submit, cancel, watch and export. No session.
    Operator,
}

impl Role {
    /// The one that is not this one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Worker => Self::Operator,
            Self::Operator => Self::Worker,
        }
    }
}

/// A word is not the name of a role.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no role: worker and operator are")]
pub struct RoleError(String);

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        match text {
            "worker" => Ok(Self::Worker),
            "operator" => Ok(Self::Operator),
            other => Err(RoleError(other.to_owned())),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Worker => "worker",
            Self::Operator => "operator",
        })
    }
}

/// A random secret of 256 bits, written as 64 hexadecimal digits. It does not show in debug output.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Secret(String);

/// A text is not 64 hexadecimal digits.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("a secret is 64 hexadecimal digits")]
pub struct SecretError;

impl Secret {
    /// A fresh secret from the operating system's random source.
    ///
    /// # Errors
    /// When that source cannot be read.
    pub fn draw() -> io::Result<Self> {
        let mut bytes = [0; 32];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The digits.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `other` is this secret, in a time that does not depend on where they differ.
    #[must_use]
    pub fn matches(&self, other: &str) -> bool {
        let differing = self.0.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == other.len() && differing == 0
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let right = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if right { Ok(Self(text.to_owned())) } else { Err(SecretError) }
    }
}

impl TryFrom<String> for Secret {
    type Error = SecretError;

    fn try_from(text: String) -> Result<Self, SecretError> {
        text.parse()
    }
}

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        secret.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The content of an access file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    sprague_access: u32,
    /// Who may enter with it.
    pub role: Role,
    /// `HOST:PORT` of the coordinator.
    pub coordinator: String,
    /// The coordinator's certificate, in PEM.
    pub certificate: String,
    /// What proves the role.
    pub secret: Secret,
}

/// Why an access file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// It is not there.
    #[error("there is no access file {0}")]
    Missing(PathBuf),
    /// It cannot be read or written.
    #[error("cannot use the access file {path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It has no content, or too much.
    #[error("{path} is not an access file: it has {bytes} bytes")]
    Size {
        /// Which.
        path: PathBuf,
        /// How large it is.
        bytes: u64,
    },
    /// Its content is not that of an access file.
    #[error("{path} is not an access file: {source}")]
    Content {
        /// Which.
        path: PathBuf,
        /// Where its shape is wrong.
        source: serde_json::Error,
    },
    /// It was written by a newer version.
    #[error("{path} is an access file of version {found}, this program reads version {VERSION}")]
    Version {
        /// Which.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Others than its owner can read it, so its secret is none.
    #[error("{path} can be read by others than its owner (mode {mode:o}), so its secret is none")]
    Open {
        /// Which.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It is for the other role.
    #[error("{path} is the {found} access file, this command needs the {wanted} one")]
    Role {
        /// Which.
        path: PathBuf,
        /// Whose it is.
        found: Role,
        /// Whose it should be.
        wanted: Role,
    },
}

impl Access {
    /// The content for a role.
    #[must_use]
    pub fn new(role: Role, coordinator: String, certificate: String, secret: Secret) -> Self {
        Self { sprague_access: VERSION, role, coordinator, certificate, secret }
    }

    /// Reads an access file and checks that it is one for `wanted`.
    ///
    /// # Errors
    /// When it is missing, readable by others, empty, not an access file, or for the other role.
    pub fn read(path: &Path, wanted: Role) -> Result<Self, AccessError> {
        let io = |source| AccessError::Io { path: path.to_owned(), source };
        let file = open_regular(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => AccessError::Missing(path.to_owned()),
            _ => io(source),
        })?;
        if let Some(mode) = mode_for_others(&file).map_err(io)? {
            return Err(AccessError::Open { path: path.to_owned(), mode });
        }
        let mut text = String::new();
        file.take(LARGEST + 1).read_to_string(&mut text).map_err(io)?;
        let bytes = text.len() as u64;
        if text.trim().is_empty() || bytes > LARGEST {
            return Err(AccessError::Size { path: path.to_owned(), bytes });
        }
        let access: Self = serde_json::from_str(&text)
            .map_err(|source| AccessError::Content { path: path.to_owned(), source })?;
        if access.sprague_access != VERSION {
            let found = access.sprague_access;
            return Err(AccessError::Version { path: path.to_owned(), found });
        }
        if access.role != wanted {
            return Err(AccessError::Role { path: path.to_owned(), found: access.role, wanted });
        }
        Ok(access)
    }

    /// The file's content.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("plain data serialises")
    }

    /// Writes the file with mode 0600, all or nothing: a reader never sees half of it.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), AccessError> {
        write_private(path, &self.to_bytes())
            .map_err(|source| AccessError::Io { path: path.to_owned(), source })
    }
}

/// Opens a file for reading that is one: a pipe in its place would hold the program for ever.
///
/// # Errors
/// When it cannot be opened, or is a pipe, a folder or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

/// The permission bits of a file that others than its owner may read or write; `None` for a private one.
///
/// # Errors
/// When the system does not tell.
pub fn mode_for_others(file: &File) -> io::Result<Option<u32>> {
    let mode = file.metadata()?.permissions().mode() & 0o777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

/// Writes a file that only its owner may read, all or nothing: by way of a neighbour that then
/// takes its place.
///
/// # Errors
/// When the folder cannot be written. A file that was there is then left as it was.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut draft = tempfile::Builder::new()
        .make_in(folder.unwrap_or(Path::new(".")), |draft| {
            OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft)
        })?;
    draft.write_all(bytes)?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        let secret = Secret::draw().unwrap();
        Access::new(Role::Worker, "127.0.0.1:1".to_owned(), "PEM".to_owned(), secret)
    }

    #[test]
    fn what_is_written_is_read_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("worker.access");
        let access = access();
        access.write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(Access::read(&path, Role::Worker).unwrap(), access);
        assert!(matches!(Access::read(&path, Role::Operator), Err(AccessError::Role { .. })));
    }

    #[test]
    fn what_is_no_access_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let read = || Access::read(&path, Role::Worker);
        assert!(matches!(read(), Err(AccessError::Missing(_))));
        for (bytes, expected) in [("", "0 bytes"), ("{}", "missing field"), ("\u{1}", "expected")] {
            write_private(&path, bytes.as_bytes()).unwrap();
            assert!(read().unwrap_err().to_string().contains(expected), "{bytes:?}");
        }
        write_private(&path, &[b' '; 70_000]).unwrap();
        assert!(matches!(read(), Err(AccessError::Size { .. })));
        access().write(&path).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        assert!(matches!(read(), Err(AccessError::Open { mode: 0o640, .. })));
    }

    #[test]
    fn secrets_differ_and_do_not_show() {
        let (a, b) = (Secret::draw().unwrap(), Secret::draw().unwrap());
        assert!(a.matches(a.reveal()) && !a.matches(b.reveal()) && !a.matches(""));
        assert_eq!(format!("{a:?}"), "Secret(..)");
    }
}

//! Where a coordinator listens and what its access files name. Its folder remembers both, so that it is started again
//! on the same folder without saying either.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sprague_proto::write_private;

/// The file in the folder.
const FILE: &str = "coordinator.addresses";

/// Why what the folder remembers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressesError {
    /// The file cannot be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It holds no addresses.
    #[error("{path} does not hold the addresses of a coordinator: {source}")]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
}

/// The addresses of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Addresses {
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// What the access files name instead.
    pub(crate) advertise: Option<String>,
}

/// Loopback, any port.
const SELF_ONLY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

impl Addresses {
    /// Those that only this machine can call, at any port.
    pub(crate) fn of_this_machine() -> Self {
        Self { listen: SELF_ONLY, advertise: None }
    }

    /// Those of a start on a folder that says where to listen, what to name, both or nothing: what it says, and beyond that
    /// what the folder remembers. Where to listen does away with what was named before, which was of another place.
    ///
    /// # Errors
    /// When what the folder remembers cannot be read.
    pub(crate) fn of_start(
        dir: &Path,
        listen: Option<SocketAddr>,
        advertise: Option<String>,
    ) -> Result<Self, AddressesError> {
        let last = Self::read(dir)?.unwrap_or_else(Self::of_this_machine);
        let advertise = match listen {
            Some(_) => advertise,
            None => advertise.or(last.advertise),
        };
        let mut listen = listen.unwrap_or(last.listen);
        if listen.port() == 0 {
            listen.set_port(last.listen.port());
        }
        Ok(Self { listen, advertise })
    }

    /// What the access files name.
    pub(crate) fn published(&self) -> String {
        self.advertise.clone().unwrap_or_else(|| self.listen.to_string())
    }

    /// Has the folder remember them.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), AddressesError> {
        if Self::read(dir)?.as_ref() == Some(self) {
            return Ok(());
        }
        let path = dir.join(FILE);
        let text = serde_json::to_string(self).expect("addresses are strings");
        write_private(&path, format!("{text}\n").as_bytes())
            .map_err(|source| AddressesError::Io { path, source })
    }

    fn read(dir: &Path) -> Result<Option<Self>, AddressesError> {
        let path = dir.join(FILE);
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|source| AddressesError::Content { path, source }),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(AddressesError::Io { path, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Option<SocketAddr> {
        Some(address.parse().unwrap())
    }

    fn addresses(listen: &str, advertise: Option<&str>) -> Addresses {
        Addresses { listen: at(listen).unwrap(), advertise: advertise.map(str::to_owned) }
    }

    #[test]
    fn a_start_that_says_nothing_has_those_of_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let start = |listen, advertise: Option<&str>| {
            Addresses::of_start(folder.path(), listen, advertise.map(str::to_owned)).unwrap()
        };
        assert_eq!(start(None, None), Addresses::of_this_machine());
        assert_eq!(start(None, Some("a.example:9")), addresses("127.0.0.1:0", Some("a.example:9")));
        let last = addresses("0.0.0.0:7700", Some("games.example:9"));
        last.write(folder.path()).unwrap();
        assert_eq!(start(None, None), last);
        assert_eq!(
            start(None, Some("b.example:1")),
            addresses("0.0.0.0:7700", Some("b.example:1"))
        );
        assert_eq!(start(at("127.0.0.1:0"), None), addresses("127.0.0.1:7700", None));
        assert_eq!(start(at("[::1]:5"), Some("c:2")), addresses("[::1]:5", Some("c:2")));
    }

    #[test]
    fn what_does_not_hold_addresses_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", "127.0.0.1:5", "{\"listen\":\"somewhere\",\"advertise\":null}"] {
            fs::write(folder.path().join(FILE), text).unwrap();
            let fault = Addresses::of_start(folder.path(), None, None).unwrap_err();
            assert!(matches!(fault, AddressesError::Content { .. }), "{fault}");
        }
    }
}

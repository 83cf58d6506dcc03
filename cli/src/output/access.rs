//! What became of secrets and keys.

use std::path::PathBuf;

use serde_json::{Value as Json, json};
use sprague_proto::Role;

use super::{Document, Paint};

/// A change of who may enter.
pub(crate) enum AccessChange {
    /// There is a new secret, and maybe a local copy of its access file.
    Rotated { role: Role, out: Option<PathBuf> },
    /// So many older secrets let in no more.
    Revoked { role: Role, revoked: u32 },
    /// All keys and secrets of the folder are new.
    Renewed { dir: PathBuf },
}

impl Document for AccessChange {
    fn json(&self) -> Json {
        match self {
            Self::Rotated { role, out } => json!({ "access": {
                "role": role,
                "rotated": true,
                "file": out.as_ref().map(|file| file.display().to_string()),
            } }),
            Self::Revoked { role, revoked } => {
                json!({ "access": { "role": role, "revoked": revoked } })
            }
            Self::Renewed { dir } => {
                json!({ "access": { "dir": dir.display().to_string(), "renewed": true } })
            }
        }
    }

    fn text(&self, _paint: Paint) -> String {
        match self {
            Self::Rotated { role, out: None } => {
                format!("{role}.access in the coordinator's folder has a new secret")
            }
            Self::Rotated { role, out: Some(file) } => format!(
                "{role}.access in the coordinator's folder has a new secret, and so has {}",
                file.display()
            ),
            Self::Revoked { role, revoked: 1 } => format!("1 older {role} secret lets in no more"),
            Self::Revoked { role, revoked } => {
                format!("{revoked} older {role} secrets let in no more")
            }
            Self::Renewed { dir } => format!(
                "the key and both secrets in {} are new; copy its access files again",
                dir.display()
            ),
        }
    }
}

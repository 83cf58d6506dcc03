//! What operators ask of the secrets.

use sprague_proto::{Role, RoleError, v1};
use tonic::{Request, Response, Status};

use super::Services;
use super::auth::pass;
use crate::secrets::SecretsError;

impl Services {
    /// Makes a new secret for a role.
    pub(super) async fn rotate(
        &self,
        request: Request<v1::AccessRequest>,
    ) -> Result<Response<v1::RotateAccessReply>, Status> {
        let role = role(request.get_ref())?;
        let secrets = self.secrets.clone();
        let access = away(move || secrets.rotate(role)).await?;
        tracing::info!(%role, "a new secret, beside those before");
        Ok(Response::new(v1::RotateAccessReply { access: access.to_bytes() }))
    }

    /// Takes every secret of a role but the newest.
    pub(super) async fn revoke(
        &self,
        request: Request<v1::AccessRequest>,
    ) -> Result<Response<v1::RevokeAccessReply>, Status> {
        let role = role(request.get_ref())?;
        if role == Role::Operator && !pass(request.extensions())?.is_of_the_newest() {
            return Err(Status::failed_precondition(
                "the call itself came with a secret that it would revoke: use the new operator.access",
            ));
        }
        let secrets = self.secrets.clone();
        let revoked = away(move || secrets.revoke(role)).await?;
        tracing::info!(%role, revoked, "older secrets let in no more");
        let revoked = u32::try_from(revoked).unwrap_or(u32::MAX);
        Ok(Response::new(v1::RevokeAccessReply { revoked }))
    }
}

fn role(request: &v1::AccessRequest) -> Result<Role, Status> {
    request.role.parse().map_err(|fault: RoleError| Status::invalid_argument(fault.to_string()))
}

/// Files are written on a thread that may wait for them.
async fn away<T: Send + 'static>(
    change: impl FnOnce() -> Result<T, SecretsError> + Send + 'static,
) -> Result<T, Status> {
    let changed = tokio::task::spawn_blocking(change).await;
    changed.map_err(|fault| Status::internal(fault.to_string()))?.map_err(|fault| match fault {
        SecretsError::File(_) => Status::internal(fault.to_string()),
        SecretsError::TooMany(_) | SecretsError::NoneOlder(_) => {
            Status::failed_precondition(fault.to_string())
        }
    })
}

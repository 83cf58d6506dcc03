//! Who may call what: a secret for each role, looked at before any call is read.

use sprague_proto::{Role, Secret};
use tonic::service::Interceptor;
use tonic::{Request, Status};

use crate::keys::Keys;

/// Lets the calls of one role pass.
#[derive(Clone)]
pub(super) struct Gate {
    role: Role,
    mine: Secret,
    other: Secret,
}

impl Gate {
    pub(super) fn for_workers(keys: &Keys) -> Self {
        Self { role: Role::Worker, mine: keys.worker.clone(), other: keys.operator.clone() }
    }

    pub(super) fn for_operators(keys: &Keys) -> Self {
        Self { role: Role::Operator, mine: keys.operator.clone(), other: keys.worker.clone() }
    }
}

impl Interceptor for Gate {
    fn call(&mut self, request: Request<()>) -> Result<Request<()>, Status> {
        let header = request.metadata().get("authorization");
        let secret = header
            .and_then(|header| header.to_str().ok())
            .and_then(|header| header.strip_prefix("Bearer "))
            .ok_or_else(|| Status::unauthenticated("the call carries no secret"))?;
        if self.mine.matches(secret) {
            Ok(request)
        } else if self.other.matches(secret) {
            let role = self.role;
            Err(Status::permission_denied(format!("only a {role}'s access file lets in here")))
        } else {
            Err(Status::unauthenticated("the secret is not one of this coordinator's"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Code;

    #[test]
    fn only_the_right_secret_passes() {
        let secrets = [Secret::draw().unwrap(), Secret::draw().unwrap()];
        let [mine, other] = secrets;
        let mut gate = Gate { role: Role::Operator, mine: mine.clone(), other: other.clone() };
        let mut code = |header: Option<String>| {
            let mut request = Request::new(());
            if let Some(header) = header {
                request.metadata_mut().insert("authorization", header.parse().unwrap());
            }
            gate.call(request).err().map(|status| status.code())
        };
        assert_eq!(code(Some(format!("Bearer {}", mine.reveal()))), None);
        let workers = code(Some(format!("Bearer {}", other.reveal())));
        assert_eq!(workers, Some(Code::PermissionDenied));
        for wrong in [None, Some("Bearer ".to_owned()), Some(mine.reveal().to_owned())] {
            assert_eq!(code(wrong), Some(Code::Unauthenticated));
        }
    }
}

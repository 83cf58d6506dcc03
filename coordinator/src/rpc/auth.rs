//! Who may call what: a secret for each role, looked at before any call is read.

use sprague_proto::Role;
use tonic::service::Interceptor;
use tonic::{Extensions, Request, Status};

use crate::secrets::{Pass, Refusal, Secrets};

/// Lets the calls of one role pass.
#[derive(Clone)]
pub(super) struct Gate {
    pub(super) role: Role,
    pub(super) secrets: Secrets,
}

impl Interceptor for Gate {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let header = request.metadata().get("authorization");
        let secret = header
            .and_then(|header| header.to_str().ok())
            .and_then(|header| header.strip_prefix("Bearer "))
            .ok_or_else(|| Status::unauthenticated("the call carries no secret"))?;
        let role = self.role;
        match self.secrets.admit(role, secret) {
            Ok(pass) => {
                request.extensions_mut().insert(pass);
                Ok(request)
            }
            Err(Refusal::OtherRole) => {
                Err(Status::permission_denied(format!("only {role}.access lets in here")))
            }
            Err(Refusal::Unknown) => Err(Status::unauthenticated(format!(
                "its secret is none of the {role} secrets of this coordinator"
            ))),
        }
    }
}

/// What the gate gave a call that it let pass.
pub(super) fn pass(extensions: &Extensions) -> Result<Pass, Status> {
    extensions.get::<Pass>().cloned().ok_or_else(|| Status::internal("the call passed no gate"))
}

/// What whoever entered with a secret that is revoked hears last.
pub(super) fn revoked(role: Role) -> Status {
    Status::unauthenticated(format!("its secret was revoked: it needs the new {role}.access"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sprague_proto::Secret;
    use tonic::Code;

    #[test]
    fn only_the_right_secret_passes() {
        let folder = tempfile::tempdir().unwrap();
        let [worker, operator] = [Secret::draw().unwrap(), Secret::draw().unwrap()];
        let both = [worker.clone(), operator.clone()];
        let secrets = Secrets::new(folder.path(), "h:1".into(), "PEM".into(), both).unwrap();
        let mut gate = Gate { role: Role::Operator, secrets };
        let mut code = |header: Option<String>| {
            let mut request = Request::new(());
            if let Some(header) = header {
                request.metadata_mut().insert("authorization", header.parse().unwrap());
            }
            let passed = gate.call(request);
            passed.and_then(|passed| pass(passed.extensions())).err().map(|status| status.code())
        };
        assert_eq!(code(Some(format!("Bearer {}", operator.reveal()))), None);
        let workers = code(Some(format!("Bearer {}", worker.reveal())));
        assert_eq!(workers, Some(Code::PermissionDenied));
        for wrong in [None, Some("Bearer ".to_owned()), Some(operator.reveal().to_owned())] {
            assert_eq!(code(wrong), Some(Code::Unauthenticated));
        }
    }
}

//! `sprague access rotate|revoke|renew`

use sprague_proto::write_private;

use crate::args::{AccessNoun, AccessVerb};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::AccessChange;
use crate::remote::Client;

pub(crate) async fn run(context: &Context, noun: AccessNoun) -> Result<Exit, ExpectedError> {
    let change = match noun.verb {
        AccessVerb::Rotate { role, out, access } => {
            let content = Client::open(&access.access).await?.rotate(role).await?;
            if let Some(file) = &out {
                write_private(file, &content)
                    .map_err(|source| ExpectedError::Write { file: file.clone(), source })?;
            }
            context.notes.hint(&format!(
                "copy the coordinator's {role}.access to where it is used, then \
                 `sprague access revoke {role}`"
            ));
            AccessChange::Rotated { role, out }
        }
        AccessVerb::Revoke { role, access } => {
            let revoked = Client::open(&access.access).await?.revoke(role).await?;
            AccessChange::Revoked { role, revoked }
        }
        AccessVerb::Renew(arg) => {
            sprague_coordinator::renew_keys(&arg.dir)?;
            AccessChange::Renewed { dir: arg.dir }
        }
    };
    context.printer.show(&change)?;
    Ok(Exit::Done)
}

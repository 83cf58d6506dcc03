//! How workers and operators talk to the coordinator: gRPC over TLS, every call with a secret.

mod access;
mod auth;
mod operator;
mod session;

use std::io;
use std::time::Duration;

use sprague_proto::v1::operator_service_server::OperatorServiceServer;
use sprague_proto::v1::worker_service_server::WorkerServiceServer;
use sprague_proto::{DESCRIPTORS, LARGEST_MESSAGE, Role};
use sprague_work::Registry;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::Connected;
use tonic::transport::{Identity, Server, ServerTlsConfig};

use crate::keys::Keys;
use crate::owner::Owner;
use crate::secrets::Secrets;

use auth::Gate;

/// Without pings a connection whose other end vanished would be kept for ever.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection may take to say who it is. One that never does would hold a place of those that there are.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// A message from outside is never larger: a unit's answer is a few kilobytes.
const LARGEST_REQUEST: usize = 4 << 20;

/// What both services work with.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) owner: Owner,
    pub(crate) registry: Registry,
    pub(crate) lease: Duration,
    pub(crate) secrets: Secrets,
    /// Ends streams that would else go on for ever.
    pub(crate) stop: CancellationToken,
}

/// Serves whoever comes until told to stop.
///
/// # Errors
/// When the keys do not make a TLS identity.
pub(crate) fn serve<I, C>(
    incoming: I,
    keys: &Keys,
    services: Services,
) -> Result<JoinHandle<()>, tonic::transport::Error>
where
    I: Stream<Item = io::Result<C>> + Send + 'static,
    C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
{
    let identity = Identity::from_pem(&keys.certificate, &keys.key);
    let sessions =
        WorkerServiceServer::new(services.clone()).max_decoding_message_size(LARGEST_MESSAGE);
    let operators =
        OperatorServiceServer::new(services.clone()).max_decoding_message_size(LARGEST_REQUEST);
    let workers_only = Gate { role: Role::Worker, secrets: services.secrets.clone() };
    let operators_only = Gate { role: Role::Operator, secrets: services.secrets.clone() };
    let (health, standard) = tonic_health::server::health_reporter();
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()
        .expect("the descriptors were made by the compiler of the contract");
    let server = Server::builder()
        .tls_config(ServerTlsConfig::new().identity(identity).timeout(HANDSHAKE))?
        .http2_keepalive_interval(Some(PING_EVERY))
        .http2_keepalive_timeout(Some(PING_TIMEOUT))
        .add_service(tonic::service::interceptor::InterceptedService::new(sessions, workers_only))
        .add_service(tonic::service::interceptor::InterceptedService::new(
            operators,
            operators_only.clone(),
        ))
        // Whether it serves may be asked by anybody who reaches it, as probes do.
        .add_service(standard)
        .add_service(tonic::service::interceptor::InterceptedService::new(
            reflection,
            operators_only,
        ));
    let stop = services.stop;
    let serving = server.serve_with_incoming_shutdown(incoming, stop.clone().cancelled_owned());
    Ok(tokio::spawn(async move {
        // Before the first probe is answered.
        health.set_serving::<WorkerServiceServer<Services>>().await;
        health.set_serving::<OperatorServiceServer<Services>>().await;
        tokio::spawn(tell_the_stop(health, stop));
        if let Err(fault) = serving.await {
            tracing::error!(%fault, "the server ended");
        }
    }))
}

/// Says that neither service serves, once the coordinator is about to stop.
async fn tell_the_stop(health: tonic_health::server::HealthReporter, stop: CancellationToken) {
    stop.cancelled().await;
    health.set_not_serving::<WorkerServiceServer<Services>>().await;
    health.set_not_serving::<OperatorServiceServer<Services>>().await;
}

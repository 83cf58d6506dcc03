//! How a worker or an operator reaches a coordinator: TLS with the one certificate that the access
//! file names, the secret on every call, and a keepalive so that a broken path is noticed.

use std::error::Error;
use std::io;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

use crate::{Access, CERTIFICATE_NAME};

/// How long a connection attempt may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Without pings a path that was cut and healed would leave calls hanging for ever.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// A channel that sends the secret with every call.
pub type Authorized = InterceptedService<Channel, Bearer>;

/// Adds the secret to a call.
#[derive(Clone, Debug)]
pub struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

/// Why a coordinator cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The access file's address or certificate cannot be used.
    #[error(
        "the address {address:?} or the certificate in the access file cannot be used: {source}"
    )]
    Access {
        /// The address.
        address: String,
        /// What is wrong.
        source: tonic::transport::Error,
    },
    /// The access file has no certificate that could be read.
    #[error("the access file holds no certificate")]
    NoCertificate,
    /// Somebody took the connection and then said nothing.
    #[error("the coordinator at {address} does not answer within {} s", CONNECT_TIMEOUT.as_secs())]
    Silent {
        /// The address.
        address: String,
    },
    /// Somebody answers there with another certificate.
    #[error("at {address} answers another coordinator than that of the access file: {why}")]
    Stranger {
        /// The address.
        address: String,
        /// What is wrong with the certificate.
        why: rustls::CertificateError,
    },
    /// Somebody answers there in another language.
    #[error("at {address} answers something that does not speak TLS, and so is no coordinator")]
    NoTls {
        /// The address.
        address: String,
    },
    /// Nobody answers there.
    #[error("cannot reach the coordinator at {address}: {}", innermost(.source))]
    Unreachable {
        /// The address.
        address: String,
        /// What the transport said.
        source: tonic::transport::Error,
    },
}

/// The last error of a chain: the transport's own words are only "transport error".
#[must_use]
pub fn innermost(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

fn unreachable(address: String, source: tonic::transport::Error) -> ConnectError {
    match tls_error(&source).cloned() {
        Some(rustls::Error::InvalidCertificate(why)) => ConnectError::Stranger { address, why },
        Some(rustls::Error::InvalidMessage(_)) => ConnectError::NoTls { address },
        _ => ConnectError::Unreachable { address, source },
    }
}

/// What TLS says of the other end, if that is what an error comes from.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    // What an I/O error is made of is not its source.
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    match inner.and_then(|inner| inner.downcast_ref()).or_else(|| error.downcast_ref()) {
        Some(fault) => Some(fault),
        None => tls_error(error.source()?),
    }
}

/// Says whether the address and the certificate of an access file can be used, without a call.
///
/// # Errors
/// What is wrong with them.
pub fn usable(access: &Access) -> Result<(), ConnectError> {
    endpoint(access).map(drop)
}

fn endpoint(access: &Access) -> Result<Endpoint, ConnectError> {
    // Without one, whoever answers would be taken for a stranger.
    let mut certificates = CertificateDer::pem_slice_iter(access.certificate.as_bytes());
    if !matches!(certificates.next(), Some(Ok(_))) {
        return Err(ConnectError::NoCertificate);
    }
    let unusable = |source| ConnectError::Access { address: access.coordinator.clone(), source };
    let tls = ClientTlsConfig::new()
        .ca_certificate(Certificate::from_pem(&access.certificate))
        .domain_name(CERTIFICATE_NAME);
    let endpoint = Endpoint::from_shared(format!("https://{}", access.coordinator))
        .and_then(|endpoint| endpoint.tls_config(tls))
        .map_err(unusable)?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_TIMEOUT)
        .keep_alive_while_idle(true);
    Ok(endpoint)
}

/// Opens a channel to the coordinator of an access file.
///
/// # Errors
/// When nobody answers at its address within ten seconds, or somebody else does.
pub async fn connect(access: &Access) -> Result<Authorized, ConnectError> {
    connect_by(access, |endpoint| async move { endpoint.connect().await }).await
}

/// Opens a channel to the coordinator of an access file by another network than the machine's: `dial`
/// makes the connection of the endpoint, to which all that [`connect`] asks for has been added.
///
/// # Errors
/// As [`connect`].
pub async fn connect_by<F, C>(access: &Access, dial: F) -> Result<Authorized, ConnectError>
where
    F: FnOnce(Endpoint) -> C,
    C: Future<Output = Result<Channel, tonic::transport::Error>>,
{
    let endpoint = endpoint(access)?;
    // The endpoint's own time limit ends with the TCP connection; TLS can hang after it.
    let channel = tokio::time::timeout(CONNECT_TIMEOUT, dial(endpoint))
        .await
        .map_err(|_| ConnectError::Silent { address: access.coordinator.clone() })?
        .map_err(|source| unreachable(access.coordinator.clone(), source))?;
    let bearer = format!("Bearer {}", access.secret.reveal())
        .parse()
        .expect("hexadecimal digits are a valid header");
    Ok(InterceptedService::new(channel, Bearer(bearer)))
}

//! turmoil's TCP under tonic: what accepts connections, and what makes them.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper_util::rt::TokioIo;
use sprague_proto::{Access, Authorized, ConnectError, connect_by};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::channel;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Uri;
use tonic::transport::server::Connected;
use turmoil::net::{TcpListener, TcpStream};

/// An accepted connection.
pub(crate) struct Accepted(TcpStream);

/// Connections that wait to be served.
const WAITING: usize = 16;

/// Listens on an address of the host that this is called on.
pub(crate) async fn listen(
    address: SocketAddr,
) -> io::Result<(SocketAddr, ReceiverStream<io::Result<Accepted>>)> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let (accepted, incoming) = channel(WAITING);
    tokio::spawn(async move {
        loop {
            let next = listener.accept().await.map(|(stream, _)| Accepted(stream));
            if accepted.send(next).await.is_err() {
                return;
            }
        }
    });
    Ok((address, ReceiverStream::new(incoming)))
}

/// Opens a channel to a coordinator from the host that this is called on.
pub(crate) async fn connect(access: &Access) -> Result<Authorized, ConnectError> {
    let dial = tower::service_fn(|uri: Uri| async move {
        let host = uri.host().unwrap_or_default().to_owned();
        let port = uri.port_u16().unwrap_or_default();
        TcpStream::connect((host, port)).await.map(TokioIo::new)
    });
    connect_by(access, |endpoint| async move { endpoint.connect_with_connector(dial).await }).await
}

impl Connected for Accepted {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Accepted {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Accepted {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(context)
    }
}

//! A coordinator of a few lines: lets a worker in and leaves everything else to the test.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sprague_proto::v1::worker_service_server::{WorkerService, WorkerServiceServer};
use sprague_proto::v1::{
    self, AttemptId, CoordinatorMessage, Hello, Welcome, WorkerMessage,
    coordinator_message::Message as Order, worker_message::Message,
};
use sprague_proto::{Access, CERTIFICATE_NAME, Role, Secret};
use sprague_work::{Attempt, JobId, Report, UnitId, UnitInput};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status, Streaming};

use crate::support::PATIENCE;

/// A coordinator that listens on a port of its own.
pub(crate) struct Coordinator {
    /// What lets a worker in.
    pub(crate) access: Access,
    sessions: Receiver<Session>,
    door: Arc<Door>,
}

/// What callers meet.
struct Door {
    secret: Secret,
    welcome: Welcome,
    /// Nobody gets in, for now.
    closed: AtomicBool,
    /// Nobody gets in, with this status.
    refusal: Mutex<Option<Status>>,
    sessions: Sender<Session>,
}

/// A worker's session. Dropping it ends the connection.
pub(crate) struct Session {
    /// What the worker said first.
    pub(crate) hello: Hello,
    to_worker: Sender<Result<CoordinatorMessage, Status>>,
    from_worker: Streaming<WorkerMessage>,
}

impl Coordinator {
    /// Starts one that wants progress ten times a second and lets units go on for `lease` without
    /// contact. Within a runtime only.
    pub(crate) async fn start(lease: Duration) -> Self {
        let key = rcgen::generate_simple_self_signed([CERTIFICATE_NAME.to_owned()]).unwrap();
        let certificate = key.cert.pem();
        let identity = Identity::from_pem(&certificate, key.signing_key.serialize_pem());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let secret = Secret::draw().unwrap();
        let (sender, sessions) = channel(8);
        let lease_milliseconds = u64::try_from(lease.as_millis()).unwrap();
        let door = Arc::new(Door {
            secret: secret.clone(),
            welcome: Welcome {
                worker: 1,
                lease_milliseconds,
                progress_milliseconds: 100,
                shares_name: false,
            },
            closed: AtomicBool::new(false),
            refusal: Mutex::new(None),
            sessions: sender,
        });
        let serving = Server::builder()
            .tls_config(ServerTlsConfig::new().identity(identity))
            .unwrap()
            .add_service(WorkerServiceServer::new(Porter(Arc::clone(&door))))
            .serve_with_incoming(TcpListenerStream::new(listener));
        tokio::spawn(serving);
        let access = Access::new(Role::Worker, address, certificate, secret);
        Self { access, sessions, door }
    }

    /// The next session that a worker opens.
    pub(crate) async fn session(&mut self) -> Session {
        timeout(PATIENCE, self.sessions.recv()).await.expect("no worker calls").unwrap()
    }

    /// Lets nobody in until it is opened again.
    pub(crate) fn close(&self) {
        self.door.closed.store(true, Ordering::Relaxed);
    }

    /// Lets workers in again.
    pub(crate) fn open(&self) {
        self.door.closed.store(false, Ordering::Relaxed);
    }

    /// Answers every call with a status from now on.
    pub(crate) fn refuse(&self, status: Status) {
        *self.door.refusal.lock().unwrap() = Some(status);
    }
}

struct Porter(Arc<Door>);

#[tonic::async_trait]
impl WorkerService for Porter {
    type SessionStream = ReceiverStream<Result<CoordinatorMessage, Status>>;

    async fn session(
        &self,
        request: Request<Streaming<WorkerMessage>>,
    ) -> Result<Response<Self::SessionStream>, Status> {
        let bearer = request.metadata().get("authorization").and_then(|it| it.to_str().ok());
        let secret = bearer.and_then(|it| it.strip_prefix("Bearer ")).unwrap_or_default();
        if !self.0.secret.matches(secret) {
            return Err(Status::unauthenticated("wrong secret"));
        }
        if self.0.closed.load(Ordering::Relaxed) {
            return Err(Status::unavailable("closed"));
        }
        if let Some(status) = self.0.refusal.lock().unwrap().clone() {
            return Err(status);
        }
        let mut from_worker = request.into_inner();
        let Some(Message::Hello(hello)) = from_worker.message().await?.and_then(|it| it.message)
        else {
            return Err(Status::invalid_argument("no hello"));
        };
        let (to_worker, messages) = channel(16);
        let welcome = CoordinatorMessage { message: Some(Order::Welcome(self.0.welcome)) };
        to_worker.send(Ok(welcome)).await.unwrap();
        let session = Session { hello, to_worker, from_worker };
        // A test that has ended waits for no session.
        let _ = self.0.sessions.send(session).await;
        Ok(Response::new(ReceiverStream::new(messages)))
    }
}

/// The attempt of a unit of a job.
pub(crate) fn attempt(job: u64, number: u32, attempt: u32) -> AttemptId {
    AttemptId::new(UnitId { job: JobId(job), number }, Attempt(attempt))
}

impl Session {
    async fn send(&self, order: Order) {
        self.to_worker.send(Ok(CoordinatorMessage { message: Some(order) })).await.unwrap();
    }

    /// Leases an attempt.
    pub(crate) async fn lease(&self, id: AttemptId, unit: &UnitInput) {
        let unit = v1::Unit::new(id.unit_id(), id.attempt_number(), 0, unit);
        self.lease_as_it_is(unit).await;
    }

    /// Leases a unit that need not make sense.
    pub(crate) async fn lease_as_it_is(&self, unit: v1::Unit) {
        self.send(Order::Lease(v1::Lease { unit: Some(unit) })).await;
    }

    /// Cancels an attempt.
    pub(crate) async fn cancel(&self, id: AttemptId) {
        self.send(Order::Cancel(v1::Cancel { id: Some(id) })).await;
    }

    /// Acknowledges a report.
    pub(crate) async fn acknowledge(&self, id: AttemptId) {
        self.send(Order::Acknowledge(v1::Acknowledge { id: Some(id) })).await;
    }

    /// Ends the session with a status.
    pub(crate) async fn end(self, status: Status) {
        self.to_worker.send(Err(status)).await.unwrap();
    }

    /// The next message that `choose` chooses; others are passed over.
    pub(crate) async fn next<T>(&mut self, choose: impl Fn(Message) -> Option<T>) -> T {
        let chosen = async {
            loop {
                let message = self.from_worker.message().await.unwrap();
                let message = message.expect("the worker has ended its session");
                if let Some(chosen) = message.message.and_then(&choose) {
                    return chosen;
                }
            }
        };
        timeout(PATIENCE, chosen).await.expect("the worker says nothing")
    }

    /// The next report.
    pub(crate) async fn report(&mut self) -> (AttemptId, Report) {
        let report = |message| match message {
            Message::Report(report) => Some(report.read().unwrap()),
            _ => None,
        };
        self.next(report).await
    }

    /// The next progress.
    pub(crate) async fn progress(&mut self) -> v1::Progress {
        let progress = |message| match message {
            Message::Progress(progress) => Some(progress),
            _ => None,
        };
        self.next(progress).await
    }

    /// Runs an attempt to its end and acknowledges its report.
    pub(crate) async fn run(&mut self, id: AttemptId, unit: &UnitInput) -> Report {
        self.lease(id, unit).await;
        let (ended, report) = self.report().await;
        assert_eq!(ended, id);
        self.acknowledge(id).await;
        report
    }
}

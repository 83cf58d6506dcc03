//! The session of a worker: its messages become events, the core's orders become messages.

use std::pin::Pin;
use std::sync::Arc;

use sprague_proto::{CONTRACT, LONGEST_HEARSAY, Role, v1};
use sprague_work::{JobId, WorkerId};
use tokio::sync::mpsc;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use super::Services;
use super::auth::{pass, revoked};
use crate::core::{Introduction, Order};
use crate::owner::{Gone, Owner};
use crate::sessions::Connection;

/// How often workers tell how far they are.
const PROGRESS_EVERY_MILLISECONDS: u64 = 1000;
/// The most slots that one worker may have.
const MOST_SLOTS: u32 = 1024;
/// The most methods that a worker may know.
const MOST_CAPABILITIES: usize = 1000;
/// Names are for people; longer ones are cut.
const LONGEST_NAME: usize = 100;

type Outgoing = Pin<Box<dyn Stream<Item = Result<v1::CoordinatorMessage, Status>> + Send>>;

#[tonic::async_trait]
impl v1::worker_service_server::WorkerService for Services {
    type SessionStream = Outgoing;

    async fn session(
        &self,
        request: Request<Streaming<v1::WorkerMessage>>,
    ) -> Result<Response<Outgoing>, Status> {
        let pass = pass(request.extensions())?;
        let mut incoming = request.into_inner();
        let first = incoming.message().await?.and_then(|message| message.message);
        let Some(v1::worker_message::Message::Hello(hello)) = first else {
            return Err(Status::invalid_argument("a session begins with a hello"));
        };
        let introduction = introduction(hello)?;
        let name = introduction.name.clone();

        // Leases, cancels and acknowledgements that can be outstanding at once, with room to spare.
        let room = 64 + 4 * introduction.slots as usize;
        let (orders, outgoing) = mpsc::channel(room);
        let (worker, session, shares_name) = self
            .owner
            .call(move |state, now| {
                let name = introduction.name.clone();
                let (worker, session) = state.core.enter(now, introduction);
                state.attach(worker, Connection { name, session, orders });
                let shares_name = state.core.worker(worker).is_ok_and(|view| view.shares_name);
                (worker, session, shares_name)
            })
            .await?;
        tracing::info!(worker = name, number = worker.0, "a worker has come");
        if shares_name {
            tracing::warn!(worker = name, number = worker.0, "another worker has its name");
        }

        let owner = self.owner.clone();
        let stop = self.stop.clone();
        let (last_word, farewell) = mpsc::channel(1);
        tokio::spawn(async move {
            let end = tokio::select! {
                end = listen(&owner, worker, &mut incoming) => end,
                () = stop.cancelled() => Ok(()),
                () = pass.revoked() => Err(revoked(Role::Worker)),
            };
            let why = end.as_ref().err().map(Status::message).unwrap_or_default();
            tracing::info!(
                worker = name,
                number = worker.0,
                why,
                "a worker's connection has ended"
            );
            if let Err(status) = end {
                let _ = last_word.send(status).await;
            }
            let _ = owner
                .tell(move |state, now| {
                    state.detach(worker, session);
                    state.core.lose(now, worker, session);
                })
                .await;
        });

        let welcome = v1::coordinator_message::Message::Welcome(v1::Welcome {
            worker: worker.0,
            lease_milliseconds: u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX),
            progress_milliseconds: PROGRESS_EVERY_MILLISECONDS,
            shares_name,
        });
        let orders = tokio_stream::wrappers::ReceiverStream::new(outgoing).map(message);
        let messages = tokio_stream::once(welcome)
            .chain(orders)
            .map(|message| Ok(v1::CoordinatorMessage { message: Some(message) }));
        // What was wrong with its messages is the last thing that a worker hears.
        let farewell = tokio_stream::wrappers::ReceiverStream::new(farewell).map(Err);
        Ok(Response::new(Box::pin(messages.chain(farewell))))
    }
}

fn introduction(hello: v1::Hello) -> Result<Introduction, Status> {
    if hello.contract != CONTRACT {
        return Err(Status::failed_precondition(format!(
            "the worker is of version {} and speaks contract {}, this coordinator is of version {} \
             and speaks contract {CONTRACT}",
            hello.version,
            hello.contract,
            env!("CARGO_PKG_VERSION"),
        )));
    }
    if hello.instance.is_empty() || hello.instance.len() > LONGEST_NAME {
        return Err(Status::invalid_argument("the worker's instance is empty or too long"));
    }
    if hello.slots == 0 || hello.slots > MOST_SLOTS {
        let found = hello.slots;
        return Err(Status::invalid_argument(format!(
            "{found} slots: 1 to {MOST_SLOTS} are right"
        )));
    }
    if hello.capabilities.len() > MOST_CAPABILITIES || hello.running.len() > MOST_SLOTS as usize {
        return Err(Status::invalid_argument(
            "more capabilities or running units than there can be",
        ));
    }
    let printable = |text: &str| -> String {
        text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
    };
    let running = hello.running.iter().map(|id| (id.unit_id(), id.attempt_number()));
    Ok(Introduction {
        instance: hello.instance.clone(),
        name: printable(&hello.name),
        machine: printable(&hello.machine),
        version: printable(&hello.version),
        slots: hello.slots,
        slot_memory: hello.slot_memory,
        running: running.collect(),
        capabilities: hello.capabilities.iter().map(|ability| printable(ability)).collect(),
    })
}

/// Passes on what a worker says until it says no more.
async fn listen(
    owner: &Owner,
    worker: WorkerId,
    incoming: &mut Streaming<v1::WorkerMessage>,
) -> Result<(), Status> {
    use v1::worker_message::Message;
    while let Some(message) = incoming.message().await? {
        match message.message {
            Some(Message::Progress(v1::Progress { id: Some(id), expansions, memory })) => {
                let (unit, attempt) = (id.unit_id(), id.attempt_number());
                owner
                    .tell(move |state, now| {
                        state.core.progress(now, worker, unit, attempt, (expansions, memory));
                    })
                    .await?;
            }
            Some(Message::Report(report)) => {
                let (id, report) =
                    report.read().map_err(|fault| Status::invalid_argument(fault.to_string()))?;
                let (unit, attempt) = (id.unit_id(), id.attempt_number());
                owner
                    .tell(move |state, now| state.core.report(now, worker, unit, attempt, report))
                    .await?;
            }
            Some(Message::Tell(v1::Hearsay { task: Some(v1::TaskId { job, task }), message })) => {
                if message.len() > LONGEST_HEARSAY {
                    return Err(Status::invalid_argument("hearsay that is too long"));
                }
                let message = Arc::from(message);
                owner
                    .tell(move |state, _| state.core.tell(worker, JobId(job), task, &message))
                    .await?;
            }
            Some(Message::Leaving(v1::Leaving {})) => {
                owner.tell(move |state, _| state.core.leave(worker)).await?;
            }
            Some(Message::Hello(_)) => {
                return Err(Status::invalid_argument("a session has one hello"));
            }
            // A newer peer may say what this version does not know.
            Some(Message::Progress(_) | Message::Tell(_)) | None => {}
        }
    }
    Ok(())
}

fn message(order: Order) -> v1::coordinator_message::Message {
    use v1::coordinator_message::Message;
    match order {
        Order::Lease(unit, attempt, task, input) => {
            Message::Lease(v1::Lease { unit: Some(v1::Unit::new(unit, attempt, task, &input)) })
        }
        Order::Brief(JobId(job), task, first, batches) => {
            let task = Some(v1::TaskId { job, task });
            let batches = batches.iter().map(|batch| batch.to_vec()).collect();
            Message::Briefing(v1::Briefing { task, first, batches })
        }
        Order::Hear(JobId(job), task, message) => {
            let task = Some(v1::TaskId { job, task });
            Message::Hear(v1::Hearsay { task, message: message.to_vec() })
        }
        Order::Forget(JobId(job)) => Message::Forget(v1::Forget { job }),
        Order::Cancel(unit, attempt) => {
            Message::Cancel(v1::Cancel { id: Some(v1::AttemptId::new(unit, attempt)) })
        }
        Order::Acknowledge(unit, attempt) => {
            Message::Acknowledge(v1::Acknowledge { id: Some(v1::AttemptId::new(unit, attempt)) })
        }
    }
}

impl From<Gone> for Status {
    fn from(gone: Gone) -> Self {
        Self::unavailable(gone.to_string())
    }
}

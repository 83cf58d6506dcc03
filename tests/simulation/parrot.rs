//! A worker of another make, which says everything twice, much of it again and some of it late.
//!
//! It computes what it is leased, rightly, and speaks the wire contract by itself. It reports each attempt two
//! times, does not stop what is cancelled, hangs up in the middle of units that it then does not name when it is
//! back, and repeats all that it ever reported over each new connection.

use std::path::Path;
use std::sync::Arc;

use sprague_proto::v1::coordinator_message::Message as Order;
use sprague_proto::v1::worker_message::Message;
use sprague_proto::v1::worker_service_client::WorkerServiceClient;
use sprague_proto::{Access, CONTRACT, Role, v1};
use sprague_work::{Registry, Report, Usage};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tokio_stream::wrappers::ReceiverStream;

use crate::bench::{MEMORY, appears, compute_alone};
use crate::chance::Chance;
use crate::network;

/// What it has said and will say again.
type Said = Vec<v1::Report>;

/// Its whole life.
pub(crate) async fn live(folder: &Path, chance: Arc<Chance>) {
    let registry = Registry::standard();
    let file = folder.join("worker.access");
    let access = appears(|| Access::read(&file, Role::Worker).ok()).await;
    let mut said = Said::new();
    loop {
        let ended = session(&access, &registry, &chance, &mut said).await;
        tracing::info!(said = said.len(), ok = ended.is_some(), "the parrot hung up");
        sleep(chance.milliseconds(100, 4000)).await;
    }
}

fn hello(registry: &Registry) -> v1::Hello {
    let capabilities = registry.capabilities().into_iter();
    v1::Hello {
        version: "another".to_owned(),
        contract: CONTRACT,
        instance: "parrot".to_owned(),
        name: "parrot".to_owned(),
        slots: 1,
        slot_memory: MEMORY,
        // What is planned on demand needs briefings, to which it does not listen.
        capabilities: capabilities.filter(|ability| !ability.ends_with("proof-number")).collect(),
        running: Vec::new(),
        machine: String::new(),
    }
}

/// One connection, for as long as chance will. `None` when it was lost before.
async fn session(
    access: &Access,
    registry: &Registry,
    chance: &Chance,
    said: &mut Said,
) -> Option<()> {
    let until = Instant::now() + chance.milliseconds(1000, 8000);
    let (say, messages) = channel(1024);
    let tell = |message| say.try_send(v1::WorkerMessage { message: Some(message) }).ok();
    tell(Message::Hello(hello(registry)))?;
    let opened = async {
        let mut client = WorkerServiceClient::new(network::connect(access).await.ok()?);
        Some(client.session(ReceiverStream::new(messages)).await.ok()?.into_inner())
    };
    let mut orders = timeout_at(until, opened).await.ok()??;
    for report in said.iter() {
        tell(Message::Report(report.clone()))?;
    }
    loop {
        tokio::select! {
            biased;
            () = sleep_until(until) => return Some(()),
            order = orders.message() => {
                if let Some(Order::Lease(v1::Lease { unit: Some(unit) })) = order.ok()??.message {
                    work(&unit, registry, chance, said, &say).await?;
                }
            }
        }
    }
}

/// Does a unit and reports it two times; `None` when the connection is lost by then.
async fn work(
    unit: &v1::Unit,
    registry: &Registry,
    chance: &Chance,
    said: &mut Said,
    say: &Sender<v1::WorkerMessage>,
) -> Option<()> {
    let (id, input) = (unit.id?, unit.input().ok()?);
    let ending = compute_alone(registry, &input);
    let report = v1::Report::new(id, &Report { ending, usage: Usage::default() });
    said.push(report.clone());
    sleep(chance.milliseconds(50, 3000)).await;
    tracing::info!(job = id.job, unit = id.unit, attempt = id.attempt, "done");
    // Now and then it is said only after it has hung up and come again.
    if chance.one_in(4) {
        return None;
    }
    for _ in 0..2 {
        let message = Some(Message::Report(report.clone()));
        say.try_send(v1::WorkerMessage { message }).ok()?;
    }
    Some(())
}

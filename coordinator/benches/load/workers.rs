//! Workers that are a session each and nothing else: what is leased to them is done.

use std::path::Path;

use sprague_proto::v1::worker_service_client::WorkerServiceClient;
use sprague_proto::v1::{self, coordinator_message, worker_message::Message};
use sprague_proto::{Access, CONTRACT, Role, connect};
use sprague_work::{Ending, Report, Usage};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::sum;

/// Runs so many of them until they are ended.
pub(crate) async fn run(access: &str, count: usize, slots: u32) {
    let access = Access::read(Path::new(access), Role::Worker).unwrap();
    let mut all = JoinSet::new();
    for number in 0..count {
        all.spawn(serve(access.clone(), number, slots));
    }
    while let Some(ended) = all.join_next().await {
        ended.unwrap();
    }
}

async fn serve(access: Access, number: usize, slots: u32) {
    let channel = connect(&access).await.unwrap();
    let (outgoing, messages) = mpsc::channel(64 + 4 * slots as usize);
    let say = async |message| {
        let message = v1::WorkerMessage { message: Some(message) };
        // The coordinator is gone: so is everything.
        let _ = outgoing.send(message).await;
    };
    say(Message::Hello(v1::Hello {
        version: "0".to_owned(),
        contract: CONTRACT,
        instance: format!("simulated-{number}"),
        name: format!("simulated-{number}"),
        slots,
        slot_memory: 1 << 30,
        capabilities: crate::registry().capabilities(),
        running: Vec::new(),
    }))
    .await;
    let messages = tokio_stream::wrappers::ReceiverStream::new(messages);
    let session = WorkerServiceClient::new(channel).session(messages).await.unwrap();
    let mut incoming = session.into_inner();
    while let Ok(Some(order)) = incoming.message().await {
        if let Some(coordinator_message::Message::Lease(lease)) = order.message {
            let unit = lease.unit.unwrap();
            let result = sum::right(&unit.input().unwrap());
            let report = Report { ending: Ending::Done(result), usage: Usage::default() };
            say(Message::Report(v1::Report::new(unit.id.unwrap(), &report))).await;
        }
    }
}

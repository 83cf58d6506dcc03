//! Workers that are a session each and nothing else.

use std::path::Path;
use std::time::Duration;

use sprague_proto::v1::worker_service_client::WorkerServiceClient;
use sprague_proto::v1::{self, coordinator_message, worker_message::Message};
use sprague_proto::{Access, CONTRACT, Role, connect};
use sprague_work::{Ending, Report, UnitResult, Usage};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::counting;

/// How long a worker waits between what it tells: queues that overflow would lose mail.
const PAUSE: Duration = Duration::from_millis(5);

/// How long it waits before it tells anything, and for what others tell before it reports.
const LULL: Duration = Duration::from_secs(2);

/// What a worker does with a unit.
#[derive(Clone, Copy)]
enum Duty {
    /// It is done at once.
    Report,
    /// First so many messages of so many bytes are told. Its expansions are the messages that were heard.
    Tell { messages: usize, bytes: usize },
}

/// Runs workers until they are ended: `ACCESS COUNT SLOTS report`, or `... tell MESSAGES BYTES`.
///
/// All of them are on one thread, which leaves the most to the coordinator.
pub(crate) fn main(words: &[&str]) {
    let [access, count, slots, duty @ ..] = words else { panic!("{words:?}") };
    let duty = match duty {
        ["report"] => Duty::Report,
        ["tell", messages, bytes] => {
            Duty::Tell { messages: messages.parse().unwrap(), bytes: bytes.parse().unwrap() }
        }
        other => panic!("{other:?}"),
    };
    let access = Access::read(Path::new(access), Role::Worker).unwrap();
    let (count, slots): (usize, u32) = (count.parse().unwrap(), slots.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut all = JoinSet::new();
        for number in 0..count {
            all.spawn(serve(access.clone(), number, slots, duty));
        }
        while let Some(ended) = all.join_next().await {
            ended.unwrap();
        }
    });
}

async fn serve(access: Access, number: usize, slots: u32, duty: Duty) {
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
        machine: String::new(),
    }))
    .await;
    let messages = tokio_stream::wrappers::ReceiverStream::new(messages);
    let session = WorkerServiceClient::new(channel).session(messages).await.unwrap();
    let mut incoming = session.into_inner();
    let mut talk: Option<Talk> = None;
    loop {
        tokio::select! {
            order = incoming.message() => {
                let Ok(Some(order)) = order else { return };
                match (order.message, duty) {
                    (Some(coordinator_message::Message::Lease(lease)), Duty::Report) => {
                        say(Message::Report(report(&lease.unit.unwrap(), 1))).await;
                    }
                    (Some(coordinator_message::Message::Lease(lease)), Duty::Tell { messages, .. }) => {
                        talk = Some(Talk::new(lease.unit.unwrap(), messages));
                    }
                    (Some(coordinator_message::Message::Hear(_)), _) => {
                        if let Some(talk) = &mut talk {
                            talk.heard += 1;
                        }
                    }
                    _ => {}
                }
            }
            turn = next_turn(&mut talk) => match (turn, duty) {
                (Turn::Tell(task), Duty::Tell { bytes, .. }) => {
                    let message = vec![7; bytes];
                    say(Message::Tell(v1::Hearsay { task: Some(task), message })).await;
                }
                (Turn::Report(done), _) => say(Message::Report(done)).await,
                (Turn::Tell(_), Duty::Report) => {}
            }
        }
    }
}

/// What is left to be told of a unit, and how much was heard meanwhile.
struct Talk {
    unit: v1::Unit,
    to_tell: usize,
    heard: u64,
    next: Instant,
}

impl Talk {
    fn new(unit: v1::Unit, messages: usize) -> Self {
        // Whoever has no unit yet would hear nothing.
        Self { unit, to_tell: messages, heard: 0, next: Instant::now() + LULL }
    }
}

/// What is next in a talk.
enum Turn {
    /// A message of this task.
    Tell(v1::TaskId),
    /// All was told, and what others told had the time to come.
    Report(v1::Report),
}

async fn next_turn(talk: &mut Option<Talk>) -> Turn {
    let Some(going) = talk else { return std::future::pending().await };
    tokio::time::sleep_until(going.next).await;
    if going.to_tell == 0 {
        let done = report(&going.unit, going.heard);
        *talk = None;
        return Turn::Report(done);
    }
    going.to_tell -= 1;
    going.next += if going.to_tell == 0 { LULL } else { PAUSE };
    Turn::Tell(going.unit.task_id())
}

/// What a unit comes to, with so many expansions.
fn report(unit: &v1::Unit, expansions: u64) -> v1::Report {
    let result = UnitResult { expansions, ..counting::sum::right(&unit.input().unwrap()) };
    let report = Report { ending: Ending::Done(result), usage: Usage::default() };
    v1::Report::new(unit.id.unwrap(), &report)
}

//! The thread of a slot: gives units to its child, watches it, and says how each attempt ended.
//!
//! One child serves consecutive units of one job. It is replaced for another job, after a crash and
//! after running out of memory, and let go when there is nothing to do, so that the tables of a
//! finished job do not stay.

use std::io::BufReader;
use std::process::ChildStdout;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use sprague_proto::v1::{self, SlotEvent, slot_event::Event, slot_order::Order};
use sprague_work::{Ending, Report, Usage};
use tokio::sync::mpsc::Sender as AsyncSender;

use super::ending;
use super::engine::{SlotNews, TaskBriefing};
use super::process::{Death, SlotProcess};
use super::threaded::{Gauge, SlotSetup};
use crate::cgroup::Group;
use crate::frames;

/// What a supervisor is told.
#[derive(Debug)]
pub(super) enum Message {
    /// Run this attempt.
    Run(v1::Unit, TaskBriefing),
    /// Another unit of the same task tells something.
    Hear(v1::Hearsay),
    /// Cancel this attempt.
    Cancel(v1::AttemptId),
    /// End everything.
    Stop,
    /// Something came from the child of that number.
    News(u64, News),
}

/// What comes from a child's pipe.
#[derive(Debug)]
pub(super) enum News {
    /// The attempt has ended.
    Reported(v1::Report),
    /// The pipe has ended, or holds what cannot be read: nothing more will come.
    Closed(Option<String>),
}

/// A child and what it was for.
struct Kept {
    process: SlotProcess,
    /// Children are numbered, so that late news of an old one are not taken for the new one's.
    number: u64,
    job: u64,
    /// The briefing that it had last, and how many batches of it.
    briefed: (TaskBriefing, usize),
    /// The processor seconds of the attempts that it has reported.
    spent: f64,
    /// How often the kernel had killed in the slot's group before it.
    kills: u64,
}

impl Kept {
    /// Gives the child a unit, after what it lacks of the briefing.
    fn give(&mut self, unit: v1::Unit, briefing: &TaskBriefing) -> Result<(), frames::FrameError> {
        let task = unit.task_id();
        // Over a new connection the coordinator, which may have been started anew, begins again.
        if !self.briefed.0.is(briefing) {
            self.briefed = (briefing.clone(), 0);
        }
        while let Some(batch) = briefing.batch(self.briefed.1) {
            let first = u32::try_from(self.briefed.1).unwrap_or(u32::MAX);
            let message = v1::Briefing { task: Some(task), first, batches: vec![batch] };
            self.process.order(Order::Briefing(message))?;
            self.briefed.1 += 1;
        }
        self.process.order(Order::Run(unit))
    }
}

/// The state of a slot's thread.
pub(super) struct Supervisor {
    number: usize,
    setup: Arc<SlotSetup>,
    inbox: Receiver<Message>,
    /// For the readers of children's pipes.
    to_inbox: Sender<Message>,
    gauge: Arc<Gauge>,
    news: AsyncSender<SlotNews>,
    kept: Option<Kept>,
    children: u64,
    /// The group of this slot's processes, where the worker may make one.
    group: Option<Group>,
}

impl Supervisor {
    pub(super) fn new(
        number: usize,
        setup: Arc<SlotSetup>,
        inbox: Receiver<Message>,
        to_inbox: Sender<Message>,
        gauge: Arc<Gauge>,
        news: AsyncSender<SlotNews>,
    ) -> Self {
        let group = setup.groups.as_ref().and_then(|groups| {
            let made = groups.slot(number, setup.cap);
            made.inspect_err(|fault| tracing::warn!(%fault, "a slot has no cgroup")).ok()
        });
        Self { number, setup, inbox, to_inbox, gauge, news, kept: None, children: 0, group }
    }

    /// The life of the thread.
    pub(super) fn serve(mut self) {
        loop {
            let message = match self.kept {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => self.inbox.recv_timeout(self.setup.idle_limit),
            };
            match message {
                Ok(Message::Run(unit, briefing)) => {
                    let id = unit.id.unwrap_or_default();
                    let span = tracing::info_span!(
                        "attempt",
                        worker = self.setup.worker,
                        slot = self.number,
                        job = id.job,
                        unit = id.unit,
                        attempt = id.attempt
                    );
                    let _entered = span.enter();
                    let Some(report) = self.attempt(id, unit, &briefing) else { break };
                    self.gauge.end(Some(id));
                    log(&report);
                    let report = v1::Report::new(id, &report);
                    let ended = SlotNews::Ended { slot: self.number, report };
                    if self.news.blocking_send(ended).is_err() {
                        break;
                    }
                }
                // The attempt ended before the order came.
                Ok(Message::Cancel(_) | Message::Hear(_)) => {}
                Ok(Message::News(number, _)) => {
                    // A child that says anything between units is of no more use.
                    if self.kept.as_ref().is_some_and(|kept| kept.number == number) {
                        self.discard();
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.discard(),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.discard();
    }

    /// Runs one attempt to its end; `None` when the worker stops at once.
    fn attempt(
        &mut self,
        id: v1::AttemptId,
        unit: v1::Unit,
        briefing: &TaskBriefing,
    ) -> Option<Report> {
        let began = Instant::now();
        self.gauge.begin(id);
        if let Err(how) = self.begin(unit, briefing) {
            return Some(Report { ending: Ending::Crashed { how }, usage: Usage::default() });
        }
        let mut kill_at: Option<Instant> = None;
        loop {
            let message = match kill_at {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => self.inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::News(number, news)) if self.is_kept(number) => match news {
                    News::Reported(report) => return Some(self.reported(report, began)),
                    News::Closed(fault) => {
                        return Some(self.closed(fault, began, kill_at.is_some()));
                    }
                },
                Ok(Message::Cancel(cancelled)) if cancelled == id && kill_at.is_none() => {
                    kill_at = Some(Instant::now() + self.setup.cancel_grace);
                    if let Some(kept) = &mut self.kept {
                        // A broken pipe means that the child has ended, of which news will come.
                        let _ = kept.process.order(Order::Cancel(id));
                    }
                }
                Ok(Message::Hear(hearsay)) => {
                    if let Some(kept) = &mut self.kept {
                        let _ = kept.process.order(Order::Hear(hearsay));
                    }
                }
                Ok(Message::Run(..)) => tracing::error!("was given a unit while another one runs"),
                Ok(Message::Cancel(_) | Message::News(..)) => {}
                Err(RecvTimeoutError::Timeout) => {
                    tracing::warn!("the unit did not stop when told to, so its process is killed");
                    return Some(self.closed(None, began, true));
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn is_kept(&self, number: u64) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.number == number)
    }

    /// Gives the unit to a child: the one that is kept, if it has served the same job and still
    /// lives, else a new one. On failure says what is wrong.
    fn begin(&mut self, unit: v1::Unit, briefing: &TaskBriefing) -> Result<(), String> {
        let job = unit.id.unwrap_or_default().job;
        if self.kept.as_ref().is_some_and(|kept| kept.job != job) {
            self.discard();
        }
        if let Some(kept) = &mut self.kept {
            if kept.give(unit.clone(), briefing).is_ok() {
                return Ok(());
            }
            self.discard();
        }
        let process = self.start().map_err(|fault| format!("cannot start its process: {fault}"))?;
        let kills = self.group.as_ref().map_or(0, |group| {
            // Before it is given anything to do. Its cap holds all the same.
            if let Err(fault) = group.join(process.id()) {
                tracing::warn!(%fault, "a slot's process is in no cgroup");
            }
            group.kills()
        });
        tracing::debug!(process = process.id(), "started a process");
        let kept = Kept {
            process,
            number: self.children,
            job,
            briefed: (briefing.clone(), 0),
            spent: 0.0,
            kills,
        };
        match self.kept.insert(kept).give(unit, briefing) {
            // Why the pipe broke is in the status of the child, of which news will come.
            Ok(()) | Err(frames::FrameError::Pipe(_)) => Ok(()),
            Err(fault) => Err(format!("cannot be given to its process: {fault}")),
        }
    }

    fn start(&mut self) -> std::io::Result<SlotProcess> {
        self.children += 1;
        let number = self.children;
        let inbox = self.to_inbox.clone();
        let gauge = Arc::clone(&self.gauge);
        let (news, slot) = (self.news.clone(), self.number);
        SlotProcess::start(&self.setup.command, self.setup.cap, self.setup.threads, move |output| {
            let tell = |hearsay| {
                // What finds no room is lost, as hearsay may be.
                let _ = news.try_send(SlotNews::Told { slot, hearsay });
            };
            read_events(output, number, &inbox, &gauge, tell);
        })
    }

    /// The end of an attempt that its child has reported.
    fn reported(&mut self, report: v1::Report, began: Instant) -> Report {
        let (_, report) = match report.read() {
            Ok(read) => read,
            Err(fault) => return self.closed(Some(fault.to_string()), began, false),
        };
        if matches!(report.ending, Ending::Crashed { .. } | Ending::OutOfMemory { .. }) {
            self.discard();
        } else if let Some(kept) = &mut self.kept {
            kept.spent += report.usage.cpu_seconds;
        }
        report
    }

    /// The end of an attempt whose child says nothing more: it has ended, wrote what cannot be read,
    /// or did not stop when it was told to.
    fn closed(&mut self, fault: Option<String>, began: Instant, cancelled: bool) -> Report {
        let seconds = began.elapsed().as_secs_f64();
        let Some(kept) = self.kept.take() else {
            unreachable!("an attempt that has begun has a child until it ends");
        };
        let Death { reaped, last_words } = match kept.process.end() {
            Ok(death) => death,
            Err(unknown) => {
                let how = format!("its process is not to be found: {unknown}");
                let usage = Usage { seconds, ..Usage::default() };
                return Report { ending: Ending::Crashed { how }, usage };
            }
        };
        let killed = self.group.as_ref().is_some_and(|group| group.kills() > kept.kills);
        let ending = match fault {
            _ if cancelled => Ending::Cancelled,
            Some(fault) => {
                Ending::Crashed { how: format!("its process wrote something unreadable: {fault}") }
            }
            None if killed => ending::of_want_of_memory(self.setup.cap),
            None => ending::of_dead_process(reaped.status, &last_words, self.setup.cap),
        };
        let usage = Usage {
            seconds,
            cpu_seconds: (reaped.processor.as_secs_f64() - kept.spent).max(0.0),
            peak_memory: reaped.peak_memory,
        };
        Report { ending, usage }
    }

    /// Ends the child that is kept, if there is one.
    fn discard(&mut self) {
        if let Some(kept) = self.kept.take()
            && let Err(fault) = kept.process.end()
        {
            tracing::warn!(%fault, "a slot's process could not be waited for");
        }
    }
}

/// Reads a child's events to their end. At most one report an attempt is passed on.
fn read_events(
    mut output: BufReader<ChildStdout>,
    number: u64,
    inbox: &Sender<Message>,
    gauge: &Gauge,
    tell: impl Fn(v1::Hearsay),
) {
    let fault = loop {
        match frames::read::<SlotEvent>(&mut output) {
            Ok(Some(SlotEvent { event: Some(Event::Progress(progress)) })) => {
                gauge.advance(progress);
            }
            Ok(Some(SlotEvent { event: Some(Event::Report(report)) })) => {
                if !gauge.end(report.id) {
                    break Some("a report of an attempt that does not run".to_owned());
                }
                // Nobody reads the news of a slot that has ended.
                let _ = inbox.send(Message::News(number, News::Reported(report)));
            }
            Ok(Some(SlotEvent { event: Some(Event::Tell(hearsay)) })) => tell(hearsay),
            Ok(Some(SlotEvent { event: None })) => break Some("an empty event".to_owned()),
            Ok(None) => break None,
            Err(frames::FrameError::Pipe(_)) => break None,
            Err(fault) => break Some(fault.to_string()),
        }
    };
    let _ = inbox.send(Message::News(number, News::Closed(fault)));
}

/// Seconds without the digits that nobody needs: a millisecond is as much as a log tells.
fn to_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn log(report: &Report) {
    let Usage { seconds, cpu_seconds, peak_memory } = report.usage;
    let [seconds, cpu_seconds] = [seconds, cpu_seconds].map(to_milliseconds);
    match &report.ending {
        Ending::Done(_) => tracing::info!(seconds, cpu_seconds, peak_memory, "done"),
        Ending::Cancelled => tracing::info!(seconds, "cancelled"),
        Ending::OutOfMemory { cap, needed } => {
            tracing::warn!(cap, needed, peak_memory, "out of memory");
        }
        Ending::Crashed { how } => tracing::warn!(how, seconds, "crashed"),
        Ending::Refused { reason } => tracing::warn!(reason, "refused"),
    }
}

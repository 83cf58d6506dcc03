//! What runs the units of a simulated worker: the real kinds, in a task instead of a child process.
//!
//! A unit is computed at its end, in no simulated time, after having made progress for a while that chance
//! decides. Some stand still for ever and have to be taken back, some crash.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sprague_proto::v1;
use sprague_work::{
    Ending, Mail, Registry, Report, RunEnd, RunLimits, UnitInput, Usage, Workplace,
};
use sprague_worker::{Engine, SlotNews, TaskBriefing};
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::chance::Chance;

/// How often a unit that gets on does so.
const BEAT: Duration = Duration::from_millis(50);
/// The most beats of a unit.
const MOST_BEATS: u64 = 40;
/// One unit in so many stands still until it is cancelled, one in so many crashes.
const STANDS_STILL: u64 = 25;
const CRASHES: u64 = 25;
/// The cap of each slot.
pub(crate) const MEMORY: u64 = 1 << 30;

/// A slot.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) slot: usize,
    pub(crate) registry: Registry,
    pub(crate) chance: Arc<Chance>,
    pub(crate) news: Sender<SlotNews>,
    pub(crate) running: Option<Running>,
}

/// An attempt that runs.
#[derive(Debug)]
pub(crate) struct Running {
    id: v1::AttemptId,
    cancel: CancellationToken,
    progress: Arc<AtomicU64>,
    heard: Arc<Letters>,
    task: JoinHandle<()>,
}

/// The way from a unit to the others of its task.
#[derive(Debug, Default)]
struct Letters {
    heard: Mutex<Vec<Vec<u8>>>,
    told: Mutex<Vec<Vec<u8>>>,
}

/// The letters of a unit, and what its task's driver has to say.
struct Post<'a> {
    letters: &'a Letters,
    briefing: Vec<Vec<u8>>,
}

impl Mail for Post<'_> {
    fn briefing(&self) -> Vec<Vec<u8>> {
        self.briefing.clone()
    }

    fn hear(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.letters.heard.lock().unwrap())
    }

    fn tell(&self, message: Vec<u8>) {
        self.letters.told.lock().unwrap().push(message);
    }
}

/// Computes a unit by its real kind, in this thread.
fn compute(registry: &Registry, input: &UnitInput, mail: &dyn Mail) -> Ending {
    let limits = RunLimits {
        memory: MEMORY / 4,
        cancel: &AtomicBool::new(false),
        progress: &AtomicU64::new(0),
        threads: 1,
    };
    let kind = registry.kind_of(&input.question).unwrap();
    match kind.run(input, &limits, &mut Workplace { kept: &mut None, mail }) {
        RunEnd::Done(result) => Ending::Done(result),
        other => panic!("{input:?} ended with {other:?}"),
    }
}

/// Computes a unit on its own, where nobody else is.
pub(crate) fn compute_alone(registry: &Registry, input: &UnitInput) -> Ending {
    compute(registry, input, &sprague_work::NoMail)
}

impl Bench {
    /// The life of an attempt.
    async fn attempt(
        unit: v1::Unit,
        briefing: TaskBriefing,
        registry: Registry,
        chance: Arc<Chance>,
        cancel: CancellationToken,
        progress: Arc<AtomicU64>,
        letters: Arc<Letters>,
    ) -> Report {
        let beats = 1 + chance.below(MOST_BEATS);
        let (stands_still, crashes) = (chance.one_in(STANDS_STILL), chance.one_in(CRASHES));
        let usage =
            |beats: u64| Usage { seconds: BEAT.as_secs_f64() * beats as f64, ..Usage::default() };
        let end = |ending, beats| Report { ending, usage: usage(beats) };
        for beat in 0..beats {
            if timeout(BEAT, cancel.cancelled()).await.is_ok() {
                return end(Ending::Cancelled, beat);
            }
            progress.fetch_add(1, Ordering::Relaxed);
        }
        if stands_still {
            cancel.cancelled().await;
            return end(Ending::Cancelled, beats);
        }
        if crashes {
            return end(Ending::Crashed { how: "by chance".to_owned() }, beats);
        }
        let briefing = (0..).map_while(|number| briefing.batch(number)).collect();
        let input = unit.input().unwrap();
        end(compute(&registry, &input, &Post { letters: &letters, briefing }), beats)
    }
}

impl Engine for Bench {
    fn run(&mut self, unit: v1::Unit, briefing: TaskBriefing) {
        let (id, task) = (unit.id.unwrap(), unit.task_id());
        let cancel = CancellationToken::new();
        let progress = Arc::new(AtomicU64::new(0));
        let letters = Arc::new(Letters::default());
        let life = Self::attempt(
            unit,
            briefing,
            self.registry.clone(),
            Arc::clone(&self.chance),
            cancel.clone(),
            Arc::clone(&progress),
            Arc::clone(&letters),
        );
        let (news, slot, written) = (self.news.clone(), self.slot, Arc::clone(&letters));
        let task = tokio::spawn(async move {
            let report = life.await;
            let message = match &report.ending {
                Ending::Done(_) => "done",
                Ending::Cancelled => "cancelled",
                _ => "crashed",
            };
            tracing::info!(job = id.job, unit = id.unit, attempt = id.attempt, "{message}");
            for message in std::mem::take(&mut *written.told.lock().unwrap()) {
                let hearsay = v1::Hearsay { task: Some(task), message };
                let _ = news.try_send(SlotNews::Told { slot, hearsay });
            }
            let report = v1::Report::new(id, &report);
            let _ = news.send(SlotNews::Ended { slot, report }).await;
        });
        self.running = Some(Running { id, cancel, progress, heard: letters, task });
    }

    fn cancel(&mut self, id: v1::AttemptId) {
        if let Some(running) = self.running.as_ref().filter(|running| running.id == id) {
            running.cancel.cancel();
        }
    }

    fn hear(&mut self, hearsay: &v1::Hearsay) {
        if let Some(running) = &self.running {
            running.heard.heard.lock().unwrap().push(hearsay.message.clone());
        }
    }

    fn progress(&self) -> Option<v1::Progress> {
        let running = self.running.as_ref().filter(|running| !running.task.is_finished())?;
        let expansions = running.progress.load(Ordering::Relaxed);
        Some(v1::Progress { id: Some(running.id), expansions, memory: 0 })
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.abort();
        }
    }

    fn join(self: Box<Self>) {}
}

/// Waits for something that another host has yet to write.
pub(crate) async fn appears<T>(mut look: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = look() {
            return found;
        }
        sleep(2 * BEAT).await;
    }
}

//! The child process of a slot: runs one unit after the other under a hard memory cap.
//!
//! Its main thread reads orders and ends the process when they end, whatever is being computed;
//! one thread runs the units; one sends progress. What the child cannot live through (a crash, a
//! failed allocation) its supervisor reports instead.

mod mailbox;
mod post;
mod solver;

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;

use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use sprague_proto::v1::{SlotOrder, slot_order::Order};
use sprague_work::Registry;

use crate::caps::{self, Budget, SOLVER_STACK, TICKER_STACK, least_cap};
use crate::frames::{self, FrameError};
use crate::{allocator, child::post::Post, child::solver::Assignment};

/// Why a child ends before its orders do.
#[derive(Debug, thiserror::Error)]
enum ChildError {
    #[error("a cap of {cap} bytes is too small for a slot, the least is {least} bytes")]
    CapTooSmall { cap: u64, least: u64 },
    #[error("the worker that started this process is gone")]
    Orphan,
    #[error("cannot {what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("cannot read the worker's orders: {0}")]
    Orders(#[from] FrameError),
    #[error("was ordered to run a unit while another one runs")]
    Busy,
    #[error("was given an order without content")]
    EmptyOrder,
}

/// The whole life of a slot's child process.
///
/// `cap` is its memory in bytes, `threads` how many a unit may use, and `parent` the number of the
/// worker's process: the three arguments that the worker adds to [`WorkerConfig::slot_command`](crate::WorkerConfig::slot_command).
/// Orders come over standard input and events go to standard output; nothing else may use them. To
/// be called first of all, before there are any other threads; the program should end with what it
/// returns.
#[must_use]
pub fn slot_main(registry: Registry, cap: u64, threads: u32, parent: u32) -> ExitCode {
    match live(registry, cap, threads, parent) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            // The worker keeps the last line of a child as its last words.
            let _ = writeln!(io::stderr(), "slot: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn live(registry: Registry, cap: u64, threads: u32, parent: u32) -> Result<(), ChildError> {
    let least = least_cap(threads);
    if cap < least {
        return Err(ChildError::CapTooSmall { cap, least });
    }
    // In this order: a parent that dies before the signal is set is seen by the check.
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(system("ask for a signal at the worker's end"))?;
    if !started_by(parent) {
        return Err(ChildError::Orphan);
    }
    caps::apply(cap).map_err(system("set the memory cap"))?;
    allocator::end_on_exhaustion();
    solver::remember_panics();

    let post = Arc::new(Post::default());
    let assignments = start_threads(registry, cap, threads, &post)?;
    obey(&post, &assignments)
}

fn started_by(parent: u32) -> bool {
    getppid().map(Pid::as_raw_nonzero).is_some_and(|pid| i64::from(pid.get()) == i64::from(parent))
}

fn system<E: Into<io::Error>>(what: &'static str) -> impl FnOnce(E) -> ChildError {
    move |source| ChildError::System { what, source: source.into() }
}

fn start_threads(
    registry: Registry,
    cap: u64,
    threads: u32,
    post: &Arc<Post>,
) -> Result<SyncSender<Assignment>, ChildError> {
    let (sender, assignments) = sync_channel(1);
    let ticker = Arc::clone(post);
    thread::Builder::new()
        .name("ticker".to_owned())
        .stack_size(TICKER_STACK)
        .spawn(move || ticker.tell_progress())
        .map_err(system("start the ticker"))?;
    let solver = Arc::clone(post);
    thread::Builder::new()
        .name("solver".to_owned())
        .stack_size(SOLVER_STACK)
        .spawn(move || {
            // Measured here, where both stacks are counted.
            let budget = Budget::measure(cap, threads);
            solver::solve(&registry, budget, threads, &solver, &assignments);
        })
        .map_err(system("start the solver"))?;
    Ok(sender)
}

/// Follows orders until they end.
fn obey(post: &Post, assignments: &SyncSender<Assignment>) -> Result<(), ChildError> {
    let mut input = BufReader::with_capacity(4096, io::stdin().lock());
    while let Some(order) = frames::read::<SlotOrder>(&mut input)? {
        match order.order.ok_or(ChildError::EmptyOrder)? {
            Order::Run(unit) => {
                post.mailbox().turn_to(unit.task_id());
                let running = post.begin(unit.id.unwrap_or_default());
                assignments.try_send(Assignment { unit, running }).map_err(
                    |fault| match fault {
                        TrySendError::Full(_) | TrySendError::Disconnected(_) => ChildError::Busy,
                    },
                )?;
            }
            Order::Cancel(id) => post.cancel(id),
            Order::Briefing(briefing) => post.mailbox().brief(briefing),
            Order::Hear(hearsay) => post.mailbox().hear(hearsay),
        }
    }
    Ok(())
}

//! `sprague launch ssh HOSTFILE`

use std::sync::Arc;

use sprague_proto::{Access, Role};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::hosts::{self, Host};
use super::remote::{Leashed, Remote, own_program};
use crate::args::LaunchSshArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{Launched, LaunchedWorkers};
use crate::stop::StopSignals;

pub(crate) async fn run(context: &Context, args: LaunchSshArgs) -> Result<Exit, ExpectedError> {
    let mut signals = StopSignals::listen()?;
    let unreadable = |source| ExpectedError::Read { file: args.hosts.clone(), source };
    let text = hosts::read(&args.hosts).map_err(unreadable)?;
    let hosts = hosts::parse(&text)
        .map_err(|source| ExpectedError::Hosts { file: args.hosts.clone(), source })?;
    // Nothing goes to any machine that is no access to work.
    Access::read(&args.access, Role::Worker)?;
    let unreadable = |source| ExpectedError::Read { file: args.access.clone(), source };
    let access = std::fs::read(&args.access).map_err(unreadable)?;
    let what = "read this program";
    let program = match args.copy {
        true => own_program().await.map_err(|source| ExpectedError::System { what, source })?,
        false => Vec::new(),
    };

    let freight = Arc::new(Freight { args, access, program });
    let (order, orders) = watch::channel(Order::Work);
    let mut machines = JoinSet::new();
    for (at, host) in hosts.into_iter().enumerate() {
        let (freight, orders) = (freight.clone(), orders.clone());
        let context = context.clone();
        machines.spawn(async move { (at, serve(&context, host, &freight, orders).await) });
    }
    let mut launched = Vec::new();
    loop {
        tokio::select! {
            ended = machines.join_next() => match ended {
                Some(Ok(machine)) => launched.push(machine),
                Some(Err(fault)) => std::panic::resume_unwind(fault.into_panic()),
                None => break,
            },
            () = signals.next() => order.send_modify(|order| match order {
                Order::Work => {
                    context.notes.say("stopping the workers; once more stops at once");
                    *order = Order::Stop;
                }
                Order::Stop | Order::StopAtOnce => *order = Order::StopAtOnce,
            }),
        }
    }
    launched.sort_by_key(|(at, _)| *at);
    let workers: Vec<Launched> = launched.into_iter().map(|(_, launched)| launched).collect();
    let failed = workers.iter().filter(|worker| worker.fault.is_some()).count();
    context.printer.show(&LaunchedWorkers { workers })?;
    if failed == 0 {
        return Ok(Exit::Done);
    }
    context.notes.hint("`ssh HOST` must work without a password, and `HOST` must have the program");
    Ok(Exit::Failed)
}

/// What every machine gets.
struct Freight {
    args: LaunchSshArgs,
    access: Vec<u8>,
    /// Empty where the machines have the program.
    program: Vec<u8>,
}

/// What the workers are to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Work,
    Stop,
    StopAtOnce,
}

/// Gets one worker going, and holds it until it ends unless it is to stay.
async fn serve(
    context: &Context,
    host: Host,
    freight: &Freight,
    orders: watch::Receiver<Order>,
) -> Launched {
    let name = host.destination.clone();
    let remote = Remote::new(host, &freight.args, context.notes);
    let end = match started(&remote, freight).await {
        Ok(Started::Detached(process)) => Ok(Some(process)),
        Ok(Started::Leashed(worker)) => {
            context.notes.say(&format!("{name}: a worker runs"));
            hold(*worker, orders).await.map(|()| None)
        }
        Err(fault) => Err(fault),
    };
    if let Err(fault) = &end {
        context.notes.say(&format!("{name}: {fault}"));
    }
    let (process, fault) = match end {
        Ok(process) => (process, None),
        Err(fault) => (None, Some(fault)),
    };
    Launched { host: name, process, fault }
}

enum Started {
    /// The process that stays there.
    Detached(u64),
    Leashed(Box<Leashed>),
}

async fn started(remote: &Remote, freight: &Freight) -> Result<Started, String> {
    remote.put("worker.access", "600", &freight.access).await?;
    if !freight.program.is_empty() {
        remote.put("sprague", "700", &freight.program).await?;
    }
    if freight.args.detach {
        remote.start_detached(&freight.args).await.map(Started::Detached)
    } else {
        remote.start_leashed(&freight.args).map(Box::new).map(Started::Leashed)
    }
}

/// Waits for the end of a worker, and passes orders on to it.
async fn hold(mut worker: Leashed, mut orders: watch::Receiver<Order>) -> Result<(), String> {
    loop {
        let order = *orders.borrow_and_update();
        if order != Order::Work {
            // Its standard input ends: it stops kindly.
            worker.leash = None;
        }
        if order == Order::StopAtOnce {
            // Without the connection the worker goes on to its kind end, unseen.
            let _ = worker.child.start_kill();
        }
        tokio::select! {
            ended = worker.child.wait() => {
                let status = ended.map_err(|fault| fault.to_string())?;
                let expected = status.success() || order == Order::StopAtOnce;
                return if expected { Ok(()) } else { Err(format!("the worker ended with {status}")) };
            }
            changed = orders.changed() => {
                if changed.is_err() {
                    return Err("nobody holds it any more".to_owned());
                }
            }
        }
    }
}

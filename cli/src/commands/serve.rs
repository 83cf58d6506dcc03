//! `sprague serve --dir DIR`

use sprague_coordinator::{Config, Coordinator};

use crate::args::ServeArgs;
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::Served;
use crate::stop::StopSignals;

pub(crate) async fn run(context: &Context, args: ServeArgs) -> Result<Exit, ExpectedError> {
    let unspecified = args.listen.filter(|listen| listen.ip().is_unspecified());
    if let Some(listen) = unspecified.filter(|_| args.advertise.is_none()) {
        return Err(ExpectedError::Usage {
            message: format!("{listen} is no address that a worker could call"),
            hint: Some("name one for the access files with `--advertise HOST:PORT`".to_owned()),
        });
    }
    let mut stop = StopSignals::listen()?;
    let config = Config {
        listen: args.listen,
        advertise: args.advertise,
        metrics: args.metrics,
        lease: args.lease,
        ..Config::new(args.dir)
    };
    let mut coordinator = Coordinator::start(config, context.registry.clone()).await?;
    context.printer.show(&Served {
        address: coordinator.address(),
        advertised: coordinator.published().to_owned(),
        metrics: coordinator.metrics(),
        worker_access: coordinator.worker_access(),
        operator_access: coordinator.operator_access(),
    })?;

    let failure = tokio::select! {
        () = stop.next() => None,
        end = coordinator.stopped() => end.err(),
    };
    if failure.is_none() {
        tracing::info!("stopping; everything acknowledged is kept");
    }
    tokio::select! {
        () = coordinator.shutdown() => {}
        () = stop.next() => return Ok(Exit::Stopped),
    }
    failure.map_or(Ok(Exit::Done), |fault| Err(fault.into()))
}

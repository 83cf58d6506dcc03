//! `sprague run JOB...`

use sprague_work::{JobId, JobSpec, JobState, Value};

use super::follow::{Followed, follow};
use super::home::Home;
use crate::args::{RunArgs, enough_for_threads};
use crate::context::Context;
use crate::embedded::{Cluster, Crew};
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::machine;
use crate::output::JobResult;
use crate::remote::{Client, Job};
use crate::stop::StopSignals;

pub(crate) async fn run(context: &Context, args: RunArgs) -> Result<Exit, ExpectedError> {
    // Words that are no job are told before anything is started.
    let spec = context.registry.parse(&args.wish.job(), &args.wish.options())?;
    let mut stop = StopSignals::listen()?;
    let home = Home::open(args.dir)?;
    let workers = args.workers.unwrap_or_else(|| machine::teams(args.threads));
    let agree = spec.options.times() as usize;
    if agree > workers.get() {
        return Err(ExpectedError::Usage {
            message: format!("{agree} workers cannot agree where there are {workers}"),
            hint: Some(format!("start as many with `--workers {agree}`")),
        });
    }
    let memory = args.memory.unwrap_or_else(|| machine::share(workers));
    enough_for_threads(memory, args.threads)?;

    let mut cluster =
        Cluster::start(context, home.path(), Crew { workers, threads: args.threads, memory })
            .await?;
    let Answered { job, values } = match answer(context, &mut cluster, &spec, &mut stop).await {
        Ok(answered) => {
            cluster.stop(stop.next()).await;
            answered
        }
        Err(fault) => {
            let fault = cluster.reason(fault).await;
            // Nobody is left to hand anything back to.
            cluster.stop(std::future::ready(())).await;
            return Err(fault);
        }
    };
    context.printer.show(&JobResult { registry: &context.registry, job: &job, values: &values })?;
    if job.state == JobState::Stopped {
        home.say_how_to_go_on(context);
    }
    Ok(Exit::of(job.state))
}

/// What became of the job.
struct Answered {
    job: Job,
    values: Vec<Value>,
}

async fn answer(
    context: &Context,
    cluster: &mut Cluster,
    spec: &JobSpec,
    stop: &mut StopSignals,
) -> Result<Answered, ExpectedError> {
    let mut client = cluster.client();
    let id = take_up(context, &mut client, spec).await?;
    let watch = client.watch(id);
    let followed = follow(context, watch, stop, cluster.failure(), |_| Ok(())).await?;
    let mut job = client.job(id).await?;
    if followed == Followed::ToASignal && !job.state.is_final() {
        context.notes.say("stopping kindly; once more stops at once");
        // This run of it is, whatever a later one makes of the store.
        job.state = JobState::Stopped;
    }
    let values = client.values_of_job(id).await?;
    Ok(Answered { job, values })
}

/// Goes on with the same job where the folder holds one that has not ended, submits it otherwise.
async fn take_up(
    context: &Context,
    client: &mut Client,
    spec: &JobSpec,
) -> Result<JobId, ExpectedError> {
    let jobs = client.jobs().await?;
    let unfinished = jobs.iter().filter(|job| !job.state.is_final());
    let (same, others): (Vec<&Job>, Vec<&Job>) = unfinished.partition(|job| job.is(spec));
    for job in others {
        context.notes.say(&format!(
            "job {} ({}) of this folder goes on as well, and comes first",
            job.id, job.words
        ));
    }
    if let Some(job) = same.first() {
        context.notes.say(&format!("going on with job {}", job.id));
        return Ok(job.id);
    }
    let words: Vec<String> = spec.words.split(' ').map(str::to_owned).collect();
    Ok(client.submit(&words, &spec.options).await?)
}

//! What operators ask for.

use std::pin::Pin;
use std::time::Duration;

use sprague_proto::{Role, v1};
use sprague_work::{JobId, JobOptions, MAX_REDUNDANCY, MethodName, Question, Value, WorkerId};
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status};

use super::Services;
use super::auth::{pass, revoked};
use crate::core::{
    Event, Explanation, JobView, KnownView, NoSuchJob, NoSuchWorker, RunningView, WorkerState,
    WorkerView,
};

/// A watcher is told no more often than this, however fast things change.
const WATCH_EVERY: Duration = Duration::from_millis(200);

type Answer<T> = Result<Response<T>, Status>;
type Outgoing<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl v1::operator_service_server::OperatorService for Services {
    type WatchJobStream = Outgoing<v1::Job>;
    type ValuesStream = Outgoing<v1::ValueDocument>;

    async fn submit(&self, request: Request<v1::SubmitRequest>) -> Answer<v1::SubmitReply> {
        let v1::SubmitRequest { words, methods, budget_seconds, redundancy } = request.into_inner();
        if redundancy > MAX_REDUNDANCY {
            return Err(Status::invalid_argument(format!(
                "a redundancy of {redundancy}: the most is {MAX_REDUNDANCY}"
            )));
        }
        let methods = methods.into_iter().map(MethodName::new).collect();
        let options = JobOptions { methods, budget_seconds, redundancy };
        let invalid = |fault: sprague_work::JobError| Status::invalid_argument(fault.to_string());
        let spec = self.registry.parse(&words, &options).map_err(invalid)?;
        let submitted =
            self.owner.call(|state, now| state.core.submit(now, spec)).await?.map_err(invalid)?;
        let job = submitted.job.0;
        Ok(Response::new(v1::SubmitReply { job, resumed: submitted.resumed }))
    }

    async fn list_jobs(&self, _: Request<v1::ListJobsRequest>) -> Answer<v1::ListJobsReply> {
        let jobs = self.owner.call(|state, now| state.core.jobs(now)).await?;
        Ok(Response::new(v1::ListJobsReply { jobs: jobs.into_iter().map(job).collect() }))
    }

    async fn watch_job(&self, request: Request<v1::JobRequest>) -> Answer<Self::WatchJobStream> {
        let pass = pass(request.extensions())?;
        let id = JobId(request.into_inner().job);
        let services = self.clone();
        // Asked once here, so that a job that does not exist is an error of the call.
        self.view(id).await?;
        let mut revision = self.owner.revision();
        let (sender, receiver) = tokio::sync::mpsc::channel(1);
        tokio::spawn(async move {
            loop {
                revision.borrow_and_update();
                let view = services.view(id).await;
                let last = view.as_ref().map_or(true, |view| view.state.is_final());
                if sender.send(view.map(job)).await.is_err() || last {
                    return;
                }
                tokio::time::sleep(WATCH_EVERY).await;
                tokio::select! {
                    changed = revision.changed() => if changed.is_err() { return },
                    () = services.stop.cancelled() => return,
                    () = pass.revoked() => {
                        let _ = sender.send(Err(revoked(Role::Operator))).await;
                        return;
                    }
                    () = sender.closed() => return,
                }
            }
        });
        Ok(Response::new(Box::pin(tokio_stream::wrappers::ReceiverStream::new(receiver))))
    }

    async fn show_job(&self, request: Request<v1::JobRequest>) -> Answer<v1::Job> {
        self.view(JobId(request.into_inner().job)).await.map(job).map(Response::new)
    }

    async fn cancel_job(&self, request: Request<v1::JobRequest>) -> Answer<v1::Job> {
        let id = JobId(request.into_inner().job);
        let view = self
            .owner
            .call(move |state, now| {
                state.core.cancel(now, id)?;
                state.core.job(now, id)
            })
            .await??;
        Ok(Response::new(job(view)))
    }

    async fn explain_job(&self, request: Request<v1::JobRequest>) -> Answer<v1::ExplainReply> {
        let id = JobId(request.into_inner().job);
        let found = self.owner.call(move |state, _| state.core.explain(id)).await??;
        let explanations = found.into_iter().map(explanation).collect();
        Ok(Response::new(v1::ExplainReply { explanations }))
    }

    async fn list_events(&self, request: Request<v1::JobRequest>) -> Answer<v1::ListEventsReply> {
        let id = JobId(request.into_inner().job);
        let events = self.owner.call(move |state, _| state.core.events(id)).await??;
        let events = events.into_iter().map(event).collect();
        Ok(Response::new(v1::ListEventsReply { events }))
    }

    async fn values(&self, request: Request<v1::ValuesRequest>) -> Answer<Self::ValuesStream> {
        let v1::ValuesRequest { question, job } = request.into_inner();
        let question = match question.as_str() {
            "" => None,
            text => Some(
                Question::new(text).map_err(|fault| Status::invalid_argument(fault.to_string()))?,
            ),
        };
        let values = self
            .owner
            .call(move |state, _| -> Result<Vec<Value>, Status> {
                let mut values = match job {
                    0 => state.core.values(),
                    job => state.core.values_of(JobId(job))?,
                };
                if let Some(question) = question {
                    values.retain(|value| value.question == question);
                }
                Ok(values)
            })
            .await??;
        let documents = tokio_stream::iter(values).map(|value| {
            let json = serde_json::to_string(&value)
                .map_err(|fault| Status::internal(fault.to_string()))?;
            Ok(v1::ValueDocument { json })
        });
        Ok(Response::new(Box::pin(documents)))
    }

    async fn list_workers(
        &self,
        _: Request<v1::ListWorkersRequest>,
    ) -> Answer<v1::ListWorkersReply> {
        let workers = self.owner.call(|state, _| state.core.workers()).await?;
        let workers = workers.into_iter().map(worker).collect();
        Ok(Response::new(v1::ListWorkersReply { workers }))
    }

    async fn drain_worker(&self, request: Request<v1::WorkerRequest>) -> Answer<v1::Worker> {
        let id = WorkerId(request.into_inner().worker);
        let view = self
            .owner
            .call(move |state, _| {
                state.core.drain(id)?;
                state.core.worker(id)
            })
            .await??;
        Ok(Response::new(worker(view)))
    }

    async fn trust_worker(&self, request: Request<v1::WorkerRequest>) -> Answer<v1::Worker> {
        let id = WorkerId(request.into_inner().worker);
        let view = self
            .owner
            .call(move |state, _| {
                state.core.trust(id)?;
                state.core.worker(id)
            })
            .await??;
        Ok(Response::new(worker(view)))
    }

    async fn rotate_access(
        &self,
        request: Request<v1::AccessRequest>,
    ) -> Answer<v1::RotateAccessReply> {
        self.rotate(request).await
    }

    async fn revoke_access(
        &self,
        request: Request<v1::AccessRequest>,
    ) -> Answer<v1::RevokeAccessReply> {
        self.revoke(request).await
    }
}

impl Services {
    async fn view(&self, id: JobId) -> Result<JobView, Status> {
        Ok(self.owner.call(move |state, now| state.core.job(now, id)).await??)
    }
}

impl From<NoSuchJob> for Status {
    fn from(fault: NoSuchJob) -> Self {
        Self::not_found(fault.to_string())
    }
}

impl From<NoSuchWorker> for Status {
    fn from(fault: NoSuchWorker) -> Self {
        Self::not_found(fault.to_string())
    }
}

fn job(view: JobView) -> v1::Job {
    let (tasks, tasks_done) = view.tasks;
    v1::Job {
        id: view.id.0,
        words: view.spec.words,
        kind: view.spec.kind,
        view: view.spec.view,
        state: view.state.to_string(),
        reason: view.reason.unwrap_or_default(),
        seconds: view.seconds,
        submitted: view.submitted,
        units: Some(v1::Counts {
            total: view.units.total,
            done: view.units.done,
            running: view.units.running,
            waiting: view.units.waiting,
            parked: view.units.parked,
        }),
        tasks: Some(v1::Counts { total: Some(tasks), done: tasks_done, ..v1::Counts::default() }),
        attempts: view.totals.attempts,
        expansions: view.totals.expansions,
        running: view.running.into_iter().map(running_unit).collect(),
        cpu_seconds: view.totals.cpu_seconds,
        methods: view.spec.options.methods.iter().map(ToString::to_string).collect(),
        budget_seconds: view.spec.options.budget_seconds,
        idle: view.idle.map(explanation),
        redundancy: view.spec.options.redundancy,
        known: view.known.into_iter().map(known).collect(),
    }
}

fn known(KnownView { task, known }: KnownView) -> v1::Known {
    v1::Known { question: task.question.to_string(), method: task.method.to_string(), known }
}

fn event(Event { when, what }: Event) -> v1::Event {
    let tried = what.tried();
    v1::Event {
        when,
        event: what.name().to_owned(),
        unit: what.unit(),
        attempt: tried.map(|tried| tried.attempt.0),
        worker: tried.map(|tried| tried.worker.clone()).unwrap_or_default(),
        text: what.to_string(),
        worker_id: tried.and_then(|tried| tried.number).map(|id| id.0),
    }
}

fn running_unit(view: RunningView) -> v1::RunningUnit {
    v1::RunningUnit {
        unit: view.unit,
        attempt: view.attempt.0,
        question: view.task.question.to_string(),
        method: view.task.method.to_string(),
        worker: view.worker,
        seconds: view.seconds,
        expansions: view.expansions,
        memory: view.memory,
    }
}

fn worker(view: WorkerView) -> v1::Worker {
    let state = match view.state {
        WorkerState::Present if view.distrusted.is_some() => "distrusted",
        WorkerState::Present if view.busy == 0 => "idle",
        WorkerState::Present => "busy",
        WorkerState::Draining => "draining",
        WorkerState::Lost(_) => "lost",
    };
    v1::Worker {
        id: view.id.0,
        name: view.name,
        version: view.version,
        slots: view.slots,
        busy: view.busy,
        slot_memory: view.slot_memory,
        state: state.to_owned(),
        units_done: view.units_done,
        distrusted: view.distrusted.unwrap_or_default(),
        memory: view.memory,
        shares_name: view.shares_name,
    }
}

fn explanation(found: Explanation) -> v1::Explanation {
    v1::Explanation {
        code: found.reason.code().to_owned(),
        units: found.units,
        reason: found.reason.sentence(),
        hint: found.reason.hint(),
    }
}

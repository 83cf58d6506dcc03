//! The calls of an operator.

use std::path::Path;
use std::time::Duration;

use sprague_proto::v1::operator_service_client::OperatorServiceClient;
use sprague_proto::{Access, Authorized, Role, connect, v1};
use sprague_work::{JobId, JobOptions, Question, Value, WorkerId};
use tonic::Request;

use super::{Event, Explanation, Job, RemoteError, Watch, Worker};
use crate::error::ExpectedError;

/// How long a coordinator may think about anything but a stream.
const DEADLINE: Duration = Duration::from_secs(60);

/// An operator's connection to a coordinator.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    access: Access,
    service: OperatorServiceClient<Authorized>,
}

fn call<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(DEADLINE);
    request
}

impl Client {
    /// Connects with an operator's access file.
    pub(crate) async fn open(access: &Path) -> Result<Self, ExpectedError> {
        Ok(Self::connect(Access::read(access, Role::Operator)?).await?)
    }

    async fn connect(access: Access) -> Result<Self, RemoteError> {
        let service = OperatorServiceClient::new(connect(&access).await?);
        Ok(Self { access, service })
    }

    /// Connects anew, to the same coordinator with the same access.
    pub(super) async fn reconnect(&self) -> Result<Self, RemoteError> {
        Self::connect(self.access.clone()).await
    }

    /// Submits a job.
    pub(crate) async fn submit(
        &mut self,
        words: &[String],
        options: &JobOptions,
    ) -> Result<JobId, RemoteError> {
        let request = v1::SubmitRequest {
            words: words.to_vec(),
            methods: options.methods.iter().map(ToString::to_string).collect(),
            budget_seconds: options.budget_seconds,
            redundancy: options.redundancy,
        };
        Ok(JobId(self.service.submit(call(request)).await?.into_inner().job))
    }

    /// All jobs, oldest first.
    pub(crate) async fn jobs(&mut self) -> Result<Vec<Job>, RemoteError> {
        let reply = self.service.list_jobs(call(v1::ListJobsRequest {})).await?;
        reply.into_inner().jobs.into_iter().map(Job::try_from).collect()
    }

    /// A job as it is now.
    pub(crate) async fn job(&mut self, id: JobId) -> Result<Job, RemoteError> {
        let request = call(v1::JobRequest { job: id.0 });
        self.service.show_job(request).await?.into_inner().try_into()
    }

    /// Cancels a job.
    pub(crate) async fn cancel(&mut self, id: JobId) -> Result<Job, RemoteError> {
        let request = call(v1::JobRequest { job: id.0 });
        self.service.cancel_job(request).await?.into_inner().try_into()
    }

    /// Why units of a job do not run.
    pub(crate) async fn explain(&mut self, id: JobId) -> Result<Vec<Explanation>, RemoteError> {
        let request = call(v1::JobRequest { job: id.0 });
        let reply = self.service.explain_job(request).await?.into_inner();
        Ok(reply.explanations.into_iter().map(Explanation::from).collect())
    }

    /// What happened to a job, oldest first.
    pub(crate) async fn events(&mut self, id: JobId) -> Result<Vec<Event>, RemoteError> {
        let request = call(v1::JobRequest { job: id.0 });
        let reply = self.service.list_events(request).await?.into_inner();
        Ok(reply.events.into_iter().map(Event::from).collect())
    }

    /// Follows a job from now to its end.
    pub(crate) fn watch(&self, id: JobId) -> Watch {
        Watch::new(self.clone(), id)
    }

    /// The stream behind [`watch`](Self::watch). It has no deadline: a job may take weeks.
    pub(super) async fn job_stream(
        &mut self,
        id: JobId,
    ) -> Result<tonic::Streaming<v1::Job>, RemoteError> {
        let request = Request::new(v1::JobRequest { job: id.0 });
        Ok(self.service.watch_job(request).await?.into_inner())
    }

    /// The values of a job.
    pub(crate) async fn values_of_job(&mut self, id: JobId) -> Result<Vec<Value>, RemoteError> {
        self.values(v1::ValuesRequest { question: String::new(), job: id.0 }).await
    }

    /// The value of a question, if it was ever asked.
    pub(crate) async fn values_of_question(
        &mut self,
        question: &Question,
    ) -> Result<Vec<Value>, RemoteError> {
        self.values(v1::ValuesRequest { question: question.to_string(), job: 0 }).await
    }

    /// All values.
    pub(crate) async fn all_values(&mut self) -> Result<Vec<Value>, RemoteError> {
        self.values(v1::ValuesRequest::default()).await
    }

    async fn values(&mut self, request: v1::ValuesRequest) -> Result<Vec<Value>, RemoteError> {
        let mut stream = self.service.values(Request::new(request)).await?.into_inner();
        let mut values = Vec::new();
        while let Some(document) = stream.message().await? {
            let value = serde_json::from_str(&document.json)
                .map_err(|fault| RemoteError::Answer(format!("a value is no value: {fault}")))?;
            values.push(value);
        }
        Ok(values)
    }

    /// All workers that the coordinator remembers.
    pub(crate) async fn workers(&mut self) -> Result<Vec<Worker>, RemoteError> {
        let reply = self.service.list_workers(call(v1::ListWorkersRequest {})).await?;
        Ok(reply.into_inner().workers.into_iter().map(Worker::from).collect())
    }

    /// Gives a worker no more units.
    pub(crate) async fn drain(&mut self, id: WorkerId) -> Result<Worker, RemoteError> {
        let request = call(v1::WorkerRequest { worker: id.0 });
        Ok(self.service.drain_worker(request).await?.into_inner().into())
    }

    /// Lets a worker that was outvoted have units again.
    pub(crate) async fn trust(&mut self, id: WorkerId) -> Result<Worker, RemoteError> {
        let request = call(v1::WorkerRequest { worker: id.0 });
        Ok(self.service.trust_worker(request).await?.into_inner().into())
    }

    /// Makes a new secret for a role, and gives the content of its access file.
    pub(crate) async fn rotate(&mut self, role: Role) -> Result<Vec<u8>, RemoteError> {
        let request = call(v1::AccessRequest { role: role.to_string() });
        Ok(self.service.rotate_access(request).await?.into_inner().access)
    }

    /// Takes every secret of a role but the newest, and gives how many there were.
    pub(crate) async fn revoke(&mut self, role: Role) -> Result<u32, RemoteError> {
        let request = call(v1::AccessRequest { role: role.to_string() });
        Ok(self.service.revoke_access(request).await?.into_inner().revoked)
    }
}

//! All kinds of jobs. Adding a kind is adding a line here.

use std::sync::Arc;

use crate::kinds::{Cram, GeographyCover, GeographyLiterature, GeographySearch, GeographySweep};
use crate::{Form, JobError, JobOptions, JobSpec, Kind, MAX_TASKS, Question};

/// The kinds of jobs that this program knows.
#[derive(Clone)]
pub struct Registry {
    kinds: Vec<Arc<dyn Kind>>,
}

impl Registry {
    /// Every kind that Sprague has.
    #[must_use]
    pub fn standard() -> Self {
        Self::new(vec![
            Arc::new(Cram),
            Arc::new(GeographySweep),
            Arc::new(GeographyCover),
            Arc::new(GeographySearch),
            Arc::new(GeographyLiterature),
        ])
    }

    /// These kinds only: for tests that need a kind that misbehaves.
    #[must_use]
    pub fn new(kinds: Vec<Arc<dyn Kind>>) -> Self {
        Self { kinds }
    }

    /// Reads the words of a job.
    ///
    /// # Errors
    /// When no kind knows the words, when they cannot be meant, or when the job is too large.
    pub fn parse(&self, words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
        if words.is_empty() {
            return Err(JobError::Empty("`cram 3x3..3x10`"));
        }
        let read = self.kinds.iter().find_map(|kind| kind.parse(words, options));
        let job = read.unwrap_or_else(|| Err(self.unknown(words.join(" "))))?;
        if job.tasks.len() > MAX_TASKS {
            return Err(JobError::TooLarge(job.tasks.len()));
        }
        Ok(job)
    }

    /// That no kind knows these words.
    #[must_use]
    pub fn unknown(&self, words: String) -> JobError {
        JobError::Unknown { words, known: self.forms().map(|form| form.words).collect() }
    }

    /// The kind that answers a question.
    #[must_use]
    pub fn kind_of(&self, question: &Question) -> Option<&dyn Kind> {
        self.kinds.iter().find(|kind| kind.owns(question)).map(AsRef::as_ref)
    }

    /// The kind of that name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&dyn Kind> {
        self.kinds.iter().find(|kind| kind.name() == name).map(AsRef::as_ref)
    }

    /// All kinds, in the order of the registry.
    pub fn kinds(&self) -> impl Iterator<Item = &dyn Kind> {
        self.kinds.iter().map(AsRef::as_ref)
    }

    /// The forms of words of all kinds.
    pub fn forms(&self) -> impl Iterator<Item = &'static Form> {
        self.kinds.iter().flat_map(|kind| kind.forms())
    }

    /// What a worker tells that it can do: `kind/method`, each once.
    #[must_use]
    pub fn capabilities(&self) -> Vec<String> {
        self.kinds
            .iter()
            .flat_map(|kind| {
                kind.methods().iter().map(|method| capability(kind.name(), method.name))
            })
            .collect()
    }
}

/// How the ability to run a method of a kind is written: `cram/mex`.
#[must_use]
pub fn capability(kind: &str, method: &str) -> String {
    format!("{kind}/{method}")
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.kinds.iter().map(|kind| kind.name())).finish()
    }
}

//! All findings and disputes by question, and the values that follow from them.

use std::collections::BTreeMap;

use sprague_work::{
    Dispute, Finding, JobSpec, MethodName, Question, Registry, Standing, Task, Value, judge,
};

use super::Snapshot;

/// What is known of one question.
#[derive(Debug, Default)]
struct Page {
    findings: Vec<Finding>,
    disputes: Vec<Dispute>,
}

impl Snapshot {
    /// The values of all questions that the store knows something of, without a coordinator.
    #[must_use]
    pub fn values(&self, registry: &Registry) -> Vec<Value> {
        let mut book = Book::default();
        self.findings.iter().cloned().for_each(|finding| book.add_finding(finding));
        self.disputes.iter().cloned().for_each(|dispute| book.add_dispute(dispute));
        book.values(registry).collect()
    }
}

/// Everything that was found, question by question.
#[derive(Debug, Default)]
pub(super) struct Book {
    pages: BTreeMap<Question, Page>,
}

impl Book {
    pub(super) fn add_finding(&mut self, finding: Finding) {
        self.pages.entry(finding.question.clone()).or_default().findings.push(finding);
    }

    pub(super) fn add_dispute(&mut self, dispute: Dispute) {
        self.pages.entry(dispute.question.clone()).or_default().disputes.push(dispute);
    }

    /// Whether the method has answered the question already.
    pub(super) fn knows(&self, question: &Question, method: &MethodName) -> bool {
        self.pages
            .get(question)
            .is_some_and(|page| page.findings.iter().any(|finding| finding.method == *method))
    }

    /// What methods other than this one have found of a question.
    pub(super) fn found_by_others<'a>(
        &'a self,
        question: &Question,
        method: &'a MethodName,
    ) -> impl Iterator<Item = &'a Finding> + use<'a> {
        let findings = self.pages.get(question).map_or(&[][..], |page| &page.findings);
        findings.iter().filter(move |finding| finding.method != *method)
    }

    /// What the methods of these tasks have found; `None` unless all have.
    pub(super) fn findings(&self, tasks: &[Task]) -> Option<Vec<&Finding>> {
        let finding = |task: &Task| {
            let page = self.pages.get(&task.question)?;
            page.findings.iter().find(|finding| finding.method == task.method)
        };
        tasks.iter().map(finding).collect()
    }

    /// The value of a question; open when nothing is known. `None` when no kind owns it.
    pub(super) fn value(&self, registry: &Registry, question: &Question) -> Option<Value> {
        let kind = registry.kind_of(question)?;
        let nothing = Page::default();
        let page = self.pages.get(question).unwrap_or(&nothing);
        Some(judge(kind, question, &page.findings, &page.disputes))
    }

    pub(super) fn is_disputed(&self, registry: &Registry, question: &Question) -> bool {
        self.value(registry, question).is_some_and(|value| value.standing == Standing::Disputed)
    }

    /// The values of all questions that something is known of.
    pub(super) fn values<'a>(&'a self, registry: &'a Registry) -> impl Iterator<Item = Value> + 'a {
        self.pages.keys().filter_map(|question| self.value(registry, question))
    }

    /// The values of a job's questions, in its order; open ones among them.
    pub(super) fn values_of<'a>(
        &'a self,
        registry: &'a Registry,
        spec: &'a JobSpec,
    ) -> impl Iterator<Item = Value> + 'a {
        spec.questions().filter_map(|question| self.value(registry, question))
    }
}

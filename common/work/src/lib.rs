//! What a question, a job, a unit, a report and a value are; one module a job kind.

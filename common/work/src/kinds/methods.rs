//! The choice of methods that a job's options make, for every kind alike.

use crate::{JobError, JobOptions, Kind, MethodName};

/// The methods that the options name, each once and known to the kind; `None` when they name none.
pub(super) fn chosen(
    kind: &dyn Kind,
    options: &JobOptions,
) -> Result<Option<Vec<MethodName>>, JobError> {
    let mut methods: Vec<MethodName> = Vec::new();
    for name in &options.methods {
        if kind.method(name).is_none() {
            return Err(JobError::Method {
                kind: kind.name().to_owned(),
                method: name.to_string(),
                known: kind.offered_methods().iter().map(|method| method.name).collect(),
            });
        }
        if !methods.contains(name) {
            methods.push(name.clone());
        }
    }
    Ok(if methods.is_empty() { None } else { Some(methods) })
}

/// The methods that the options name, or all of the kind.
pub(super) fn chosen_or_all(
    kind: &dyn Kind,
    options: &JobOptions,
) -> Result<Vec<MethodName>, JobError> {
    let all = || kind.methods().iter().map(MethodName::from).collect();
    Ok(chosen(kind, options)?.unwrap_or_else(all))
}

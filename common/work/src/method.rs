//! Methods, and which of them are independent of each other.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A named way to answer a question, as a kind declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name on the command line and in findings.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// The search and pruning code that it rests on. Rules, split and canonical key may be shared
    /// and are not named here.
    pub rests_on: &'static [&'static str],
    /// Whether its answers are proven: a checker that knows the rules and no search has followed a
    /// certificate to each of them.
    pub certifies: bool,
}

/// Whether two methods share no search or pruning code.
///
/// The table is the `rests_on` column of the kinds' methods.
#[must_use]
pub fn independent(a: &Method, b: &Method) -> bool {
    a.rests_on.iter().all(|code| !b.rests_on.contains(code))
}

/// The name of a method, as jobs, findings and messages carry it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MethodName(String);

impl MethodName {
    /// The name as text. Whether a kind has such a method is for the kind to say.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&Method> for MethodName {
    fn from(method: &Method) -> Self {
        Self(method.name.to_owned())
    }
}

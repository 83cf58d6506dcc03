//! The comparison `cram ablation`: what each method needs for the same boards, and what each part of the engine saves.
//!
//! `mex`, `outcome` and `couples` are compared by their entries. The engine of method `proof-number` is compared with itself: a
//! variant of it for every switch, which is turned the other way, by expansions. One board says little of a
//! switch, as counts swing with the order of the options; so the table ends with geometric means.

use sprague_cram::{Switch, Switches};

use super::{ABLATION_VIEW, FORMS, board_name, nimber_cell, question, spec};
use crate::kinds::{boards, troubles};
use crate::table::grouped;
use crate::{
    Align, Finding, JobError, JobOptions, JobSpec, Method, MethodName, Table, Task, Value,
};

/// The methods that are compared by entries, in the order of the columns.
const BY_ENTRIES: [&str; 3] = ["mex", "outcome", "couples"];

/// The engine as it is, which the variants are compared with: method `proof-number` without spreading a board over many
/// units, so that its counts are those of one search.
pub(super) const ENGINE: Method = Method {
    name: "one-search",
    about: "proof-number as one search on one worker",
    rests_on: &["proof-number"],
    certifies: false,
};

/// The engine with one switch turned the other way.
pub(super) const fn variant(switch: Switch) -> Method {
    let (name, about) = match switch {
        Switch::Star => ("without-star", "proof-number that keeps all leaves of a cell"),
        Switch::Bridge => {
            ("without-bridge", "proof-number that keeps cells between saturated ones")
        }
        Switch::Twins => ("without-twins", "proof-number that does not look for twins"),
        Switch::Copies => ("without-copies", "proof-number that keeps equal components of a sum"),
        Switch::Reach => {
            ("without-reach", "proof-number that ignores what open options may be worth")
        }
        Switch::HalfTurn => ("with-half-turn", "proof-number that looks for half turns"),
    };
    Method { name, about, ..ENGINE }
}

/// What is turned on in the engine or a variant of it; nothing if the method is none of them.
pub(super) fn switches(method: &MethodName) -> Option<Switches> {
    if method.as_str() == ENGINE.name {
        return Some(Switches::default());
    }
    let switch = Switch::ALL.into_iter().find(|&switch| variant(switch).name == method.as_str())?;
    Some(Switches::default().turned(switch))
}

/// The job: every board by every method that is compared.
pub(super) fn job(words: &[String], options: &JobOptions) -> Result<JobSpec, JobError> {
    if !options.methods.is_empty() {
        return Err(JobError::FixedMethods("cram ablation"));
    }
    if words.is_empty() {
        return Err(FORMS[1].lacks());
    }
    let variants = Switch::ALL.map(|switch| variant(switch).name);
    let methods: Vec<&str> = BY_ENTRIES.into_iter().chain([ENGINE.name]).chain(variants).collect();
    let tasks = boards::parse(words)?.into_iter().flat_map(|board| {
        let task = move |&method: &&str| Task {
            question: question(board),
            method: MethodName::new(method),
        };
        methods.iter().map(task).collect::<Vec<_>>()
    });
    let words = format!("cram ablation {}", words.join(" "));
    Ok(spec(words, ABLATION_VIEW, tasks.collect(), options))
}

/// The three counts from empty tables, the second and third as shares of the first, and below what the parts of the
/// engine save.
pub(super) fn table(values: &[Value]) -> Table {
    let mut table = Table::new([
        ("board", Align::Left),
        ("nimber", Align::Right),
        ("mex shapes", Align::Right),
        ("outcome sums", Align::Right),
        ("couples", Align::Right),
        ("outcome / mex", Align::Right),
        ("couples / mex", Align::Right),
    ]);
    for value in values {
        let [mex, outcome, couples] =
            BY_ENTRIES.map(|method| finding(value, method).map(|finding| finding.effort.entries));
        let count = |entries: Option<u64>| entries.map_or_else(|| "-".to_owned(), grouped);
        let ratio = |entries: Option<u64>| match entries.zip(mex) {
            Some((entries, mex)) if mex > 0 => format!("{:.2}", entries as f64 / mex as f64),
            _ => "-".to_owned(),
        };
        table.rows.push(vec![
            board_name(value),
            nimber_cell(value),
            count(mex),
            count(outcome),
            count(couples),
            ratio(outcome),
            ratio(couples),
        ]);
        table.notes.extend(troubles(value));
    }
    table.notes.push(
        "entries from empty tables; docs/methods-cram.md says by which rule each is counted"
            .to_owned(),
    );
    let factors: Vec<String> = Switch::ALL
        .into_iter()
        .filter_map(|switch| {
            let name = variant(switch).name;
            Some(format!("{name} {:.2}", factor(values, name)?))
        })
        .collect();
    if !factors.is_empty() {
        table.notes.push(format!(
            "expansions of proof-number with one part changed, as a multiple (geometric mean over the boards): {}",
            factors.join(", ")
        ));
    }
    table
}

/// What a method found of a value.
fn finding<'a>(value: &'a Value, method: &str) -> Option<&'a Finding> {
    value.findings.iter().find(|finding| finding.method.as_str() == method)
}

/// The expansions of a variant as a multiple of the engine's: the geometric mean over the boards of which both are
/// known, nothing if there is none.
fn factor(values: &[Value], variant: &str) -> Option<f64> {
    let expansions = |value, method| Some(finding(value, method)?.effort.expansions.max(1) as f64);
    let logarithms: Vec<f64> = values
        .iter()
        .filter_map(|value| {
            Some((expansions(value, variant)? / expansions(value, ENGINE.name)?).ln())
        })
        .collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| mean.exp())
}

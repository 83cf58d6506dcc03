//! The cross-check: what findings, disputes and checks make of a question.

use crate::{
    Agreement, Answer, Dispute, Finding, Kind, Question, Standing, Value, Weight, independent,
};

/// Judges a question from everything that is known of it.
///
/// The standing is `disputed` when two findings contradict each other, when a check with the weight
/// of a theorem fails, or when a dispute was recorded; `certified` when a finding whose method
/// certifies says all of the merged answer; `confirmed` when two findings by independent methods do;
/// `single` when there is a finding; `open` otherwise.
///
/// Quadratic in the number of findings, of which a question has a handful.
#[must_use]
pub fn judge(
    kind: &dyn Kind,
    question: &Question,
    findings: &[Finding],
    disputes: &[Dispute],
) -> Value {
    let mut notes: Vec<String> = disputes.iter().map(|dispute| dispute.note.clone()).collect();
    notes.extend(contradictions(kind, findings));

    let answer = match findings {
        [] => Answer::default(),
        // Merging what contradicts itself would invent an answer that nobody gave.
        [first, ..] if !notes.is_empty() => first.answer.clone(),
        _ => kind.combine(&findings.iter().map(|finding| &finding.answer).collect::<Vec<_>>()),
    };
    let checks = if findings.is_empty() { Vec::new() } else { kind.checks(question, &answer) };
    for check in checks.iter().filter(|check| !check.ok && check.weight == Weight::Theorem) {
        let found = check.note.as_deref().unwrap_or("it does not hold");
        notes.push(format!("the check {} fails: {found}", check.name));
    }

    let standing = if !notes.is_empty() {
        Standing::Disputed
    } else if findings.is_empty() {
        Standing::Open
    } else if certified(kind, &answer, findings) {
        Standing::Certified
    } else if confirmed(kind, &answer, findings) {
        Standing::Confirmed
    } else {
        Standing::Single
    };
    Value {
        question: question.clone(),
        standing,
        findings: findings.to_vec(),
        checks,
        disputes: notes,
        answer,
    }
}

fn contradictions(kind: &dyn Kind, findings: &[Finding]) -> Vec<String> {
    pairs(findings)
        .filter(|(a, b)| kind.compare(&a.answer, &b.answer) == Agreement::Contradicts)
        .map(|(a, b)| {
            let (left, right) = (a.answer.shown(), b.answer.shown());
            format!("{} found {left}, {} found {right}", a.method, b.method)
        })
        .collect()
}

fn certified(kind: &dyn Kind, answer: &Answer, findings: &[Finding]) -> bool {
    findings.iter().any(|finding| {
        let method = kind.method(&finding.method);
        let certifies = method.is_some_and(|method| kind.certifies(method, &finding.answer));
        certifies && says_all(kind, answer, finding)
    })
}

fn confirmed(kind: &dyn Kind, answer: &Answer, findings: &[Finding]) -> bool {
    pairs(findings).any(|(a, b)| {
        let methods = kind.method(&a.method).zip(kind.method(&b.method));
        let both = says_all(kind, answer, a) && says_all(kind, answer, b);
        both && methods.is_some_and(|(a, b)| independent(a, b))
    })
}

/// Whether a finding says as much as the merged answer.
fn says_all(kind: &dyn Kind, answer: &Answer, finding: &Finding) -> bool {
    kind.compare(&finding.answer, answer) == Agreement::Confirms
}

fn pairs(findings: &[Finding]) -> impl Iterator<Item = (&Finding, &Finding)> {
    findings.iter().enumerate().flat_map(|(at, a)| findings[at + 1..].iter().map(move |b| (a, b)))
}

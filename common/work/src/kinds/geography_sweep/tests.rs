//! What the kind makes of words, sets and restarts.

use super::answer::{set_name, set_of};
use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_set_of_values_survives_its_name(set in 1u32..) {
        prop_assert_eq!(set_of(&set_name(set)), Ok(set));
    }
}

#[test]
fn sizes_out_of_reach_are_refused() {
    let options = JobOptions::default();
    for word in ["0", "12", "x", "-1", "99999999999"] {
        let words = ["geography", "sweep", word].map(str::to_owned);
        let parsed = GeographySweep.parse(&words, &options).unwrap();
        assert!(matches!(parsed, Err(JobError::Number { .. })), "{word}");
    }
}

#[test]
fn a_driver_goes_on_where_it_was() {
    let task = Task { question: question(8), method: MethodName::new("table") };
    let mut first = GeographySweep.driver(&task).unwrap();
    let parts: Vec<Part> = std::iter::from_fn(|| first.next()).collect();
    let mut second = GeographySweep.driver(&task).unwrap();
    second.replan(&parts[0]);
    assert_eq!(second.next().as_ref(), parts.get(1));
    assert_eq!(second.total(), Some(parts.len() as u64));
}

//! The units of a job that wait for a slot, task by task.
//!
//! Which worker may have a unit is first of all a matter of its task, so whoever looks for one asks once a task
//! and not once a unit.

use std::collections::{BTreeMap, BTreeSet};

/// The numbers of waiting units by their task. A task without any is not in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready {
    by_task: BTreeMap<usize, BTreeSet<u32>>,
    count: usize,
}

impl Ready {
    /// How many units wait.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Each task of which units wait, with their numbers.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (usize, &BTreeSet<u32>)> {
        self.by_task.iter().map(|(&task, numbers)| (task, numbers))
    }

    /// A unit of the task waits, if it did not already.
    pub(super) fn insert(&mut self, task: usize, number: u32) {
        let is_new = self.by_task.entry(task).or_default().insert(number);
        self.count += usize::from(is_new);
    }

    /// A unit of the task waits no more, if it did.
    pub(super) fn remove(&mut self, task: usize, number: u32) {
        let Some(numbers) = self.by_task.get_mut(&task) else { return };
        self.count -= usize::from(numbers.remove(&number));
        if numbers.is_empty() {
            self.by_task.remove(&task);
        }
    }

    /// Nothing waits any more.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_plain_set_of_pairs_holds(
            steps in prop::collection::vec((any::<bool>(), 0usize..3, 0u32..5), 0..60)
        ) {
            let (mut ready, mut plain) = (Ready::default(), BTreeSet::new());
            for (waits, task, number) in steps {
                if waits {
                    ready.insert(task, number);
                    plain.insert((task, number));
                } else {
                    ready.remove(task, number);
                    plain.remove(&(task, number));
                }
                let pairs = ready.tasks().flat_map(|(task, all)| all.iter().map(move |&n| (task, n)));
                prop_assert_eq!(pairs.collect::<BTreeSet<_>>(), plain.clone());
                prop_assert_eq!(ready.len(), plain.len());
                prop_assert!(ready.tasks().all(|(_, numbers)| !numbers.is_empty()));
            }
        }
    }
}

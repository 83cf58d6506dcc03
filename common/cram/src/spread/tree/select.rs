//! Which part of the tree is worked on next, by whom, and how far.

use std::collections::HashSet;

use super::{Lock, Node, NodeId, Tree};
use crate::proof_number::{FURTHER_OPTION, NEVER, Numbers, RESTART};
use crate::spread::explorer::Slice;
use crate::spread::goal::Goal;

/// The losing number of a leaf grows by this part of it for each worker that is thought to be there.
const CROWDED_SHARE: u32 = 4;
/// The least and the most expansions of a slice.
const SLICE: std::ops::RangeInclusive<u64> = 1 << 12..=1 << 18;
/// A slice is this part of all work so far, within [`SLICE`].
const SLICE_SHARE: u64 = 64;
/// The same for a worker that is alone.
const SLICE_SHARE_ALONE: u64 = 8;
/// More workers than this tell each other less, and more seldom, as each is told what all the others tell.
const CROWD: u64 = 8;
/// The expansions that handing over a slice costs, about.
const LEAST_WORK: u64 = 1500;
/// A slice is never less than this part of all work so far, so that the tree of a long run stays small and that workers whose
/// tables are too small for the board come to an end too.
const LEAST_SLICE_SHARE: u64 = 1 << 9;
/// A step is never less than this part of its slice.
const STEP_SHARE: u64 = 1 << 5;
/// A proof is worth telling if it cost this part of all work so far, so that a long run has a few million facts and not more.
const DEAR_SHARE: u64 = 1 << 20;
/// The least expansions of a proof that is worth telling.
const LEAST_DEAR: u64 = 16;

impl Tree {
    /// Work for one more worker: the greatest part of the tree that nobody else has and that holds the most proving leaf. It is
    /// locked until it is absorbed. Nothing if there is none.
    pub fn next_slice(&mut self) -> Option<Slice> {
        let top = Numbers { win: NEVER, loss: NEVER };
        let shared = self.shared();
        let mut way = Vec::new();
        let leaf = self.most_proving(self.root?, top, &mut HashSet::new(), &mut way)?;
        let (node, limits) =
            way.into_iter().find(|(node, _)| !shared.contains(node)).expect("the leaf is free");
        let Node { goal, numbers, .. } = &self.nodes[&node];
        let goal = goal.clone();
        let beyond = |number: u32| number.saturating_add(number / 8 + 1).min(NEVER);
        let limits = Numbers {
            win: limits.win.max(beyond(numbers.win)),
            loss: limits.loss.max(beyond(numbers.loss)),
        };
        self.lock(goal.clone(), Lock { node, leaf });
        // Alone, a worker needs to be interrupted only so that a second one finds its place.
        let workers = self.locks.len() as u64;
        let share = if workers == 1 { SLICE_SHARE_ALONE } else { SLICE_SHARE };
        let budget = (self.expansions / share)
            .clamp(*SLICE.start(), *SLICE.end())
            .max(self.expansions / LEAST_SLICE_SHARE);
        let dear = (self.expansions / DEAR_SHARE).max(LEAST_DEAR);
        Some(Slice {
            goal,
            limits,
            least: LEAST_WORK,
            budget,
            dear,
            step: (RESTART * (workers / CROWD).max(1)).max(4 * dear).max(budget / STEP_SHARE),
            worth: (workers / CROWD).pow(2).max(1),
        })
    }

    /// Locks a goal that was given out before this tree was made again, if it is still needed.
    pub fn hold(&mut self, goal: &Goal) {
        let known = self.folded(goal.clone());
        let Some(&node) = self.by_goal.get(&known) else { return };
        let top = Numbers { win: NEVER, loss: NEVER };
        let leaf = self.most_proving(node, top, &mut HashSet::new(), &mut Vec::new());
        self.lock(goal.clone(), Lock { node, leaf: leaf.unwrap_or(node) });
    }

    /// The nodes that somebody has, or has a part of.
    pub(super) fn shared(&self) -> HashSet<NodeId> {
        let mut shared = HashSet::new();
        let mut above: Vec<NodeId> = self.locks.values().map(|lock| lock.node).collect();
        while let Some(id) = above.pop() {
            if let Some(node) = self.nodes.get(&id)
                && shared.insert(id)
            {
                above.extend(&node.parents);
            }
        }
        shared
    }

    /// The most proving leaf below a node that nobody has, and the way to it: nodes with the limits that the search would give them.
    fn most_proving(
        &self,
        id: NodeId,
        limits: Numbers,
        nothing_free: &mut HashSet<NodeId>,
        way: &mut Vec<(NodeId, Numbers)>,
    ) -> Option<NodeId> {
        let node = &self.nodes[&id];
        way.push((id, limits));
        let Some(options) = &node.options else {
            if self.locks.values().all(|lock| lock.node != id) {
                return Some(id);
            }
            nothing_free.insert(id);
            way.pop();
            return None;
        };
        let mut options: Vec<(u32, NodeId)> =
            options.iter().map(|&option| (self.nodes[&option].numbers.loss, option)).collect();
        options.sort_by_key(|&(loss, _)| loss);
        let others = (options.len() as u32 - 1) * FURTHER_OPTION;
        for (at, &(_, option)) in options.iter().enumerate() {
            if nothing_free.contains(&option) {
                continue;
            }
            let second = options.get(at + 1).map_or(NEVER, |&(loss, _)| loss);
            let limits = Numbers {
                win: limits.loss.saturating_sub(others),
                loss: limits.win.min(second + (second / 8).max(1)),
            };
            if let Some(leaf) = self.most_proving(option, limits, nothing_free, way) {
                return Some(leaf);
            }
        }
        nothing_free.insert(id);
        way.pop();
        None
    }

    pub(super) fn lock(&mut self, goal: Goal, lock: Lock) {
        self.locks.insert(goal, lock);
        self.crowd(lock.leaf, |workers| workers + 1);
        self.renumber();
    }

    pub(super) fn unlock(&mut self, goal: &Goal) {
        if let Some(lock) = self.locks.remove(goal) {
            self.crowd(lock.leaf, |workers| workers.saturating_sub(1));
        }
    }

    /// Changes how many workers are thought to be at a leaf.
    pub(super) fn crowd(&mut self, id: NodeId, change: impl FnOnce(u32) -> u32) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.workers = change(node.workers);
        let own = node.own;
        if node.options.is_none() {
            self.set_own(id, own);
        }
    }

    /// Sets the numbers of a leaf.
    pub(super) fn set_own(&mut self, id: NodeId, own: Numbers) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.own = own.capped();
        let harder = (own.loss / CROWDED_SHARE + 1).saturating_mul(node.workers);
        let loss = own.loss.saturating_add(harder);
        self.set_numbers(id, Numbers { loss, ..own }.capped());
    }
}

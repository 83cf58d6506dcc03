//! What follows from what was found out: decided nodes leave the tree and tell their parents, nimbers are folded into sums, numbers
//! are brought up to date.

use super::{Contradiction, Node, NodeId, Tree};
use crate::proof_number::{FURTHER_OPTION, NEVER, Numbers, Possible};
use crate::spread::facts::Fact;
use crate::spread::goal::Goal;

/// Something that was found out and not yet followed up.
#[derive(Debug)]
pub(super) enum News {
    /// Who is to move wins, or loses.
    Decided(NodeId, bool),
    /// What is possible for a shape.
    Learnt(u128, Possible),
    /// The options of a node, or their numbers, are others.
    Changed(NodeId),
}

impl Tree {
    /// Gives a node its options, as a worker has left them. What is known below an option is dropped for what the worker
    /// says of it, unless somebody is at work there.
    pub(super) fn expand(&mut self, id: NodeId, options: &[(Goal, Numbers)]) {
        let mut open = Vec::new();
        for (goal, numbers) in options {
            let goal = self.folded(goal.clone());
            match self.decided(&goal) {
                Some(true) => {}
                Some(false) => return self.news.push(News::Decided(id, true)),
                None => open.push((goal, *numbers)),
            }
        }
        let shared = self.shared();
        let mut nodes = Vec::new();
        for (goal, numbers) in open {
            let option = self.node(goal, numbers);
            if nodes.contains(&option) {
                continue;
            }
            nodes.push(option);
            let node = self.nodes.get_mut(&option).expect("found or made above");
            if !node.parents.contains(&id) {
                node.parents.push(id);
            }
            if !shared.contains(&option) {
                let below = node.options.take().unwrap_or_default();
                self.drop_options(option, below);
                self.set_own(option, numbers);
            }
        }
        let node = self.nodes.get_mut(&id).expect("the caller has found it");
        let before = node.options.replace(nodes.clone()).unwrap_or_default();
        let gone = before.into_iter().filter(|option| !nodes.contains(option)).collect();
        self.drop_options(id, gone);
        self.news.push(News::Changed(id));
    }

    /// Follows up everything that was found out.
    pub(super) fn follow_up(&mut self) -> Result<(), Contradiction> {
        loop {
            self.renumber();
            match self.news.pop() {
                None => return Ok(()),
                Some(News::Decided(id, won)) => self.decide(id, won),
                Some(News::Learnt(shape, possible)) => self.learn(shape, possible)?,
                Some(News::Changed(id)) => self.news.push(News::Changed(id)),
            }
        }
    }

    /// Brings the numbers of all nodes up to date whose options changed, as far as nothing else is to be followed up first.
    pub(super) fn renumber(&mut self) {
        while let Some(&News::Changed(id)) = self.news.last() {
            self.news.pop();
            let Some(options) = self.nodes.get(&id).and_then(|node| node.options.as_ref()) else {
                continue;
            };
            let numbers = options.iter().map(|option| Some(self.nodes.get(option)?.numbers));
            let Some(numbers) = numbers.collect::<Option<Vec<Numbers>>>() else {
                // A lost option is gone, which decides this node: that news is still to be followed up.
                continue;
            };
            let least_loss = numbers.iter().map(|numbers| numbers.loss).min().unwrap_or(NEVER);
            let greatest_win = numbers.iter().map(|numbers| numbers.win).max().unwrap_or(0);
            match numbers.len().checked_sub(1) {
                None => self.news.push(News::Decided(id, false)),
                Some(further) => {
                    let loss = greatest_win.saturating_add(further as u32 * FURTHER_OPTION);
                    self.set_numbers(id, Numbers { win: least_loss, loss }.capped());
                }
            }
            if let Some(News::Decided(..)) = self.news.last() {
                return;
            }
        }
    }

    /// Takes a decided node out and tells its parents and what it says of its shape.
    fn decide(&mut self, id: NodeId, won: bool) {
        let Some(node) = self.remove(id) else { return };
        for parent in node.parents {
            if !won {
                self.news.push(News::Decided(parent, true));
            } else if let Some(options) =
                self.nodes.get_mut(&parent).and_then(|node| node.options.as_mut())
            {
                options.retain(|&option| option != id);
                self.news.push(News::Changed(parent));
            }
        }
        if let [shape] = *node.goal.shapes() {
            let heap = node.goal.heap();
            let said = if won { Possible::ALL.without(heap) } else { Possible::only(heap) };
            self.news.push(News::Learnt(shape, said));
        }
    }

    /// Takes in what is possible for a shape.
    fn learn(&mut self, shape: u128, possible: Possible) -> Result<(), Contradiction> {
        let before = self.possible(shape);
        let now = before.and(possible);
        if now == before {
            return Ok(());
        }
        if now == Possible::NONE {
            return Err(Contradiction::NothingLeft { shape, cells: shape.count_ones() });
        }
        self.known.insert(shape, now);
        self.fresh.push(Fact { shape, possible: now, open: None });
        for id in self.by_shape.get(&shape).cloned().unwrap_or_default() {
            let Some(goal) = self.nodes.get(&id).map(|node| &node.goal) else { continue };
            match (goal.shapes(), now.nimber()) {
                ([_], _) if !now.has(goal.heap()) => self.news.push(News::Decided(id, true)),
                ([_], Some(_)) => self.news.push(News::Decided(id, false)),
                (_, Some(_)) => self.refine(id),
                _ => {}
            }
        }
        Ok(())
    }

    /// More is known of a sum: it becomes the goal that is left of it.
    fn refine(&mut self, id: NodeId) {
        let goal = self.folded(self.nodes[&id].goal.clone());
        if let Some(won) = self.decided(&goal) {
            return self.news.push(News::Decided(id, won));
        }
        let Some(mut node) = self.remove(id) else { return };
        let parents = std::mem::take(&mut node.parents);
        let other = self.node(goal, node.own);
        for parent in parents {
            let Some(Node { options: Some(options), .. }) = self.nodes.get_mut(&parent) else {
                continue;
            };
            let twice = options.contains(&other);
            options.retain(|&option| option != id);
            if !twice {
                options.push(other);
                self.nodes.get_mut(&other).expect("found or made above").parents.push(parent);
            }
            self.news.push(News::Changed(parent));
        }
    }
}

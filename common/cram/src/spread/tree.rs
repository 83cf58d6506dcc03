//! The proof-number tree at the top: which leaf is worked on next, and what follows from what came of it.
//!
//! Its nodes are goals that are not decided; equal goals are one node. Who is to move wins if one option is lost, so the numbers of a node are those of
//! the search (`proof_number::search`): to win it takes the least losing number of its options, to lose the greatest
//! winning number and something for each further option. A decided node tells its parents and is gone.
//!
//! A worker gets the greatest part of the tree that nobody else has and that holds the most proving leaf: the whole tree if it is
//! alone. So it searches as it would by itself, and what happens inside is its own affair; the tree has only as many nodes as it takes to keep
//! workers apart. A leaf where a worker is thought to be counts as harder than it seemed: so the others turn to other
//! options where these are nearly as good, and to other parts of the tree where they are not.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use thiserror::Error;

use crate::proof_number::{FURTHER_OPTION, NEVER, Numbers, Possible, RESTART};
use crate::shape::{Bits, Frame};
use crate::spread::explorer::{Explored, Slice};
use crate::spread::facts::{self, Fact, FactsError};
use crate::spread::goal::Goal;
use crate::{Board, Nimber, fingerprint};

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

/// Why a report cannot be taken in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Contradiction {
    /// Every nimber of a shape is excluded.
    #[error("the reports exclude every nimber of the shape {shape:#x} ({cells} cells)")]
    NothingLeft {
        /// The shape, as in [`Goal`].
        shape: u128,
        /// Its number of cells.
        cells: u32,
    },
    /// The facts of a report cannot be read.
    #[error("a report cannot be read: {0}")]
    Facts(#[from] FactsError),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NodeId(u64);

/// A goal that is not decided.
#[derive(Debug)]
struct Node {
    goal: Goal,
    /// The numbers by which selection goes.
    numbers: Numbers,
    /// The numbers of a leaf without those who are at it.
    own: Numbers,
    /// How many workers are thought to be at this leaf.
    workers: u32,
    /// The options that are not decided; nothing for a leaf.
    options: Option<Vec<NodeId>>,
    /// The nodes that this one is an option of.
    parents: Vec<NodeId>,
}

/// That a worker has a goal.
#[derive(Clone, Copy, Debug)]
struct Lock {
    /// The node of the goal.
    node: NodeId,
    /// The leaf below it at which the worker begins, and is thought to stay.
    leaf: NodeId,
}

/// Something that was found out and not yet followed up.
#[derive(Debug)]
enum News {
    /// Who is to move wins, or loses.
    Decided(NodeId, bool),
    /// What is possible for a shape.
    Learnt(u128, Possible),
    /// The options of a node, or their numbers, are others.
    Changed(NodeId),
}

/// The tree over one board.
#[derive(Debug)]
pub struct Tree {
    /// The board; nothing if it has a single cell.
    board: Option<u128>,
    /// The couple of the board with the nimber that is asked for now.
    root: Option<NodeId>,
    nodes: HashMap<NodeId, Node>,
    by_goal: HashMap<Goal, NodeId>,
    /// The nodes that have a shape, in the order in which they came to have it.
    by_shape: HashMap<u128, Vec<NodeId>>,
    /// The goals that workers have, as they were given out.
    locks: BTreeMap<Goal, Lock>,
    known: HashMap<u128, Possible>,
    next_id: u64,
    /// Expansions of all that was absorbed.
    expansions: u64,
    /// What was new in each report that had something new, for the other workers.
    batches: Vec<Arc<[u8]>>,
    news: Vec<News>,
    /// What the report that is being absorbed has said that was not known.
    fresh: Vec<Fact>,
}

impl Tree {
    /// The tree that asks for the nimber of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let frame = Frame::<u128>::of(&board.position());
        let cells = frame.all();
        let shape = (cells.count() > 1).then(|| frame.canonical(cells).cells());
        let mut tree = Self {
            board: shape,
            root: None,
            nodes: HashMap::new(),
            by_goal: HashMap::new(),
            by_shape: HashMap::new(),
            locks: BTreeMap::new(),
            known: HashMap::new(),
            next_id: 0,
            expansions: 0,
            batches: Vec::new(),
            news: Vec::new(),
            fresh: Vec::new(),
        };
        tree.ask();
        tree
    }

    /// The board's nimber, once it is known.
    #[must_use]
    pub fn nimber(&self) -> Option<Nimber> {
        self.board.map_or(Some(Nimber::ZERO), |shape| self.possible(shape).nimber())
    }

    /// A hash of what is known of the board's nimber.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let Some(shape) = self.board else { return fingerprint::EMPTY };
        let nimber = self.nimber().map_or(u64::MAX, |nimber| nimber.get().into());
        fingerprint::with(fingerprint::EMPTY, shape, nimber)
    }

    /// The nimbers that the board is known not to have, in ascending order, up to the greatest that it could have.
    pub fn refuted(&self) -> impl Iterator<Item = Nimber> {
        let cells = self.board.map_or(0, u128::count_ones);
        let excluded = self.board.map_or(0, |shape| self.possible(shape).excluded(cells));
        excluded.members().map(|nimber| Nimber::new(nimber as u8))
    }

    /// Expansions of all that was absorbed.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The number of goals in the tree, none of which is decided.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What the reports have said that was new, in bytes for [`Explorer::learn`](super::Explorer::learn): only ever appended.
    #[must_use]
    pub fn batches(&self) -> &[Arc<[u8]>] {
        &self.batches
    }

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

    /// Whether a goal that was given out and not absorbed is still needed. If it is not, its report is welcome all the same.
    #[must_use]
    pub fn is_held(&self, goal: &Goal) -> bool {
        self.locks.contains_key(goal)
    }

    /// Takes in what came of a goal that was given out.
    ///
    /// # Errors
    /// When it contradicts what is known or cannot be read. The tree is of no use then.
    pub fn absorb(&mut self, goal: &Goal, explored: &Explored) -> Result<(), Contradiction> {
        self.expansions = self.expansions.saturating_add(explored.expansions);
        self.unlock(goal);
        let facts = facts::read(&explored.facts)?;
        self.fresh.extend(facts.iter().filter(|fact| fact.open.is_some()));
        for Fact { shape, possible, open } in facts {
            self.news.push(News::Learnt(shape, possible));
            if let Some((heap, numbers)) = open {
                self.take_numbers(Goal::new(vec![shape], heap), numbers);
            }
        }
        self.follow_up()?;
        if let Some(&id) = self.by_goal.get(&self.folded(explored.goal.clone())) {
            if !explored.numbers.are_open() {
                self.news.push(News::Decided(id, explored.numbers.win == 0));
            } else if explored.options.is_empty() {
                self.set_own(id, explored.numbers);
            } else {
                self.expand(id, &explored.options);
            }
            self.follow_up()?;
        }
        if !self.fresh.is_empty() {
            self.batches.push(facts::write(std::mem::take(&mut self.fresh)).into());
        }
        self.ask();
        Ok(())
    }

    fn possible(&self, shape: u128) -> Possible {
        let unknown = || Possible::of_size(shape.count_ones());
        self.known.get(&shape).copied().unwrap_or_else(unknown)
    }

    /// Asks for the least nimber that the board may still have.
    fn ask(&mut self) {
        if self.root.is_some_and(|root| self.nodes.contains_key(&root)) {
            return;
        }
        let asked = self.board.filter(|_| self.nimber().is_none()).map(|shape| {
            let goal = Goal::new(vec![shape], self.possible(shape).least());
            self.node(goal, Numbers { win: 1, loss: 1 })
        });
        self.root = asked;
    }

    /// The nodes that somebody has, or has a part of.
    fn shared(&self) -> HashSet<NodeId> {
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

    fn lock(&mut self, goal: Goal, lock: Lock) {
        self.locks.insert(goal, lock);
        self.crowd(lock.leaf, |workers| workers + 1);
        self.renumber();
    }

    fn unlock(&mut self, goal: &Goal) {
        if let Some(lock) = self.locks.remove(goal) {
            self.crowd(lock.leaf, |workers| workers.saturating_sub(1));
        }
    }

    /// Changes how many workers are thought to be at a leaf.
    fn crowd(&mut self, id: NodeId, change: impl FnOnce(u32) -> u32) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.workers = change(node.workers);
        let own = node.own;
        if node.options.is_none() {
            self.set_own(id, own);
        }
    }

    /// Sets the numbers of a leaf.
    fn set_own(&mut self, id: NodeId, own: Numbers) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.own = own.capped();
        let harder = (own.loss / CROWDED_SHARE + 1).saturating_mul(node.workers);
        let loss = own.loss.saturating_add(harder);
        self.set_numbers(id, Numbers { loss, ..own }.capped());
    }

    /// A worker came upon a goal on its way: if it is a leaf, these are its numbers now.
    fn take_numbers(&mut self, goal: Goal, numbers: Numbers) {
        let Some(&id) = self.by_goal.get(&goal) else { return };
        if self.nodes[&id].options.is_none() {
            self.set_own(id, numbers);
        }
    }

    fn set_numbers(&mut self, id: NodeId, numbers: Numbers) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        if node.numbers != numbers {
            node.numbers = numbers;
            self.news.extend(node.parents.iter().map(|&parent| News::Changed(parent)));
        }
    }

    /// The node of a goal, made with these numbers if there is none.
    fn node(&mut self, goal: Goal, numbers: Numbers) -> NodeId {
        if let Some(&id) = self.by_goal.get(&goal) {
            return id;
        }
        let id = NodeId(self.next_id);
        self.next_id += 1;
        for &shape in goal.shapes() {
            self.by_shape.entry(shape).or_default().push(id);
        }
        self.by_goal.insert(goal.clone(), id);
        let numbers = numbers.capped();
        let (options, parents) = (None, Vec::new());
        self.nodes.insert(id, Node { goal, numbers, own: numbers, workers: 0, options, parents });
        id
    }

    /// A goal with all known nimbers folded into the heap.
    fn folded(&self, mut goal: Goal) -> Goal {
        for shape in goal.shapes().to_vec() {
            if let Some(nimber) = self.possible(shape).nimber() {
                goal = goal.with_known(shape, nimber);
            }
        }
        goal
    }

    /// Whether a goal is won, or lost, if what is known decides it.
    fn decided(&self, goal: &Goal) -> Option<bool> {
        match *goal.shapes() {
            [] => Some(goal.heap() != Nimber::ZERO),
            [shape] => (!self.possible(shape).has(goal.heap())).then_some(true),
            _ => None,
        }
    }

    /// Gives a node its options, as a worker has left them. What is known below an option is dropped for what the worker
    /// says of it, unless somebody is at work there.
    fn expand(&mut self, id: NodeId, options: &[(Goal, Numbers)]) {
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
    fn follow_up(&mut self) -> Result<(), Contradiction> {
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
    fn renumber(&mut self) {
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

    /// Takes a node out, and with it whatever only it needed.
    fn remove(&mut self, id: NodeId) -> Option<Node> {
        let removed = self.take(id)?;
        self.drop_options(id, removed.options.clone().unwrap_or_default());
        Some(removed)
    }

    /// Parts a node from some of its options, and drops whatever nobody needs any more.
    fn drop_options(&mut self, id: NodeId, options: Vec<NodeId>) {
        let mut parted: Vec<(NodeId, NodeId)> =
            options.into_iter().map(|option| (id, option)).collect();
        while let Some((parent, option)) = parted.pop() {
            let Some(node) = self.nodes.get_mut(&option) else { continue };
            node.parents.retain(|&other| other != parent);
            if node.parents.is_empty()
                && Some(option) != self.root
                && let Some(node) = self.take(option)
            {
                let below = node.options.unwrap_or_default();
                parted.extend(below.into_iter().map(|below| (option, below)));
            }
        }
    }

    fn take(&mut self, id: NodeId) -> Option<Node> {
        let node = self.nodes.remove(&id)?;
        self.by_goal.remove(&node.goal);
        for shape in node.goal.shapes() {
            if let Some(nodes) = self.by_shape.get_mut(shape) {
                nodes.retain(|&other| other != id);
                if nodes.is_empty() {
                    self.by_shape.remove(shape);
                }
            }
        }
        let locked = self.locks.iter().filter(|(_, lock)| lock.node == id);
        for goal in locked.map(|(goal, _)| goal.clone()).collect::<Vec<_>>() {
            self.unlock(&goal);
        }
        Some(node)
    }
}

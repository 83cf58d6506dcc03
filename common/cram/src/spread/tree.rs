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

mod follow;
mod select;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use thiserror::Error;

use self::follow::News;
use crate::proof_number::{Numbers, Possible};
use crate::shape::{Bits, Frame};
use crate::spread::explorer::Explored;
use crate::spread::facts::{self, Fact, FactsError};
use crate::spread::goal::Goal;
use crate::{Board, Nimber, fingerprint};

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

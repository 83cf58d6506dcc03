//! One board on many workers: whatever happens in whatever order, the nimber is that of the other methods.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_cram::spread::{Contradiction, Explored, Explorer, Goal, Slice, Tree};
use sprague_cram::{Answer, Board, Limits, Method, solve};

fn with_limits<T>(memory: usize, f: impl FnOnce(&Limits<'_>) -> T) -> T {
    f(&Limits { memory, cancel: &AtomicBool::new(false), progress: &AtomicU64::new(0) })
}

fn nimber_by_couples(board: &Board) -> sprague_cram::Nimber {
    let solved =
        with_limits(1 << 28, |limits| solve(Method::Couples, &board.position(), limits).unwrap());
    match solved.answer {
        Answer::Nimber(nimber) => nimber,
        Answer::Outcome(_) => unreachable!("couples finds nimbers"),
    }
}

/// A worker of a simulated cluster.
struct Worker {
    explorer: Explorer,
    /// What it works on, and how many batches it has been given.
    slice: Option<Slice>,
    briefed: usize,
}

/// Something that happens.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A worker does a step: it takes up a slice, goes on with it, or hands it in.
    Step(usize),
    /// A worker dies with its table, and another one takes its place. Its goal is given out again.
    Die(usize),
    /// The coordinator is killed: the tree is made again from what was absorbed and given out.
    Restart,
    /// What one worker found on its way reaches all others, or is lost.
    Lose(bool),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        20 => (0_usize..4).prop_map(Event::Step),
        1 => (0_usize..4).prop_map(Event::Die),
        1 => Just(Event::Restart),
        2 => any::<bool>().prop_map(Event::Lose),
    ]
}

/// Everything that a run has at a time.
struct World {
    board: Board,
    tree: Tree,
    workers: Vec<Worker>,
    /// What was absorbed, in order: what a store would hold.
    record: Vec<(Goal, Explored)>,
    /// Slices whose workers died.
    waiting: Vec<Slice>,
    loses: bool,
    memory: usize,
}

impl World {
    fn new(board: Board, workers: usize, memory: usize) -> Self {
        let tree = Tree::new(&board);
        let mut world = Self {
            board,
            tree,
            workers: Vec::new(),
            record: Vec::new(),
            waiting: Vec::new(),
            loses: false,
            memory,
        };
        world.workers = (0..workers).map(|_| world.worker()).collect();
        world
    }

    fn worker(&self) -> Worker {
        let explorer =
            with_limits(self.memory, |limits| Explorer::new(&self.board, limits).unwrap());
        Worker { explorer, slice: None, briefed: 0 }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Step(number) => self.step(number % self.workers.len()),
            Event::Die(number) => {
                let number = number % self.workers.len();
                let fresh = self.worker();
                let dead = std::mem::replace(&mut self.workers[number], fresh);
                self.waiting.extend(dead.slice.filter(|slice| self.tree.is_held(&slice.goal)));
            }
            Event::Restart => self.restart(),
            Event::Lose(loses) => self.loses = loses,
        }
    }

    fn step(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        if worker.slice.is_none() {
            let waiting = self.waiting.pop().filter(|slice| self.tree.is_held(&slice.goal));
            let Some(mut slice) = waiting.or_else(|| self.tree.next_slice()) else { return };
            // Small, so that many things happen on a small board.
            slice.budget = slice.budget.min(256);
            slice.least = 16;
            slice.step = 64;
            for batch in &self.tree.batches()[worker.briefed..] {
                worker.explorer.learn(batch).unwrap();
            }
            worker.briefed = self.tree.batches().len();
            worker.explorer.begin(slice.clone());
            worker.slice = Some(slice);
        }
        let step = with_limits(self.memory, |limits| worker.explorer.step(limits).unwrap());
        if let Some(explored) = step.explored {
            let slice = worker.slice.take().unwrap();
            self.tree.absorb(&slice.goal, &explored).unwrap();
            self.record.push((slice.goal, explored));
        }
        if !self.loses {
            for (_, other) in self.workers.iter_mut().enumerate().filter(|(at, _)| *at != number) {
                other.explorer.learn(&step.facts).unwrap();
            }
        }
    }

    fn restart(&mut self) {
        // What the tree itself concludes from reports is not in them. A board whose nimber it has concluded is never
        // made again: the finding is in the store with the last report.
        if self.tree.nimber().is_some() {
            return;
        }
        let mut tree = Tree::new(&self.board);
        for (goal, explored) in &self.record {
            tree.absorb(goal, explored).unwrap();
        }
        assert_eq!(tree.nimber(), self.tree.nimber());
        assert_eq!(tree.expansions(), self.tree.expansions());
        for worker in &mut self.workers {
            worker.briefed = 0;
        }
        for slice in self.workers.iter().filter_map(|worker| worker.slice.as_ref()) {
            tree.hold(&slice.goal);
        }
        self.tree = tree;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_history_ends_in_the_nimber(
        board in prop::sample::select(vec!["1x1", "1x2", "2x3", "3x3", "3x4", "3x6", "3x7", "4x5"]),
        workers in 1_usize..5,
        tiny in any::<bool>(),
        events in prop::collection::vec(event(), 0..400),
    ) {
        let board: Board = board.parse().unwrap();
        let mut world = World::new(board, workers, if tiny { 1 << 16 } else { 1 << 20 });
        for event in events {
            world.happen(event);
        }
        for step in 0..20_000 {
            if world.tree.nimber().is_some() {
                break;
            }
            world.happen(Event::Step(step));
        }
        prop_assert_eq!(world.tree.nimber(), Some(nimber_by_couples(&board)));
        prop_assert_eq!(world.tree.nodes(), 0);
        // Nobody works on for nothing.
        let held = world.workers.iter().filter_map(|worker| worker.slice.as_ref());
        prop_assert!(held.into_iter().all(|slice| !world.tree.is_held(&slice.goal)));
    }
}

#[test]
fn reports_that_contradict_each_other_are_refused() {
    let board: Board = "3x4".parse().unwrap();
    let mut tree = Tree::new(&board);
    while tree.nimber().is_none() {
        let slice = tree.next_slice().unwrap();
        let explored = with_limits(1 << 20, |limits| {
            Explorer::new(&board, limits).unwrap().explore(slice.clone(), limits).unwrap()
        });
        tree.absorb(&slice.goal, &explored).unwrap();
    }
    let slice = Tree::new(&board).next_slice().unwrap();
    let mut explored = with_limits(1 << 20, |limits| {
        Explorer::new(&board, limits).unwrap().explore(slice.clone(), limits).unwrap()
    });
    // The whole board, said to be worth what it is not.
    let shape = slice.goal.shapes()[0];
    explored.facts = vec![1];
    let mut rest = shape;
    while rest >= 0x80 {
        explored.facts.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    explored.facts.extend([rest as u8, 4 * (tree.nimber().unwrap().get() + 1)]);
    assert!(matches!(tree.absorb(&slice.goal, &explored), Err(Contradiction::NothingLeft { .. })));
    explored.facts.pop();
    assert!(matches!(tree.absorb(&slice.goal, &explored), Err(Contradiction::Facts(_))));
}

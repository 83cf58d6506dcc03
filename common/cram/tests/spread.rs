//! One board on many workers: whatever happens in whatever order, the nimber is that of the other methods.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_cram::spread::{Contradiction, Effort, Explored, Explorer, Slice};
use sprague_cram::{Answer, Board, Limits, Method, Nimber, solve};

fn with_limits<T>(memory: usize, threads: usize, f: impl FnOnce(&Limits<'_>) -> T) -> T {
    f(&Limits { memory, cancel: &AtomicBool::new(false), progress: &AtomicU64::new(0), threads })
}

fn nimber_by_couples(board: &Board) -> Nimber {
    let couples = |limits: &Limits<'_>| solve(Method::Couples, &board.position(), limits).unwrap();
    match with_limits(1 << 28, 1, couples).answer {
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
    /// A worker dies with its table, and another one takes its place. Its slice is given out again.
    Die(usize),
    /// The coordinator is killed: the effort is made again from what was absorbed and given out.
    Restart,
    /// What one worker tells reaches all others, or is lost.
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
    effort: Effort,
    workers: Vec<Worker>,
    /// What was absorbed, in order: what a store would hold.
    record: Vec<(Slice, Explored)>,
    /// Slices whose workers died.
    waiting: Vec<Slice>,
    loses: bool,
    memory: usize,
    threads: usize,
}

impl World {
    fn new(board: Board, workers: usize, memory: usize, threads: usize) -> Self {
        let effort = Effort::new(&board);
        let (record, waiting) = (Vec::new(), Vec::new());
        let workers_of = |world: &Self| (0..workers).map(|_| world.worker()).collect();
        let mut world = Self {
            board,
            effort,
            workers: Vec::new(),
            record,
            waiting,
            loses: false,
            memory,
            threads,
        };
        world.workers = workers_of(&world);
        world
    }

    fn worker(&self) -> Worker {
        let explorer = |limits: &Limits<'_>| Explorer::new(&self.board, limits).unwrap();
        Worker {
            explorer: with_limits(self.memory, self.threads, explorer),
            slice: None,
            briefed: 0,
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Step(number) => self.step(number % self.workers.len()),
            Event::Die(number) => {
                let number = number % self.workers.len();
                let fresh = self.worker();
                let dead = std::mem::replace(&mut self.workers[number], fresh);
                self.waiting.extend(dead.slice);
            }
            Event::Restart => self.restart(),
            Event::Lose(loses) => self.loses = loses,
        }
    }

    fn step(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        if worker.slice.is_none() {
            let slice = self.waiting.pop().or_else(|| self.effort.next_slice());
            let Some(mut slice) = slice else { return };
            // Small, so that many things happen on a small board.
            slice.budget = slice.budget.min(256);
            slice.step = 64;
            for batch in &self.effort.batches()[worker.briefed..] {
                worker.explorer.learn(batch).unwrap();
            }
            worker.briefed = self.effort.batches().len();
            worker.explorer.begin(slice);
            worker.slice = Some(slice);
        }
        let step = with_limits(self.memory, self.threads, |limits| worker.explorer.step(limits));
        let step = step.unwrap();
        if let Some(explored) = step.explored {
            let slice = worker.slice.take().unwrap();
            assert_eq!(explored.expansions, step.expansions);
            self.effort.absorb(&slice, &explored).unwrap();
            self.record.push((slice, explored));
        }
        if !self.loses {
            for (_, other) in self.workers.iter_mut().enumerate().filter(|(at, _)| *at != number) {
                other.explorer.learn(&step.message).unwrap();
            }
        }
    }

    fn restart(&mut self) {
        let mut effort = Effort::new(&self.board);
        for (slice, explored) in &self.record {
            effort.absorb(slice, explored).unwrap();
        }
        assert_eq!(effort.nimber(), self.effort.nimber());
        assert_eq!(effort.expansions(), self.effort.expansions());
        assert_eq!(effort.batches(), self.effort.batches());
        for worker in &mut self.workers {
            worker.briefed = 0;
        }
        for slice in self.workers.iter().filter_map(|worker| worker.slice.as_ref()) {
            effort.hold(slice);
        }
        self.effort = effort;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_history_ends_in_the_nimber(
        board in prop::sample::select(vec!["1x2", "2x3", "3x3", "3x4", "3x6", "3x7", "4x5"]),
        workers in 1_usize..5,
        tiny in any::<bool>(),
        threads in 1_usize..3,
        events in prop::collection::vec(event(), 0..400),
    ) {
        let board: Board = board.parse().unwrap();
        let mut world = World::new(board, workers, if tiny { 1 << 16 } else { 1 << 20 }, threads);
        let nimber = nimber_by_couples(&board);
        for event in events {
            world.happen(event);
            prop_assert!(!world.effort.refuted().contains(&nimber), "it was refuted");
        }
        for step in 0..20_000 {
            if world.effort.nimber().is_some() {
                break;
            }
            world.happen(Event::Step(step));
        }
        prop_assert_eq!(world.effort.nimber(), Some(nimber));
        let others = (0..=board.cells() as u8 / 2).map(Nimber::new).filter(|&other| other != nimber);
        prop_assert_eq!(world.effort.refuted(), others.collect::<Vec<_>>());
        // Nobody is sent to work for nothing.
        prop_assert_eq!(world.effort.next_slice(), None);
    }
}

#[test]
fn a_board_of_one_cell_is_known_and_one_of_a_moment_is_for_one_worker() {
    assert_eq!(Effort::new(&"1x1".parse().unwrap()).nimber(), Some(Nimber::ZERO));
    let mut effort = Effort::new(&"3x4".parse().unwrap());
    let ranks = [effort.next_slice(), effort.next_slice()].map(|slice| slice.map(|it| it.rank));
    assert_eq!(ranks, [Some(0), None]);
}

#[test]
fn who_has_the_first_rank_does_what_it_would_do_alone_and_others_do_something_else() {
    let board: Board = "4x7".parse().unwrap();
    with_limits(1 << 22, 1, |limits| {
        let shapes = |rank| {
            let mut explorer = Explorer::new(&board, limits).unwrap();
            explorer.begin(Slice { rank, budget: 4096, dear: 16, step: 512, worth: 2 });
            explorer.step(limits).unwrap().message
        };
        let ranks: Vec<Vec<u8>> = (0..4).map(shapes).collect();
        assert_eq!(ranks[0], shapes(0));
        for (rank, message) in ranks.iter().enumerate() {
            assert!(!ranks[..rank].contains(message), "rank {rank} does what one before it does");
        }
    });
}

/// Half a megabyte at most, eight times less than what a session carries.
#[test]
fn what_a_slice_of_a_long_run_tells_is_short() {
    let board: Board = "6x9".parse().unwrap();
    for expansions in [1 << 22, 1 << 24, 1 << 29] {
        let mut effort = Effort::new(&board);
        effort.learn(&Explored { facts: Vec::new(), expansions, entries: 0 }).unwrap();
        let slice = effort.next_slice().unwrap();
        with_limits(1 << 26, 1, |limits| {
            let mut explorer = Explorer::new(&board, limits).unwrap();
            explorer.begin(slice);
            let mut is_over = false;
            while !is_over {
                let step = explorer.step(limits).unwrap();
                let bytes = step.message.len();
                assert!(bytes <= 1 << 19, "{bytes} bytes are told after {expansions} expansions");
                is_over = step.explored.is_some();
            }
        });
    }
}

#[test]
fn reports_that_contradict_each_other_are_refused() {
    let board: Board = "3x4".parse().unwrap();
    let mut effort = Effort::new(&board);
    while effort.nimber().is_none() {
        let slice = effort.next_slice().unwrap();
        let explored = with_limits(1 << 20, 1, |limits| {
            Explorer::new(&board, limits).unwrap().explore(slice, limits).unwrap()
        });
        effort.absorb(&slice, &explored).unwrap();
    }
    // The whole board, said to be worth what it is not.
    let mut facts = vec![1];
    let mut rest = (1_u128 << 12) - 1;
    while rest >= 0x80 {
        facts.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    facts.extend([rest as u8, 4 * (effort.nimber().unwrap().get() + 1)]);
    let mut explored = Explored { facts, expansions: 1, entries: 0 };
    assert!(matches!(effort.learn(&explored), Err(Contradiction::NothingLeft { .. })));
    explored.facts.pop();
    assert!(matches!(effort.learn(&explored), Err(Contradiction::Facts(_))));
}

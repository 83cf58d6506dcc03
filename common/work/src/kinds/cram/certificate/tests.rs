//! The driver and its units, without a cluster between them.

use std::cell::RefCell;

use sprague_cram::theory;

use super::*;
use crate::Mail;
use crate::literature::{Published, PublishedValue};

/// The process of a worker: what it was told and what it keeps.
#[derive(Default)]
struct Process {
    told: usize,
    waiting: RefCell<Vec<Vec<u8>>>,
    kept: Option<Box<dyn std::any::Any>>,
}

impl Mail for Process {
    fn briefing(&self) -> Vec<Vec<u8>> {
        self.waiting.take()
    }

    fn hear(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn tell(&self, _message: Vec<u8>) {}
}

impl Process {
    fn run(&mut self, board: Board, part: &Part, briefing: &[Arc<[u8]>]) -> RunEnd {
        self.run_in(64 << 20, board, part, briefing)
    }

    fn run_in(&mut self, memory: u64, board: Board, part: &Part, briefing: &[Arc<[u8]>]) -> RunEnd {
        let new = briefing[self.told..].iter().map(|batch| batch.to_vec());
        self.waiting.borrow_mut().extend(new);
        self.told = briefing.len();
        let limits = RunLimits { memory, cancel: &false.into(), progress: &0.into(), threads: 1 };
        let mut kept = self.kept.take();
        let end = run(board, part, &limits, &mut Workplace { kept: &mut kept, mail: self });
        self.kept = kept;
        end
    }

    fn result(&mut self, board: Board, part: &Part, briefing: &[Arc<[u8]>]) -> UnitResult {
        match self.run(board, part, briefing) {
            RunEnd::Done(result) => result,
            end => panic!("{part:?}: {end:?}"),
        }
    }
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn nimber(conclusion: &Conclusion) -> u64 {
    conclusion.answer.read::<CramAnswer>().unwrap().nimber.unwrap()
}

/// The published nimber of a board.
fn published(board: Board) -> u64 {
    let says = Published::of(board).find_map(|published| match published.says {
        PublishedValue::Nimber(nimber) => Some(nimber),
        PublishedValue::Outcome(_) => None,
    });
    says.unwrap()
}

/// A driver that has its certificate, and the result that it has it from.
fn written(board: Board) -> (Proving, Part, UnitResult) {
    let mut driver = Proving::new(board);
    let part = driver.next().unwrap();
    let result = Process::default().result(board, &part, driver.briefing());
    driver.absorb(&part, &result).unwrap();
    (driver, part, result)
}

/// All slices that a driver gives out.
fn slices(driver: &mut Proving) -> Vec<Part> {
    std::iter::from_fn(|| driver.next()).collect()
}

#[test]
fn slices_on_workers_that_did_not_write_prove_the_board() {
    let board = board("3x14");
    let (mut driver, ..) = written(board);
    assert_eq!(driver.conclude(), None, "nothing was checked");
    let slices = slices(&mut driver);
    assert!(slices.len() > 2);
    assert_eq!(driver.total(), Some(1 + slices.len() as u64));
    let mut workers = [Process::default(), Process::default()];
    let mut expansions = 0;
    for (at, part) in slices.iter().enumerate() {
        assert_eq!(driver.conclude(), None);
        let result = workers[at % 2].result(board, part, driver.briefing());
        expansions += result.expansions;
        driver.absorb(part, &result).unwrap();
    }
    assert_eq!(nimber(&driver.conclude().unwrap()), published(board));
    assert_eq!(driver.next(), None);
    assert_eq!(expansions, driver.written.unwrap().header.entries);
}

#[test]
fn a_slice_that_is_checked_twice_stands_for_no_other() {
    let board = board("3x14");
    let (mut driver, ..) = written(board);
    let slices = slices(&mut driver);
    let mut worker = Process::default();
    for part in &slices[1..] {
        let result = worker.result(board, part, driver.briefing());
        driver.absorb(part, &result).unwrap();
        driver.absorb(part, &result).unwrap();
        assert_eq!(driver.conclude(), None, "the first slice was not checked");
    }
    let result = worker.result(board, &slices[0], driver.briefing());
    driver.absorb(&slices[0], &result).unwrap();
    assert_eq!(nimber(&driver.conclude().unwrap()), published(board));
}

#[test]
fn a_board_without_entries_is_checked_all_the_same() {
    for text in ["1x1", "1x3"] {
        let (mut driver, ..) = written(board(text));
        assert_eq!(driver.conclude(), None);
        let slices = slices(&mut driver);
        assert_eq!(slices.len(), 1);
        let result = Process::default().result(board(text), &slices[0], driver.briefing());
        driver.absorb(&slices[0], &result).unwrap();
        let dawson = theory::dawson(board(text).cells());
        assert_eq!(nimber(&driver.conclude().unwrap()), u64::from(dawson.get()));
    }
}

#[test]
fn a_driver_that_is_made_anew_gives_out_what_is_left() {
    let board = board("3x14");
    let (mut driver, writing, certificate) = written(board);
    let all = slices(&mut driver);
    let done = Process::default().result(board, &all[1], driver.briefing());

    let mut anew = Proving::new(board);
    anew.absorb(&writing, &certificate).unwrap();
    anew.absorb(&all[1], &done).unwrap();
    anew.replan(&all[0]);
    assert_eq!(slices(&mut anew), all[2..]);
    assert_eq!(anew.briefing(), driver.briefing());

    let mut before = Proving::new(board);
    before.replan(&writing);
    assert_eq!(before.next(), None, "the writing was given out");
}

#[test]
fn a_certificate_that_proves_nothing_is_refused_where_it_is_read() {
    let board = board("3x6");
    let (mut driver, ..) = written(board);
    let part = driver.next().unwrap();
    let refused = |batches: &[Arc<[u8]>]| match Process::default().run(board, &part, batches) {
        RunEnd::Refused { reason } => reason,
        end => panic!("{end:?}"),
    };
    let mut changed = driver.briefing()[0].to_vec();
    changed[100] ^= 1;
    assert!(refused(&[Arc::from(changed)]).contains("checksum"));
    assert!(refused(&[]).contains("ends after 0"));
    let (other, ..) = written("3x7".parse().unwrap());
    assert!(refused(other.briefing()).contains("of 3x7 proves nothing of 3x6"));
}

#[test]
fn a_checker_without_room_for_the_entries_says_how_much_it_needs() {
    let board = board("3x6");
    let (mut driver, ..) = written(board);
    let part = driver.next().unwrap();
    let run = |memory| Process::default().run_in(memory, board, &part, driver.briefing());
    let RunEnd::OutOfMemory { needed } = run(1_000) else { panic!("there is no room") };
    assert!(matches!(run(needed), RunEnd::Done(_)));
}

#[test]
fn reports_that_cannot_be_true_are_contradictions() {
    let board = board("3x6");
    let (mut driver, writing, certificate) = written(board);
    let absorb = |result: UnitResult| Proving::new(board).absorb(&writing, &result).is_err();
    assert!(!absorb(certificate.clone()));
    let other = written("3x7".parse().unwrap()).2;
    assert!(absorb(other));
    assert!(absorb(UnitResult { notes: Vec::new(), ..certificate.clone() }));
    assert!(absorb(UnitResult { answer: answer(Nimber::new(7)), ..certificate.clone() }));
    let cut = certificate.notes[..certificate.notes.len() - 1].to_vec();
    assert!(absorb(UnitResult { notes: cut, ..certificate }));

    let slice = driver.next().unwrap();
    let checked = Process::default().result(board, &slice, driver.briefing());
    assert!(Proving::new(board).absorb(&slice, &checked).is_err(), "of what?");
    let another = UnitResult { answer: answer(Nimber::new(7)), ..checked.clone() };
    assert!(driver.absorb(&slice, &another).is_err());
    let flaw = CheckError::Entry {
        number: 3,
        shape: "...".to_owned(),
        nimber: Nimber::ZERO,
        flaw: sprague_cram::certificate::Flaw::Key,
    };
    let wrong = UnitResult { answer: flawed(&flaw), ..checked };
    let contradiction = driver.absorb(&slice, &wrong).unwrap_err();
    assert!(contradiction.0.contains("is wrong"), "{contradiction:?}");
}

//! Certificates against the definition, and what must not pass for one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;

use super::check::{CheckError, Flaw};
use super::coding::{Cursor, Fault};
use super::entries::{Entries, Entry};
use super::format::{CHECKSUM, CHUNK_HEAD, HEADER, checksum};
use super::*;
use crate::mex::Mex;
use crate::shape::Frame;
use crate::{Board, Limits, Nimber};

fn limits() -> Limits<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    static UNREAD: AtomicU64 = AtomicU64::new(0);
    Limits { memory: 64 << 20, cancel: &NEVER, progress: &UNREAD, threads: 1 }
}

fn certificate(board: &str) -> Certificate {
    certify(board.parse().unwrap(), &limits()).unwrap().certificate
}

/// Why a file is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refused {
    Read(ReadError),
    Check(CheckError),
}

/// Reads a file piece by piece and checks it meanwhile.
fn accept_in_pieces(bytes: &[u8], piece: usize) -> Result<Certificate, Refused> {
    let mut reader = Reader::new(1 << 20);
    for piece in bytes.chunks(piece) {
        reader.push(piece).map_err(Refused::Read)?;
        reader.check(&limits()).map_err(Refused::Check)?;
    }
    reader.finish().map_err(Refused::Read)
}

fn accept(bytes: &[u8]) -> Result<Certificate, Refused> {
    accept_in_pieces(bytes, bytes.len().max(1))
}

/// The nimbers of sets of cells of a board by their definition.
fn by_definition(board: Board, sets: impl IntoIterator<Item = u128>) -> Vec<Nimber> {
    let frame = Frame::<u128>::of(&board.position());
    let mut mex = Mex::new(&frame, &Limits { memory: 1 << 30, ..limits() }).unwrap();
    let mut nimber = |cells: u128| {
        frame.components(cells).fold(Nimber::ZERO, |sum, component| {
            sum ^ mex.nimber(frame.canonical(component)).unwrap()
        })
    };
    sets.into_iter().map(&mut nimber).collect()
}

/// Every nimber of a certificate is that of the definition.
fn assert_true(certificate: &Certificate) {
    let Certificate { board, nimber, grid, entries } = certificate;
    let stated = entries.iter().map(|entry| entry.nimber).chain([*nimber]);
    let sets = entries.iter().map(|entry| entry.shape).chain([grid.all()]);
    assert_eq!(stated.collect::<Vec<_>>(), by_definition(*board, sets), "{board}");
}

/// A certificate of the same board with other entries.
fn with_entries(certificate: &Certificate, entries: Vec<Entry>) -> Certificate {
    let mut unsorted = Entries::default();
    entries.into_iter().for_each(|entry| unsorted.push(entry));
    Certificate { entries: unsorted.in_order(), ..certificate.clone() }
}

/// Makes all checksums right, as far as the chunks are where their heads say.
fn repair(bytes: &mut [u8]) {
    let mut sum = checksum(0, &bytes[..HEADER - CHECKSUM]);
    bytes[HEADER - CHECKSUM..HEADER].copy_from_slice(&sum.to_le_bytes());
    let mut at = HEADER;
    while at + CHUNK_HEAD <= bytes.len() {
        let payload = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let end = at + CHUNK_HEAD + payload;
        if end + CHECKSUM > bytes.len() {
            return;
        }
        sum = checksum(sum, &bytes[at..end]);
        bytes[end..end + CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        at = end + CHECKSUM;
    }
}

#[test]
fn every_small_board_has_a_certificate_that_is_accepted_and_true() {
    for rows in 1..=5 {
        for cols in 1..=24 / rows {
            let board = Board::new(rows, cols).unwrap();
            let bytes = certify(board, &limits()).unwrap().certificate.to_bytes();
            let certificate = accept(&bytes).unwrap_or_else(|why| panic!("{board}: {why:?}"));
            assert_eq!(certificate.board(), board);
            assert_true(&certificate);
        }
    }
}

#[test]
fn boards_of_more_than_a_word_have_certificates() {
    for board in ["1x128", "2x33", "66x1"] {
        accept(&certificate(board).to_bytes()).unwrap_or_else(|why| panic!("{board}: {why:?}"));
    }
}

#[test]
fn a_search_in_the_least_table_leads_to_a_certificate() {
    let board = "4x6".parse().unwrap();
    let little = Limits { memory: 1 << 18, ..limits() };
    assert!(accept(&certify(board, &little).unwrap().certificate.to_bytes()).is_ok());
}

#[test]
fn a_certificate_without_room_for_it_is_not_written() {
    let board = "4x7".parse().unwrap();
    let little = Limits { memory: 1 << 17, ..limits() };
    assert!(matches!(certify(board, &little), Err(crate::SolveError::OutOfMemory { .. })));
}

#[test]
fn a_certificate_reads_back_as_written_in_pieces_of_every_size() {
    let certificate = certificate("3x12");
    let bytes = certificate.to_bytes();
    for piece in [1, 2, 3, 39, 40, 41, 1000, bytes.len()] {
        let back = accept_in_pieces(&bytes, piece).unwrap();
        assert!(back.entries.iter().eq(certificate.entries.iter()));
        assert_eq!(back.to_bytes(), bytes);
    }
}

#[test]
fn a_file_with_one_bit_changed_is_refused() {
    let bytes = certificate("3x6").to_bytes();
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(accept(&changed), Err(Refused::Read(_))), "bit {bit}");
    }
}

#[test]
fn a_changed_bit_with_right_checksums_is_refused_or_changes_nothing_that_matters() {
    let certificate = certificate("3x6");
    let bytes = certificate.to_bytes();
    let mut refused = 0;
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        repair(&mut changed);
        match accept(&changed) {
            // The checksum itself was changed and is right again, or an entry is another one that is true.
            Ok(accepted) => {
                assert_eq!(accepted.board(), certificate.board());
                assert_true(&accepted);
            }
            Err(_) => refused += 1,
        }
    }
    let checksums = 8 * (CHECKSUM * 2);
    assert!(refused + checksums + 100 > 8 * bytes.len(), "only {refused}");
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let bytes = certificate("3x6").to_bytes();
    for len in 0..bytes.len() {
        let why = accept(&bytes[..len]).unwrap_err();
        let Refused::Read(ReadError::CutOff { found, .. }) = why else { panic!("{len}: {why:?}") };
        assert_eq!(found, len as u64);
    }
}

#[test]
fn a_file_that_goes_on_is_refused() {
    let mut bytes = certificate("3x6").to_bytes();
    let at = bytes.len() as u64;
    bytes.push(0);
    assert_eq!(accept(&bytes).unwrap_err(), Refused::Read(ReadError::Trailing { at }));
}

#[test]
fn a_certificate_that_lacks_an_entry_is_refused_unless_it_needs_none_there() {
    let certificate = certificate("4x5");
    let all: Vec<Entry> = certificate.entries.iter().collect();
    let mut refused = 0;
    for dropped in 0..all.len() {
        let mut entries = all.clone();
        entries.remove(dropped);
        match accept(&with_entries(&certificate, entries).to_bytes()) {
            Err(Refused::Check(CheckError::Entry { number, .. })) => {
                assert!(number >= dropped as u64);
                refused += 1;
            }
            Err(Refused::Read(ReadError::Root { .. })) => assert_eq!(dropped + 1, all.len()),
            // Others answer all that it answers.
            Ok(accepted) => assert_true(&accepted),
            why => panic!("{dropped}: {why:?}"),
        }
    }
    assert!(refused * 10 > all.len() * 9, "{refused} of {}", all.len());
}

#[test]
fn an_entry_with_another_nimber_is_refused_by_itself() {
    let certificate = certificate("3x6");
    let all: Vec<Entry> = certificate.entries.iter().collect();
    for (at, entry) in all.iter().enumerate() {
        for other in (0..8).map(Nimber::new).filter(|&other| other != entry.nimber) {
            let mut entries = all.clone();
            entries[at].nimber = other;
            let changed = with_entries(&certificate, entries);
            assert!(accept(&changed.to_bytes()).is_err());
            let number =
                changed.entries.iter().position(|other| other.shape == entry.shape).unwrap() as u64;
            let why = changed.check(number..number + 1, &limits()).unwrap_err();
            assert!(matches!(why, CheckError::Entry { number: found, .. } if found == number));
        }
    }
}

#[test]
fn slices_pass_and_fail_as_the_whole_does() {
    let certificate = certificate("3x6");
    let slices = |certificate: &Certificate| -> BTreeSet<u64> {
        let end = certificate.entries();
        let starts = (0..end).step_by(7);
        starts.filter(|&start| certificate.check(start..start + 7, &limits()).is_err()).collect()
    };
    assert!(certificate.check(0..u64::MAX, &limits()).is_ok());
    assert!(slices(&certificate).is_empty());

    let mut entries: Vec<Entry> = certificate.entries.iter().collect();
    let wrong = entries.len() / 2;
    entries[wrong].nimber ^= Nimber::new(1);
    let changed = with_entries(&certificate, entries);
    let whole = changed.check(0..u64::MAX, &limits()).unwrap_err();
    let CheckError::Entry { number, .. } = whole else { panic!("{whole:?}") };
    assert_eq!(slices(&changed).first(), Some(&(number / 7 * 7)));
}

/// Where the entries of a file of one chunk begin, and where the last one ends.
fn places(bytes: &[u8]) -> Vec<usize> {
    let payload = &bytes[HEADER + CHUNK_HEAD..bytes.len() - CHECKSUM];
    let (mut cursor, mut rest) = (Cursor::default(), payload);
    let mut places = vec![HEADER + CHUNK_HEAD];
    while !rest.is_empty() {
        cursor.read(&mut rest).unwrap();
        places.push(bytes.len() - CHECKSUM - rest.len());
    }
    places
}

#[test]
fn two_entries_that_changed_places_are_refused_and_named() {
    let bytes = certificate("3x6").to_bytes();
    let places = places(&bytes);
    let mut swaps = 0;
    for at in 0..places.len() - 2 {
        let (first, second) =
            (&bytes[places[at]..places[at + 1]], &bytes[places[at + 1]..places[at + 2]]);
        if first == second {
            continue;
        }
        let mut swapped = bytes[..places[at]].to_vec();
        swapped.extend([second, first].concat());
        swapped.extend(&bytes[places[at + 2]..]);
        repair(&mut swapped);
        let place = match accept(&swapped).unwrap_err() {
            Refused::Read(ReadError::Entry { entry, .. }) => entry,
            Refused::Check(CheckError::Entry { number, .. }) => number,
            why => panic!("{at}: {why:?}"),
        };
        assert!(place >= at as u64 && place <= places.len() as u64);
        swaps += 1;
    }
    assert!(swaps > 100, "{swaps}");
}

#[test]
fn a_file_that_lost_an_entry_is_refused_although_its_checksums_are_right() {
    let bytes = certificate("3x6").to_bytes();
    let places = places(&bytes);
    for at in 0..places.len() - 1 {
        let mut cut = [&bytes[..places[at]], &bytes[places[at + 1]..]].concat();
        let payload = (cut.len() - HEADER - CHUNK_HEAD - CHECKSUM) as u16;
        cut[HEADER..HEADER + 2].copy_from_slice(&payload.to_le_bytes());
        let count = u16::from_le_bytes([cut[HEADER + 2], cut[HEADER + 3]]) - 1;
        cut[HEADER + 2..HEADER + 4].copy_from_slice(&count.to_le_bytes());
        let length = cut.len() as u64;
        cut[16..24].copy_from_slice(&length.to_le_bytes());
        repair(&mut cut);
        assert!(accept(&cut).is_err(), "entry {at}");
    }
}

#[test]
fn a_certificate_of_another_board_is_refused() {
    let bytes = certificate("3x6").to_bytes();
    for (rows, cols) in [(6, 3), (3, 7), (2, 6), (4, 6)] {
        let mut other = bytes.clone();
        (other[10], other[11]) = (rows, cols);
        repair(&mut other);
        match accept(&other) {
            Ok(turned) => assert_eq!(turned.board().to_string(), "6x3", "it is the same board"),
            Err(Refused::Check(CheckError::Entry { flaw: Flaw::Key, .. })) => {}
            Err(Refused::Read(ReadError::Root { .. })) => {}
            Err(Refused::Check(_)) => assert_ne!(rows, 3),
            why => panic!("{rows}x{cols}: {why:?}"),
        }
    }
}

#[test]
fn a_shape_with_two_nimbers_is_refused() {
    let certificate = certificate("2x2");
    let square = certificate.entries.get(0);
    let twice = vec![square, Entry { nimber: Nimber::new(3), ..square }];
    let why = accept(&with_entries(&certificate, twice).to_bytes()).unwrap_err();
    assert!(matches!(why, Refused::Read(ReadError::Entry { entry: 1, fault: Fault::Twice, .. })));
}

#[test]
fn a_huge_claim_is_refused_before_anything_is_read_or_kept() {
    let mut bytes = certificate("3x6").to_bytes();
    let (huge, length) = (1_000_000_000_000_u64, u64::MAX);
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes[24..32].copy_from_slice(&huge.to_le_bytes());
    repair(&mut bytes);
    let why = Reader::new(1 << 30).push(&bytes[..HEADER]).unwrap_err();
    assert!(matches!(why, ReadError::Memory { entries, .. } if entries == huge));
}

#[test]
fn a_cancelled_check_ends() {
    let certificate = certificate("3x6");
    let cancelled = Limits { cancel: &AtomicBool::new(true), ..limits() };
    assert_eq!(certificate.check(0..10, &cancelled), Err(CheckError::Cancelled));
}

#[test]
fn every_set_of_cells_that_is_certified_is_worth_what_it_is_certified_to_be() {
    let Certificate { board, grid, entries, .. } = certificate("4x5");
    let sets: Vec<u128> = (0..=grid.all()).filter(|cells| cells % 7 == 3).collect();
    let certified = sets.iter().filter_map(|&cells| Some((cells, entries.value(&grid, cells)?)));
    let (sets, values): (Vec<u128>, Vec<Nimber>) = certified.unzip();
    assert!(sets.len() > 10_000, "only {}", sets.len());
    assert_eq!(values, by_definition(board, sets));
}

proptest! {
    #[test]
    fn whatever_bytes_come_end_in_an_error_and_nothing_else(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        keep in 0_usize..424,
    ) {
        let mut file = certificate("3x6").to_bytes();
        let keep = keep.min(file.len());
        file.truncate(keep);
        file.extend(bytes);
        repair_if_long(&mut file);
        if let Ok(accepted) = accept(&file) {
            assert_true(&accepted);
        }
    }
}

/// As [`repair`], for files that may be shorter than a header.
fn repair_if_long(bytes: &mut [u8]) {
    if bytes.len() >= HEADER {
        repair(bytes);
    }
}

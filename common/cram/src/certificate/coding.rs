//! Entries as bytes: groups of the same number of cells and the same nimber, in each the distances from key to key.
//!
//! A number is written seven bits a byte, the low ones first, the top bit set in all bytes but the last, in as few bytes as
//! possible. An entry is the distance of its key from the one before it in its group, from 0 for the first, so it is never 0. A zero
//! instead begins a group: cells and nimber follow.

use thiserror::Error;

use crate::Nimber;
use crate::certificate::entries::Entry;
use crate::certificate::grid::Cells;

/// Why bytes are not an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The bytes end within a number.
    #[error("its bytes end too early")]
    End,
    /// A number takes more bytes than it needs or does not fit.
    #[error("one of its numbers is not written as it should be")]
    Number,
    /// The group does not come after the group before it, or is one that no entry belongs to.
    #[error("it begins a group that does not belong there")]
    Group,
    /// The shape has an entry with another nimber.
    #[error("its shape has an entry already")]
    Twice,
    /// The key has not the cells of its group.
    #[error("it has {found} cells among those of {group}")]
    Cells {
        /// The cells of the group.
        group: u32,
        /// The cells of the entry.
        found: u32,
    },
}

/// The entry before the one that is being written or read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    cells: u32,
    nimber: Nimber,
    key: Cells,
}

impl Cursor {
    /// Writes the next entry, which must rank after the one before.
    pub(super) fn write(&mut self, entry: Entry, out: &mut Vec<u8>) {
        let cells = entry.shape.count_ones();
        if (cells, entry.nimber) != (self.cells, self.nimber) {
            *self = Self { cells, nimber: entry.nimber, key: 0 };
            for number in [0, cells.into(), entry.nimber.get().into()] {
                write_number(number, out);
            }
        }
        write_number(entry.shape - self.key, out);
        self.key = entry.shape;
    }

    /// Reads the next entry and leaves what comes after it.
    pub(super) fn read(&mut self, bytes: &mut &[u8]) -> Result<Entry, Fault> {
        let mut distance = read_number(bytes)?;
        if distance == 0 {
            let cells = u32::try_from(read_number(bytes)?).map_err(|_| Fault::Group)?;
            let nimber = u8::try_from(read_number(bytes)?).map_err(|_| Fault::Group)?;
            let group = (cells, Nimber::new(nimber));
            if group <= (self.cells, self.nimber) || cells <= 3 {
                return Err(Fault::Group);
            }
            *self = Self { cells, nimber: group.1, key: 0 };
            distance = read_number(bytes)?;
            if distance == 0 {
                return Err(Fault::Group);
            }
        }
        let shape = self.key.checked_add(distance).ok_or(Fault::Number)?;
        let found = shape.count_ones();
        if found != self.cells {
            return Err(Fault::Cells { group: self.cells, found });
        }
        self.key = shape;
        Ok(Entry { shape, nimber: self.nimber })
    }
}

fn write_number(mut number: u128, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u128, Fault> {
    let mut number = 0_u128;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Fault::End)?;
        *bytes = rest;
        let part = u128::from(byte & 0x7f);
        if shift >= u128::BITS || part << shift >> shift != part || byte == 0 && shift > 0 {
            return Err(Fault::Number);
        }
        number |= part << shift;
        if byte <= 0x7f {
            break;
        }
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(number: u128) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_number(number, &mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn a_number_reads_back_as_written(number: u128, shift in 0_u32..128) {
            let number = number >> shift;
            let bytes = written(number);
            let mut rest = &bytes[..];
            prop_assert_eq!(read_number(&mut rest), Ok(number));
            prop_assert!(rest.is_empty());
            prop_assert_eq!(read_number(&mut &bytes[..bytes.len() - 1]), Err(Fault::End));
        }

        #[test]
        fn bytes_that_are_read_are_the_only_ones_of_their_number(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x80)], 1..24)
        ) {
            let mut rest = &bytes[..];
            if let Ok(number) = read_number(&mut rest) {
                prop_assert_eq!(&bytes[..bytes.len() - rest.len()], written(number));
            }
        }

        #[test]
        fn sorted_entries_read_back_as_written(
            entries in prop::collection::vec((any::<u128>(), any::<u128>(), 0_u8..9), 0..50)
        ) {
            let mut entries: Vec<Entry> = entries
                .into_iter()
                .map(|(a, b, nimber)| Entry { shape: a & b | 0xf, nimber: Nimber::new(nimber) })
                .collect();
            entries.sort_unstable_by_key(|entry| entry.rank());
            entries.dedup();
            let mut bytes = Vec::new();
            let mut cursor = Cursor::default();
            for &entry in &entries {
                cursor.write(entry, &mut bytes);
            }
            let (mut cursor, mut rest) = (Cursor::default(), &bytes[..]);
            for &entry in &entries {
                prop_assert_eq!(cursor.read(&mut rest), Ok(entry));
            }
            prop_assert!(rest.is_empty());
        }
    }

    #[test]
    fn groups_and_entries_out_of_order_are_refused() {
        let read = |bytes: &[u8]| {
            let (mut cursor, mut rest) = (Cursor::default(), bytes);
            while !rest.is_empty() {
                cursor.read(&mut rest)?;
            }
            Ok(())
        };
        assert_eq!(read(&[0, 4, 1, 15, 0, 4, 2, 15]), Ok(()));
        assert_eq!(read(&[0, 4, 1, 15, 0, 4, 1, 15]), Err(Fault::Group), "the same group again");
        assert_eq!(read(&[0, 4, 2, 15, 0, 4, 1, 15]), Err(Fault::Group), "a lesser nimber");
        assert_eq!(read(&[0, 5, 0, 31, 0, 4, 3, 15]), Err(Fault::Group), "fewer cells");
        assert_eq!(read(&[0, 3, 1, 7]), Err(Fault::Group), "known by rule");
        assert_eq!(read(&[0, 4, 0, 0]), Err(Fault::Group), "an empty group");
        assert_eq!(read(&[15]), Err(Fault::Cells { group: 0, found: 4 }), "no group at all");
        assert_eq!(read(&[0, 4, 0, 7]), Err(Fault::Cells { group: 4, found: 3 }));
        assert_eq!(read(&[0, 4, 0]), Err(Fault::End));
        assert_eq!(read(&[0, 0x84, 0, 0, 15]), Err(Fault::Number), "not the shortest");
    }
}

//! What a worker tells the others on its way: its rank, where it is, and what it has found.
//!
//! The rank, the number of places, the places, all as LEB128 numbers, and then a batch of [facts](super::facts).

use crate::proof_number::Place;
use crate::spread::facts::{self, Fact};
use crate::spread::varint::{self, Reader, Unread};

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Message {
    /// The rank of the slice that the teller works on.
    pub(super) rank: u32,
    /// The couples on its way from the board to where it is.
    pub(super) way: Vec<Place>,
    /// What it has found out since it last told anything.
    pub(super) facts: Vec<Fact>,
}

/// Longer ways are not told to their end: dominoes on a board of 128 cells.
const LONGEST_WAY: usize = 64;

impl Message {
    pub(super) fn write(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let way = &self.way[..self.way.len().min(LONGEST_WAY)];
        varint::write(&mut bytes, self.rank.into());
        varint::write(&mut bytes, way.len() as u128);
        way.iter().for_each(|place| varint::write(&mut bytes, place.get().into()));
        bytes.extend(facts::write(self.facts));
        bytes
    }

    /// # Errors
    /// When the bytes are no message.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unread> {
        let mut reader = Reader::new(bytes);
        let rank = reader.below(u32::MAX)?;
        let places = reader.below(LONGEST_WAY as u32 + 1)?;
        let place = |reader: &mut Reader<'_>| {
            let place = reader.below(1 << u16::BITS)?;
            Ok(Place::new(u16::try_from(place).expect("it is below")))
        };
        let way = (0..places).map(|_| place(&mut reader)).collect::<Result<_, Unread>>()?;
        Ok(Self { rank, way, facts: facts::read(reader.rest())? })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Nimber;
    use crate::proof_number::Possible;

    proptest! {
        #[test]
        fn messages_read_back_as_written(
            rank in 0_u32..9999,
            way in prop::collection::vec(any::<u16>(), 0..100),
            shape in any::<Option<u64>>(),
        ) {
            let fact = |shape| Fact { shape, possible: Possible::only(Nimber::ONE), open: None };
            let facts: Vec<Fact> = shape.map(|shape| fact(u128::from(shape))).into_iter().collect();
            let mut message = Message { rank, way: way.into_iter().map(Place::new).collect(), facts };
            let bytes = message.clone().write();
            message.way.truncate(LONGEST_WAY);
            prop_assert_eq!(Message::read(&bytes), Ok(message));
        }

        #[test]
        fn any_bytes_are_a_message_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Message::read(&bytes);
        }
    }
}

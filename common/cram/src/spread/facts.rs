//! Facts as bytes: what was proven of the nimbers of shapes, for sending and for keeping.
//!
//! A batch is its number of facts and then the facts in ascending order of their shapes: for each the difference to the shape before, what
//! is known, and the proof numbers if there are any. All are unsigned LEB128 numbers. What is known is `4 n` if the nimber is n, `4 m + 1` if
//! the nimber is none of the bits of m, and `4 m + 3` if a heap and the proof numbers (winning, losing) of the
//! shape with it follow. Batches can be put one after the other.

use crate::Nimber;
use crate::proof_number::{NEVER, Numbers, Possible};
use crate::spread::varint::{self, Reader, Unread};

/// What was found out about a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// The shape, as in [`Contradiction`](super::Contradiction).
    pub(super) shape: u128,
    /// The nimbers that it may have.
    pub(super) possible: Possible,
    /// A couple of the shape that is not decided, and how far it is from that.
    pub(super) open: Option<(Nimber, Numbers)>,
}

/// Writes facts, which may name a shape several times: what is said of it is joined, and of the proof numbers the last remain.
pub(super) fn write(mut facts: Vec<Fact>) -> Vec<u8> {
    facts.sort_by_key(|fact| fact.shape);
    facts.dedup_by(|next, kept| {
        let same = next.shape == kept.shape;
        if same {
            kept.possible = kept.possible.and(next.possible);
            kept.open = next.open.or(kept.open);
        }
        same
    });
    let mut bytes = Vec::with_capacity(10 * facts.len() + 4);
    if facts.is_empty() {
        return bytes;
    }
    varint::write(&mut bytes, facts.len() as u128);
    let mut before = 0;
    for Fact { shape, possible, open } in facts {
        varint::write(&mut bytes, shape - before);
        before = shape;
        if let Some(nimber) = possible.nimber() {
            varint::write(&mut bytes, u128::from(nimber.get()) << 2);
            continue;
        }
        let excluded = u128::from(possible.excluded(shape.count_ones())) << 2;
        let open = open.filter(|(heap, _)| possible.has(*heap));
        varint::write(&mut bytes, excluded | if open.is_some() { 3 } else { 1 });
        if let Some((heap, Numbers { win, loss })) = open {
            for number in [heap.get().into(), win, loss] {
                varint::write(&mut bytes, number.into());
            }
        }
    }
    bytes
}

/// Reads any number of batches, one after the other.
///
/// # Errors
/// When the bytes are not what [`write`] has written. Reserves no memory that the bytes do not account for.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Fact>, Unread> {
    let mut facts = Vec::new();
    let mut reader = Reader::new(bytes);
    while !reader.is_at_end() {
        let count = reader.number()?;
        let mut shape: u128 = 0;
        for _ in 0..count {
            let difference = reader.number()?;
            shape = shape.checked_add(difference).ok_or(reader.too_large())?;
            facts.push(read_fact(&mut reader, shape)?);
        }
    }
    Ok(facts)
}

fn read_fact(reader: &mut Reader<'_>, shape: u128) -> Result<Fact, Unread> {
    let known = reader.number()?;
    let bits = u64::try_from(known >> 2).map_err(|_| reader.too_large())?;
    let (possible, has_numbers) = match (known & 3, bits) {
        (0, nimber @ 0..64) => (Possible::only(Nimber::new(nimber as u8)), false),
        (1, excluded) => (Possible::excluding(excluded, shape.count_ones()), false),
        (3, excluded) => (Possible::excluding(excluded, shape.count_ones()), true),
        _ => return Err(reader.too_large()),
    };
    let mut open = None;
    if has_numbers {
        let heap = Nimber::new(reader.below(64)? as u8);
        open = Some((heap, Numbers { win: reader.below(NEVER)?, loss: reader.below(NEVER)? }));
    }
    Ok(Fact { shape, possible, open })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fact() -> impl Strategy<Value = Fact> {
        let shape = prop_oneof![any::<u128>(), any::<u64>().prop_map(u128::from), 3_u128..99];
        let shape = shape.prop_filter("no shape", |shape| shape.count_ones() > 1);
        (shape, any::<u64>(), any::<bool>(), any::<(u8, u16, u16)>()).prop_map(
            |(shape, bits, exact, (heap, win, loss))| {
                let cells = shape.count_ones();
                let possible = if exact {
                    Possible::only(Nimber::new((bits % u64::from(cells / 2 + 1)) as u8))
                } else {
                    Possible::excluding(bits, cells)
                };
                let open = (
                    Nimber::new(heap),
                    Numbers { win: 1 + u32::from(win), loss: 1 + u32::from(loss) },
                );
                // Numbers of what is decided are not written.
                let is_open = possible.nimber().is_none() && possible.has(open.0);
                Fact { shape, possible, open: is_open.then_some(open) }
            },
        )
    }

    proptest! {
        #[test]
        fn facts_read_back_as_written(facts in prop::collection::vec(fact(), 0..40)) {
            let mut facts = facts;
            facts.sort_by_key(|fact| fact.shape);
            facts.dedup_by_key(|fact| fact.shape);
            let bytes = write(facts.clone());
            prop_assert_eq!(read(&bytes), Ok(facts.clone()));
            // Two batches one after the other.
            let twice = [bytes.clone(), bytes].concat();
            prop_assert_eq!(read(&twice), Ok([facts.clone(), facts].concat()));
        }

        #[test]
        fn any_bytes_are_facts_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = read(&bytes);
        }
    }

    #[test]
    fn what_claims_more_than_it_holds_is_refused_at_once() {
        let mut bytes = Vec::new();
        varint::write(&mut bytes, 1_000_000_000_000);
        varint::write(&mut bytes, 7);
        assert_eq!(read(&bytes), Err(Unread::CutOff(bytes.len())));
        assert_eq!(read(&[0xff; 30]), Err(Unread::TooLarge(18)));
    }
}

//! Unsigned LEB128 numbers, of which facts and messages are made.

use thiserror::Error;

/// Bytes that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unread {
    /// The bytes end too early.
    #[error("it ends in the middle of something, after {0} bytes")]
    CutOff(usize),
    /// A number is too large for what it stands for.
    #[error("at byte {0} there is a number that is too large")]
    TooLarge(usize),
}

pub(super) fn write(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads numbers one after the other.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// That the number before is too large.
    pub(super) fn too_large(&self) -> Unread {
        Unread::TooLarge(self.at)
    }

    pub(super) fn number(&mut self) -> Result<u128, Unread> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let &byte = self.bytes.get(self.at).ok_or(Unread::CutOff(self.at))?;
            let digit = u128::from(byte & 0x7f);
            if shift >= 128 || digit << shift >> shift != digit {
                return Err(self.too_large());
            }
            self.at += 1;
            number |= digit << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u32) -> Result<u32, Unread> {
        let number = u32::try_from(self.number()?).ok().filter(|&number| number < end);
        number.ok_or(self.too_large())
    }
}

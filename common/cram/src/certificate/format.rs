//! The frame of a certificate's file: header, chunks and checksums. `docs/certificates.md` is the norm.

use thiserror::Error;

use crate::{Board, BoardError, Nimber};

/// What the file begins with.
const MAGIC: [u8; 8] = *b"CRAMCERT";
/// The format that is written and read.
const VERSION: u16 = 1;
/// The bytes of the header.
pub(super) const HEADER: usize = 40;
/// The bytes of a chunk before its payload: the payload's bytes and its entries, 16 bits each.
pub(super) const CHUNK_HEAD: usize = 4;
/// The bytes of a checksum.
pub(super) const CHECKSUM: usize = 8;
/// The most entries of a chunk: with 28 bytes each, more than any entry takes, their payload stays below 64 KiB.
pub(super) const CHUNK_ENTRIES: usize = 1024;

/// What the header of a certificate says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The board.
    pub board: Board,
    /// The nimber that it is said to have.
    pub nimber: Nimber,
    /// The bytes of the whole file.
    pub bytes: u64,
    /// The number of entries.
    pub entries: u64,
}

/// Why a file's header is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HeaderError {
    /// The file begins with something else.
    #[error("this is not a certificate")]
    Magic,
    /// The format is one that this program does not know.
    #[error("the certificate has format {found}, and this program reads format {VERSION}")]
    Version {
        /// The number of the format.
        found: u16,
    },
    /// A byte of the header is not what it was.
    #[error("the header of the certificate does not match its checksum")]
    Checksum,
    /// The bytes that are zero in this format are not.
    #[error("the header of the certificate has something where nothing belongs")]
    Padding,
    /// The board is none.
    #[error("the certificate is of no board: {0}")]
    Board(#[from] BoardError),
    /// There are more entries than could be.
    #[error("the certificate claims to hold {entries} entries in {bytes} bytes")]
    Claim {
        /// The entries claimed.
        entries: u64,
        /// The bytes claimed.
        bytes: u64,
    },
}

impl Header {
    /// The header as bytes.
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.board.rows() as u8;
        bytes[11] = self.board.cols() as u8;
        bytes[12] = self.nimber.get();
        bytes[16..24].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.entries.to_le_bytes());
        let sum = checksum(0, &bytes[..HEADER - CHECKSUM]);
        bytes[HEADER - CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header.
    pub(super) fn read(bytes: &[u8; HEADER]) -> Result<Self, HeaderError> {
        let word =
            |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().expect("it is within"));
        if bytes[..8] != MAGIC {
            return Err(HeaderError::Magic);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(HeaderError::Version { found: version });
        }
        if word(HEADER - CHECKSUM) != checksum(0, &bytes[..HEADER - CHECKSUM]) {
            return Err(HeaderError::Checksum);
        }
        if bytes[13..16] != [0; 3] {
            return Err(HeaderError::Padding);
        }
        let header = Self {
            board: Board::new(bytes[10].into(), bytes[11].into())?,
            nimber: Nimber::new(bytes[12]),
            bytes: word(16),
            entries: word(24),
        };
        // An entry takes at least a byte.
        if header.bytes < HEADER as u64 || header.entries > header.bytes - HEADER as u64 {
            let Self { bytes, entries, .. } = header;
            return Err(HeaderError::Claim { entries, bytes });
        }
        Ok(header)
    }

    /// The header that a file begins with.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn of(file: &[u8]) -> Result<Self, HeaderError> {
        file.first_chunk().map_or(Err(HeaderError::Magic), Self::read)
    }

    /// Whether bytes, fewer than those of a header, may be the beginning of one.
    pub(super) fn begins(bytes: &[u8]) -> Result<(), HeaderError> {
        let all_alike = bytes.iter().zip(&MAGIC).all(|(byte, magic)| byte == magic);
        if all_alike { Ok(()) } else { Err(HeaderError::Magic) }
    }

    /// The checksum that the first chunk goes on from.
    pub(super) fn checksum(self) -> u64 {
        checksum(0, &self.to_bytes()[..HEADER - CHECKSUM])
    }
}

/// The checksum of `bytes` that come after those with the checksum `before`: FNV-1a with 64 bits.
///
/// A step takes different states to different states, and one state to different ones for different bytes. So two files
/// that differ in one byte differ in every checksum from there on. It is no protection against malice: that is what
/// the check of the entries is for.
pub(super) fn checksum(before: u64, bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(before ^ OFFSET, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            board: "3x14".parse().unwrap(),
            nimber: Nimber::new(3),
            bytes: 19_000,
            entries: 7_000,
        }
    }

    /// What a header with these bytes is refused for once its checksum is as it should be.
    fn changed(at: usize, value: &[u8]) -> HeaderError {
        let mut bytes = header().to_bytes();
        bytes[at..at + value.len()].copy_from_slice(value);
        let sum = checksum(0, &bytes[..HEADER - CHECKSUM]);
        bytes[HEADER - CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
        Header::read(&bytes).unwrap_err()
    }

    #[test]
    fn a_header_reads_back_as_written() {
        assert_eq!(Header::read(&header().to_bytes()), Ok(header()));
    }

    #[test]
    fn a_changed_bit_anywhere_is_seen() {
        for bit in 0..8 * HEADER {
            let mut bytes = header().to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::read(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn what_a_header_cannot_say_is_refused_although_its_checksum_is_right() {
        assert_eq!(changed(0, b"ZIP"), HeaderError::Magic);
        assert_eq!(changed(8, &[2, 0]), HeaderError::Version { found: 2 });
        assert_eq!(changed(14, &[1]), HeaderError::Padding);
        assert!(matches!(changed(10, &[0]), HeaderError::Board(BoardError::Empty { .. })));
        assert!(matches!(changed(10, &[200]), HeaderError::Board(BoardError::TooManyCells { .. })));
        let entries = 1_000_000_000_000_u64;
        let claim = HeaderError::Claim { entries, bytes: 19_000 };
        assert_eq!(changed(24, &entries.to_le_bytes()), claim);
        assert!(matches!(changed(16, &[0; 8]), HeaderError::Claim { bytes: 0, .. }));
    }
}

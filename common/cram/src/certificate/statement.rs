//! A certificate in memory.

use std::ops::Range;

use crate::certificate::check::{CheckError, check};
use crate::certificate::coding::Cursor;
use crate::certificate::entries::Entries;
use crate::certificate::format::{CHECKSUM, CHUNK_ENTRIES, CHUNK_HEAD, HEADER, Header, checksum};
use crate::certificate::grid::Grid;
use crate::{Board, Limits, Nimber, fingerprint};

/// The statement that a board has a nimber, with all that is needed to check it without search.
///
/// That one can be had says that its parts fit together, not that it is right: see [`check`](Self::check).
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(super) board: Board,
    pub(super) nimber: Nimber,
    pub(super) grid: Grid,
    pub(super) entries: Entries,
}

impl Certificate {
    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The nimber that the board is said to have.
    #[must_use]
    pub fn nimber(&self) -> Nimber {
        self.nimber
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries.len() as u64
    }

    /// A hash of what is stated: the same for all certificates of a board, whichever way they prove it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        fingerprint::with(fingerprint::EMPTY, self.grid.all(), self.nimber.get().into())
    }

    /// Checks the entries with these numbers, as far as there are such, by what all entries say.
    ///
    /// When slices that hold all numbers pass, the board has the nimber. Takes time in proportion to the entries and to
    /// the square of their dominoes, and no memory to speak of.
    ///
    /// # Errors
    ///
    /// [`CheckError::Entry`] with the first entry that is not backed by the others, [`CheckError::Cancelled`] soon
    /// after the caller asks for it.
    pub fn check(&self, numbers: Range<u64>, limits: &Limits<'_>) -> Result<(), CheckError> {
        let within = |number: u64| number.min(self.entries()) as usize;
        let numbers = within(numbers.start)..within(numbers.end);
        check(&self.grid, &self.entries, numbers, limits)
    }

    /// The certificate as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        let mut chunks = Vec::new();
        let mut cursor = Cursor::default();
        let mut entries = self.entries.iter().peekable();
        while entries.peek().is_some() {
            let start = bytes.len();
            bytes.extend([0; CHUNK_HEAD]);
            let mut count = 0_u16;
            for entry in entries.by_ref().take(CHUNK_ENTRIES) {
                cursor.write(entry, &mut bytes);
                count += 1;
            }
            let payload = (bytes.len() - start - CHUNK_HEAD) as u16;
            bytes[start..start + 2].copy_from_slice(&payload.to_le_bytes());
            bytes[start + 2..start + CHUNK_HEAD].copy_from_slice(&count.to_le_bytes());
            chunks.push(start..bytes.len());
            bytes.extend([0; CHECKSUM]);
        }
        let header = Header {
            board: self.board,
            nimber: self.nimber,
            bytes: bytes.len() as u64,
            entries: self.entries(),
        };
        bytes[..HEADER].copy_from_slice(&header.to_bytes());
        let mut sum = header.checksum();
        for chunk in chunks {
            sum = checksum(sum, &bytes[chunk.clone()]);
            bytes[chunk.end..chunk.end + CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        }
        bytes
    }
}

//! From the bytes of a file, as they come, to a certificate.
//!
//! Nothing is believed before it is seen: memory is taken for entries that were read, never for those that
//! a header claims.

use thiserror::Error;

use crate::certificate::check::{CheckError, check};
use crate::certificate::coding::{Cursor, Fault};
use crate::certificate::entries::{Entries, Entry};
use crate::certificate::format::{
    CHECKSUM, CHUNK_ENTRIES, CHUNK_HEAD, HEADER, Header, HeaderError, checksum,
};
use crate::certificate::grid::Grid;
use crate::certificate::statement::Certificate;
use crate::{Board, Limits, Nimber};

/// Why bytes are not a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// The header is refused.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The entries would take too much memory.
    #[error("{entries} entries need {needed} bytes of memory where {limit} are allowed")]
    Memory {
        /// The entries claimed.
        entries: u64,
        /// Bytes that they may take.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The bytes end too early.
    #[error("the certificate ends after {found} of its {expected} bytes, at entry {entries}")]
    CutOff {
        /// Bytes that there are.
        found: u64,
        /// Bytes that there should be.
        expected: u64,
        /// Entries in the whole chunks before.
        entries: u64,
    },
    /// Something follows.
    #[error("the certificate ends at byte {at}, and something follows it")]
    Trailing {
        /// The bytes of the certificate.
        at: u64,
    },
    /// A chunk's bytes are not what they were.
    #[error("the chunk at byte {at}, from entry {entry} on, does not match its checksum")]
    Checksum {
        /// Where the chunk begins.
        at: u64,
        /// The number of its first entry.
        entry: u64,
    },
    /// A chunk says something of its size that cannot be.
    #[error("the chunk at byte {at}, from entry {entry} on, is not of the size that it claims")]
    Chunk {
        /// Where the chunk begins.
        at: u64,
        /// The number of its first entry.
        entry: u64,
    },
    /// Bytes are no entry that could stand there.
    #[error("entry {entry} at byte {at}: {fault}")]
    Entry {
        /// The number of the entry.
        entry: u64,
        /// Where it begins.
        at: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// There are more or fewer entries than the header says.
    #[error("the certificate has {found} entries where {claimed} belong")]
    Count {
        /// Entries that there are.
        found: u64,
        /// Entries that the header says.
        claimed: u64,
    },
    /// The entries do not say of the board what the header says.
    #[error("the entries of the certificate do not give {board} the nimber {nimber}")]
    Root {
        /// The board.
        board: Board,
        /// The nimber that the header says.
        nimber: Nimber,
    },
}

/// Reads a certificate from bytes as they come and, if that is wanted, checks its entries meanwhile.
///
/// Takes memory for the entries read and one chunk, of at most 64 KiB, beside what is handed in.
#[derive(Debug)]
pub struct Reader {
    memory: usize,
    /// Bytes that were handed in and are less than a chunk.
    rest: Vec<u8>,
    /// Where in the file `rest` begins.
    at: u64,
    body: Option<Body>,
}

/// What comes after the header.
#[derive(Debug)]
struct Body {
    header: Header,
    grid: Grid,
    entries: Entries,
    cursor: Cursor,
    checksum: u64,
    /// The entries that were checked.
    checked: usize,
}

impl Reader {
    /// A reader of a certificate whose entries may take this many bytes of memory.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self { memory, rest: Vec::new(), at: 0, body: None }
    }

    /// Takes in the next bytes.
    ///
    /// # Errors
    ///
    /// What is wrong with the first bytes that cannot be part of a certificate; nothing can be done with the reader then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.rest.extend_from_slice(bytes);
        let mut taken = 0;
        while let Some(next) = self.next(taken)? {
            taken += next;
        }
        self.rest.drain(..taken);
        self.at += taken as u64;
        Ok(())
    }

    /// The header, once it was read.
    #[must_use]
    pub fn header(&self) -> Option<Header> {
        self.body.as_ref().map(|body| body.header)
    }

    /// Checks the entries that were read and not checked yet. Those that they need come before them.
    ///
    /// # Errors
    ///
    /// As [`Certificate::check`].
    pub fn check(&mut self, limits: &Limits<'_>) -> Result<(), CheckError> {
        let Some(body) = &mut self.body else { return Ok(()) };
        let all = body.entries.len();
        check(&body.grid, &body.entries, body.checked..all, limits)?;
        body.checked = all;
        Ok(())
    }

    /// The certificate, when all its bytes were handed in.
    ///
    /// # Errors
    ///
    /// [`ReadError::CutOff`], [`ReadError::Count`] and [`ReadError::Root`].
    pub fn finish(self) -> Result<Certificate, ReadError> {
        let found = self.at + self.rest.len() as u64;
        let Some(Body { header, grid, entries, .. }) = self.body else {
            Header::begins(&self.rest)?;
            return Err(ReadError::CutOff { found, expected: HEADER as u64, entries: 0 });
        };
        if found < header.bytes {
            let entries = entries.len() as u64;
            return Err(ReadError::CutOff { found, expected: header.bytes, entries });
        }
        if entries.len() as u64 != header.entries {
            let found = entries.len() as u64;
            return Err(ReadError::Count { found, claimed: header.entries });
        }
        let Header { board, nimber, .. } = header;
        if entries.value(&grid, grid.all()) != Some(nimber) {
            return Err(ReadError::Root { board, nimber });
        }
        Ok(Certificate { board, nimber, grid, entries })
    }

    /// Reads what begins at `start` in the bytes at hand and says how many bytes it takes, if it is there as a
    /// whole.
    fn next(&mut self, start: usize) -> Result<Option<usize>, ReadError> {
        let bytes = &self.rest[start..];
        let at = self.at + start as u64;
        let Some(body) = &mut self.body else {
            return self.begin();
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        if at == body.header.bytes {
            return Err(ReadError::Trailing { at });
        }
        let Some((head, _)) = bytes.split_first_chunk::<CHUNK_HEAD>() else { return Ok(None) };
        let entry = body.entries.len() as u64;
        let payload = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let count = usize::from(u16::from_le_bytes([head[2], head[3]]));
        let whole = CHUNK_HEAD + payload + CHECKSUM;
        if count == 0 || count > CHUNK_ENTRIES || at + whole as u64 > body.header.bytes {
            return Err(ReadError::Chunk { at, entry });
        }
        if bytes.len() < whole {
            return Ok(None);
        }
        body.chunk(&bytes[..whole], count, at)?;
        Ok(Some(whole))
    }

    /// Reads the header, if it is there as a whole.
    fn begin(&mut self) -> Result<Option<usize>, ReadError> {
        let Some(bytes) = self.rest.first_chunk::<HEADER>() else { return Ok(None) };
        let header = Header::read(bytes)?;
        let needed = header.entries.saturating_mul(Entries::BYTES as u64);
        if needed > self.memory as u64 || header.entries > Entries::MOST {
            let (entries, limit) = (header.entries, self.memory as u64);
            return Err(ReadError::Memory { entries, needed, limit });
        }
        self.body = Some(Body {
            header,
            grid: Grid::new(header.board),
            entries: Entries::default(),
            cursor: Cursor::default(),
            checksum: header.checksum(),
            checked: 0,
        });
        Ok(Some(HEADER))
    }
}

impl Body {
    /// Reads a whole chunk of `count` entries, which begins at byte `at` of the file.
    fn chunk(&mut self, chunk: &[u8], count: usize, at: u64) -> Result<(), ReadError> {
        let first = self.entries.len() as u64;
        let (content, sum) = chunk.split_at(chunk.len() - CHECKSUM);
        self.checksum = checksum(self.checksum, content);
        if sum != self.checksum.to_le_bytes() {
            return Err(ReadError::Checksum { at, entry: first });
        }
        if first + count as u64 > self.header.entries {
            let (found, claimed) = (first + count as u64, self.header.entries);
            return Err(ReadError::Count { found, claimed });
        }
        let mut rest = &content[CHUNK_HEAD..];
        for _ in 0..count {
            let begins = at + (content.len() - rest.len()) as u64;
            let entry = self.entries.len() as u64;
            let fault = |fault| ReadError::Entry { entry, at: begins, fault };
            let read: Entry = self.cursor.read(&mut rest).map_err(fault)?;
            if self.entries.nimber(read.shape).is_some() {
                return Err(fault(Fault::Twice));
            }
            self.entries.push(read);
        }
        if rest.is_empty() { Ok(()) } else { Err(ReadError::Chunk { at, entry: first }) }
    }
}

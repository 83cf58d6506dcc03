//! Messages over a pipe: each with its length in bytes before it, as a varint.
//!
//! Both ends bound the length, and whatever else comes over the pipe is an error, never a panic.

use std::io::{self, BufRead, Read, Write};

use prost::Message;

/// The largest message in bytes. Less than what the session takes, so that a report that came over
/// the pipe can also be sent on.
pub(crate) const LARGEST: usize = sprague_proto::LARGEST_REPORT;

/// Why no message can be read from a pipe or written to it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    /// The message is larger than [`LARGEST`], or what should be its length is none.
    #[error("a message of {0} bytes, the most is {LARGEST}")]
    TooLarge(u64),
    /// The bytes are not those of a message.
    #[error("not a message: {0}")]
    Garbage(#[from] prost::DecodeError),
    /// The pipe broke, or ended within a message.
    #[error(transparent)]
    Pipe(#[from] io::Error),
}

/// Writes a message.
///
/// # Errors
/// When the message is too large, and nothing is written then; or when the pipe is broken.
pub(crate) fn write(output: &mut impl Write, message: &impl Message) -> Result<(), FrameError> {
    let bytes = message.encode_length_delimited_to_vec();
    if message.encoded_len() > LARGEST {
        return Err(FrameError::TooLarge(message.encoded_len() as u64));
    }
    output.write_all(&bytes)?;
    Ok(output.flush()?)
}

/// Reads the next message; `None` at the end of the pipe.
///
/// # Errors
/// When something other than a message comes, or the pipe ends within one.
pub(crate) fn read<M: Message + Default>(
    input: &mut impl BufRead,
) -> Result<Option<M>, FrameError> {
    if input.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let length = read_length(input)?;
    // Taken as it arrives, so that a length alone takes no memory.
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(Some(M::decode(bytes.as_slice())?))
}

fn read_length(input: &mut impl Read) -> Result<u64, FrameError> {
    let mut length = 0;
    // Four groups of seven bits hold every length that is accepted.
    for shift in [0, 7, 14, 21] {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        length |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            return if length <= LARGEST as u64 {
                Ok(length)
            } else {
                Err(FrameError::TooLarge(length))
            };
        }
    }
    Err(FrameError::TooLarge(length))
}

#[cfg(test)]
mod tests {
    use sprague_proto::v1::{AttemptId, Cancelled, Report, SlotEvent, report, slot_event};

    use super::*;

    fn event(unit: u32) -> SlotEvent {
        let report = Report {
            id: Some(AttemptId { job: 1, unit, attempt: 1 }),
            ending: Some(report::Ending::Cancelled(Cancelled {})),
            ..Report::default()
        };
        SlotEvent { event: Some(slot_event::Event::Report(report)) }
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let mut pipe = Vec::new();
        for unit in [0, 1, u32::MAX] {
            write(&mut pipe, &event(unit)).unwrap();
        }
        write(&mut pipe, &SlotEvent::default()).unwrap();
        let mut input = pipe.as_slice();
        for unit in [0, 1, u32::MAX] {
            assert_eq!(read::<SlotEvent>(&mut input).unwrap(), Some(event(unit)));
        }
        assert_eq!(read::<SlotEvent>(&mut input).unwrap(), Some(SlotEvent::default()));
        assert_eq!(read::<SlotEvent>(&mut input).unwrap(), None);
    }

    #[test]
    fn a_message_cut_short_is_an_error_wherever_it_is_cut() {
        let mut pipe = Vec::new();
        write(&mut pipe, &event(7)).unwrap();
        for length in 1..pipe.len() {
            let fault = read::<SlotEvent>(&mut &pipe[..length]).unwrap_err();
            assert!(matches!(fault, FrameError::Pipe(_)), "{length}: {fault}");
        }
    }

    #[test]
    fn garbage_and_giants_are_errors() {
        let read = |bytes: &[u8]| read::<SlotEvent>(&mut &*bytes).unwrap_err();
        assert!(matches!(read(b"\x05hello"), FrameError::Garbage(_)));
        assert!(matches!(read(&[0xff, 0xff, 0xff, 0x7f]), FrameError::TooLarge(_)));
        assert!(matches!(read(&[0xff; 20]), FrameError::TooLarge(_)));
        let how = "x".repeat(LARGEST);
        let crashed = report::Ending::Crashed(sprague_proto::v1::Crashed { how });
        let giant = Report { ending: Some(crashed), ..Report::default() };
        let mut pipe = Vec::new();
        assert!(matches!(write(&mut pipe, &giant), Err(FrameError::TooLarge(_))));
        assert!(pipe.is_empty());
    }
}

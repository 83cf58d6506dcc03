//! Lines of standard input, however long somebody makes them.

use std::io::{self, BufRead, BufReader, Read};

/// What is read at once.
const PIECE: usize = 1 << 16;

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// As it stands.
    Whole(&'a [u8]),
    /// It has more bytes than are read. The rest of it was passed over.
    TooLong,
}

/// Reads lines one after the other into the same memory.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// The most bytes of a line that are held.
    most: usize,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, most: usize) -> Self {
        Self { input: BufReader::with_capacity(PIECE, input), most, line: Vec::new() }
    }

    /// Whether the next line can be had without waiting for whoever writes it.
    pub(crate) fn at_hand(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }

    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut too_long = false;
        let mut begun = false;
        loop {
            let available = match self.input.fill_buf() {
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
                available => available?,
            };
            if available.is_empty() && !begun {
                return Ok(None);
            }
            begun = true;
            let end = available.iter().position(|&byte| byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            too_long |= self.line.len() + piece.len() > self.most;
            if !too_long {
                self.line.extend_from_slice(piece);
            }
            let ended = end.is_some() || available.is_empty();
            let used = end.map_or(available.len(), |end| end + 1);
            self.input.consume(used);
            if ended {
                let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
                return Ok(Some(if too_long { Line::TooLong } else { Line::Whole(line) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out two bytes at a time, so that lines come in pieces.
    struct Drop<'a>(&'a [u8]);

    impl Read for Drop<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = into.len().min(2);
            self.0.read(&mut into[..count])
        }
    }

    fn lines(text: &str) -> Vec<String> {
        let mut lines = Lines::new(Drop(text.as_bytes()), 5);
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(match line {
                Line::Whole(line) => String::from_utf8(line.to_vec()).unwrap(),
                Line::TooLong => "too long".to_owned(),
            });
        }
        found
    }

    #[test]
    fn lines_end_in_either_way_or_with_the_input() {
        assert_eq!(lines("ab\ncde\r\n\nf"), ["ab", "cde", "", "f"]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn a_line_beyond_the_bound_is_passed_over_and_the_next_one_is_read() {
        assert_eq!(lines("123456789\n12345\n"), ["too long", "12345"]);
    }

    #[test]
    fn a_line_is_at_hand_when_all_of_it_has_come() {
        let mut lines = Lines::new(&b"a\nb\nc"[..], 5);
        assert!(!lines.at_hand(), "nothing was read yet");
        lines.next().unwrap();
        assert!(lines.at_hand());
        lines.next().unwrap();
        assert!(!lines.at_hand(), "more of it may come");
    }
}

//! Lines of standard input, however long somebody makes them.

use std::io::{self, BufRead};

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// As it stands.
    Whole(Vec<u8>),
    /// It has more bytes than are read. The rest of it was passed over.
    TooLong,
}

/// The next line, of which no more than `most` bytes are ever held; `None` at the end.
pub(crate) fn next(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut begun = false;
    loop {
        let available = match input.fill_buf() {
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() && !begun {
            return Ok(None);
        }
        begun = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let piece = &available[..end.unwrap_or(available.len())];
        too_long |= line.len() + piece.len() > most;
        if !too_long {
            line.extend_from_slice(piece);
        }
        let ended = end.is_some() || available.is_empty();
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if ended {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(if too_long { Line::TooLong } else { Line::Whole(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(text: &str) -> Vec<Line> {
        // A buffer of two bytes, so that lines come in pieces.
        let mut input = BufReader::with_capacity(2, text.as_bytes());
        std::iter::from_fn(|| next(&mut input, 5).unwrap()).collect()
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_in_either_way_or_with_the_input() {
        assert_eq!(lines("ab\ncde\r\n\nf"), [whole("ab"), whole("cde"), whole(""), whole("f")]);
        assert_eq!(lines(""), []);
    }

    #[test]
    fn a_line_beyond_the_bound_is_passed_over_and_the_next_one_is_read() {
        assert_eq!(lines("123456789\n12345\n"), [Line::TooLong, whole("12345")]);
    }
}

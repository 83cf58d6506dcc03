//! Boards in the words of a job: `3x14`, `3x3..3x18`, and lists of these.

use sprague_cram::Board;

use crate::JobError;

/// Reads boards and ranges, parted by commas or given as several words. Every board is turned so
/// that it has no more rows than columns, and named once, in the order of its first mention.
pub(super) fn parse(words: &[String]) -> Result<Vec<Board>, JobError> {
    let mut boards: Vec<Board> = Vec::new();
    for text in words.iter().flat_map(|word| word.split(',')).map(str::trim) {
        for board in range(text)? {
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
    }
    Ok(boards)
}

/// The boards of `A..B`: every one between the two each way, rows first. `A` alone is one board.
fn range(text: &str) -> Result<Vec<Board>, JobError> {
    let Some((from, to)) = text.split_once("..") else {
        return Ok(vec![upright(board(text)?)]);
    };
    if from.is_empty() || to.is_empty() {
        return Err(JobError::OpenRange(text.to_owned()));
    }
    let (from, to) = match (board(from)?, to.parse::<u32>()) {
        (from, Ok(columns)) => {
            let meant = format!("{from}..{}x{columns}", from.rows());
            return Err(JobError::HalfRange { text: text.to_owned(), meant });
        }
        (from, Err(_)) => (from, board(to)?),
    };
    if from.rows() > to.rows() || from.cols() > to.cols() {
        return Err(JobError::EmptyRange(text.to_owned()));
    }
    let boards = (from.rows()..=to.rows()).flat_map(|rows| {
        (from.cols()..=to.cols()).map(move |cols| {
            Board::new(rows, cols).expect("no larger than the last board of the range")
        })
    });
    Ok(boards.map(upright).collect())
}

/// Reads one board.
pub(super) fn board(text: &str) -> Result<Board, JobError> {
    if text.starts_with('-') {
        let (flag, known) = (text.to_owned(), vec!["boards, such as 3x14 or 3x3..3x10"]);
        return Err(JobError::Flag { job: "cram", flag, known });
    }
    text.to_ascii_lowercase()
        .parse()
        .map_err(|source| JobError::Board { text: text.to_owned(), source })
}

fn upright(board: Board) -> Board {
    if board.rows() <= board.cols() { board } else { board.turned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<String>, JobError> {
        let words = words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        parse(&words).map(|boards| boards.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(names(&["3x3..3x5"]).unwrap(), ["3x3", "3x4", "3x5"]);
        assert_eq!(names(&["2x4,3x3..3x4"]).unwrap(), ["2x4", "3x3", "3x4"]);
        assert_eq!(names(&["4x3", "3x4"]).unwrap(), ["3x4"]);
        assert_eq!(names(&["3X4, 3x5", " 3x6"]).unwrap(), ["3x4", "3x5", "3x6"]);
        assert_eq!(names(&["2x2..3x3"]).unwrap(), ["2x2", "2x3", "3x3"]);
    }

    #[test]
    fn what_is_no_board_is_refused() {
        for word in ["", "3x", "0x3", "3x43", "99999999999x2", "3x3,,3x4", "3x-1", "3x3..x"] {
            assert!(matches!(names(&[word]), Err(JobError::Board { .. })), "{word}");
        }
        for range in ["3x3..", "..3x3", ".."] {
            assert!(matches!(names(&[range]), Err(JobError::OpenRange(_))), "{range}");
        }
        let half = names(&["3x3..10"]).unwrap_err().to_string();
        assert!(half.contains("3x3..3x10"), "{half}");
        assert!(matches!(names(&["3x3", "--value"]), Err(JobError::Flag { .. })));
        assert!(matches!(names(&["3x5..3x3"]), Err(JobError::EmptyRange(_))));
    }
}

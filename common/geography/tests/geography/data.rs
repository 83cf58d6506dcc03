//! Reads the tables of known values.

use std::path::Path;

/// The rows of a table below its line of headings, cell by cell; `#` begins a comment.
pub(crate) fn rows(path: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split('\t').map(String::from).collect()).collect()
}

/// The rows of a table of numbers.
pub(crate) fn numbers(path: &str) -> Vec<Vec<u64>> {
    let parse = |row: Vec<String>| row.iter().map(|cell| cell.parse().unwrap()).collect();
    rows(path).into_iter().map(parse).collect()
}

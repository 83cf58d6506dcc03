//! Draws tables: aligned columns for a terminal, Markdown for a page.

use sprague_work::{Align, Table};

use super::{Paint, Tone};

/// Between two columns.
const GAP: &str = "  ";

/// The most characters that a column is widened to. A longer cell, such as a graph of thousands of vertices, sticks out of its
/// own row alone.
const WIDEST: usize = 160;

/// The table as aligned columns without lines, its notes below. Nothing where there are no rows,
/// except the notes.
pub(super) fn text(table: &Table, paint: Paint) -> String {
    let mut lines = Vec::new();
    if !table.rows.is_empty() {
        let widths = widths(table);
        let head: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        lines.push(paint.text(Tone::Head, line(table, &widths, &head)));
        lines.extend(table.rows.iter().map(|row| {
            let cells: Vec<&str> = row.iter().map(String::as_str).collect();
            painted(line(table, &widths, &cells), row, paint)
        }));
    }
    if !table.rows.is_empty() && !table.notes.is_empty() {
        lines.push(String::new());
    }
    lines.extend(table.notes.iter().cloned());
    lines.join("\n")
}

/// The table in Markdown, its notes as a list below.
pub(super) fn markdown(table: &Table) -> String {
    let row = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = table.columns.iter().map(|column| match column.align {
        Align::Left => "---",
        Align::Right => "---:",
    });
    let mut lines = vec![
        row(&mut table.columns.iter().map(|column| column.name.as_str())),
        row(&mut rule.into_iter()),
    ];
    lines.extend(table.rows.iter().map(|cells| row(&mut cells.iter().map(String::as_str))));
    if !table.notes.is_empty() {
        lines.push(String::new());
        lines.extend(table.notes.iter().map(|note| format!("* {note}")));
    }
    lines.join("\n")
}

fn widths(table: &Table) -> Vec<usize> {
    let width = |text: &str| text.chars().count();
    let column = |at: usize| {
        let cells = table.rows.iter().filter_map(move |row| row.get(at)).map(|cell| width(cell));
        let name = width(&table.columns[at].name);
        cells.filter(|&width| width <= WIDEST).fold(name, usize::max)
    };
    (0..table.columns.len()).map(column).collect()
}

fn line(table: &Table, widths: &[usize], cells: &[&str]) -> String {
    let cells = cells.iter().zip(widths).zip(&table.columns).map(|((cell, &width), column)| {
        match column.align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        }
    });
    cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
}

/// A row that says `disputed` or that a check fails must not be overlooked.
fn painted(line: String, row: &[String], paint: Paint) -> String {
    if row.iter().any(|cell| cell == "disputed" || cell.contains("FAILS")) {
        paint.text(Tone::Bad, line)
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new([("board", Align::Left), ("nimber", Align::Right)]);
        table.rows.push(vec!["3x3".to_owned(), "0".to_owned()]);
        table.rows.push(vec!["10x12".to_owned(), "1|2".to_owned()]);
        table.notes.push("a note".to_owned());
        table
    }

    #[test]
    fn columns_are_aligned() {
        let expected = "board  nimber\n3x3         0\n10x12     1|2\n\na note";
        assert_eq!(text(&table(), Paint::Off), expected);
    }

    #[test]
    fn markdown_keeps_its_columns_whatever_the_cells_hold() {
        let expected =
            "| board | nimber |\n| --- | ---: |\n| 3x3 | 0 |\n| 10x12 | 1\\|2 |\n\n* a note";
        assert_eq!(markdown(&table()), expected);
    }

    #[test]
    fn a_cell_of_any_length_is_written_and_widens_no_other_row() {
        // Rust pads to no more than 65,535 characters.
        let long = "?".repeat(333_000);
        let mut table = table();
        table.notes.clear();
        table.rows.push(vec![long.clone(), "1".to_owned()]);
        let expected = format!("board  nimber\n3x3         0\n10x12     1|2\n{long}       1");
        assert_eq!(text(&table, Paint::Off), expected);
    }

    #[test]
    fn no_rows_are_no_table() {
        let empty = Table::new([("board", Align::Left)]);
        assert_eq!(text(&empty, Paint::Off), "");
    }
}

//! Tables as text, in columns that line up.

/// A header and rows; the first `left` columns are words, the others numbers.
pub struct Table {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(left: usize, header: &[&str]) -> Table {
        Table { left, rows: vec![header.iter().map(|cell| cell.to_string()).collect()] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell_width = |row: &Vec<String>, c: usize| row.get(c).map_or(0, |s| s.chars().count());
        let widths: Vec<usize> = (0..columns)
            .map(|c| self.rows.iter().map(|row| cell_width(row, c)).max().unwrap_or(0))
            .collect();
        for row in &self.rows {
            let cells = row.iter().enumerate().map(|(c, cell)| match c < self.left {
                true => format!("{cell:width$}", width = widths[c]),
                false => format!("{cell:>width$}", width = widths[c]),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(1, &["name", "n"]);
        table.row(vec!["é".into(), "10".into()]);
        table.row(vec!["longer".into(), "7".into()]);
        assert_eq!(table.to_string(), "name     n\né       10\nlonger   7\n");
    }
}

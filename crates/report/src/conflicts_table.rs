//! The mappings of a conflict set for people.

use crate::ConflictReport;
use comfy_table::{CellAlignment, Table, presets};

/// The result as text, with a trailing newline.
pub fn conflicts_table(report: &ConflictReport) -> String {
    let mut out = format!("for {}\n", sizes_meant(report));
    let mut buffers = new_table(["cells", "buffer"]);
    for buffer in &report.buffers {
        let extents: String = buffer.extents.iter().map(|extent| format!("[{extent}]")).collect();
        buffers.add_row([count(buffer.cells), format!("{}{extents}", buffer.name)]);
    }
    if let Some(column) = buffers.column_mut(0) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    out += &text(&buffers);
    let mut statements = new_table(["value", "kept in"]);
    for statement in &report.statements {
        statements.add_row([format!("{}[{}]", statement.name, statement.iterators.join(", ")), statement.text.clone()]);
    }
    out += &text(&statements);
    out += &format!("  {} cells in all{}; found by {}, proved\n", count(report.cells), at(report), report.method);
    out
}

fn sizes_meant(report: &ConflictReport) -> String {
    let names = report.parameters.join(", ");
    match (names.is_empty(), report.condition == "1") {
        (true, _) => "these values".to_string(),
        (false, true) => format!("all {names}"),
        (false, false) => format!("all {names} with {}", report.condition),
    }
}

fn at(report: &ConflictReport) -> String {
    let sizes: Vec<String> = report.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) }
}

fn count(cells: Option<u64>) -> String {
    cells.map_or("past 2^64".to_string(), |cells| cells.to_string())
}

fn new_table(header: [&str; 2]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}

fn text(table: &Table) -> String {
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

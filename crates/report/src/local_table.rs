//! Regions in local memory for people.

use crate::{LocalRegionReport, LocalReport};
use comfy_table::{CellAlignment, Table, presets};

/// The result as text, with a trailing newline.
pub fn local_table(report: &LocalReport) -> String {
    report.regions.iter().map(region).collect::<Vec<_>>().join("\n")
}

fn region(region: &LocalRegionReport) -> String {
    let mut out = String::new();
    for version in &region.versions {
        let at: Vec<String> = version.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let at = if at.is_empty() { String::new() } else { format!(", cells at {}", at.join(", ")) };
        let condition = if region.versions.len() > 1 { format!(" for {}", version.condition) } else { String::new() };
        out += &format!("{}, line {}{condition}{at}\n", region.function, region.line);
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["", "local array", "of", "cells", "exact", "box", "whole", "in", "back", "how"]);
        for array in &version.arrays {
            let number = |count: Option<i64>| count.map_or("?".to_string(), |count| count.to_string());
            table.add_row([
                String::new(),
                array.name.clone(),
                array.of.clone(),
                array.cells.to_string(),
                number(array.exact),
                number(array.box_cells),
                number(array.whole),
                number(array.copied_in.cells),
                number(array.copied_back.cells),
                array.how.clone(),
            ]);
        }
        for column in 3..9 {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
        out += &(lines.join("\n") + "\n");
        for (name, why) in &version.kept {
            out += &format!("  {name} stays where it is: {why}\n");
        }
    }
    out
}

//! The clusters of a graph for people.

use crate::{FusionObjective, FusionReport};
use comfy_table::{CellAlignment, Table, presets};

/// The result as text, with a trailing newline.
pub fn fusion_table(report: &FusionReport) -> String {
    let mut out = text(&mut clusters(report)) + "\n" + &text(&mut arrays(report));
    let gone = report.arrays.iter().filter(|array| array.removed).count();
    let [before, after] = report.cells;
    let count = report.arrays.len();
    out += &format!("  {before} cells -> {after}: {gone} of {count} arrays removed{}\n", most(report));
    let [before, after] = report.memory;
    out += &format!("  {before} cells alive at once -> {after}{}\n", least(report));
    if report.arrays.iter().any(|array| !array.cycle.is_empty()) {
        out += "  (A -> B: B comes after A; A -/-> B: and is never fused with it; A = B: fused to remove an array)\n";
    }
    out
}

/// How good the number of cells is.
fn most(report: &FusionReport) -> String {
    match (report.objective, report.bound) {
        (FusionObjective::Memory, _) => String::new(),
        (FusionObjective::Removed, None) => "; no fusion removes more cells".to_string(),
        (FusionObjective::Removed, Some(bound)) => {
            unproved(&format!("no fusion leaves fewer than {}", report.cells[0] - bound))
        }
    }
}

/// How good the cells alive at once are.
fn least(report: &FusionReport) -> String {
    match (report.objective, report.bound) {
        (FusionObjective::Memory, None) => "; no fusion has fewer".to_string(),
        (FusionObjective::Memory, Some(bound)) => unproved(&format!("no fusion has fewer than {bound}")),
        (FusionObjective::Removed, _) if report.order_optimal => "; no order of these clusters has fewer".to_string(),
        (FusionObjective::Removed, _) => "; other orders of these clusters may have fewer".to_string(),
    }
}

fn unproved(known: &str) -> String {
    format!("; not proved to be the best, only that {known}: the bound on work was reached (--max-ops N)")
}

fn clusters(report: &FusionReport) -> Table {
    let mut table = new_table(&["cluster", "cells alive", "nodes", "without"]);
    for (number, cluster) in report.clusters.iter().enumerate() {
        let [number, alive] = [(number + 1).to_string(), cluster.alive.to_string()];
        table.add_row([number, alive, cluster.nodes.join(", "), cluster.removed.join(", ")]);
    }
    right(&mut table, &[0, 1]);
    table
}

fn arrays(report: &FusionReport) -> Table {
    let mut table = new_table(&["array", "cells", "now", "why"]);
    for array in &report.arrays {
        let now = if array.removed { "removed" } else { "stays" };
        let why = array.reason.clone().unwrap_or_default();
        table.add_row([array.name.clone(), array.size.to_string(), now.to_string(), why]);
    }
    right(&mut table, &[1]);
    table
}

fn right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}

fn text(table: &mut Table) -> String {
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

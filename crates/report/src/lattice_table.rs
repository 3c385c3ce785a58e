//! The lattices of a set for people: what holds for all sizes, then what was found at given ones.

use crate::{AffineLattice, Concrete, LatticeReport, Origin, ParametricMapping, ProofStatus};
use comfy_table::{CellAlignment, Table, presets};
use std::fmt::Display;

/// Orders of the axes that are listed before the others are only counted.
const MOST_ORDERS: usize = 3;

/// The result as text, with a trailing newline.
pub fn lattice_table(report: &LatticeReport) -> String {
    let mut out = String::new();
    if let Some(mappings) = &report.parametric {
        out += &parametric(report, mappings);
    }
    for lattice in &report.bases {
        let [u, v] = lattice.vectors.each_ref().map(|[x, y]| format!("({x}, {y})"));
        let AffineLattice { sizes, letter, cells, from, .. } = lattice;
        let row = lattice.mapping.as_ref().map_or_else(String::new, |mapping| format!(", {mapping},"));
        out +=
            &format!("  {sizes}: the lattice of {u} and {v}{row} has {cells} cells; proved for {letter} >= {from}\n");
    }
    if let Some(concrete) = &report.concrete {
        if !out.is_empty() {
            out += "\n";
        }
        out += &at_sizes(report, concrete);
    }
    for note in &report.notes {
        out += &format!("({note})\n");
    }
    out
}

fn parametric(report: &LatticeReport, mappings: &[ParametricMapping]) -> String {
    let mut out = format!("for {}\n", sizes_meant(report));
    let mut table = new_table(["cells", "mapping", "found by", "proof"]);
    for mapping in mappings {
        let cells = mapping.cells.map_or("?".to_string(), |cells| cells.to_string());
        table.add_row([cells, mapping.text.clone(), origins(&mapping.found_by), proof(mapping)]);
    }
    out += &text(&mut table);
    out += &format!("  (cells at {})\n", sizes(report));
    if !report.examples.is_empty() {
        let name = &report.examples[0];
        out += &format!("  (--param {name}=… counts at your own size, and compares with the optimum there)\n");
    }
    out
}

fn sizes_meant(report: &LatticeReport) -> String {
    let names = report.parameters.join(", ");
    if report.condition == "1" { format!("all {names}") } else { format!("all {names} with {}", report.condition) }
}

fn proof(mapping: &ParametricMapping) -> String {
    match (mapping.status, &mapping.witness) {
        (ProofStatus::Proved, _) => "proved".to_string(),
        (ProofStatus::Open, _) => "open: neither proved nor refuted".to_string(),
        (ProofStatus::Refuted, None) => "refuted".to_string(),
        (ProofStatus::Refuted, Some(witness)) => {
            let at: Vec<String> = witness.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("refuted: {} is sent to 0 at {}", tuple(&witness.difference), at.join(", "))
        }
    }
}

fn at_sizes(report: &LatticeReport, concrete: &Concrete) -> String {
    let dimensions = report.coordinates.len();
    let at = if report.at.is_empty() { String::new() } else { format!("at {}: ", sizes(report)) };
    let shape = match concrete.convex {
        Some(true) => "convex",
        Some(false) => "not convex",
        None => "hull not found in time",
    };
    let points = concrete.points;
    let noun = if points == 1 { "difference" } else { "differences" };
    let mut out = format!("{at}{points} {noun} with 0, {dimensions}-dimensional, {shape}\n");
    out += &minima(concrete);
    let mut table = new_table(["cells", "mapping", "lattice", "found by"]);
    let best = &concrete.best;
    let is_new = concrete.candidates.iter().all(|candidate| candidate.basis != best.basis);
    if is_new {
        let row = [best.cells.to_string(), best.mapping.text.clone(), tuples(&best.basis), "search".to_string()];
        table.add_row(row);
    }
    for candidate in &concrete.candidates {
        let (cells, mapping) = (candidate.cells.to_string(), candidate.mapping.text.clone());
        table.add_row([cells, mapping, tuples(&candidate.basis), origins(&candidate.found_by)]);
    }
    out += &text(&mut table);
    out + &verdict(concrete)
}

fn minima(concrete: &Concrete) -> String {
    let Some(minima) = &concrete.minima else { return "  successive minima: not found in time\n".to_string() };
    if minima.is_empty() {
        return String::new();
    }
    let all: Vec<String> = minima.iter().map(|m| format!("{} at {}", m.gauge, tuple(&m.vector))).collect();
    format!("  successive minima: {}\n", all.join(", "))
}

fn verdict(concrete: &Concrete) -> String {
    let best = &concrete.best;
    let noun = if best.cells == 1 { "cell" } else { "cells" };
    let found = format!("  best: {}, {} {noun}; ", best.mapping.text, best.cells);
    let clique = match concrete.clique {
        1 => String::new(),
        clique if clique == best.cells => {
            format!("; {clique} points that conflict with one another need as many cells")
        }
        clique => format!("; {clique} points that conflict with one another need {clique} cells"),
    };
    if best.optimal {
        return format!("{found}optimal{clique}\n");
    }
    let open = format!("no lattice below {} is valid, those between are open", best.least);
    format!("{found}{open}{clique}\n  (--max-ops raises the bound on the search)\n")
}

fn sizes(report: &LatticeReport) -> String {
    let at: Vec<String> = report.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    at.join(", ")
}

/// `1.a minima; 3 axes i k, k i, minima`.
fn origins(origins: &[Origin]) -> String {
    let mut names: Vec<&str> = origins.iter().map(|origin| origin.heuristic).collect();
    names.sort_unstable();
    names.dedup();
    let all = |name: &str| {
        let bases: Vec<&str> = origins.iter().filter(|o| o.heuristic == name).map(|o| o.basis.as_str()).collect();
        let (others, orders): (Vec<&str>, Vec<&str>) = bases.into_iter().partition(|b| is_other(b));
        let mut parts: Vec<String> = orders.iter().take(MOST_ORDERS).map(ToString::to_string).collect();
        parts.iter_mut().skip(1).for_each(|order| *order = order.replacen("axes ", "", 1));
        if orders.len() > MOST_ORDERS {
            parts.push(format!("{} more orders", orders.len() - MOST_ORDERS));
        }
        parts.extend(others.iter().map(ToString::to_string));
        format!("{name} {}", parts.join(", ")).trim_end().to_string()
    };
    names.into_iter().map(all).collect::<Vec<_>>().join("; ")
}

fn is_other(basis: &str) -> bool {
    matches!(basis, "minima" | "reduced" | "")
}

fn tuple<T: Display>(coordinates: &[T]) -> String {
    format!("({})", coordinates.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

fn tuples(vectors: &[Vec<i64>]) -> String {
    vectors.iter().map(|v| tuple(v)).collect::<Vec<_>>().join(" ")
}

fn new_table(header: [&str; 4]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn text(table: &mut Table) -> String {
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

//! Orders that `--schedule fuse` finds for the pipelines of `corpus/orders`, beside those written by hand: `NAME.isl` stands beside `NAME.c`.
//!
//! Stages run at different rates, loops stand in different orders, nests are not quite perfect, and values recur. The cells of both are in
//! `golden/orders.txt`, which `POLYFOLD_BLESS=1` writes anew.

use crate::support::golden::expect;
use crate::support::{compiler, root, scratch, stem, tool, two_threads};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Cells of a pipeline's temporaries.
struct Row {
    name: String,
    before: u64,
    by_hand: u64,
    found: u64,
    alive: u64,
}

#[test]
fn orders_need_no_more_than_a_tenth_more_cells_than_those_by_hand() {
    let rows = two_threads::map(pipelines(), |source| row(&source).unwrap_or_else(|why| panic!("{source:?}: {why}")));
    assert!(rows.len() >= 40, "{}", rows.len());
    let mut table = format!("{:24}{:>10}{:>10}{:>10}{:>10}\n", "pipeline", "declared", "by hand", "found", "alive");
    for row in &rows {
        let _ =
            writeln!(table, "{:24}{:>10}{:>10}{:>10}{:>10}", row.name, row.before, row.by_hand, row.found, row.alive);
    }
    expect("orders.txt", &table).expect("the table is as expected");
    let missed: Vec<&str> =
        rows.iter().filter(|row| row.found * 10 > row.by_hand * 11).map(|row| row.name.as_str()).collect();
    assert!(missed.len() * 10 <= rows.len(), "{missed:?}\n{table}");
}

/// In the source's order, and with the loops that are fast: each result is judged beside its source by the command itself.
#[test]
fn pipelines_have_fast_results_in_their_own_order() {
    let failed = two_threads::map(pipelines(), |source| {
        let result = scratch("fast_pipelines").join(format!("{}.c", stem(&source)));
        let run = tool::optimize(&source, &result, &["--emit", "fast"]);
        (run.status != 0).then(|| format!("{}: {}", stem(&source), run.stderr))
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn pipelines() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("corpus/orders")).expect("the directory is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("its entries can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "c"));
    files.sort();
    files
}

fn row(source: &Path) -> Result<Row, String> {
    let name = stem(source);
    let result = scratch("orders").join(format!("{name}.c"));
    let found = totals(source, &result, "fuse")?;
    let original = result.with_extension("original.c");
    std::fs::copy(source, &original).map_err(|e| e.to_string())?;
    let (before, after) = (compiler::run_source(&original, &[])?, compiler::run(&result, &[])?);
    if before != after {
        return Err(format!("before:\n{before}\nafter:\n{after}"));
    }
    let by_hand = source.with_extension("isl").display().to_string();
    let by_hand = totals(source, &result.with_extension("by_hand.c"), &by_hand)?;
    let number = |totals: &Value, field: &str| totals[field].as_u64().ok_or(format!("no {field}"));
    Ok(Row {
        name,
        before: number(&found, "cells_before")?,
        by_hand: number(&by_hand, "cells_after")?,
        found: number(&found, "cells_after")?,
        alive: number(&found, "max_live")?,
    })
}

/// What the report says of all temporaries of the only scop.
fn totals(source: &Path, result: &Path, schedule: &str) -> Result<Value, String> {
    let json = result.with_extension("json");
    let run = tool::optimize(source, result, &["--schedule", schedule, "--json", &json.display().to_string()]);
    if run.status != 0 {
        return Err(format!("{schedule} ends with {}: {}", run.status, run.stderr));
    }
    let text = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(report["scops"][0]["totals"].clone())
}

//! Random programs with their loops fused: they print the same, and need no more cells than with their own loops.
//!
//! Of four programs one has stages at different rates, loops in different orders, and nests that are not quite perfect.
//!
//! A longer campaign, over seeds of your choice, prints how much is saved. With `POLYFOLD_STEP=4` all are of that kind, from a seed that
//! four divides:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=200 cargo test --release -p polyfold --test all random_fusion:: -- --ignored --nocapture
//! ```

use crate::support::code::has;
use crate::support::{compiler, scratch, tool, two_threads};
use polyfold_testgen::{Feature, Options, file, orders_file};
use serde_json::Value;
use std::path::Path;

/// Seeds in the test itself.
const PROGRAMS: u64 = 10;

#[test]
fn fused_programs_compute_the_same_in_no_more_memory() {
    let results = campaign((0..PROGRAMS).collect());
    assert!(results.iter().filter(|result| result.has_fused).count() >= 3, "{results:?}");
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, step) = (number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_STEP", 1));
    let results = campaign((0..number("POLYFOLD_SEEDS", 200)).map(|k| first + step * k).collect());
    let fused = results.iter().filter(|result| result.has_fused);
    let (kept, now): (u64, u64) = results.iter().fold((0, 0), |(k, n), result| (k + result.kept, n + result.cells));
    let ratio = |result: &Judged| (result.cells.max(1) as f64 / result.kept.max(1) as f64).ln();
    let mean = (results.iter().map(ratio).sum::<f64>() / results.len().max(1) as f64).exp();
    println!(
        "{} programs, {} of them fused, {} with shift registers: {kept} cells -> {now}, mean ratio {mean:.3}",
        results.len(),
        fused.count(),
        results.iter().filter(|result| result.has_registers).count()
    );
}

fn campaign(seeds: Vec<u64>) -> Vec<Judged> {
    let judged = |seed| judged(seed).map_err(|why| format!("seed {seed}: {why}")).inspect_err(|why| println!("{why}"));
    let (good, bad): (Vec<_>, Vec<_>) = two_threads::map(seeds, judged).into_iter().partition(Result::is_ok);
    assert!(bad.is_empty(), "{bad:?}");
    good.into_iter().flatten().collect()
}

/// Nests one after the other, with temporaries between them.
fn language() -> Options {
    use Feature::*;
    let features =
        [RunTimeSizes, TwoDimensions, Offsets, ManyStatements, Lags, Reversed, Triangles, Recurrences, InPlace];
    Options { features: features.into_iter().collect(), max_statements: 8 }
}

/// A program, both ways.
#[derive(Debug)]
struct Judged {
    has_fused: bool,
    /// Whether values move through an array.
    has_registers: bool,
    /// Cells with its own loops.
    kept: u64,
    cells: u64,
}

fn judged(seed: u64) -> Result<Judged, String> {
    let name = |end: &str| scratch("random_fusion").join(format!("{seed}.{end}"));
    let (source, fused) = (name("c"), name("fused.c"));
    let text = if seed.is_multiple_of(4) { orders_file(&[seed]) } else { file(&[seed], &language()) };
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let (_, kept) = optimized(&source, &name("kept.c"), "keep")?;
    let (said, cells) = optimized(&source, &fused, "fuse")?;
    if cells > kept {
        return Err(format!("{cells} cells fused, and {kept} as it was"));
    }
    let (expected, found) = (compiler::run_source(&source, &[]), compiler::run(&fused, &[]));
    let for_speed = compiler::run_for_speed(&fused)?;
    let has_registers = std::fs::read_to_string(&fused).is_ok_and(|text| has(&text, "_[0] = _[1];"));
    let is_same = expected.is_ok() && expected == found;
    match is_same && for_speed.is_none_or(|printed| Ok(printed) == expected) {
        true => Ok(Judged { has_fused: said.contains("in one loop now"), has_registers, kept, cells }),
        false => Err(format!("{expected:?} is not {found:?}")),
    }
}

/// What is said, and the cells of all temporaries.
fn optimized(source: &Path, result: &Path, schedule: &str) -> Result<(String, u64), String> {
    let json = result.with_extension("json");
    let run = tool::optimize(source, result, &["--schedule", schedule, "--json", &json.display().to_string()]);
    if run.status != 0 {
        return Err(format!("{schedule} ends with {}: {}", run.status, run.stderr));
    }
    let text = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let scops = report["scops"].as_array().ok_or("the report has no scops")?;
    let cells = scops.iter().map(|scop| scop["totals"]["cells_after"].as_u64().unwrap_or(0));
    Ok((run.stderr, cells.sum()))
}

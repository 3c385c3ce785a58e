//! Sums of cells over random programs: as declared, array by array, by each engine for several arrays, and by `auto`, beside
//! the values alive at once, which no storage can go below.
//!
//! `cargo bench -p polyfold --bench storage -- [programs] [first seed]`
//!
//! All of it is proved and can be written into the program. Cells are counted at the sizes that `optimize` reports at.

#[path = "../../smo/tests/pipeline/mod.rs"]
mod pipeline;
#[path = "../tests/support/mod.rs"]
mod support;

use pipeline::Numbers;
use polyfold_alloc::Method;
use polyfold_isl::{Context, Set};
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};
use std::collections::BTreeMap;
use support::storage::{Storage, storage};
use support::two_threads;

const COLUMNS: [&str; 6] = ["declared", "separate arrays", "smo", "joint", "fast", "auto"];

/// The size of all pipelines.
const PIPELINE_SIZE: i64 = 100;

/// Cells, or why there are none.
type Cells = Result<u64, &'static str>;

/// One program: its cells by column.
struct Row {
    seed: u64,
    max_live: u64,
    cells: [Cells; 6],
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let (programs, first) = (numbers.first().copied().unwrap_or(300), numbers.get(1).copied().unwrap_or(0));
    let (rows, left_out) = rows(programs as usize, first);
    println!("{} programs with several temporaries, seeds from {first}", rows.len());
    left_out.iter().for_each(|(why, count)| println!("{count:6} left out: {why}"));
    for column in 0..COLUMNS.len() {
        failures(column, &rows);
    }
    table("each over the programs that it can do", &rows, |row, column| row.cells[column].is_ok());
    table("over the programs that all can do", &rows, |row, _| row.cells.iter().all(Result::is_ok));
    furthest(&rows);
    worse(&rows);
    pipelines(programs);
}

/// The first so many programs that count, and how many do not.
fn rows(programs: usize, first: u64) -> (Vec<Row>, BTreeMap<&'static str, usize>) {
    let (mut rows, mut left_out, mut seed) = (Vec::new(), BTreeMap::new(), first);
    while rows.len() < programs {
        let seeds = (seed..).take((programs - rows.len()).max(2)).collect::<Vec<u64>>();
        seed += seeds.len() as u64;
        for row in two_threads::map(seeds, row) {
            match row {
                Ok(row) => rows.push(row),
                Err(why) => *left_out.entry(why).or_default() += 1,
            }
        }
    }
    rows.truncate(programs);
    (rows, left_out)
}

fn row(seed: u64) -> Result<Row, &'static str> {
    let ctx = Context::new();
    let storage = storage(&ctx, seed)?;
    let [smo, joint, fast] = [Method::Smo, Method::Joint, Method::Fast].map(|method| storage.by(&ctx, method));
    let Storage { declared, apart, auto, max_live, .. } = storage;
    Ok(Row { seed, max_live, cells: [Ok(declared), Ok(apart), smo, joint, fast, Ok(auto)] })
}

fn failures(column: usize, rows: &[Row]) {
    let mut reasons: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in rows {
        if let Err(why) = &row.cells[column] {
            reasons.entry(why).or_default().push(row.seed);
        }
    }
    for (why, seeds) in reasons {
        let some: Vec<String> = seeds.iter().take(5).map(u64::to_string).collect();
        println!("{:6} not done by {}: {why} (seeds {} …)", seeds.len(), COLUMNS[column], some.join(", "));
    }
}

fn table(title: &str, rows: &[Row], counts: impl Fn(&Row, usize) -> bool) {
    println!("\n{title}");
    println!(
        "{:<18}{:>9}{:>14}{:>14}{:>8}{:>12}{:>12}",
        "", "programs", "cells", "max live", "ratio", "mean ratio", "at max live"
    );
    for (column, name) in COLUMNS.iter().enumerate() {
        let counted: Vec<(u64, u64)> = (rows.iter().filter(|row| counts(row, column)))
            .filter_map(|row| Some((*row.cells[column].as_ref().ok()?, row.max_live)))
            .collect();
        let (cells, live) = counted.iter().fold((0, 0), |(a, b), (cells, live)| (a + cells, b + live));
        let logarithms: f64 = counted.iter().map(|(cells, live)| (*cells as f64 / *live as f64).ln()).sum();
        let mean = (logarithms / counted.len() as f64).exp();
        let least = counted.iter().filter(|(cells, live)| cells == live).count();
        let ratio = cells as f64 / live as f64;
        println!("{name:<18}{:>9}{cells:>14}{live:>14}{ratio:>8.3}{mean:>12.3}{least:>12}", counted.len());
    }
}

/// The programs with the largest part of cells that might be saved.
fn furthest(rows: &[Row]) {
    let by = |row: &&Row| {
        row.cells[5].as_ref().map(|cells| (*cells as f64 / row.max_live as f64, *cells)).unwrap_or_default()
    };
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| by(b).partial_cmp(&by(a)).expect("ratios are numbers"));
    println!("\nfurthest from max live under auto");
    println!("{:>8}{:>12}{:>12}{:>8}", "seed", "cells", "max live", "ratio");
    for row in sorted.iter().take(10) {
        let (ratio, cells) = by(row);
        println!("{:>8}{cells:>12}{:>12}{ratio:>8.2}", row.seed, row.max_live);
    }
}

/// What must not happen: sharing that costs cells; and what shows a gap: an engine that needs less than `auto`.
fn worse(rows: &[Row]) {
    for (column, name) in COLUMNS.iter().enumerate().take(5).skip(1) {
        let is_less = |row: &&Row| matches!((&row.cells[column], &row.cells[5]), (Ok(less), Ok(auto)) if less < auto);
        let seeds: Vec<String> = rows.iter().filter(is_less).map(|row| row.seed.to_string()).collect();
        println!("{name}: fewer cells than auto in {} programs (seeds {})", seeds.len(), seeds.join(", "));
    }
}

/// Random one-dimensional pipelines, by `auto` on their conflict sets.
fn pipelines(programs: u64) {
    let (mut cells, mut live, mut least) = (0u64, 0u64, 0);
    let found = two_threads::map((0..programs).collect(), |seed| {
        let (ctx, pipeline) = (Context::new(), Numbers(seed).pipeline());
        let maps = pipeline.conflicts(&ctx).ok()?;
        let context = Set::read(&ctx, "[N] -> { : N >= 8 }").ok()?;
        let conflicts = ConflictSet::new(context, &maps).ok()?;
        let solution = storage_mapping_by(Engine::Auto, &conflicts, &[PIPELINE_SIZE]).ok()?;
        let Outcome::Proved(proved) = solution.outcome else { return None };
        let cells = u64::try_from(proved.value().cells(&[PIPELINE_SIZE])).ok()?;
        Some((cells, pipeline.max_live(PIPELINE_SIZE) as u64))
    });
    for (some, floor) in found.iter().flatten() {
        assert!(some >= floor, "{some} cells for {floor} values");
        (cells, live, least) = (cells + some, live + floor, least + u64::from(some == floor));
    }
    let done = found.iter().flatten().count();
    println!("\n{done} of {programs} one-dimensional pipelines by auto of smo, at N = {PIPELINE_SIZE}");
    println!("{cells} cells, {live} alive at once: {:.3} times; {least} at max live", cells as f64 / live as f64);
}

//! Cells of one region by five ways to store them, and the time that it takes to find and prove ours.
//!
//! `cargo bench -p polyfold --bench compact`
//!
//! Rows are regions of `corpus/compact`, at sizes of which all columns speak: cells of the instance with the most, summed over the arrays that
//! the row is about. *Whole* are the arrays as declared; *box* one box for all references to an array, as MLIR has it; *groups* a box
//! with strides for each group of references, as PPCG has it (`rivals.rs`); *exact* what one instance touches, below which nothing
//! is. Goals: ours at most 1.01 times exact on every row but one, nowhere above the others, each row within a second.

mod rivals;
mod rows;

use polyfold_codegen::{Compacted, Dialect, Manner, in_local_memory};
use polyfold_compact::{Request, Size, Tiles, Values, points, references, sizes, union_of};
use polyfold_frontend::{LocalRegion, Options};
use polyfold_isl::{Context, Result};
use polyfold_plan::{Compaction, compact, overlapping};
use polyfold_scop::{ArrayId, Scop};
use rivals::{bounding_box, groups, whole};
use rows::{ROWS, Row};
use std::process::Command;
use std::time::{Duration, Instant};
use support::{pipe, root};

#[path = "../../tests/support/mod.rs"]
mod support;

/// Cells of the arrays of one row.
#[derive(Default)]
struct Cells {
    whole: i64,
    bounding_box: i64,
    groups: i64,
    ours: i64,
    exact: i64,
}

fn main() {
    let mut missed = Vec::new();
    let mut total = Duration::ZERO;
    println!(
        "{:<40}{:>12}{:>10}{:>10}{:>8}{:>8}{:>8}{:>8}",
        "cells", "whole", "box", "groups", "ours", "exact", "ratio", "s"
    );
    for row in &ROWS {
        let (cells, time) = measured(row).unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let Cells { whole, bounding_box, groups, ours, exact } = cells;
        let ratio = ours as f64 / exact as f64;
        total += time;
        println!(
            "{:<40}{whole:>12}{bounding_box:>10}{groups:>10}{ours:>8}{exact:>8}{ratio:>8.3}{:>8.2}",
            row.name,
            time.as_secs_f64()
        );
        let is_near = ours * 100 <= exact * 101 || row.is_left_apart;
        if !is_near || ours > bounding_box.min(groups) || time > Duration::from_secs(1) {
            missed.push(row.name);
        }
    }
    println!("all rows: {:.2} s", total.as_secs_f64());
    if !missed.is_empty() || total > Duration::from_secs(20) {
        println!("goals missed by: {}", missed.join(", "));
        std::process::exit(1);
    }
}

fn measured(row: &Row) -> Result<(Cells, Duration)> {
    let file = root().join("corpus/compact").join(format!("{}.c", row.program));
    let source = std::fs::read_to_string(&file).expect("the program is there");
    let (region, scop, whole) = region(row, &source);
    let ctx = Context::new();
    let begun = Instant::now();
    let request = Request { arrays: region.clauses.arrays.clone(), overlap: overlapping(&scop), ..Request::default() };
    let found = compact(&ctx, &scop, &request, u64::MAX)?;
    let compacted = Compacted {
        scop: &scop,
        parameters: &found.model.parameters,
        pragma: region.pragma.clone(),
        span: region.span(),
        whole: &whole,
        statement: region.statement.clone(),
        known: &found.known,
        running: &found.running,
        defined: &found.defined,
        plans: &found.plans,
        loops: Vec::new(),
        manner: &Manner::default(),
        pinned: &[],
    };
    in_local_memory(&source, &[compacted], &[], Dialect::C)?;
    let time = begun.elapsed();
    Ok((cells(row, &scop, &found)?, time))
}

/// The region of a row, its statement as a scop, and as a block.
fn region(row: &Row, source: &str) -> (LocalRegion, Scop, Scop) {
    let (regions, _) = polyfold_frontend::local_regions(source);
    let with_scop = |region: LocalRegion| {
        let mut cc = Command::new("cc");
        cc.args(["-E", "-dD", "-x", "c", "-I"]).arg(root().join("corpus/compact")).arg("-");
        let preprocessed = pipe(&mut cc, &polyfold_frontend::instrument(source));
        let options = Options { local: true, ..Options::default() };
        let scop = polyfold_frontend::parse_region(source, &preprocessed, &options, (&region, &[])).scops.remove(0);
        let all = (&region.statement, std::slice::from_ref(&region));
        let whole = polyfold_frontend::parse_around(source, &preprocessed, &options, all).expect("it is understood");
        (region, scop, whole)
    };
    let mut all = regions.into_iter().map(with_scop);
    all.find(|(_, scop, _)| scop.function == row.function).expect("the function has a region")
}

fn cells(row: &Row, scop: &Scop, found: &Compaction) -> Result<Cells> {
    let model = &found.model;
    let given = row.sizes.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let changing = scop.surroundings.iter().flat_map(|around| &around.changing);
    let changing: Vec<String> = changing.map(|id| model.parameters[id.0].clone()).collect();
    let all = sizes(&found.running, &model.parameters, &changing, &given, &Tiles::default(), &Values::new())?;
    let size = all.first().expect("the region runs at these sizes");
    let mut sum = Cells { ours: ours(row, scop, found, size)?, ..Cells::default() };
    for array in (0..scop.arrays.len()).map(ArrayId).filter(|id| row.arrays.contains(&scop.array(*id).name.as_str())) {
        let references = references(model, array, &model.context)?;
        let union = union_of(references.iter().map(|r| &r.footprint))?.expect("the array is touched");
        let counts = size.instances.iter().map(|values| points(&union, values).map(|cells| cells.len() as i64));
        sum.exact += counts.collect::<Result<Vec<i64>>>()?.into_iter().max().unwrap_or(0);
        sum.whole += whole(model, array, size)?;
        sum.bounding_box += bounding_box(&union, size)?;
        sum.groups += groups(&references, size)?;
    }
    Ok(sum)
}

/// The most cells of any version that runs at a size.
fn ours(row: &Row, scop: &Scop, found: &Compaction, size: &Size) -> Result<i64> {
    let mut most = 0;
    for plan in found.plans() {
        let constants: Vec<(&str, i64)> = size.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        if plan.context.at(&constants)?.is_empty()? {
            continue;
        }
        let own = plan.locals.iter().filter(|local| row.arrays.contains(&scop.array(local.array).name.as_str()));
        let cells = own.map(|local| local.shape.cells_at(&size.constants)).sum::<Result<i64>>()?;
        most = cells.max(most);
    }
    Ok(most)
}

//! How many cells the temporaries of a random program take, by `optimize` and as a floor.

use super::parse;
use polyfold_alloc::Method;
use polyfold_codegen::{TextLimits, can_declare_before};
use polyfold_isl::Context;
use polyfold_plan::{Optimized, Options, Scope, Slack, declared_cells, optimize};
use polyfold_scop::{ArrayId, Scop};
use polyfold_testgen::{Feature, PREAMBLE, program};

/// A tenth of what the command line allows: no program takes longer than some seconds.
const MOST_OPERATIONS: u64 = 20_000_000;

/// Cells of several temporaries, at the sizes that `optimize` reports at.
pub struct Storage {
    source: String,
    scop: Scop,
    sizes: Vec<(String, i64)>,
    pub declared: u64,
    /// Each array alone.
    pub apart: u64,
    pub auto: u64,
    pub max_live: u64,
}

/// The programs that are summed over: of one element type, so that cells can be compared, and short, so that hundreds of them
/// take minutes.
fn language() -> polyfold_testgen::Options {
    polyfold_testgen::Options { max_statements: 6, ..Default::default() }
        .without(Feature::MixedTypes)
        .without(Feature::Allocated)
}

/// The source and the scop of a seed's program.
///
/// # Errors
/// Why the program does not count.
fn scop_of(seed: u64) -> Result<(String, Scop), &'static str> {
    let source = format!("{PREAMBLE}{}", program(seed, &language()).source);
    let scop = parse(&source).scops.into_iter().next().ok_or("the front end declines it")?;
    if can_declare_before(&source, &scop) { Ok((source, scop)) } else { Err("there is no room for declarations") }
}

/// The storage of a seed's program.
///
/// # Errors
/// Why the program does not count.
pub fn storage(ctx: &Context, seed: u64) -> Result<Storage, &'static str> {
    let (source, scop) = scop_of(seed)?;
    let shared = solved(ctx, (&source, &scop), &[], Scope::Inter, None)?;
    if shared.counted.len() < 2 {
        return Err("it has fewer than two temporaries");
    }
    let live = shared.live(&scop).as_ref().map_err(|_| "its live values cannot be counted")?;
    let max_live = live.total;
    let sizes: Vec<(String, i64)> =
        (scop.parameters.iter().zip(&shared.sizes.values)).map(|(p, (_, v))| (p.name.clone(), *v)).collect();
    let alone = solved(ctx, (&source, &scop), &sizes, Scope::Intra, None)?;
    assert_eq!(alone.sizes.values, shared.sizes.values, "seed {seed}: the same sizes for all");
    let cells_of = |id: &ArrayId| declared_cells(&scop, *id, &shared.sizes.values);
    let declared = shared.counted.iter().map(cells_of).sum::<Option<u64>>().ok_or("an extent has no value")?;
    let (apart, auto) = (cells(&alone, &scop)?, cells(&shared, &scop)?);
    Ok(Storage { source, sizes, declared, apart, auto, max_live, scop })
}

impl Storage {
    /// With what one engine makes of arrays that may share.
    ///
    /// # Errors
    /// When `optimize` runs out of work.
    pub fn by(&self, ctx: &Context, method: Method) -> Result<u64, &'static str> {
        cells(&solved(ctx, (&self.source, &self.scop), &self.sizes, Scope::Inter, Some(method))?, &self.scop)
    }
}

fn solved(
    ctx: &Context,
    (source, scop): (&str, &Scop),
    sizes: &[(String, i64)],
    scope: Scope,
    method: Option<Method>,
) -> Result<Optimized, &'static str> {
    let options = Options {
        method,
        scope,
        sizes: sizes.to_vec(),
        assumptions: Vec::new(),
        max_operations: MOST_OPERATIONS,
        slack: Slack::NONE,
        text: TextLimits::of(source, scop),
        in_strips: false,
    };
    optimize(ctx, scop, &options, &mut |_| {}).map_err(|_| "optimize runs out of work")
}

fn cells(result: &Optimized, scop: &Scop) -> Result<u64, &'static str> {
    result.cells_after(scop).expect("sizes fit 64 bits").ok_or("an extent has no value")
}

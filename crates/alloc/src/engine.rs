//! The engines for one array alone, and for the common space of several.
//!
//! * `successive-modulo`: Lefebvre and Feautrier's moduli in the order of the array's axes.
//! * `lattice`: heuristic 3 of Bee §4.2 over the canonical basis in every order (in the axes' own order this is
//!   successive modulo, and its result is called so), families of lattices for the plane, rows that grow with a size, and, where
//!   all sizes are known, the optimum.
//! * `optimal`: the same, however little it saves; sizes that macros give are taken as known.
//! * `fast`, `joint`, `smo`: for several arrays at once, from their conflict set; for an array alone what `successive-modulo`
//!   finds.

use crate::align::least_cells;
use crate::linear::{linear, may_be_worth};
use crate::mixed::{Ranked, mixed};
use crate::{Mapping, lay_out};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{ModularMapping, successive_moduli, successive_moduli_in_every_order};
use polyfold_scop::Expr;
use std::fmt;

/// Rows that mix dimensions are harder to read and to compute. They have to save this much of what one modulus per axis
/// needs: Durbin's y at n = 100 is worth it with 197 cells instead of 200, a ring of 2n − 1 cells instead of two rows of n is
/// not. Coefficients past 2 scatter neighbours through memory, and have to save twice as much: a window of three rows of 100
/// stays one, although 294 cells would do.
const LEAST_GAIN_PERMILLE: u64 = 15;

/// Bound on the work for rows that grow, in isl's steps.
const LINEAR_WORK: u64 = 2_000_000;

/// The engine that made a mapping; its name on the command line and in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `successive-modulo`.
    SuccessiveModulo,
    /// `lattice`.
    Lattice,
    /// `optimal`.
    Optimal,
    /// `fast`, for several arrays at once.
    Fast,
    /// `joint`, for several arrays at once.
    Joint,
    /// `smo`, for several arrays at once.
    Smo,
}

impl Method {
    /// Whether it looks further than at an array's axes in their own order.
    fn mixes_axes(self) -> bool {
        matches!(self, Method::Lattice | Method::Optimal)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Method::SuccessiveModulo => "successive-modulo",
            Method::Lattice => "lattice",
            Method::Optimal => "optimal",
            Method::Fast => "fast",
            Method::Joint => "joint",
            Method::Smo => "smo",
        })
    }
}

/// What an engine knows of an array.
pub struct Problem<'a> {
    /// Its extents.
    pub extents: &'a [Option<Expr>],
    /// Differences of its conflicting cells, with 0.
    pub differences: &'a Set,
    /// Parameter values that matter.
    pub context: &'a Set,
    /// The declared cells, where the source says them.
    pub declared: Option<&'a Set>,
    /// Parameters that new extents may use.
    pub available: &'a [String],
    /// Parameters whose value is known at run time only.
    pub variables: &'a [String],
    /// Those of them that bound two extents: their squares are hardly more than a number of cells.
    pub growing: &'a [String],
    /// Parameter values at which sizes are compared.
    pub sizes: &'a [(&'a str, i64)],
    /// Cells that every mapping needs at these sizes.
    pub floor: u64,
}

/// The proposals of one engine, smallest first at the problem's sizes; equally large ones in the order in which the
/// engine prefers them.
///
/// # Errors
/// When the differences are unbounded, or the work bound is reached.
pub fn propose(method: Method, problem: &Problem) -> Result<Vec<(Mapping, Method)>> {
    propose_besides(method, problem, &Smallest::default())
}

/// One modulus per axis, in every order of the axes, whatever it takes: subscripts that are plain to read and to compute.
///
/// # Errors
/// When the differences are unbounded, or the work bound is reached.
pub fn propose_axes(problem: &Problem) -> Result<Vec<ModularMapping>> {
    let (ranked, _) = by_axes(Method::Lattice, problem)?;
    ranked.iter().map(|(_, mapping, _)| lay_out(mapping, problem.extents)).collect()
}

/// Proposals that are known to be the smallest before all others are.
#[derive(Default)]
pub struct Smallest {
    /// Smallest first.
    pub proposals: Vec<(Mapping, Method)>,
    /// All mappings with fewer cells whose rows mix dimensions are among them.
    below: u64,
}

/// The proposals of `lattice` with fewer cells than any modulus per axis can have, as far as that is quickly known: moduli for all sizes take
/// longer to find than rows that mix dimensions.
///
/// # Errors
/// When the differences are unbounded, or the work bound is reached.
pub fn propose_smallest(method: Method, problem: &Problem) -> Result<Smallest> {
    if method != Method::Lattice {
        return Ok(Smallest::default());
    }
    let Some(least) = least_cells(problem.differences, problem.sizes)? else { return Ok(Smallest::default()) };
    let below = least.min(fewest_not_worth(least));
    if problem.floor >= below {
        return Ok(Smallest::default());
    }
    let mut ranked = mixed(problem, below, method)?.found;
    ranked.retain(|(cells, mapping, _)| is_worth(*cells, mapping, least));
    ranked.sort_by_key(|(cells, ..)| *cells);
    if ranked.first().is_some_and(|(cells, ..)| may_be_worth(problem, *cells)) {
        return Ok(Smallest::default());
    }
    Ok(Smallest { proposals: laid_out(ranked, problem)?, below })
}

fn laid_out(ranked: Vec<Ranked>, problem: &Problem) -> Result<Vec<(Mapping, Method)>> {
    let laid_out = |(_, mapping, method): Ranked| Ok((Mapping::Modular(lay_out(&mapping, problem.extents)?), method));
    ranked.into_iter().map(laid_out).collect()
}

/// The other proposals of an engine, where the smallest ones are no good.
///
/// # Errors
/// When the differences are unbounded, or the work bound is reached.
pub fn propose_besides(method: Method, problem: &Problem, refused: &Smallest) -> Result<Vec<(Mapping, Method)>> {
    let (mut ranked, exact) = by_axes(method, problem)?;
    let least = ranked.iter().map(|(cells, ..)| *cells).min().unwrap_or(u64::MAX);
    let is_optimal = method == Method::Optimal;
    let is_larger = |cells: u64| method.mixes_axes() && cells > problem.floor;
    let below = if is_optimal { least } else { least.min(fewest_not_worth(exact)) };
    if is_larger(least) && problem.floor.max(refused.below) < below {
        let is_worth = |(cells, mapping, _): &Ranked| is_optimal || is_worth(*cells, mapping, exact);
        let mixed = mixed(problem, below, method)?;
        ranked.extend(mixed.found.into_iter().filter(is_worth));
        let are_fewest = |cells: u64| is_optimal && mixed.least == Some(cells);
        ranked.iter_mut().filter(|(cells, ..)| are_fewest(*cells)).for_each(|(.., by)| *by = Method::Optimal);
    }
    ranked.sort_by_key(|(cells, ..)| *cells);
    let mut proposed = Vec::new();
    if let Some((cells, best, _)) = ranked.first()
        && is_larger(*cells)
        && (is_optimal || may_be_worth(problem, *cells))
    {
        // What only makes a result better may run out of steps, or past what is supported, without harm to the others.
        let found = match problem.differences.context().with_quota(LINEAR_WORK, || linear(problem, best, *cells)) {
            Err(error) if error.is_bound() => Default::default(),
            found => found?,
        };
        let found = found.into_iter().filter(|(fewer, _)| is_optimal || is_gain(*fewer, *cells));
        proposed.extend(found.map(|(cells, mapping)| (cells, Mapping::Linear(mapping), Method::Lattice)));
    }
    for (cells, mapping, method) in ranked {
        proposed.push((cells, Mapping::Modular(lay_out(&mapping, problem.extents)?), method));
    }
    proposed.sort_by_key(|(cells, ..)| *cells);
    Ok(proposed.into_iter().map(|(_, mapping, method)| (mapping, method)).collect())
}

/// One modulus per axis, and the fewest cells before moduli that distinguish cases became declared extents: rows that mix
/// dimensions have to be worth it against what axes can do, not against what is nicer to read.
fn by_axes(method: Method, problem: &Problem) -> Result<(Vec<Ranked>, u64)> {
    let own: Vec<usize> = (0..problem.extents.len()).collect();
    let (ds, context, sizes) = (problem.differences, problem.context, problem.sizes);
    let found = if method.mixes_axes() {
        successive_moduli_in_every_order(ds, context, sizes)?
    } else {
        vec![(own.clone(), successive_moduli(ds, context, &own, sizes)?)]
    };
    let extents = declared_extents(problem)?;
    let (mut ranked, mut exact) = (Vec::new(), u64::MAX);
    let cells = |mapping: &ModularMapping| Ok(mapping.cells(sizes)?.unwrap_or(u64::MAX));
    for (order, mapping) in found {
        let mut mapping = simplified(mapping, context)?;
        declare(&mut mapping, &extents, |modulus, _| is_unavailable(modulus, problem))?;
        exact = exact.min(cells(&mapping)?);
        declare(&mut mapping, &extents, |modulus, extent| is_case_too_many(modulus, extent, problem))?;
        let method = if order == own { Method::SuccessiveModulo } else { Method::Lattice };
        ranked.push((cells(&mapping)?, mapping, method));
    }
    Ok((ranked, exact))
}

/// Whether so many cells save enough of `least` for rows that are harder to read and to compute.
pub(crate) fn is_gain(cells: u64, least: u64) -> bool {
    saves_permille(cells, least, LEAST_GAIN_PERMILLE)
}

/// As many cells, and more, are no gain.
fn fewest_not_worth(least: u64) -> u64 {
    let worth = u128::from(least) * u128::from(1000 - LEAST_GAIN_PERMILLE) / 1000;
    u64::try_from(worth).unwrap_or(u64::MAX).saturating_add(1)
}

fn saves_permille(cells: u64, least: u64, gain: u64) -> bool {
    u128::from(cells) * 1000 <= u128::from(least) * u128::from(1000 - gain)
}

/// Whether a mapping whose rows mix dimensions saves enough of what one modulus per axis needs.
fn is_worth(cells: u64, mapping: &ModularMapping, least: u64) -> bool {
    let coefficient = mapping.rows.iter().flatten().map(|c| c.unsigned_abs()).max().unwrap_or(0);
    saves_permille(cells, least, LEAST_GAIN_PERMILLE * if coefficient > 2 { 2 } else { 1 })
}

/// Moduli without what the context implies: where it bounds a size, they would seem to depend on it.
pub(crate) fn simplified(mut mapping: ModularMapping, context: &Set) -> Result<ModularMapping> {
    for modulus in &mut mapping.moduli {
        *modulus = modulus.gist_params(context)?.coalesce()?;
    }
    Ok(mapping)
}

/// How far the source says that each axis goes; nothing where it does not say.
fn declared_extents(problem: &Problem) -> Result<Vec<PwAff>> {
    let Some(declared) = problem.declared else { return Ok(Vec::new()) };
    let one = PwAff::read(declared.context(), "{ [(1)] }")?;
    // Where there are no cells any extent will do.
    let has_cells = declared.params()?.intersect(problem.context)?;
    let declared = declared.intersect_params(problem.context)?;
    let extent = |axis| declared.dim_max(axis)?.add(&one)?.gist_params(&has_cells);
    (0..problem.extents.len()).map(extent).collect()
}

/// Replaces moduli by the declared extent where `is_better` says so of the two.
fn declare(
    mapping: &mut ModularMapping,
    extents: &[PwAff],
    is_better: impl Fn(&PwAff, &PwAff) -> Result<bool>,
) -> Result<()> {
    for (modulus, extent) in mapping.moduli.iter_mut().zip(extents) {
        if is_better(modulus, extent)? {
            *modulus = extent.clone();
        }
    }
    Ok(())
}

/// Whether a modulus cannot be written, since it needs a size that is not available or would make an array of constant size a
/// variable-length one.
fn is_unavailable(modulus: &PwAff, problem: &Problem) -> Result<bool> {
    Ok(modulus.parameters()?.iter().any(|p| !problem.available.contains(p)))
}

/// Whether a modulus distinguishes cases to save next to nothing.
fn is_case_too_many(modulus: &PwAff, extent: &PwAff, problem: &Problem) -> Result<bool> {
    let is_variable = |parameters: Vec<String>| parameters.iter().any(|p| problem.variables.contains(p));
    Ok(modulus.pieces()?.len() > 1 && is_variable(modulus.parameters()?) && is_nearly(modulus, extent, problem)?)
}

/// Whether a modulus saves less than a twentieth of the extent.
fn is_nearly(modulus: &PwAff, extent: &PwAff, problem: &Problem) -> Result<bool> {
    let (modulus, extent) = (modulus.eval(problem.sizes)?, extent.eval(problem.sizes)?);
    Ok(matches!((modulus, extent), (Some(m), Some(e)) if (e - m) * 20 < e))
}

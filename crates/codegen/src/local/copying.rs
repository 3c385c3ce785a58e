//! Loops that copy cells between an array and a local one.
//!
//! ```text
//! { copy[x, y] -> [x] : x is copied and y is its place }      makes      for (c0 = n; c0 < 3 * n; c0 += 2) A_local[(c0 - n) / 2] = A[c0][…];
//! ```
//!
//! The loops go through the array's cells in row-major order, the set exactly: nothing beside it is read or written. Where transfers are longer
//! than a cell, they go through the beginnings of runs ([`Runs`]).
//!
//! Cells that are never copied at the values that macros have stand behind a condition on sizes: compilers take the branch for
//! possible otherwise, and warn of local arrays that would be too small for it.

use super::in_tree::InTree;
use super::manner::{Manner, Transfer};
use super::runs::Runs;
use super::sizes::{Names, Sizes};
use crate::home::free_name;
use crate::loops::{Operations, readable};
use polyfold_compact::Local;
use polyfold_isl::{Ast, ErrorKind, Map, Result, Set};
use polyfold_program::Int;
use polyfold_transform::{Copies, Step, Unit};

/// No more elementary steps are spent on fewer pieces of what is copied, and on loops through all cells in row-major order, where there are loops
/// through parts of them.
const MOST_STEPS: u64 = 100_000;

/// What copies of a region have in common.
pub(super) struct Copying {
    /// Names for counters that the source does not use.
    counters: Vec<String>,
    /// And one for the cells of a run.
    run_counter: String,
    /// The values that macros have among sizes; `None`: there are no such sizes.
    own_sizes: Option<Set>,
    /// Sizes that have other values at the next instance.
    changing: Vec<String>,
}

impl Copying {
    pub(super) fn of(region: &InTree, source: &str) -> Result<Copying> {
        let most = region.scop.arrays.iter().map(|array| array.extents.len()).max().unwrap_or(0);
        // A cell, its place and the length of a run.
        let counters = (0..2 * most + 1).map(|k| free_name(&format!("c{k}"), region.scop, source)).collect();
        let run_counter = free_name("r0", region.scop, source);
        Ok(Copying { counters, run_counter, own_sizes: own_sizes(region)?, changing: region.changing_inside() })
    }
}

/// The values that macros have in this compilation.
fn own_sizes(region: &InTree) -> Result<Option<Set>> {
    let own = region.parameters.iter().zip(&region.scop.parameters);
    let equal = own.filter_map(|(name, parameter)| Some(format!("{name} = {}", parameter.constant()?)));
    let equal: Vec<String> = equal.collect();
    if equal.is_empty() {
        return Ok(None);
    }
    let text = format!("[{}] -> {{ : {} }}", region.parameters.join(", "), equal.join(" and "));
    Ok(Some(Set::read(region.known.context(), &text)?))
}

/// Cells that are copied.
pub(super) struct Copied<'a> {
    pub(super) copying: &'a Copying,
    /// The local array, with its number.
    pub(super) local: (usize, &'a Local),
    pub(super) cells: &'a Set,
    /// Whether they are copied there, and not back.
    pub(super) is_into: bool,
    /// Which one of several buffers.
    pub(super) turn: Option<Int>,
    /// The element's bytes, if they are known.
    pub(super) bytes: Option<u64>,
    pub(super) manner: &'a Manner,
    pub(super) tag: Int,
}

impl Copied<'_> {
    /// The steps, where isl's names are `names`.
    pub(super) fn steps(&self, sizes: &Sizes, names: &Names) -> Result<Vec<Step>> {
        let cells = self.cells.intersect_params(&sizes.context)?;
        let Some((cells, idle)) = self.without_idle(&cells)? else { return self.steps_of(&cells, sizes, names) };
        let test = sizes.cond(&idle.params()?.for_any(&self.copying.changing)?)?;
        let mut steps = self.steps_of(&cells, sizes, names)?;
        steps.push(Step::If(test, self.steps_of(&idle, sizes, names)?));
        Ok(steps)
    }

    fn steps_of(&self, cells: &Set, sizes: &Sizes, names: &Names) -> Result<Vec<Step>> {
        if cells.is_empty()? {
            return Ok(Vec::new());
        }
        let local = self.local.1;
        let (runs, others) = match self.manner.transfer {
            Transfer::Assignments => (Vec::new(), cells.clone()),
            Transfer::Memcpy | Transfer::Functions(_) => Runs::of(local, cells)?,
        };
        let mut steps = Vec::new();
        for run in &runs {
            steps.extend(self.loops(&run.points, true, sizes, names)?);
        }
        if !others.is_empty()? {
            let points = local.shape.map.intersect_domain(&others)?.wrap()?.flatten()?;
            steps.extend(self.loops(&points, false, sizes, names)?);
        }
        Ok(steps)
    }

    /// Loops through points whose first coordinates are a cell's.
    fn loops(&self, points: &Set, are_runs: bool, sizes: &Sizes, names: &Names) -> Result<Vec<Step>> {
        let (x, count) = (self.local.1.cells.dimensions()?, points.dimensions()?);
        let all: Vec<String> = (0..count).map(|k| format!("x{k}")).collect();
        let (cell, all) = (all[..x].join(", "), all.join(", "));
        let ctx = points.context();
        let points = points.apply(&Map::read(ctx, &format!("{{ [{all}] -> copy[{all}] }}"))?)?;
        let points = match ctx.with_quota(MOST_STEPS, || points.coalesce()) {
            Err(error) if error.kind == ErrorKind::Quota => points,
            merged => merged?,
        };
        let scanned = |points: &Set, dates: &str, counters: usize| {
            let dates = Map::read(ctx, &format!("{{ copy[{all}] -> [{dates}] }}"))?.intersect_domain(points)?;
            Ast::of(&[dates], &sizes.context, &self.copying.counters[..counters])
        };
        let by_cells = |points: &Set| scanned(points, &cell, x);
        let asts = match ctx.with_quota(MOST_STEPS, || by_cells(&points)) {
            Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Quota) => {
                match apart(&points)?.iter().map(by_cells).collect::<Result<Vec<Ast>>>() {
                    // Where isl does not see that a cell has one place it wants loops of one turn through the places.
                    Err(error) if error.kind == ErrorKind::Invalid => vec![scanned(&points, &all, count)?],
                    other => other?,
                }
            }
            other => vec![other?],
        };
        Ok(asts.into_iter().map(|ast| Step::Copies(self.copies(ast, are_runs, names))).collect())
    }

    fn copies(&self, ast: Ast, are_runs: bool, names: &Names) -> Copies {
        Copies {
            local: self.local.0,
            is_into: self.is_into,
            turn: self.turn.clone(),
            ast: readable(ast, &Cells),
            are_runs,
            unit: match &self.manner.transfer {
                Transfer::Functions(functions) => functions.unit(self.tag.clone(), self.bytes),
                Transfer::Memcpy if are_runs => Unit::Run,
                Transfer::Memcpy | Transfer::Assignments => Unit::Cell,
            },
            names: names.clone(),
            counter: self.copying.run_counter.clone(),
        }
    }

    /// The cells that may be copied at the values that macros have, and those that never are there; `None`: there are none of
    /// these, or what tells them apart are sizes alone.
    fn without_idle(&self, cells: &Set) -> Result<Option<(Set, Set)>> {
        let changing = &self.copying.changing;
        let Some(own) = self.copying.own_sizes.as_ref().filter(|_| !changing.is_empty()) else { return Ok(None) };
        let sizes = |piece: &Set| piece.params()?.for_any(changing);
        let (mut kept, mut idle): (Option<Set>, Option<Set>) = (None, None);
        for piece in apart(cells)? {
            let side = if sizes(&piece)?.intersect(own)?.is_empty()? { &mut idle } else { &mut kept };
            *side = Some(match side.take() {
                Some(others) => others.union(&piece)?,
                None => piece,
            });
        }
        let (Some(kept), Some(idle)) = (kept, idle) else { return Ok(None) };
        // Where both are there at the same sizes, a condition on what changes tells them apart.
        let both = sizes(&kept)?.intersect(&sizes(&idle)?)?;
        Ok(if both.is_empty()? { None } else { Some((kept.coalesce()?, idle.coalesce()?)) })
    }
}

/// The convex parts of a set, without what others have. Each cell is copied once, in any order.
fn apart(points: &Set) -> Result<Vec<Set>> {
    let mut parts: Vec<Set> = Vec::new();
    for piece in points.convex_pieces()? {
        let mut left = piece;
        for other in &parts {
            left = left.subtract(other)?;
        }
        parts.extend(left.convex_pieces()?);
    }
    Ok(parts)
}

/// Loops through cells have counters of their own.
struct Cells;

impl Operations for Cells {
    fn counters(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    fn may_be_counter(&self, _name: &str) -> bool {
        false
    }
}

//! Where the arrays of one buffer stand, relative to each other.
//!
//! Arrays that share a buffer first get a common space: the cells of each are shifted by a vector that may depend on the
//! sizes, `x -> x + δ`. Cells of different arrays that conflict must then stand at different points, and the engines for
//! one array fold the union of all differences:
//!
//! ```text
//! DS = ⋃ᵢ DSᵢ ∪ ⋃ᵢⱼ ± { x + δᵢ − y − δⱼ : x of array i conflicts with y of array j }
//! ```
//!
//! A shift pays where it makes the differences along an axis one-sided. Example: a Jacobi step that reads `a` and writes
//! `b`, rows i of b after rows i' ≥ i of a are still needed: with `δ = −1` on the axis of rows the differences of a and
//! b are −n .. −1, and n + 1 rows are enough for both.
//!
//! Arrays are placed one after the other; each gets the shift, along one axis, after which the fewest cells suffice. Shifts are looked at
//! in the order of what they need at least ([`bound`]), which is quickly known.
//!
//! Paper: SMO (POPL'16) §4.1, where the offsets are unknowns of an ILP together with the hyperplanes.

mod bound;

use bound::Bound;
use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{ModularMapping, families, successive_moduli_in_every_order};

/// Cells that drift need hardly more than the largest array alone if it is a part less than this.
const HARDLY_MORE: u64 = 8;

/// Merging more pieces takes long.
const MANY_PIECES: usize = 16;

/// Arrays that stand in a common space.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// For each array its shift, a function of the sizes for each axis.
    pub shifts: Vec<Vec<PwAff>>,
    /// Differences of all conflicting cells, with 0.
    pub differences: Set,
    /// The cells that one modulus per axis needs, at the sizes asked for.
    pub cells: u64,
}

/// For which sizes arrays are placed.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    /// Sizes that matter.
    pub context: &'a Set,
    /// Sizes at which cells are counted.
    pub at: &'a [(&'a str, i64)],
    /// Whether rows that mix dimensions count, too: cells that drift through memory need them.
    pub drift: bool,
}

impl Aligned {
    /// The first array, unshifted; `own` are the differences of its conflicting cells, with 0.
    ///
    /// # Errors
    /// When they are unbounded, or the work bound is reached.
    pub fn first(own: &Set, sizes: Sizes) -> Result<Aligned> {
        let zero = PwAff::read(own.context(), "{ [(0)] }")?;
        let shift = vec![zero; own.dimensions()?];
        Ok(Aligned { shifts: vec![shift], differences: own.clone(), cells: cells(own, sizes)? })
    }

    /// One more array, placed where the fewest cells suffice, fewer than `most`: `own` are its differences, with 0; `between` holds, for
    /// each array that is placed already, `x − y` of its cells x that conflict with cells y of the new one. One of the `wanted`
    /// shifts is taken where it costs no more than a row of cells, also if it needs `most`: of three grids that are copied in turn two need
    /// as much together as apart, and the third one nothing more.
    ///
    /// `None`: there is no such place among those that are looked at.
    ///
    /// # Errors
    /// When differences are unbounded, or the work bound is reached.
    pub fn with(
        &self,
        own: &Set,
        between: &[Option<&Set>],
        wanted: &[Vec<PwAff>],
        most: u64,
        sizes: Sizes,
    ) -> Result<Option<Aligned>> {
        let mut newcomer = Newcomer::of(self, own, self.differences_to(between)?, most.saturating_add(1), sizes)?;
        let preferred = newcomer.smallest(wanted)?;
        newcomer.most = most;
        let shifts = newcomer.shifts_by_bound()?;
        if shifts.is_empty() {
            return Ok(preferred);
        }
        let least = self.cells.max(cells(own, Sizes { drift: false, ..sizes })?);
        let enough = if sizes.drift { least.saturating_add(least / HARDLY_MORE) } else { least };
        if preferred.as_ref().is_some_and(|preferred| preferred.cells <= enough) {
            return Ok(preferred);
        }
        match (preferred, newcomer.first_of_few_cells(shifts, enough)?) {
            (Some(preferred), Some(best)) if preferred.cells > best.cells.saturating_add(row(own, sizes)?) => {
                Ok(Some(best))
            }
            (preferred, best) => Ok(preferred.or(best)),
        }
    }

    /// Differences between the arrays, where they stand, and a new one that is not shifted.
    fn differences_to(&self, between: &[Option<&Set>]) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for (shift, differences) in self.shifts.iter().zip(between) {
            let Some(differences) = differences else { continue };
            let differences = differences.translated(shift)?;
            all = Some(match all {
                None => differences,
                Some(others) => others.union(&differences)?,
            });
        }
        all.map(|all| all.coalesce_outward()).transpose()
    }
}

/// An array that is to be placed.
struct Newcomer<'a> {
    placed: &'a Aligned,
    /// As [`Aligned::differences_to`] says.
    to_new: Option<Set>,
    /// The differences that no shift moves.
    unmoved: Set,
    own: &'a Set,
    /// `None`: cells that drift may need fewer than it says.
    bound: Option<Bound>,
    /// So many cells are too many.
    most: u64,
    sizes: Sizes<'a>,
}

impl<'a> Newcomer<'a> {
    fn of(placed: &'a Aligned, own: &'a Set, to_new: Option<Set>, most: u64, sizes: Sizes<'a>) -> Result<Newcomer<'a>> {
        let unmoved = placed.differences.union(own)?;
        let bound = if sizes.drift { None } else { Bound::new(&unmoved, to_new.as_ref(), sizes.at)? };
        Ok(Newcomer { placed, to_new, unmoved, own, bound, most, sizes })
    }

    /// All arrays with this one at a shift; `None` if conflicting cells would stand at the same point, or cells are too many.
    fn at(&self, shift: &[PwAff]) -> Result<Option<Aligned>> {
        let mut all = self.unmoved.clone();
        if let Some(to_new) = &self.to_new {
            let moved = to_new.translated(&negated(shift)?)?;
            if !moved.fix_all(0)?.intersect_params(self.sizes.context)?.is_empty()? {
                return Ok(None);
            }
            all = all.union(&moved)?.union(&moved.neg()?)?;
        }
        let (differences, cells) = self.merged(&all)?;
        let shifts = self.placed.shifts.iter().cloned().chain([shift.to_vec()]).collect();
        Ok((cells < self.most).then_some(Aligned { shifts, differences, cells }))
    }

    /// Differences in few pieces, and the cells that they need. Pieces that hold for different sizes are many where there are many arrays:
    /// they are taken to hold for all, where that takes no more cells.
    fn merged(&self, all: &Set) -> Result<(Set, u64)> {
        if all.pieces()? > MANY_PIECES {
            let for_all_sizes = all.without_conditions()?.coalesce_outward()?;
            let needed = cells(&for_all_sizes, self.sizes)?;
            if needed <= cells(all, self.sizes)? {
                return Ok((for_all_sizes, needed));
            }
        }
        let differences = all.coalesce_outward()?;
        let needed = cells(&differences, self.sizes)?;
        Ok((differences, needed))
    }

    /// The cells needed at least at a shift; `None` if it is no place, or cells are too many.
    fn bound_at(&self, shift: &[PwAff]) -> Result<Option<u64>> {
        let Some(bound) = &self.bound else { return Ok(Some(0)) };
        let values = shift.iter().map(|value| value.eval(self.sizes.at)).collect::<Result<Option<Vec<i64>>>>()?;
        let Some(values) = values else { return Ok(Some(0)) };
        Ok(bound.cells(&values)?.filter(|cells| *cells < self.most))
    }

    fn smallest(&self, shifts: &[Vec<PwAff>]) -> Result<Option<Aligned>> {
        let mut best = None;
        for shift in shifts {
            if self.bound_at(shift)?.is_some() {
                best = smaller(best, self.at(shift)?);
            }
        }
        Ok(best)
    }

    /// The shifts along one axis at which there may be few enough cells, with what they need at least, fewer first.
    fn shifts_by_bound(&self) -> Result<Vec<(u64, Vec<PwAff>)>> {
        let mut found = Vec::new();
        for back in shifts(self.own, self.to_new.as_ref())? {
            let shift = negated(&back)?;
            found.extend(self.bound_at(&shift)?.map(|least| (least, shift)));
        }
        found.sort_by_key(|(least, _)| *least);
        Ok(found)
    }

    /// The first that needs no more cells than are enough, or the one that needs the fewest.
    fn first_of_few_cells(&self, shifts: Vec<(u64, Vec<PwAff>)>, enough: u64) -> Result<Option<Aligned>> {
        let mut best: Option<Aligned> = None;
        for (least, shift) in shifts {
            if best.as_ref().is_some_and(|best| best.cells <= enough.max(least)) {
                break;
            }
            best = smaller(best, self.at(&shift)?);
        }
        Ok(best)
    }
}

/// The one with fewer cells, or the first.
fn smaller(first: Option<Aligned>, second: Option<Aligned>) -> Option<Aligned> {
    match (first, second) {
        (Some(first), Some(second)) => Some(if second.cells < first.cells { second } else { first }),
        (first, second) => first.or(second),
    }
}

fn negated(shift: &[PwAff]) -> Result<Vec<PwAff>> {
    shift.iter().map(PwAff::neg).collect()
}

/// A row: the product of the widths of an array's differences along all coordinates but the first.
fn row(own: &Set, sizes: Sizes) -> Result<u64> {
    let mut cells = 1u64;
    for axis in 1..own.dimensions()? {
        let most = own.dim_max(axis)?.eval(sizes.at)?.and_then(|most| u64::try_from(most).ok());
        cells = cells.saturating_mul(most.map_or(1, |most| most.saturating_add(1)));
    }
    Ok(cells)
}

/// What one modulus per axis needs at least at some sizes, with successive moduli as they are there: that takes no work on unknown sizes.
pub(crate) fn least_cells(differences: &Set, at: &[(&str, i64)]) -> Result<Option<u64>> {
    let at_sizes = Bound::new(differences, None, at)?;
    Ok(at_sizes.map(|bound| bound.cells(&vec![0; differences.dimensions()?])).transpose()?.flatten())
}

fn cells(differences: &Set, sizes: Sizes) -> Result<u64> {
    let cells = least_cells(differences, sizes.at)?;
    let mut least = cells.map_or_else(|| of_moduli(differences, sizes), Ok)?;
    if sizes.drift {
        for mapping in families(differences, sizes.context, sizes.at, least)? {
            least = least.min(count(&mapping, sizes)?);
        }
    }
    Ok(least)
}

fn of_moduli(differences: &Set, sizes: Sizes) -> Result<u64> {
    let mut least = u64::MAX;
    for (_, mapping) in successive_moduli_in_every_order(differences, sizes.context, sizes.at)? {
        least = least.min(count(&mapping, sizes)?);
    }
    Ok(least)
}

fn count(mapping: &ModularMapping, sizes: Sizes) -> Result<u64> {
    Ok(mapping.cells(sizes.at)?.unwrap_or(u64::MAX))
}

/// Shifts of the differences: none, and along each axis those that make them one-sided, all of them or those along the
/// axis only.
fn shifts(own: &Set, to_new: Option<&Set>) -> Result<Vec<Vec<PwAff>>> {
    let zero = PwAff::read(own.context(), "{ [(0)] }")?;
    let none = vec![zero; own.dimensions()?];
    let mut found = vec![none.clone()];
    let Some(to_new) = to_new else { return Ok(found) };
    for axis in 0..none.len() {
        let mut along = to_new.clone();
        for other in (0..none.len()).filter(|other| *other != axis) {
            along = along.fix(other, 0)?;
        }
        for differences in [&along, to_new] {
            if differences.is_empty()? {
                continue;
            }
            for (limit, step) in [(differences.dim_min(axis)?, 1), (differences.dim_max(axis)?, -1)] {
                let beyond = PwAff::read(own.context(), &format!("{{ [({step})] }}"))?.sub(&limit.coalesce()?)?;
                for (_, piece) in beyond.pieces()? {
                    let mut shift = none.clone();
                    shift[axis] = piece;
                    if !contains(&found, &shift)? {
                        found.push(shift);
                    }
                }
            }
        }
    }
    Ok(found)
}

fn contains(shifts: &[Vec<PwAff>], shift: &[PwAff]) -> Result<bool> {
    for other in shifts {
        let apart = other.iter().zip(shift).map(|(x, y)| Ok(x.sub(y)?.as_constant()? == Some(0)));
        if apart.collect::<Result<Vec<bool>>>()?.into_iter().all(|same| same) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    /// Cells of an array and of two with the same differences, at n = 20, and the second's shift in its first dimension.
    fn two_arrays(context: &str, own: &str, between: Option<&str>) -> ([u64; 2], Option<i64>) {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).expect("a set");
        let (context, own) = (read(context), read(own));
        let sizes = Sizes { context: &context, at: &[("n", 20)], drift: false };
        let first = Aligned::first(&own, sizes).expect("it is bounded");
        let between = between.map(read);
        let both = first
            .with(&own, &[between.as_ref()], &[], u64::MAX, sizes)
            .expect("it is bounded")
            .expect("there is a place");
        ([first.cells, both.cells], both.shifts[1][0].as_constant().expect("it has a value"))
    }

    /// Two sweeps of a 5-point stencil: a row of the second is written while later rows of the first are needed.
    #[test]
    fn a_jacobi_step_needs_one_row_more_than_the_grid() {
        let own = "[n] -> { [i, j] : -n < i < n and -n < j < n }";
        let between = "[n] -> { [i, j] : 0 <= i < n and -n < j < n; [-1, j] : 0 < j < n }";
        assert_eq!(two_arrays("[n] -> { : n >= 3 }", own, Some(between)), ([20 * 20, 21 * 20], Some(-1)));
    }

    /// A frame around a grid: moved along both axes it needs no more than the grid, and a copy between them vanishes.
    #[test]
    fn a_wanted_shift_may_cost_a_row_and_no_more() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).expect("a set");
        let (context, own) = (read("[n] -> { : n >= 3 }"), read("[n] -> { [i, j] : -n < i < n and -n < j < n }"));
        let between =
            read("[n] -> { [i, j] : -1 <= i < n and -n < j < n and (i >= 0 or j >= 0) and (i != -1 or j != -1) }");
        let sizes = Sizes { context: &context, at: &[("n", 20)], drift: false };
        let first = Aligned::first(&own, sizes).expect("it is bounded");
        let number = |value: i64| PwAff::read(&ctx, &format!("{{ [({value})] }}")).expect("a number");
        let with = |wanted: [i64; 2]| {
            let wanted = [wanted.map(number).to_vec()];
            let both =
                first.with(&own, &[Some(&between)], &wanted, u64::MAX, sizes).expect("it is bounded").expect("a place");
            let shift: Vec<Option<i64>> = both.shifts[1].iter().map(|s| s.as_constant().expect("a number")).collect();
            (both.cells, shift)
        };
        let free = first.with(&own, &[Some(&between)], &[], u64::MAX, sizes).expect("it is bounded").expect("a place");
        let (cells, shift) = with([-1, -1]);
        assert!(cells <= free.cells + 20 && shift == [Some(-1), Some(-1)], "{cells} of {}, {shift:?}", free.cells);
        assert_ne!(with([-9, 0]).1, [Some(-9), Some(0)]);
    }

    #[test]
    fn arrays_that_never_conflict_lie_on_each_other() {
        let (cells, shift) = two_arrays("[n] -> { : n >= 1 }", "[n] -> { [i] : -n < i < n }", None);
        assert_eq!((cells, shift), ([20, 20], Some(0)));
    }
}

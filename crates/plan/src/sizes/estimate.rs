//! How many values are likely to be alive at once at sizes that are too large to count.
//!
//! From some sizes on, and for sizes of one remainder, numbers of values are polynomials of them. So they are counted at small sizes on a
//! grid, and extrapolated along one axis x after the other by Newton's forward differences:
//!
//! ```text
//! f(x) = Σ_j Δ^j f(0) · C(x, j)          frames of h × w = 56 × 56 with 96 channels: h = w of 20, 24, 28 by channels of 36, 40
//! ```
//!
//! Sizes that are about equal grow together, on one axis, so that which of them is the larger stays as it is. Where such a grid is none
//! that the program allows, or no polynomial fits there, all sizes grow together, in proportion. A grid begins where all statements run
//! that run at the sizes asked for. Counts at two more places say whether the polynomial fits.
//!
//! Not proved: searches end earlier by it, and try what is likely to be best first. No report gives it for a count.

use crate::sizes::all_running::are_all_in;
use crate::sizes::{Sizes, borrow};
use polyfold_flow::Model;
use polyfold_isl::{Error, Set};
use polyfold_live::LiveCount;
use polyfold_scop::{ArrayId, Expr, LoopId, ParameterId, Scop};
use std::collections::BTreeSet;

/// Sizes at which is counted are this far apart, so that loops over every second iteration, or every fourth, make one polynomial.
const SPACING: i64 = 4;

/// The last place at which is counted is so many times as far as the first behind those that make the polynomial, or less far where
/// that is past two thirds of the way, or counting takes too long.
const FAR: i64 = 4;

/// Counting once takes at most this many steps.
const MOST_STEPS: u64 = 60_000_000;

/// Counting at the last place takes at most this many times the steps of the place behind those that make the polynomial.
const FAR_STEPS: u64 = 2;

/// Sizes that grow together.
struct Axis {
    /// By how much each of the scop's parameters grows from one place to the next.
    step: Vec<i64>,
    /// The place of the sizes asked for; that of the first is 0.
    end: i64,
    degree: i64,
}

impl Axis {
    /// The first place behind those that make the polynomial.
    fn behind(&self) -> i64 {
        self.degree + 1
    }

    fn far(&self) -> i64 {
        (FAR * self.behind()).min(2 * self.end / 3)
    }

    /// Whether the sizes asked for are behind all at which is counted.
    fn is_long(&self) -> bool {
        self.far() > self.behind() && self.end > self.far()
    }
}

/// Sizes from small ones to those asked for.
struct Grid {
    /// In the order of the scop's parameters.
    first: Vec<i64>,
    axes: Vec<Axis>,
}

impl Grid {
    /// All sizes grow in proportion from about `most`; those that are smaller stay.
    fn in_proportion(most: i64, asked: &[i64], degree: i64) -> Option<Grid> {
        let away: Vec<i64> = asked.iter().map(|asked| (asked - most).max(0)).collect();
        let nearest = away.iter().copied().filter(|away| *away > 0).min()?;
        let end = nearest / SPACING;
        let step: Vec<i64> = away.iter().map(|away| away / nearest * SPACING).collect();
        let first = asked.iter().zip(&step).map(|(asked, step)| asked - end * step).collect();
        let axis = Axis { step, end, degree };
        axis.is_long().then(|| Grid { first, axes: vec![axis] })
    }

    /// Sizes that are about equal grow on axes of their own, from `most` for the largest; each as far as its part of that.
    fn by_groups(most: i64, asked: &[i64], degree: impl Fn(&[usize]) -> i64) -> Option<Grid> {
        let largest = asked.iter().copied().max().filter(|largest| *largest > most)?;
        let mut grid = Grid { first: asked.to_vec(), axes: Vec::new() };
        for group in groups(asked) {
            let least = asked[group[0]];
            let begin = (i128::from(least) * i128::from(most) / i128::from(largest)) as i64;
            let end = (least - begin.max(SMALLEST)) / SPACING;
            let step = (0..asked.len()).map(|k| if group.contains(&k) { SPACING } else { 0 }).collect();
            let axis = Axis { step, end, degree: degree(&group) };
            if axis.is_long() {
                group.iter().for_each(|k| grid.first[*k] -= end * SPACING);
                grid.axes.push(axis);
            }
        }
        (!grid.axes.is_empty()).then_some(grid)
    }

    fn sizes_at(&self, places: &[i64]) -> Vec<i64> {
        let grown = |k: usize| self.axes.iter().zip(places).map(|(axis, place)| place * axis.step[k]).sum::<i64>();
        self.first.iter().enumerate().map(|(k, first)| first + grown(k)).collect()
    }

    /// The places that make the polynomial, in the order of their numbers, the last axis first.
    fn near(&self) -> Vec<Vec<i64>> {
        let mut places = vec![Vec::new()];
        for axis in &self.axes {
            let longer =
                |place: &Vec<i64>| (0..axis.behind()).map(|next| [place.as_slice(), &[next]].concat()).collect();
            places = places.iter().flat_map::<Vec<Vec<i64>>, _>(longer).collect();
        }
        places
    }

    fn behind(&self) -> Vec<i64> {
        self.axes.iter().map(Axis::behind).collect()
    }

    /// Places behind those that make the polynomial, the furthest first.
    fn far(&self) -> impl Iterator<Item = Vec<i64>> {
        let most = self.axes.iter().map(|axis| axis.far() - axis.behind()).max().unwrap_or(0);
        let along = move |axis: &Axis, past: i64| axis.behind() + (axis.far() - axis.behind()) * past / most;
        (1..=most).rev().map(move |past| self.axes.iter().map(|axis| along(axis, past)).collect())
    }

    /// The number that the polynomial through values at the near places has at another place; `None` if it is negative there.
    fn extrapolated(&self, near: &[i128], place: &[i64]) -> Option<u64> {
        let mut values = near.to_vec();
        for (axis, place) in self.axes.iter().zip(place).rev() {
            let along = |values: &[i128]| extrapolated(values, *place);
            values = values.chunks(axis.behind() as usize).map(along).collect::<Option<_>>()?;
        }
        u64::try_from(*values.first()?).ok()
    }

    /// As of [`Grids::estimate`].
    fn estimate(&self, count: &dyn Fn(&[i64], u64) -> Option<LiveCount>) -> Option<LiveCount> {
        let at = |places: &[i64]| count(&self.sizes_at(places), MOST_STEPS);
        let near: Vec<LiveCount> = self.near().iter().map(|places| at(places)).collect::<Option<_>>()?;
        let steps: Vec<i128> = near.iter().map(|count| count.steps.into()).collect();
        let behind = at(&self.behind())?;
        let most = MOST_STEPS.min(behind.steps.max(MOST_STEPS / 10).saturating_mul(FAR_STEPS));
        let is_quick = |places: &Vec<i64>| self.extrapolated(&steps, places).is_some_and(|steps| steps <= most);
        let far = self.far().find(is_quick)?;
        let checks = [(self.behind(), behind), (far.clone(), at(&far)?)];
        let asked: Vec<i64> = self.axes.iter().map(|axis| axis.end).collect();
        let of = |number: &dyn Fn(&LiveCount) -> u64| {
            let values: Vec<i128> = near.iter().map(|count| number(count).into()).collect();
            let fits =
                |(place, count): &(Vec<i64>, LiveCount)| self.extrapolated(&values, place) == Some(number(count));
            checks.iter().all(fits).then(|| self.extrapolated(&values, &asked)).flatten()
        };
        let arrays = near.first()?.each.len();
        let at_peak: Option<Vec<u64>> = (0..arrays).map(|k| of(&|count| count.at_peak[k])).collect();
        Some(LiveCount {
            total: of(&|count| count.total)?,
            each: (0..arrays).map(|k| of(&|count| count.each[k])).collect::<Option<_>>()?,
            at_peak: at_peak.unwrap_or_else(|| vec![0; arrays]),
            steps: of(&|count| count.steps)?,
        })
    }
}

/// The smallest of a group is at least so many fifths of its largest.
const ABOUT_EQUAL: i64 = 4;

/// Sizes that are about equal, by parameter; each group begins with its smallest.
fn groups(asked: &[i64]) -> Vec<Vec<usize>> {
    let mut sorted: Vec<usize> = (0..asked.len()).collect();
    sorted.sort_by_key(|k| asked[*k]);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in sorted {
        match groups.last_mut() {
            Some(group) if asked[group[0]].saturating_mul(5) >= asked[k].saturating_mul(ABOUT_EQUAL) => group.push(k),
            _ => groups.push(vec![k]),
        }
    }
    groups
}

/// Grids of small sizes to those asked for, those first at which counting takes less.
pub(crate) struct Grids(Vec<Grid>);

impl Grids {
    /// None: the sizes asked for are so small that others would be no smaller.
    pub(crate) fn to(model: &Model, arrays: &[ArrayId], sizes: &Sizes) -> Result<Grids, Error> {
        let asked: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
        let (running, most) = (Running::at(model, sizes)?, asked.iter().copied().max().unwrap_or(0));
        let degree = |group: &[usize]| degree(model.scop, arrays, group);
        let all: Vec<usize> = (0..asked.len()).collect();
        let by_groups = |most: i64| Grid::by_groups(most, &asked, degree);
        let in_proportion = |most: i64| Grid::in_proportion(most, &asked, degree(&all));
        let mut grids = Vec::new();
        if groups(&asked).len() > 1 {
            grids.extend(running.first_size(most, by_groups)?.and_then(by_groups));
        }
        grids.extend(running.first_size(most, in_proportion)?.and_then(in_proportion));
        Ok(Grids(grids))
    }

    /// Those along which fewer cells than `most` are counted, over all of their sizes; `cells`: of the arrays, at some sizes.
    pub(crate) fn within(mut self, most: u64, cells: impl Fn(&[i64]) -> u64) -> Grids {
        self.0.retain(|grid| {
            let far = grid.far().next().into_iter().chain([grid.behind()]);
            let places = grid.near().into_iter().chain(far);
            places.map(|place| cells(&grid.sizes_at(&place))).fold(0, u64::saturating_add) < most
        });
        self
    }

    /// The count at the sizes asked for, by counts at smaller ones within a number of steps; `None`: one of these is unknown, or no
    /// polynomial fits. Which of several moments with the most values is the first may change from size to size: then it is not known of
    /// which arrays they are.
    pub(crate) fn estimate(&self, count: impl Fn(&[i64], u64) -> Option<LiveCount>) -> Option<LiveCount> {
        self.0.iter().find_map(|grid| grid.estimate(&count))
    }
}

/// The degree of numbers of operations and of cells in some sizes: as many loops around a statement, or extents of an array, as depend on them.
fn degree(scop: &Scop, arrays: &[ArrayId], sizes: &[usize]) -> i64 {
    let sizes: BTreeSet<ParameterId> = sizes.iter().map(|k| ParameterId(*k)).collect();
    let has_size = |expressions: &[&Expr]| {
        let mut found = BTreeSet::new();
        expressions.iter().for_each(|e| e.collect_parameters(&mut found));
        !found.is_disjoint(&sizes)
    };
    let mut dependent: BTreeSet<LoopId> = BTreeSet::new();
    // Loops come before those inside of them.
    for own in scop.loops() {
        let mut bounds = vec![&own.first];
        own.condition.collect_expressions(&mut bounds);
        let follows = |e: &&Expr| dependent.iter().any(|id| e.mentions(*id));
        if has_size(&bounds) || bounds.iter().any(follows) {
            dependent.insert(own.id);
        }
    }
    let loops = |loops: &[LoopId]| loops.iter().filter(|id| dependent.contains(id)).count();
    let depth = scop.statements.iter().map(|statement| loops(&statement.loops)).max().unwrap_or(0);
    let extents = |id: &ArrayId| scop.array(*id).extents.iter().flatten().filter(|e| has_size(&[e])).count();
    depth.max(arrays.iter().map(extents).max().unwrap_or(0)) as i64
}

/// The polynomial through values at 0, 1, 2, … at another place; `None` if it is too large there.
fn extrapolated(values: &[i128], place: i64) -> Option<i128> {
    let (mut differences, mut chosen, mut sum) = (values.to_vec(), 1i128, 0i128);
    for taken in 0..values.len() as i128 {
        sum = sum.checked_add(differences[0].checked_mul(chosen)?)?;
        differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        chosen = chosen.checked_mul(i128::from(place) - taken)? / (taken + 1);
    }
    Some(sum)
}

/// The sizes at which statements have operations, of those that have some at the sizes asked for.
struct Running<'m> {
    model: &'m Model<'m>,
    domains: Vec<Set>,
}

impl<'m> Running<'m> {
    fn at(model: &'m Model, sizes: &Sizes) -> Result<Running<'m>, Error> {
        let mut domains = Vec::new();
        for statement in &model.statements {
            if !statement.domain.at(&borrow(&sizes.values))?.is_empty()? {
                domains.push(statement.domain.params()?.intersect(&model.context)?);
            }
        }
        Ok(Running { model, domains })
    }

    /// The smallest number from which on a grid may begin, looked for by doubling it and then between the last two.
    fn first_size(&self, end: i64, grid: impl Fn(i64) -> Option<Grid>) -> Result<Option<i64>, Error> {
        let runs = |most: i64| grid(most).map_or(Ok(false), |grid| self.all_run(&grid));
        let (mut below, mut found) = (0, SMALLEST);
        while !runs(found)? {
            (below, found) = (found, found * 2);
            if found >= end {
                return Ok(None);
            }
        }
        while found - below > SPACING {
            let between = below + (found - below) / 2;
            if runs(between)? { found = between } else { below = between }
        }
        Ok(Some(found))
    }

    fn all_run(&self, grid: &Grid) -> Result<bool, Error> {
        let names = self.model.parameters.iter().map(String::as_str);
        let first: Vec<(&str, i64)> = names.zip(grid.first.iter().copied()).collect();
        Ok(are_all_in(&self.domains, &first)? && !self.model.context.at(&first)?.is_empty()?)
    }
}

/// At smaller sizes hardly anything happens.
const SMALLEST: i64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// `x² + 3x + 5`, and a cubic that three values do not tell.
    #[test]
    fn a_polynomial_goes_on() {
        assert_eq!(extrapolated(&[5, 9, 15], 100), Some(10305));
        assert_ne!(extrapolated(&[0, 1, 8], 3), Some(27));
        assert_eq!(extrapolated(&[10, 8], 6), Some(-2));
    }

    /// Rows of 1000 and 500: both shrink, in proportion as far as steps allow, and the third stays.
    #[test]
    fn sizes_in_proportion() {
        let grid = Grid::in_proportion(124, &[1000, 500, 7], 2).expect("there is room");
        assert_eq!((grid.first.clone(), grid.axes[0].step.clone()), (vec![248, 124, 7], vec![8, 4, 0]));
        assert_eq!(grid.axes[0].end, 94);
        assert_eq!(grid.sizes_at(&[94]), [1000, 500, 7]);
        assert!(Grid::in_proportion(124, &[140, 130], 2).is_none());
    }

    /// 58 and 56 keep their difference; 6 stays.
    #[test]
    fn sizes_in_groups() {
        let grid = Grid::by_groups(48, &[58, 96, 56, 6], |_| 1).expect("there is room");
        assert_eq!(grid.first, [30, 48, 28, 6]);
        assert_eq!(grid.axes.iter().map(|axis| axis.step.clone()).collect::<Vec<_>>(), [[4, 0, 4, 0], [0, 4, 0, 0]]);
        assert_eq!(grid.sizes_at(&[7, 12]), [58, 96, 56, 6]);
        assert_eq!(grid.near(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    }

    /// `each` is a row longer wherever `n` is; at sizes at which another polynomial holds, nothing is known.
    #[test]
    fn counts_that_fit_no_polynomial_say_nothing() {
        let grid = Grid::in_proportion(10, &[1010], 1).expect("there is room");
        let count =
            |alive: u64| Some(LiveCount { total: alive, each: vec![alive], at_peak: vec![alive], steps: 3 * alive });
        let square = |n: u64| 2 * n + 1;
        assert_eq!(grid.estimate(&|sizes, _| count(square(sizes[0] as u64))), count(2021));
        assert_eq!(grid.estimate(&|sizes, _| count((sizes[0] as u64).max(20))), None);
        assert_eq!(grid.estimate(&|_, _| None), None);
    }

    /// `2 h c + h` is of degree 1 in both sizes.
    #[test]
    fn counts_grow_with_both_sizes() {
        let grid = Grid::by_groups(48, &[56, 96], |_| 1).expect("there is room");
        let count =
            |alive: u64| Some(LiveCount { total: alive, each: vec![alive], at_peak: vec![alive], steps: 3 * alive });
        let of = |h: i64, c: i64| (2 * h * c + h) as u64;
        assert_eq!(grid.estimate(&|sizes, _| count(of(sizes[0], sizes[1]))), count(of(56, 96)));
        assert_eq!(grid.estimate(&|sizes, _| count(sizes[0].max(40) as u64)), None);
    }
}

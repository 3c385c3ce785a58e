//! Lines: the levels of a buffer in one ring of cells.
//!
//! A buffer of several dimensions has a cell for every combination of subscripts. Values that are alive together may form no box: of a
//! nine-point stencil they are a grid, a row and one cell. Then strides as in C's `a[i][j]`, with other extents than the buffer's,
//! and one modulus for the sum may need less:
//!
//! ```text
//! strides    c = (r₂ r₃ …, r₃ …, …, 1)       r_l = e_l + k for a small k, the levels in any order, each with either sign
//! modulus    the smallest D of which no c·y is a multiple, y the differences of conflicting values
//! ```
//!
//! D is found at a few small sizes, and a polynomial is laid through ([`interpolation`](crate::interpolation)). If there is none, D is
//! one more than the largest `c·y`. All of that is a guess; what [`line_proof`](crate::line_proof) does not prove is dropped. Example:
//! `i − t` and `j − t`, both modulo N + 1, become `(N (i − t) + (j − t)) mod (N² + N + 1)`.

use crate::floor::{holds, least_sizes, named};
use crate::interpolation::Grid;
use crate::line_proof::{is_positive_everywhere, keeps_apart};
use crate::{Buffer, ConflictSet, Form, Line, Polynomial, Row};
use polyfold_isl::{Map, Result, Set};
use std::collections::BTreeSet;

/// What an extent in the strides may have more than the buffer's.
const CHANGES: &[i64] = &[0, -1, -2];

/// Levels past this many have too many orders.
const MOST_LEVELS: usize = 4;

/// Bound on the points that are looked at for the differences of a piece at one size.
const MOST_POINTS: i64 = 200_000;

/// Bound on all combinations of strides and differences, at one size.
const MOST_SUMS: usize = 2_000_000;

/// Larger sums are not looked at.
const MOST_REACH: i64 = 1 << 22;

/// So many sizes are looked at, at most.
const MOST_SIZES: usize = 12;

/// So many lines are tried to be proved for a buffer, the smallest first.
const MOST_PROOFS: usize = 6;

/// The smallest line for the statements of a buffer that is found, proved, and smaller than it at given parameters.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn smaller_line(conflicts: &ConflictSet, buffer: &Buffer, sizes: &[i64]) -> Result<Option<Line>> {
    if !(2..=MOST_LEVELS).contains(&buffer.moduli.len()) {
        return Ok(None);
    }
    let Some((grid, samples)) = samples(conflicts, buffer)? else { return Ok(None) };
    let most = samples.iter().map(BTreeSet::len).max().unwrap_or(0).max(1);
    let mut lines = Vec::new();
    for strides in strides(&buffer.moduli).into_iter().take(MOST_SUMS / most) {
        lines.extend(moduli(&grid, &samples, &strides).into_iter().map(|modulus| (modulus, strides.clone())));
    }
    let cells = |modulus: &Polynomial| modulus.at(sizes).unwrap_or(i128::MAX);
    lines.retain(|(modulus, _)| cells(modulus) < buffer.cells(sizes));
    lines.sort_by_key(|(modulus, _)| cells(modulus));
    for (modulus, strides) in lines.into_iter().take(MOST_PROOFS) {
        let line = Line { strides, modulus, members: buffer.members.clone() };
        if is_positive_everywhere(conflicts, &line.modulus) && keeps_apart(conflicts, &line)? {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Differences of conflicting values at one size, in the levels of a buffer; one of each pair y, −y.
type Differences = BTreeSet<Vec<i64>>;

/// Differences at the sizes of a grid; `None` if they are too many, or no line can keep them apart.
fn samples(conflicts: &ConflictSet, buffer: &Buffer) -> Result<Option<(Grid, Vec<Differences>)>> {
    let parameters = conflicts.parameters().len();
    let degree = |k: usize| buffer.moduli.iter().filter(|modulus| modulus.slopes[k] != 0).count();
    let degrees: Vec<usize> = (0..parameters).map(degree).collect();
    let matters: Vec<bool> = degrees.iter().map(|degree| *degree > 0).collect();
    let Some(least) = least_sizes(conflicts, &matters)? else { return Ok(None) };
    let grid = Grid::new(least, degrees);
    let points = grid.points();
    if points.len() > MOST_SIZES {
        return Ok(None);
    }
    let images = images(conflicts, buffer)?;
    let mut samples = Vec::new();
    for point in points {
        let mut sizes = named(conflicts, &point);
        let mut matters = matters.iter();
        sizes.retain(|_| matters.next() == Some(&true));
        match differences(&images, &sizes)? {
            Some(found) => samples.push(found),
            None => return Ok(None),
        }
    }
    Ok(Some((grid, samples)))
}

/// The conflicts of a buffer's statements as differences in its levels, piece by piece.
fn images(conflicts: &ConflictSet, buffer: &Buffer) -> Result<Vec<Set>> {
    let class: Vec<usize> = buffer.members.iter().map(|member| member.statement).collect();
    let rows = |statement| buffer.members.iter().find(|member| member.statement == statement).map(|m| &m.rows);
    let mut images = Vec::new();
    for piece in conflicts.between(&class) {
        let (Some(from), Some(to)) = (rows(piece.from), rows(piece.to)) else { continue };
        let names: Vec<String> = (0..piece.pairs.dimensions()?).map(|k| format!("coordinate_{k}")).collect();
        let level = |(from, to): (&Row, &Row)| from.less(to).text(&names);
        let levels: Vec<String> = from.iter().zip(to).map(level).collect();
        let map = format!("{{ [{}] -> [{}] }}", names.join(", "), levels.join(", "));
        images.push(piece.pairs.apply(&Map::read(piece.pairs.context(), &map)?)?);
    }
    Ok(images)
}

/// Their points at some sizes, for any values of the other parameters; a superset where remainders matter.
fn differences(images: &[Set], sizes: &[(&str, i64)]) -> Result<Option<Differences>> {
    let mut all = Differences::new();
    for image in images {
        let image = image.at(sizes)?.without_parameters()?.remove_divs()?;
        if image.is_empty()? {
            continue;
        }
        let Some(ranges) = ranges(&image)? else { return Ok(None) };
        let pieces = image.polyhedra()?;
        for point in points(&ranges).into_iter().filter(|point| pieces.iter().any(|piece| holds(piece, point, &[]))) {
            let Some(first) = point.iter().find(|y| **y != 0) else { return Ok(None) };
            let sign = first.signum();
            all.insert(point.iter().map(|y| sign * y).collect());
        }
    }
    Ok(Some(all))
}

/// The range of every coordinate; `None` if there are too many points between them.
fn ranges(image: &Set) -> Result<Option<Vec<(i64, i64)>>> {
    let (mut ranges, mut count) = (Vec::new(), 1_i64);
    for axis in 0..image.dimensions()? {
        let (Some(low), Some(high)) = (image.dim_min_value(axis)?, image.dim_max_value(axis)?) else { return Ok(None) };
        count = count.saturating_mul(high.saturating_sub(low).saturating_add(1));
        if count > MOST_POINTS {
            return Ok(None);
        }
        ranges.push((low, high));
    }
    Ok(Some(ranges))
}

fn points(ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for (low, high) in ranges {
        let longer = |point: &Vec<i64>| (*low..=*high).map(|y| [point.as_slice(), &[y]].concat()).collect::<Vec<_>>();
        points = points.iter().flat_map(longer).collect();
    }
    points
}

/// Strides for levels with some moduli: those nearest to the moduli first.
fn strides(moduli: &[Form]) -> Vec<Vec<Polynomial>> {
    let mut all: Vec<(i64, Vec<Polynomial>)> = Vec::new();
    for order in orders(moduli.len()) {
        // from the level with stride 1 outwards: the strides so far and the next one
        let one = Polynomial::constant(moduli[0].slopes.len(), 1);
        let mut partial = vec![(0, vec![one.clone(); moduli.len()], one)];
        for (place, level) in order.into_iter().enumerate() {
            let mut longer = Vec::new();
            let signs: &[i64] = if place == 0 { &[1] } else { &[1, -1] };
            for (weight, strides, stride) in &partial {
                for sign in signs {
                    for change in if place + 1 < moduli.len() { CHANGES } else { &[0] } {
                        let extent = Polynomial::from(&moduli[level].plus(*change));
                        let mut strides = strides.clone();
                        let signed = Polynomial::constant(moduli[0].slopes.len(), *sign).times(stride);
                        let (Some(signed), Some(next)) = (signed, stride.times(&extent)) else { continue };
                        strides[level] = signed;
                        longer.push((weight - change + i64::from(*sign < 0), strides, next));
                    }
                }
            }
            partial = longer;
        }
        all.extend(partial.into_iter().map(|(weight, strides, _)| (weight, strides)));
    }
    all.sort_by_key(|(weight, _)| *weight);
    all.into_iter().map(|(_, strides)| strides).collect()
}

/// All orders of some levels, the last one first.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: &Vec<usize>| {
            let free = (0..count).rev().filter(|level| !order.contains(level));
            free.map(|level| [order.as_slice(), &[level]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Polynomials that may be moduli of a line with some strides.
fn moduli(grid: &Grid, samples: &[Differences], strides: &[Polynomial]) -> Vec<Polynomial> {
    let (mut smallest, mut largest) = (Vec::new(), Vec::new());
    for (differences, sizes) in samples.iter().zip(grid.points()) {
        let Some(sums) = sums(differences, strides, &sizes) else { return Vec::new() };
        let reach = sums.len() as i64 - 1;
        let is_apart = |modulus: &i64| !(*modulus..=reach).step_by(*modulus as usize).any(|sum| sums[sum as usize]);
        largest.push(reach + 1);
        smallest.extend((1..=reach + 1).find(is_apart));
    }
    grid.through(&smallest).or_else(|| grid.through(&largest)).into_iter().collect()
}

/// Which numbers are `|c·y|` for a difference y; `None` if 0 is, or a large number.
fn sums(differences: &Differences, strides: &[Polynomial], sizes: &[i64]) -> Option<Vec<bool>> {
    let strides: Vec<i64> = strides.iter().map(|stride| stride.at(sizes)?.try_into().ok()).collect::<Option<_>>()?;
    let mut sums = vec![false];
    for difference in differences {
        let sum = difference.iter().zip(&strides).try_fold(0_i64, |sum, (y, c)| sum.checked_add(y.checked_mul(*c)?))?;
        let place = usize::try_from(sum.abs()).ok().filter(|_| (1..=MOST_REACH).contains(&sum.abs()))?;
        if place >= sums.len() {
            sums.resize(place + 1, false);
        }
        sums[place] = true;
    }
    Some(sums)
}

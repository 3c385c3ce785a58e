//! Where the cells of a set lie in a box, for all sizes and instances.
//!
//! A shape is made by steps, each a relation from coordinates to coordinates that tells cells of the set apart:
//!
//! ```text
//! x  --divide-->  z  --rows-->  U z  --shift-->  U z - least  --fold-->  …        in    0 <= y_k < extent_k
//! x  --rows-->  M x  --shift-->  M x - least  --modulo-->  (M x - least) mod b
//! ```
//!
//! The least value of a coordinate depends on the instance; its extent is the largest over all instances, so that the array is the same
//! one everywhere.
//!
//! Example: `{ [2i + n, 3i] : 0 <= i < n }` is divided by the pivot 2 of its lattice and shifted: `x -> (x0 - n) / 2`, extent n.
//!
//! Source: US 8,661,422.

use crate::fold::Fold;
use crate::lattice::Lattice;
use crate::reindex::identity;
use crate::sample::{Size, Values, at};
use crate::text::{combination, tuple};
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_lattice::Folding;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Coordinates along which the lattice of the cells has pivots, divided by these.
    Divide(Lattice),
    /// Coordinates with respect to a basis of the lattice of the cells.
    Basis(Lattice),
    /// Other coordinates, by a unimodular matrix.
    Rows(Vec<Vec<i64>>),
    /// A part turned around a centre into the gap beside the rest.
    Fold(Fold),
    /// Remainders of combinations, counted from their least values; the last step.
    Modulo(Folding),
}

impl Step {
    /// How much longer subscripts become.
    pub(crate) fn effort(&self) -> u32 {
        match self {
            Step::Divide(_) => 1,
            Step::Basis(_) => 2,
            Step::Rows(_) => 3,
            Step::Fold(_) => 6,
            Step::Modulo(_) => 8,
        }
    }
}

/// A box for the cells of a set.
#[derive(Clone, Debug)]
pub struct Shape {
    /// `{ [x] -> [y] }`, for any x: what it says of other cells than the set's means nothing.
    pub map: Map,
    /// How many values each coordinate of y has at most, from 0 on; functions of what is the same at all instances.
    pub extents: Vec<PwAff>,
    /// How it was made.
    pub steps: Vec<Step>,
}

/// What is known of parameters.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Those that differ between instances.
    pub(crate) changing: &'a [String],
    /// Some of them.
    pub(crate) sizes: &'a [Size],
}

impl Shape {
    /// The box for the cells of a set by given steps; `None`: some coordinate is not bounded over all instances.
    pub(crate) fn of(cells: &Set, steps: &[Step], known: Known) -> Result<Option<Shape>> {
        let mut map = linear(cells, &identity(cells.dimensions()?))?;
        for step in steps {
            map = match step {
                Step::Divide(lattice) if lattice.is_diagonal() => map.apply_range(&lattice.divided(cells)?)?,
                Step::Divide(lattice) => {
                    let Some((shifted, _)) = shifted(cells, &map, known)? else { return Ok(None) };
                    shifted.apply_range(&lattice.divided(cells)?)?
                }
                Step::Basis(lattice) => map.apply_range(&lattice.coordinates(cells)?)?,
                Step::Rows(rows) => map.apply_range(&linear(cells, rows)?)?,
                Step::Fold(fold) => {
                    let Some((shifted, extents)) = shifted(cells, &map, known)? else { return Ok(None) };
                    let Some(folded) = fold.apply(cells, &shifted, &extents, known)? else { return Ok(None) };
                    folded
                }
                Step::Modulo(folding) => return remainders(cells, &map, folding, steps),
            };
        }
        let Some((map, extents)) = shifted(cells, &map, known)? else { return Ok(None) };
        let (map, extents) = without_single(&map, extents)?;
        Ok(Some(Shape { map, extents, steps: steps.to_vec() }))
    }

    /// How many cells the box has, at given sizes.
    pub fn cells_at(&self, sizes: &[(String, i64)]) -> Result<i64> {
        let sizes: Vec<(&str, i64)> = sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        self.extents
            .iter()
            .try_fold(1i64, |product, extent| Ok(product.saturating_mul(extent.eval(&sizes)?.unwrap_or(0).max(0))))
    }
}

/// A modular mapping behind other steps; `None`: it sends two cells of one instance to one place, or nothing bounds a row from below.
fn remainders(cells: &Set, map: &Map, folding: &Folding, steps: &[Step]) -> Result<Option<Shape>> {
    let map = map.apply_range(&linear(cells, &folding.rows)?)?;
    let image = cells.apply(&map)?;
    let mut lower = Vec::new();
    for k in 0..folding.rows.len() {
        let line = line(&image, k)?;
        // Any bound makes remainders those of natural numbers.
        let plain = bounds(&line, Side::Below)?.into_iter().next();
        let Some(bound) = plain.map_or_else(|| least(&line), |bound| Ok(Some(bound)))? else { return Ok(None) };
        lower.push(bound);
    }
    let count = folding.moduli.len();
    let rests: Vec<String> = folding.moduli.iter().enumerate().map(|(k, b)| format!("y{k} mod {b}")).collect();
    let text = format!("{{ [{}] -> [{}] }}", tuple("y", count), rests.join(", "));
    let map = counted_from(&map, &lower)?.apply_range(&Map::read(map.context(), &text)?)?;
    if !map.intersect_domain(cells)?.is_injective()? {
        return Ok(None);
    }
    let extents = folding.moduli.iter().map(|b| PwAff::read(map.context(), &format!("{{ [({b})] }}")));
    Ok(Some(Shape { extents: extents.collect::<Result<_>>()?, map, steps: steps.to_vec() }))
}

/// Without coordinates that have one value.
fn without_single(map: &Map, extents: Vec<PwAff>) -> Result<(Map, Vec<PwAff>)> {
    let mut kept = Vec::new();
    for (k, extent) in extents.iter().enumerate() {
        if extent.as_constant()? != Some(1) {
            kept.push(k);
        }
    }
    if kept.len() == extents.len() {
        return Ok((map.clone(), extents));
    }
    let to: Vec<String> = kept.iter().map(|k| format!("y{k}")).collect();
    let text = format!("{{ [{}] -> [{}] }}", tuple("y", extents.len()), to.join(", "));
    let map = map.apply_range(&Map::read(map.context(), &text)?)?;
    Ok((map, kept.into_iter().map(|k| extents[k].clone()).collect()))
}

/// `{ [x] -> [U x] }`.
fn linear(like: &Set, rows: &[Vec<i64>]) -> Result<Map> {
    let from = tuple("x", rows.first().map_or(0, Vec::len));
    let to: Vec<String> = rows.iter().map(|row| combination(row, "x")).collect();
    Map::read(like.context(), &format!("{{ [{from}] -> [{}] }}", to.join(", ")))
}

/// The same relation with the least value of each coordinate at 0, and how many values it has at most.
fn shifted(cells: &Set, map: &Map, known: Known) -> Result<Option<(Map, Vec<PwAff>)>> {
    let image = cells.apply(map)?.coalesce()?;
    let dimensions = image.dimensions()?;
    let (mut least, mut extents) = (Vec::new(), Vec::new());
    for k in 0..dimensions {
        let Some((lower, extent)) = interval(&image, k, known)? else { return Ok(None) };
        least.push(lower);
        extents.push(extent);
    }
    Ok(Some((counted_from(map, &least)?.coalesce()?, extents)))
}

/// The same relation with coordinates counted from functions of the parameters.
fn counted_from(map: &Map, least: &[PwAff]) -> Result<Map> {
    let mut shift = Set::read(map.context(), "{ [] }")?;
    for lower in least {
        shift = shift.flat_product(&lower.graph()?)?;
    }
    let moved = (0..least.len()).map(|k| format!("z{k} - l{k}")).collect::<Vec<_>>().join(", ");
    let (z, l) = (tuple("z", least.len()), tuple("l", least.len()));
    let text = format!("{{ [{l}] -> [[{z}] -> [{moved}]] }}");
    map.apply_range(&shift.apply(&Map::read(map.context(), &text)?)?.unwrap()?)
}

/// The values of one coordinate.
fn line(image: &Set, k: usize) -> Result<Set> {
    let count = image.dimensions()?;
    image.project_out(k + 1, count - k - 1)?.project_out(0, k)?.coalesce()
}

/// The least value of a coordinate, by instance, and how many values it has at most.
fn interval(image: &Set, k: usize, known: Known) -> Result<Option<(PwAff, PwAff)>> {
    let line = line(image, k)?;
    let widths = widths(&line, known)?;
    for lower in bounds(&line, Side::Below)? {
        if let Some(extent) = extent(&line, &lower, &widths, known)?
            && is_as_small(&extent, &widths, known)?
        {
            return Ok(Some((lower, extent)));
        }
    }
    let Some(lower) = least(&line)? else { return Ok(None) };
    Ok(extent(&line, &lower, &widths, known)?.map(|extent| (lower, extent)))
}

/// How many values there are at most between the ends of a line, at any instance, by size.
fn widths(line: &Set, known: Known) -> Result<Vec<i64>> {
    let of_instance = |values: &Values| {
        let points = at(line, values)?.without_parameters()?;
        Ok(match (points.dim_min_value(0)?, points.dim_max_value(0)?) {
            (Some(least), Some(most)) => most - least + 1,
            _ => 0,
        })
    };
    let of_size = |size: &Size| {
        let all = size.instances.iter().map(of_instance).collect::<Result<Vec<i64>>>()?;
        Ok(all.into_iter().max().unwrap_or(0))
    };
    known.sizes.iter().map(of_size).collect()
}

/// Which end of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// Affine functions that no value of a line is below, or above: its faces, which need not be reached everywhere. Faces with numbers past 64
/// bits are not among them: unsigned counters have some, and nothing lies near these.
fn bounds(line: &Set, side: Side) -> Result<Vec<PwAff>> {
    let hull = line.simple_hull()?;
    let names = line.parameter_names()?;
    let mut found = Vec::new();
    for piece in hull.polyhedra_around()? {
        let both = piece.equalities.iter().flat_map(|row| [row.clone(), row.iter().map(|c| -c).collect()]);
        let wanted = if side == Side::Below { 1 } else { -1 };
        for row in both.chain(piece.inequalities.iter().cloned()) {
            let (locals, parameters) = row[2..].split_at(piece.locals);
            if row[1] == wanted && locals.iter().all(|c| *c == 0) {
                let terms: String =
                    parameters.iter().zip(&names).map(|(c, name)| format!(" + {}*{name}", -wanted * c)).collect();
                let text = format!("[{}] -> {{ [({}{terms})] }}", names.join(", "), -wanted * row[0]);
                found.push(PwAff::read(line.context(), &text)?);
            }
        }
    }
    Ok(found)
}

/// The least value of a line of points; `None`: there is none.
fn least(line: &Set) -> Result<Option<PwAff>> {
    let Some(least) = optimum(line.has_least(0)?, || line.dim_min(0))? else { return Ok(None) };
    everywhere(least).map(Some)
}

/// What an optimum is where there is one: that there is a bound by rational numbers does not say so.
pub(crate) fn optimum(is_bounded: bool, find: impl FnOnce() -> Result<PwAff>) -> Result<Option<PwAff>> {
    if !is_bounded {
        return Ok(None);
    }
    match find() {
        Err(error) if error.is_unbounded() => Ok(None),
        other => other.map(Some),
    }
}

/// The same function without saying where it is known, which may take many words: what is one piece goes on beyond.
pub(crate) fn everywhere(function: PwAff) -> Result<PwAff> {
    let function = function.coalesce()?;
    match &function.pieces()?[..] {
        [(_, plain)] => Ok(plain.clone()),
        // Several ones without their conditions would be several values elsewhere.
        _ => Ok(function),
    }
}

/// One more than the largest distance from `lower`, over all instances, or a simpler function that is no smaller, and just as large at the
/// sizes that are looked at: a number, a face, or the largest of a few; `None`: there is none.
///
/// A number that is larger at one of these sizes is taken nowhere: it may be the most that a counter's type or a declaration allows.
fn extent(line: &Set, lower: &PwAff, widths: &[i64], known: Known) -> Result<Option<PwAff>> {
    let distances = line.translated(&[lower.neg()?])?.for_any(known.changing)?.coalesce()?;
    if !distances.has_most(0)? {
        return Ok(None);
    }
    let plain = plain_extents(&distances)?;
    if let Some(found) = first_within(&plain, widths, known)? {
        return Ok(Some(found));
    }
    let has_number = plain.first().map_or(Ok(false), |first| Ok(first.parameters()?.is_empty()))?;
    if has_number
        && let Some(largest) = largest_face(&distances, known)?
        && is_as_small(&largest, widths, known)?
    {
        return Ok(Some(largest));
    }
    let Some(most) = optimum(true, || distances.dim_max(0))? else { return Ok(None) };
    let extent = everywhere(most.add(&one(line)?)?)?;
    let number = constant_bound(&extent)?;
    Ok(Some(first_within(number.as_slice(), widths, known)?.unwrap_or(extent)))
}

/// The first function that is no larger than given numbers at the sizes that are looked at.
fn first_within(functions: &[PwAff], widths: &[i64], known: Known) -> Result<Option<PwAff>> {
    for function in functions {
        if is_as_small(function, widths, known)? {
            return Ok(Some(function.clone()));
        }
    }
    Ok(None)
}

fn one(like: &Set) -> Result<PwAff> {
    PwAff::read(like.context(), "{ [(1)] }")
}

/// The largest number of a line for all parameter values; `None`: there is none, or it is past 64 bits.
fn largest(line: &Set) -> Result<Option<i64>> {
    match line.dim_max_value(0) {
        Err(error) if error.is_bound() => Ok(None),
        most => most,
    }
}

/// One more than each face of distances; if some face is a number, one more than the largest of all distances in front.
fn plain_extents(distances: &Set) -> Result<Vec<PwAff>> {
    let faces = bounds(distances, Side::Above)?;
    let mut found = Vec::new();
    let is_number = |face: &PwAff| Ok(face.parameters()?.is_empty());
    if faces.iter().map(is_number).collect::<Result<Vec<bool>>>()?.contains(&true)
        && let Some(most) = largest(distances)?
    {
        found.push(PwAff::read(distances.context(), &format!("{{ [({most} + 1)] }}"))?);
    }
    for face in faces {
        found.push(face.add(&one(distances)?)?);
    }
    Ok(found)
}

/// Sets of more parts have no plain extent.
const MOST_PARTS: usize = 4;

/// One more than the largest of one face of each part, the lowest at the sizes that are looked at: `max(m, n)` for the rows of a square and of
/// its transpose. `None`: some part has none, or there are too many.
fn largest_face(distances: &Set, known: Known) -> Result<Option<PwAff>> {
    let parts = distances.convex_pieces()?;
    let mut largest: Option<PwAff> = None;
    for part in parts.iter().filter(|_| parts.len() <= MOST_PARTS) {
        let mut lowest: Option<(i64, PwAff)> = None;
        for face in bounds(part, Side::Above)? {
            let total = total(&face, known)?;
            if lowest.as_ref().is_none_or(|(least, _)| total < *least) {
                lowest = Some((total, face));
            }
        }
        let Some((_, face)) = lowest else { return Ok(None) };
        largest = Some(largest.map_or_else(|| Ok(face.clone()), |other| other.union_max(&face))?);
    }
    largest.map(|largest| largest.add(&one(distances)?)?.coalesce()).transpose()
}

/// The sum of a function's values at the sizes that are looked at.
fn total(function: &PwAff, known: Known) -> Result<i64> {
    known.sizes.iter().try_fold(0i64, |sum, size| Ok(sum.saturating_add(value(function, size)?.unwrap_or(0))))
}

fn value(function: &PwAff, size: &Size) -> Result<Option<i64>> {
    let values: Vec<(&str, i64)> = size.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    function.eval(&values)
}

/// Whether a function is no larger than given numbers at the sizes that are looked at; at others it may be, by a few cells.
fn is_as_small(function: &PwAff, widths: &[i64], known: Known) -> Result<bool> {
    for (size, width) in known.sizes.iter().zip(widths) {
        if value(function, size)?.is_some_and(|value| value > *width) {
            return Ok(false);
        }
    }
    Ok(!known.sizes.is_empty())
}

/// A number that the function reaches, and never exceeds, in place of several cases.
fn constant_bound(function: &PwAff) -> Result<Option<PwAff>> {
    if function.pieces()?.len() < 2 {
        return Ok(None);
    }
    let Some(most) = largest(&function.graph()?)? else { return Ok(None) };
    let text = format!("{{ [({most})] }}");
    PwAff::read(function.context(), &text).map(Some)
}

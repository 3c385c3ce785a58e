//! Where the cells of a set lie in a box, for all sizes and instances.
//!
//! A shape is made by steps, each a relation from coordinates to coordinates that tells cells of the set apart:
//!
//! ```text
//! x  --divide-->  z  --rows-->  U z  --shift-->  U z - least  --fold-->  …        in    0 <= y_k < extent_k
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
use crate::sample::Size;
use crate::text::{combination, tuple};
use polyfold_isl::{Map, PwAff, Result, Set};

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
}

impl Step {
    /// How much longer subscripts become.
    pub(crate) fn effort(&self) -> u32 {
        match self {
            Step::Divide(_) => 1,
            Step::Basis(_) => 2,
            Step::Rows(_) => 3,
            Step::Fold(_) => 6,
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
    let mut shift = Set::read(map.context(), "{ [] }")?;
    for lower in &least {
        shift = shift.flat_product(&lower.graph()?)?;
    }
    let moved = (0..dimensions).map(|k| format!("z{k} - l{k}")).collect::<Vec<_>>().join(", ");
    let (z, l) = (tuple("z", dimensions), tuple("l", dimensions));
    let text = format!("{{ [{l}] -> [[{z}] -> [{moved}]] }}");
    let pairs = shift.apply(&Map::read(map.context(), &text)?)?.unwrap()?;
    Ok(Some((map.apply_range(&pairs)?.coalesce()?, extents)))
}

/// The least value of a coordinate, by instance, and how many values it has at most.
fn interval(image: &Set, k: usize, known: Known) -> Result<Option<(PwAff, PwAff)>> {
    let count = image.dimensions()?;
    let line = image.project_out(k + 1, count - k - 1)?.project_out(0, k)?.coalesce()?;
    let Some(lower) = least(&line)? else { return Ok(None) };
    let Some(extent) = extent(&line, &lower, known)? else { return Ok(None) };
    let candidates = lower.pieces()?;
    if candidates.len() > 1 {
        for (_, plain) in candidates {
            if let Some(same) = extent_from(&line, &plain, known)?
                && is_as_small(&same, &extent, known)?
            {
                return Ok(Some((plain, same)));
            }
        }
    }
    Ok(Some((lower, extent)))
}

/// The least value of a line of points; `None`: there is none.
fn least(line: &Set) -> Result<Option<PwAff>> {
    if line.has_least(0)? { everywhere(line.dim_min(0)?).map(Some) } else { Ok(None) }
}

/// The same function without saying where it is known, which may take many words: what is one piece goes on beyond.
pub(crate) fn everywhere(function: PwAff) -> Result<PwAff> {
    let function = function.coalesce()?;
    match &function.pieces()?[..] {
        [(_, plain)] => Ok(plain.clone()),
        _ => function.gist_params(&function.domain()?)?.coalesce(),
    }
}

/// One more than the largest distance from `lower`, over all instances; `None`: there is none.
fn extent(line: &Set, lower: &PwAff, known: Known) -> Result<Option<PwAff>> {
    let distances = line.translated(&[lower.neg()?])?.for_any(known.changing)?.coalesce()?;
    if !distances.has_most(0)? {
        return Ok(None);
    }
    let one = PwAff::read(line.context(), "{ [(1)] }")?;
    let extent = everywhere(distances.dim_max(0)?.add(&one)?)?;
    plain_bound(extent, known).map(Some)
}

/// Whether a function is no larger than another one at the sizes that are looked at; at others it may be, by a few cells.
fn is_as_small(function: &PwAff, other: &PwAff, known: Known) -> Result<bool> {
    for size in known.sizes {
        let values: Vec<(&str, i64)> = size.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        if function.eval(&values)? > other.eval(&values)? {
            return Ok(false);
        }
    }
    Ok(!known.sizes.is_empty())
}

/// A function in one piece, or a number, that is nowhere smaller, in place of several cases.
fn plain_bound(function: PwAff, known: Known) -> Result<PwAff> {
    if let Some(constant) = constant_bound(&function)? {
        return Ok(constant);
    }
    let pieces = function.pieces()?;
    for (_, plain) in pieces.iter().filter(|_| pieces.len() > 1) {
        if function.domain()?.is_subset(&plain.at_least(&function)?)? && is_as_small(&plain, &function, known)? {
            return Ok(plain.clone());
        }
    }
    Ok(function)
}

/// The same, if nothing lies below `lower`.
fn extent_from(line: &Set, lower: &PwAff, known: Known) -> Result<Option<PwAff>> {
    let below = line.translated(&[lower.neg()?])?.intersect(&Set::read(line.context(), "{ [x] : x < 0 }")?)?;
    if !below.is_empty()? { Ok(None) } else { extent(line, lower, known) }
}

/// A number that the function reaches, and never exceeds, in place of several cases.
fn constant_bound(function: &PwAff) -> Result<Option<PwAff>> {
    if function.pieces()?.len() < 2 {
        return Ok(None);
    }
    let Some(most) = function.graph()?.dim_max_value(0)? else { return Ok(None) };
    let text = format!("{{ [({most})] }}");
    PwAff::read(function.context(), &text).map(Some)
}

//! What other tools need for the same cells: models of their boxes, counted on points.
//!
//! MLIR's `affine-data-copy-generate` takes one box for all references to an array. PPCG's `gpu_group.c` begins with a group for each
//! reference, and merges two if they share cells and one of them writes, or if the box of both is smaller than their boxes together; a box has
//! a stride along each axis. Both are models, not the tools, and do not ask whether cells are used again.

use polyfold_compact::{Reference, Size, points};
use polyfold_flow::Model;
use polyfold_isl::{Result, Set};
use polyfold_scop::ArrayId;

/// Cells by instance.
type Points = Vec<Vec<Vec<i64>>>;

/// The cells of an array as declared.
pub(crate) fn whole(model: &Model, array: ArrayId, size: &Size) -> Result<i64> {
    let Some(declared) = model.declared_cells(array) else { return Ok(0) };
    let constants: Vec<(&str, i64)> = size.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let own = declared.unnamed()?.at(&constants)?.without_parameters()?;
    let ends = |k| Ok(own.dim_max_value(k)?.zip(own.dim_min_value(k)?).map_or(0, |(most, least)| most - least + 1));
    (0..own.dimensions()?).map(ends).product()
}

/// The cells of one box for a set.
pub(crate) fn bounding_box(cells: &Set, size: &Size) -> Result<i64> {
    Ok(box_with_strides(&listed(cells, size)?, |_| 1))
}

/// The cells of boxes with strides, one for each group of references.
pub(crate) fn groups(references: &[Reference], size: &Size) -> Result<i64> {
    let mut groups: Vec<(Points, bool)> = Vec::new();
    for reference in references {
        groups.push((listed(&reference.footprint, size)?, reference.writes));
    }
    while let Some((a, b)) = mergeable(&groups) {
        let (other, writes) = groups.remove(b);
        let both = joined(&groups[a].0, &other);
        groups[a] = (both, groups[a].1 || writes);
    }
    Ok(groups.iter().map(|(points, _)| strided_box(points)).sum())
}

fn mergeable(groups: &[(Points, bool)]) -> Option<(usize, usize)> {
    let pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
    let is_merged = |(a, b): &(usize, usize)| {
        let ((left, one), (right, other)) = (&groups[*a], &groups[*b]);
        let meets = left.iter().zip(right).any(|(left, right)| left.iter().any(|x| right.binary_search(x).is_ok()));
        meets && (*one || *other) || strided_box(&joined(left, right)) < strided_box(left) + strided_box(right)
    };
    pairs.into_iter().find(is_merged)
}

/// Sorted, by instance.
fn listed(cells: &Set, size: &Size) -> Result<Points> {
    let of = |values| {
        let mut own = points(cells, values)?;
        own.sort();
        Ok(own)
    };
    size.instances.iter().map(of).collect()
}

fn joined(a: &Points, b: &Points) -> Points {
    let both = |(a, b): (&Vec<Vec<i64>>, &Vec<Vec<i64>>)| {
        let mut all = [a.as_slice(), b].concat();
        all.sort();
        all.dedup();
        all
    };
    a.iter().zip(b).map(both).collect()
}

fn strided_box(all: &Points) -> i64 {
    let stride = |k: usize| {
        let instances = all.iter().filter(|own| !own.is_empty());
        let steps = instances.flat_map(|own| own.iter().map(move |x| (x[k] - own[0][k]).abs()));
        steps.fold(0, greatest_divisor).max(1)
    };
    box_with_strides(all, stride)
}

fn greatest_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

/// The box of the largest instance along each axis.
fn box_with_strides(all: &Points, stride: impl Fn(usize) -> i64) -> i64 {
    let dimensions = all.iter().flatten().next().map_or(0, Vec::len);
    let width = |k: usize| {
        let of = |own: &Vec<Vec<i64>>| {
            let values = || own.iter().map(|x| x[k]);
            values().max().map_or(0, |most| (most - values().min().unwrap_or(most)) / stride(k) + 1)
        };
        all.iter().map(of).max().unwrap_or(0)
    };
    (0..dimensions).map(width).product()
}

//! Memory from `malloc` that is one row of cells in the program's text.
//!
//! The idea: a pointer keeps its type, so that what tests and frees it stays as it is. A place with several rows is written as the
//! user wrote it, by Horner's rule, and the allocation gets as many cells as the rows have:
//!
//! ```text
//! t[r₀][r₁][r₂] of t[e₀][e₁][e₂]   is   t[(r₀ * e₁ + r₁) * e₂ + r₂],   malloc(sizeof *t * e₀ * e₁ * e₂)
//! ```
//!
//! Example: `double *t = malloc(n * m * sizeof(double))` under `[i mod 2][j]` is `malloc(sizeof *t * 2 * m)`, and
//! `t[i * m + j]` is `t[(i % 2) * m + j]`.
//!
//! The size of an element comes first, so that C multiplies in its type, which does not overflow.
//!
//! A pointer to rows, `double (*t)[m]`, keeps them, and gets fewer.

use polyfold_emit::Size;
use polyfold_program::{Layout, Level};
use polyfold_prove::{Placed, RowForm};
use polyfold_scop::{Allocation, Array, Scop};

/// How an array's memory reads in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As many brackets as the array has dimensions.
    Brackets,
    /// One bracket.
    Flat,
}

pub(crate) fn shape(array: &Array) -> Shape {
    let is_allocated = array.declaration.as_ref().is_some_and(|d| d.allocation().is_some());
    if is_allocated && (array.linearised || array.extents.len() == 1) { Shape::Flat } else { Shape::Brackets }
}

/// Whether an array is a pointer to rows, whose type says how long they are.
pub fn has_fixed_rows(array: &Array) -> bool {
    array.declaration.as_ref().is_some_and(|d| d.allocation().is_some()) && shape(array) == Shape::Brackets
}

/// How C has the dimensions of new storage, where the cells of one array live, or those of several that share it.
pub fn new_layout(scop: &Scop, places: &[&Placed]) -> Layout {
    let all = |holds: fn(&Array, &Placed) -> bool| places.iter().all(|place| holds(scop.array(place.array()), place));
    match (all(|array, _| shape(array) == Shape::Brackets), all(stays_narrow)) {
        (true, _) => Layout::Rows,
        (false, true) => Layout::NarrowFlat,
        (false, false) => Layout::Flat,
    }
}

/// Whether a pointer to rows can keep its type: the rows stay as they are.
pub fn keeps_its_rows(array: &Array, placed: &Placed) -> bool {
    let is_same = |(k, own): (usize, Option<usize>)| k == 0 || own == Some(k);
    let rows = placed.rows();
    !has_fixed_rows(array)
        || (placed.linear().is_none()
            && rows.len() == array.extents.len()
            && rows.iter().map(|row| row.own_extent).enumerate().all(is_same))
}

/// Whether no product in a flat subscript is larger than one in the user's: each row reads its own coordinate as it is, and is as
/// long as it was.
pub(crate) fn stays_narrow(array: &Array, placed: &Placed) -> bool {
    let is_allocated = array.declaration.as_ref().is_some_and(|d| d.allocation().is_some());
    let is_own =
        |(k, coefficients): (usize, &[i64])| coefficients.iter().enumerate().all(|(at, c)| *c == i64::from(at == k));
    let rows = placed.rows();
    let takes_own = rows.iter().map(|row| row.coefficients.as_slice()).enumerate().all(is_own);
    let is_as_long = rows.iter().enumerate().skip(1).all(|(k, row)| row.own_extent == Some(k));
    let is_unmoved = rows.iter().all(|row| match &row.form {
        RowForm::Fits { lowest } => lowest.as_constant().ok().flatten() == Some(0),
        _ => row.shift.as_constant().ok().flatten() == Some(0),
    });
    is_allocated && array.is_narrow && takes_own && is_as_long && is_unmoved
}

/// The arguments of the call for so many cells.
pub(crate) fn arguments(array: &Array, allocation: &Allocation, extents: &[Size]) -> String {
    let unit = format!("sizeof *{}", array.name);
    let counted = match shape(array) {
        Shape::Flat => extents,
        Shape::Brackets => &extents[..extents.len().min(1)],
    };
    let factors = counted.iter().map(|extent| extent.within(Level::Unary));
    let factors: Vec<String> = factors.filter(|extent| *extent != "1").collect();
    match (allocation.is_cleared, factors.as_slice()) {
        (true, []) => format!("1, {unit}"),
        (true, [one]) => format!("{one}, {unit}"),
        (true, several) => format!("(size_t){}, {unit}", several.join(" * ")),
        (false, []) => unit,
        (false, [one]) => format!("{one} * {unit}"),
        (false, several) => format!("{unit} * {}", several.join(" * ")),
    }
}

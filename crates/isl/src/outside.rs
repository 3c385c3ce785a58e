//! Points that show of pieces that they do not hold a set.
//!
//! ```text
//! a ⊄ b   if   x ∈ a   and   x ∉ b          for one point x
//! ```
//!
//! One point of `a` is found once, its parameters among the coordinates, and put into the rows of each piece in which no existential
//! variable stands: a row that does not hold rules the piece out. Where all hold, nothing is known.
//!
//! Example: of `{ [0, j] : 0 <= j < n }` the point (0, 0) at n = 1 rules out each piece `i = c` with another c.
//!
//! Invariant: a piece that holds the set is never ruled out.

use crate::{Error, ErrorKind, Polyhedron, Result, Set, sys};
use std::ffi::{c_int, c_uint};

/// Of fewer pieces isl is asked at once.
const FEWEST: usize = 4;

/// What rules pieces out.
pub(crate) struct Witnesses {
    /// For each piece, rows in which no existential variable stands.
    plain: Vec<Polyhedron>,
    /// The space of all pieces; `None`: there are few, and nothing is ruled out.
    space: Option<Set>,
    pieces: usize,
}

impl Witnesses {
    /// Of the pieces of one set.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub(crate) fn against(pieces: &[Set]) -> Result<Witnesses> {
        let few = Witnesses { plain: Vec::new(), space: None, pieces: pieces.len() };
        if pieces.len() < FEWEST {
            return Ok(few);
        }
        let mut plain = Vec::new();
        for piece in pieces {
            let Some(polyhedra) = within_64_bits(piece.polyhedra())? else { return Ok(few) };
            // A piece without points has no rows.
            let [polyhedron] = <[Polyhedron; 1]>::try_from(polyhedra).unwrap_or_else(|_| [Polyhedron::default()]);
            plain.push(without_locals(polyhedron, piece.dimensions()?));
        }
        Ok(Witnesses { plain, space: pieces.first().cloned(), pieces: pieces.len() })
    }

    /// By piece, whether it may hold every point of a set.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub(crate) fn leave(&self, set: &Set) -> Result<Vec<bool>> {
        let point = match &self.space {
            Some(space) if set.has_space_of(space)? => within_64_bits(set.a_point())?.flatten(),
            _ => None,
        };
        Ok(match point {
            Some(point) => self.plain.iter().map(|piece| may_contain(piece, &point)).collect(),
            None => vec![true; self.pieces],
        })
    }
}

/// The rows that say nothing of existential variables, which then are left out of them.
fn without_locals(polyhedron: Polyhedron, dimensions: usize) -> Polyhedron {
    let locals = 1 + dimensions..1 + dimensions + polyhedron.locals;
    let plain = |rows: Vec<Vec<i64>>| {
        let has_none = |row: &Vec<i64>| row[locals.clone()].iter().all(|coefficient| *coefficient == 0);
        let shortened = |mut row: Vec<i64>| {
            row.drain(locals.clone());
            row
        };
        rows.into_iter().filter(has_none).map(shortened).collect()
    };
    Polyhedron { equalities: plain(polyhedron.equalities), inequalities: plain(polyhedron.inequalities), locals: 0 }
}

fn may_contain(piece: &Polyhedron, point: &[i64]) -> bool {
    // A product of two numbers of 64 bits has 127, and rows are short: a sum that is past 128 bits all the same rules nothing out.
    let value = |row: &Vec<i64>| {
        let mut products = row[1..].iter().zip(point).map(|(a, x)| i128::from(*a) * i128::from(*x));
        products.try_fold(i128::from(row[0]), i128::checked_add)
    };
    let is = |row: &Vec<i64>, holds: fn(i128) -> bool| value(row).is_none_or(holds);
    piece.equalities.iter().all(|row| is(row, |value| value == 0))
        && piece.inequalities.iter().all(|row| is(row, |value| value >= 0))
}

/// `None` where a number is past 64 bits.
fn within_64_bits<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(Error { kind: ErrorKind::Limit, .. }) => Ok(None),
        found => found.map(Some),
    }
}

impl Set {
    /// A point's coordinates, then the parameters for which it is there; `None`: there are no points.
    fn a_point(&self) -> Result<Option<Vec<i64>>> {
        let ctx = self.context();
        unsafe {
            let point = ctx.check(sys::isl_set_sample_point(self.take()))?;
            let coordinate =
                |kind: c_uint, k: usize| ctx.finite(sys::isl_point_get_coordinate_val(point, kind, k as c_int));
            let all = |kind: c_uint| {
                let count = ctx.size(sys::isl_set_dim(self.keep(), kind))?;
                (0..count).map(|k| coordinate(kind, k)).collect::<Result<Vec<i64>>>()
            };
            let found = match ctx.truth(sys::isl_point_is_void(point)) {
                Ok(false) => all(sys::DIM_SET).and_then(|x| Ok(Some([x, all(sys::DIM_PARAM)?].concat()))),
                Ok(true) => Ok(None),
                Err(error) => Err(error),
            };
            sys::isl_point_free(point);
            found
        }
    }

    /// Whether both are in the same space, with the same parameters in the same order.
    fn has_space_of(&self, other: &Set) -> Result<bool> {
        unsafe { self.context().truth(sys::isl_set_has_equal_space(self.keep(), other.keep())) }
    }
}

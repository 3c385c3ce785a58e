//! The constraints of a set's pieces, as matrices.

use crate::{Context, Error, ErrorKind, Map, Result, Set, sys};
use std::ffi::{c_int, c_uint, c_void};

/// One piece of a set: points x, for parameters p, for which integers e exist with `c + a x + b e + q p = 0` for every
/// equality and `>= 0` for every inequality. A row is `[c, a…, b…, q…]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polyhedron {
    /// Rows that are zero.
    pub equalities: Vec<Vec<i64>>,
    /// Rows that are not negative.
    pub inequalities: Vec<Vec<i64>>,
    /// Number of existential variables e.
    pub locals: usize,
}

/// Which rows are kept, of those that can be read and of others.
type Kept = fn(Result<Vec<i64>>) -> Result<Option<Vec<i64>>>;

impl Set {
    /// The pieces of a set.
    ///
    /// # Errors
    /// When a coefficient is past 64 bits.
    pub fn polyhedra(&self) -> Result<Vec<Polyhedron>> {
        self.with_rows(|row| row.map(Some))
    }

    /// The pieces of a set without the rows that have a coefficient past 64 bits: each holds its piece, and perhaps more.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn polyhedra_around(&self) -> Result<Vec<Polyhedron>> {
        self.with_rows(|row| match row {
            Err(error) if error.kind == ErrorKind::Limit => Ok(None),
            row => row.map(Some),
        })
    }

    fn with_rows(&self, kept: Kept) -> Result<Vec<Polyhedron>> {
        struct Visit<'a> {
            set: &'a Set,
            kept: Kept,
            found: Result<Vec<Polyhedron>>,
        }
        extern "C" fn visit(piece: *mut sys::isl_basic_set, user: *mut c_void) -> c_int {
            let state = unsafe { &mut *user.cast::<Visit>() };
            let polyhedron = unsafe { state.set.polyhedron(piece, state.kept) };
            unsafe { sys::isl_basic_set_free(piece) };
            match (polyhedron, &mut state.found) {
                (Ok(polyhedron), Ok(found)) => found.push(polyhedron),
                (Err(error), found) => *found = Err(error),
                (_, Err(_)) => {}
            }
            -c_int::from(state.found.is_err())
        }
        let mut state = Visit { set: self, kept, found: Ok(Vec::new()) };
        let status = unsafe { sys::isl_set_foreach_basic_set(self.keep(), visit, (&raw mut state).cast()) };
        match state.found {
            Ok(_) if status != 0 => Err(self.context().error()),
            found => found,
        }
    }

    /// The pieces of a set, each as a set of its own.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn convex_pieces(&self) -> Result<Vec<Set>> {
        struct Visit<'a> {
            set: &'a Set,
            found: Vec<Result<Set>>,
        }
        extern "C" fn visit(piece: *mut sys::isl_basic_set, user: *mut c_void) -> c_int {
            let state = unsafe { &mut *user.cast::<Visit>() };
            state.found.push(Set::wrap_raw(state.set.context(), unsafe { sys::isl_set_from_basic_set(piece) }));
            0
        }
        let mut state = Visit { set: self, found: Vec::new() };
        let status = unsafe { sys::isl_set_foreach_basic_set(self.keep(), visit, (&raw mut state).cast()) };
        if status == 0 { state.found.into_iter().collect() } else { Err(self.context().error()) }
    }

    /// The points of a polyhedron without existential variables or parameters: each row is `[c, a…]`.
    ///
    /// # Errors
    /// When a row has another length.
    pub fn of_rows(ctx: &Context, dimensions: usize, polyhedron: &Polyhedron) -> Result<Set> {
        check_lengths(polyhedron, dimensions + 1)?;
        unsafe {
            let space = sys::isl_space_set_alloc(ctx.raw(), 0, dimensions as c_uint);
            let equalities = matrix(ctx, dimensions + 1, &polyhedron.equalities);
            let inequalities = matrix(ctx, dimensions + 1, &polyhedron.inequalities);
            let order = (sys::DIM_CONSTANT, sys::DIM_SET, sys::DIM_DIV, sys::DIM_PARAM);
            let piece = sys::isl_basic_set_from_constraint_matrices(
                space,
                equalities,
                inequalities,
                order.0,
                order.1,
                order.2,
                order.3,
            );
            Set::wrap_raw(ctx, sys::isl_set_from_basic_set(ctx.check(piece)?))
        }
    }

    unsafe fn polyhedron(&self, piece: *mut sys::isl_basic_set, kept: Kept) -> Result<Polyhedron> {
        let order = (sys::DIM_CONSTANT, sys::DIM_SET, sys::DIM_DIV, sys::DIM_PARAM);
        unsafe {
            Ok(Polyhedron {
                equalities: self
                    .rows(sys::isl_basic_set_equalities_matrix(piece, order.0, order.1, order.2, order.3), kept)?,
                inequalities: self
                    .rows(sys::isl_basic_set_inequalities_matrix(piece, order.0, order.1, order.2, order.3), kept)?,
                locals: self.context().size(sys::isl_basic_set_dim(piece, sys::DIM_DIV))?,
            })
        }
    }

    unsafe fn rows(&self, matrix: *mut sys::isl_mat, kept: Kept) -> Result<Vec<Vec<i64>>> {
        let matrix = self.context().check(matrix)?;
        let entry = |row, column| unsafe {
            let value = sys::isl_mat_get_element_val(matrix, row, column);
            self.context().finite(value)
        };
        let size = |count: c_int| self.context().size(count).map(|_| count);
        let (rows, columns) = unsafe { (size(sys::isl_mat_rows(matrix)), size(sys::isl_mat_cols(matrix))) };
        let all = rows.and_then(|rows| {
            let columns = columns?;
            let row = |row| kept((0..columns).map(|column| entry(row, column)).collect()).transpose();
            (0..rows).filter_map(row).collect()
        });
        unsafe { sys::isl_mat_free(matrix) };
        all
    }

    /// The smallest convex set, without integer divisions, that contains the rational points of every piece.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn convex_hull(&self) -> Result<Set> {
        unsafe {
            let hull = self.context().check(sys::isl_set_convex_hull(self.take()))?;
            Set::wrap_raw(self.context(), sys::isl_set_from_basic_set(hull))
        }
    }

    /// One polyhedron around the set, whose faces are parallel to those of its pieces.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn simple_hull(&self) -> Result<Set> {
        unsafe {
            let hull = self.context().check(sys::isl_set_simple_hull(self.take()))?;
            Set::wrap_raw(self.context(), sys::isl_set_from_basic_set(hull))
        }
    }

    /// The smallest set given by equalities alone, integer divisions among them, that holds all points.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn affine_hull(&self) -> Result<Set> {
        unsafe {
            let hull = self.context().check(sys::isl_set_affine_hull(self.take()))?;
            Set::wrap_raw(self.context(), sys::isl_set_from_basic_set(hull))
        }
    }

    /// The same set as one polyhedron, if it is one; else with as few pieces as merging makes of it. Merging alone depends on
    /// the order in which a set was put together.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn as_one(&self) -> Result<Set> {
        let merged = self.coalesce()?;
        let hull = unsafe {
            let hull = self.context().check(sys::isl_set_simple_hull(merged.take()))?;
            Set::wrap_raw(self.context(), sys::isl_set_from_basic_set(hull))?
        };
        let hull = hull.intersect_params(&self.params()?)?.coalesce()?;
        Ok(if hull.is_subset(self)? { hull } else { merged })
    }
}

impl Map {
    /// The pairs of a polyhedron without parameters: each row is `[c, a…, b…, e…]`, for starts a, ends b and
    /// existential variables e.
    ///
    /// # Errors
    /// When a row has another length.
    pub fn of_rows(ctx: &Context, (starts, ends): (usize, usize), polyhedron: &Polyhedron) -> Result<Map> {
        let columns = 1 + starts + ends + polyhedron.locals;
        check_lengths(polyhedron, columns)?;
        unsafe {
            let space = sys::isl_space_alloc(ctx.raw(), 0, starts as c_uint, ends as c_uint);
            let equalities = matrix(ctx, columns, &polyhedron.equalities);
            let inequalities = matrix(ctx, columns, &polyhedron.inequalities);
            let piece = sys::isl_basic_map_from_constraint_matrices(
                space,
                equalities,
                inequalities,
                sys::DIM_CONSTANT,
                sys::DIM_IN,
                sys::DIM_OUT,
                sys::DIM_DIV,
                sys::DIM_PARAM,
            );
            Map::wrap_raw(ctx, sys::isl_map_from_basic_map(ctx.check(piece)?))
        }
    }
}

fn check_lengths(polyhedron: &Polyhedron, columns: usize) -> Result<()> {
    if polyhedron.equalities.iter().chain(&polyhedron.inequalities).all(|row| row.len() == columns) {
        return Ok(());
    }
    Err(Error { kind: ErrorKind::Invalid, message: format!("a row doesn't have {columns} entries") })
}

/// Rows as isl has them; null past the work bound.
unsafe fn matrix(ctx: &Context, columns: usize, rows: &[Vec<i64>]) -> *mut sys::isl_mat {
    unsafe {
        let mut matrix = sys::isl_mat_alloc(ctx.raw(), rows.len() as c_uint, columns as c_uint);
        for (r, row) in rows.iter().enumerate() {
            for (c, entry) in row.iter().enumerate() {
                let value = sys::isl_val_int_from_si(ctx.raw(), *entry as std::ffi::c_long);
                matrix = sys::isl_mat_set_element_val(matrix, r as c_int, c as c_int, value);
            }
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, ErrorKind, Map, Polyhedron, Set};

    #[test]
    fn rows_make_the_set_that_they_were_read_from() {
        let ctx = Context::new();
        let set = Set::read(&ctx, "{ [i, j] : 0 <= i < 5 and j = 2i - 1 }").expect("a set");
        let rows = set.polyhedra().expect("short rows").remove(0);
        let again = Set::of_rows(&ctx, 2, &rows).expect("a set");
        assert!(again.is_equal(&set).expect("comparable"));
        let short = Polyhedron { equalities: vec![vec![1]], ..Polyhedron::default() };
        assert_eq!(Set::of_rows(&ctx, 2, &short).expect_err("a short row").kind, ErrorKind::Invalid);
    }

    #[test]
    fn rows_with_existential_variables_make_relations() {
        let ctx = Context::new();
        let rows = Polyhedron {
            equalities: vec![vec![0, 1, 0, -2], vec![1, 1, -1, 0]],
            inequalities: vec![vec![0, 1, 0, 0], vec![9, -1, 0, 0]],
            locals: 1,
        };
        let map = Map::of_rows(&ctx, (1, 1), &rows).expect("a relation");
        let same = Map::read(&ctx, "{ [i] -> [i + 1] : 0 <= i <= 9 and i mod 2 = 0 }").expect("a relation");
        assert!(map.is_equal(&same).expect("comparable"));
    }

    #[test]
    fn a_row_with_a_number_past_64_bits_is_left_out() {
        let ctx = Context::new();
        let set = Set::read(&ctx, "[n] -> { [i] : 0 <= i < n and n < 18446744073709551615 }").expect("a set");
        assert_eq!(set.polyhedra().expect_err("2^64 has no 64 bits").kind, ErrorKind::Limit);
        let around = set.polyhedra_around().expect("the other rows are short");
        assert_eq!((around.len(), around[0].inequalities.len()), (1, 2));
    }
}

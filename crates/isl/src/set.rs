//! Sets of integer points, with parameters.

use crate::context::{ask, forward, object};
use crate::{Context, Map, PwAff, Result, sys};
use std::ffi::{CStr, c_int, c_uint, c_void};

object! {
    /// A finite union of sets `[n] -> { A[i, j] : … }`; also a set of parameter values, `[n] -> { : … }`.
    Set, isl_set, isl_set_copy, isl_set_free, isl_set_to_str
}

impl Set {
    /// Parses isl notation.
    ///
    /// # Errors
    /// When the text is not a set.
    pub fn read(ctx: &Context, text: &str) -> Result<Set> {
        let c_text = ctx.text(text)?;
        let parse = || unsafe { sys::isl_set_read_from_str(ctx.raw(), c_text.as_ptr()) };
        Set::wrap_raw(ctx, ctx.known().sets.read(&c_text, parse)).map_err(|e| e.about(text))
    }

    forward! {
        /// Points of either.
        union(other: Set) -> Set = isl_set_union;
        /// Points of both.
        intersect(other: Set) -> Set = isl_set_intersect;
        /// Points whose parameters are in `other`.
        intersect_params(other: Set) -> Set = isl_set_intersect_params;
        /// Points not in `other`.
        subtract(other: Set) -> Set = isl_set_subtract;
        /// The parameter values for which the set has a point.
        params() -> Set = isl_set_params;
        /// The same set for parameters in `context`, with constraints dropped that the context implies.
        gist_params(context: Set) -> Set = isl_set_gist_params;
        /// A simpler set that is the same within `context`.
        gist(context: Set) -> Set = isl_set_gist;
        /// For each parameter value the lexicographically smallest point.
        lexmin() -> Set = isl_set_lexmin;
        /// The points of the set for any parameter values.
        without_parameters() -> Set = isl_set_project_out_all_params;
        /// A superset without integer divisions.
        remove_divs() -> Set = isl_set_remove_divs;
        /// The same set as pieces that do not overlap.
        disjoint() -> Set = isl_set_make_disjoint;
        /// All points negated.
        neg() -> Set = isl_set_neg;
        /// The image under a relation.
        apply(map: Map) -> Set = isl_set_apply;
        /// `{ [A[…] -> B[…]] }` as a relation.
        unwrap() -> Map = isl_set_unwrap;
        /// The same set without nesting: `{ [i, j] }` from `{ [[i] -> [j]] }`.
        flatten() -> Set = isl_set_flatten;
        /// The same set without a name for its tuple.
        unnamed() -> Set = isl_set_reset_tuple_id;
        /// `{ x -> x }` for every point.
        identity() -> Map = isl_set_identity;
        /// Every point with every point of another set.
        with_each_of(other: Set) -> Map = isl_map_from_domain_and_range;
        /// `{ [i, j] }` from `{ [i] }` and `{ [j] }`.
        flat_product(other: Set) -> Set = isl_set_flat_product;
    }

    ask! {
        /// Whether there is no point, for any parameter value.
        is_empty() = isl_set_is_empty;
        /// Whether every coordinate and parameter has a finite range.
        is_bounded() = isl_set_is_bounded;
    }

    /// Whether both are one object in memory, as a set and its clone are: then they are equal, and stay so.
    pub fn is_same_object(&self, other: &Set) -> bool {
        std::ptr::eq(self.keep(), other.keep())
    }

    /// Number of dimensions.
    ///
    /// # Errors
    /// For a set of parameter values.
    pub fn dimensions(&self) -> Result<usize> {
        unsafe { self.context().size(sys::isl_set_dim(self.keep(), sys::DIM_SET)) }
    }

    /// Number of convex pieces in the present description.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn pieces(&self) -> Result<usize> {
        unsafe { self.context().size(sys::isl_set_n_basic_set(self.keep())) }
    }

    /// Names of the parameters, in order.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn parameter_names(&self) -> Result<Vec<String>> {
        unsafe {
            let count = self.context().size(sys::isl_set_dim(self.keep(), sys::DIM_PARAM))?;
            (0..count)
                .map(|k| {
                    let name = sys::isl_set_get_dim_name(self.keep(), sys::DIM_PARAM, k as c_uint);
                    let name = self.context().check(name.cast_mut())?;
                    Ok(CStr::from_ptr(name).to_string_lossy().into_owned())
                })
                .collect()
        }
    }

    /// The names that the dimensions were read with; `None` for an expression or a result of some operations.
    ///
    /// # Errors
    /// For a set of parameter values.
    pub fn dimension_names(&self) -> Result<Vec<Option<String>>> {
        let name = |k| unsafe {
            let name = sys::isl_set_get_dim_name(self.keep(), sys::DIM_SET, k as c_uint);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        };
        Ok((0..self.dimensions()?).map(name).collect())
    }

    /// The largest value of a dimension, as a function of the parameters; undefined where the set is empty.
    ///
    /// # Errors
    /// When the dimension is unbounded, or the work bound is reached.
    pub fn dim_max(&self, dimension: usize) -> Result<PwAff> {
        unsafe { PwAff::wrap_raw(self.context(), sys::isl_set_dim_max(self.take(), dimension as c_int)) }
    }

    /// The smallest value of a dimension, as a function of the parameters.
    ///
    /// # Errors
    /// When the dimension is unbounded, or the work bound is reached.
    pub fn dim_min(&self, dimension: usize) -> Result<PwAff> {
        unsafe { PwAff::wrap_raw(self.context(), sys::isl_set_dim_min(self.take(), dimension as c_int)) }
    }

    /// The largest value of a dimension over all parameter values; `None` if there is none.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits, or the work bound is reached.
    pub fn dim_max_value(&self, dimension: usize) -> Result<Option<i64>> {
        if self.is_empty()? {
            return Ok(None);
        }
        unsafe { self.context().integer(sys::isl_set_dim_max_val(self.take(), dimension as c_int)) }
    }

    /// The smallest value of a dimension over all parameter values; `None` if there is none.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits, or the work bound is reached.
    pub fn dim_min_value(&self, dimension: usize) -> Result<Option<i64>> {
        if self.is_empty()? {
            return Ok(None);
        }
        unsafe { self.context().integer(sys::isl_set_dim_min_val(self.take(), dimension as c_int)) }
    }

    /// The points whose coordinate in `dimension` is `value`.
    ///
    /// # Errors
    /// When there is no such dimension.
    pub fn fix(&self, dimension: usize, value: i64) -> Result<Set> {
        self.fix_in(sys::DIM_SET, dimension, value)
    }

    /// The points all of whose coordinates are `value`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn fix_all(&self, value: i64) -> Result<Set> {
        (0..self.dimensions()?).try_fold(self.clone(), |set, dimension| set.fix(dimension, value))
    }

    /// The set at given parameter values; names that are not parameters of the set are ignored.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn at(&self, sizes: &[(&str, i64)]) -> Result<Set> {
        let mut set = self.clone();
        for (k, name) in self.parameter_names()?.iter().enumerate() {
            if let Some((_, value)) = sizes.iter().find(|(n, _)| n == name) {
                set = set.fix_in(sys::DIM_PARAM, k, *value)?;
            }
        }
        Ok(set)
    }

    fn fix_in(&self, kind: c_uint, dimension: usize, value: i64) -> Result<Set> {
        unsafe {
            let value = sys::isl_val_int_from_si(self.context().raw(), value);
            Set::wrap_raw(self.context(), sys::isl_set_fix_val(self.take(), kind, dimension as c_uint, value))
        }
    }

    /// `{ x + shift }`, for parameters for which the shift is defined: one function of the parameters per dimension.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn translated(&self, shift: &[PwAff]) -> Result<Set> {
        let mut moved = self.clone();
        for (dimension, function) in shift.iter().enumerate() {
            let x: Vec<String> = (0..shift.len()).map(|k| format!("x{k}")).collect();
            let mut sum = x.clone();
            sum[dimension] = format!("x{dimension} + s");
            let add = Map::read(self.context(), &format!("{{ [{}, s] -> [{}] }}", x.join(", "), sum.join(", ")))?;
            moved = moved.flat_product(&function.graph()?)?.apply(&add)?;
        }
        Ok(moved)
    }

    /// The largest number of integer divisions that one convex piece is described with.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn divisions(&self) -> Result<usize> {
        extern "C" fn visit(piece: *mut sys::isl_basic_set, user: *mut c_void) -> c_int {
            let most = unsafe { &mut *user.cast::<c_int>() };
            let count = unsafe { sys::isl_basic_set_dim(piece, sys::DIM_DIV) };
            unsafe { sys::isl_basic_set_free(piece) };
            *most = count.max(*most);
            if count < 0 { -1 } else { 0 }
        }
        let mut most: c_int = 0;
        let status = unsafe { sys::isl_set_foreach_basic_set(self.keep(), visit, (&raw mut most).cast()) };
        self.context().size(if status == 0 { most } else { status })
    }

    /// A superset: for each piece what its constraints on coordinates say, without those on parameters alone.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn without_conditions(&self) -> Result<Set> {
        let count = self.dimensions()? as c_uint;
        unsafe {
            let raw = sys::isl_set_drop_constraints_not_involving_dims(self.take(), sys::DIM_SET, 0, count);
            Set::wrap_raw(self.context(), raw)
        }
    }

    /// A superset: for each piece what its constraints on one coordinate say.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn only_about(&self, dimension: usize) -> Result<Set> {
        unsafe {
            let (set, first) = (self.take(), dimension as c_uint);
            let raw = sys::isl_set_drop_constraints_not_involving_dims(set, sys::DIM_SET, first, 1);
            Set::wrap_raw(self.context(), raw)
        }
    }

    /// Removes `count` dimensions from `first` on by projection.
    ///
    /// # Errors
    /// When there are no such dimensions, or the work bound is reached.
    pub fn project_out(&self, first: usize, count: usize) -> Result<Set> {
        unsafe {
            Set::wrap_raw(
                self.context(),
                sys::isl_set_project_out(self.take(), sys::DIM_SET, first as c_uint, count as c_uint),
            )
        }
    }

    /// Some point with its parameter values, as `(parameters, coordinates)`; `None` if the set is empty.
    ///
    /// # Errors
    /// When a coordinate is past 64 bits, or the work bound is reached.
    pub fn sample(&self) -> Result<Option<(Vec<i64>, Vec<i64>)>> {
        unsafe {
            let parameters = self.context().size(sys::isl_set_dim(self.keep(), sys::DIM_PARAM))?;
            let dimensions = self.dimensions()?;
            let point = self.context().check(sys::isl_set_sample_point(self.take()))?;
            let sample = self.context().truth(sys::isl_point_is_void(point)).and_then(|is_void| match is_void {
                true => Ok(None),
                false => {
                    let values = self.coordinates(point, sys::DIM_PARAM, parameters)?;
                    Ok(Some((values, self.coordinates(point, sys::DIM_SET, dimensions)?)))
                }
            });
            sys::isl_point_free(point);
            sample
        }
    }

    unsafe fn coordinates(&self, point: *mut sys::isl_point, kind: c_uint, count: usize) -> Result<Vec<i64>> {
        (0..count)
            .map(|k| unsafe {
                let value = sys::isl_point_get_coordinate_val(point, kind, k as c_int);
                self.context().finite(value)
            })
            .collect()
    }

    /// All points of a bounded set without parameters, in no particular order.
    ///
    /// # Errors
    /// When the set is unbounded or has parameters, or the work bound is reached.
    pub fn points(&self) -> Result<Vec<Vec<i64>>> {
        struct Visit<'a> {
            set: &'a Set,
            dimensions: usize,
            points: Result<Vec<Vec<i64>>>,
        }
        extern "C" fn visit(point: *mut sys::isl_point, user: *mut c_void) -> c_int {
            let state = unsafe { &mut *user.cast::<Visit>() };
            let coordinates = unsafe { state.set.coordinates(point, sys::DIM_SET, state.dimensions) };
            unsafe { sys::isl_point_free(point) };
            match (coordinates, &mut state.points) {
                (Ok(c), Ok(points)) => {
                    points.push(c);
                    0
                }
                (Err(e), points) => {
                    *points = Err(e);
                    -1
                }
                (_, Err(_)) => -1,
            }
        }
        let mut state = Visit { set: self, dimensions: self.dimensions()?, points: Ok(Vec::new()) };
        let status = unsafe { sys::isl_set_foreach_point(self.keep(), visit, (&raw mut state).cast()) };
        match state.points {
            Ok(_) if status != 0 => Err(self.context().error()),
            points => points,
        }
    }
}

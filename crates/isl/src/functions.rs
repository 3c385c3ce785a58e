//! Sets with one point for each parameter value, as functions; and parameters as dimensions.
//!
//! ```text
//! [n] -> { [i, j] : i = n and 2j = n }    is    (n, n / 2)    for even n
//! ```

use crate::{PwAff, Result, Set, sys};
use std::ffi::c_uint;

impl Set {
    /// The coordinates of the only point, as functions of the parameters; each is defined where there is a point.
    ///
    /// # Errors
    /// When there are several points for some parameter value, or the work bound is reached.
    pub fn coordinates_of_point(&self) -> Result<Vec<PwAff>> {
        let count = self.dimensions()?;
        unsafe {
            let all = self.context().check(sys::isl_pw_multi_aff_from_set(self.take()))?;
            let all = self.context().check(sys::isl_pw_multi_aff_coalesce(all))?;
            let one = |k| PwAff::wrap_raw(self.context(), sys::isl_pw_multi_aff_get_pw_aff(all, k as i32));
            let found = (0..count).map(one).collect();
            sys::isl_pw_multi_aff_free(all);
            found
        }
    }

    /// The set for any values of some parameters, which it then has no more.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn for_any(&self, parameters: &[String]) -> Result<Set> {
        let mut set = self.clone();
        for name in parameters {
            if let Some(at) = set.parameter(name)? {
                let raw = unsafe { sys::isl_set_project_out(set.take(), sys::DIM_PARAM, at, 1) };
                set = Set::wrap_raw(self.context(), raw)?;
            }
        }
        Ok(set)
    }

    /// `{ [p, x] }` from `[p] -> { [x] }`: some parameters become dimensions in front, in the order of their names; one that the set
    /// does not have may be anything.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn with_dimensions_for(&self, parameters: &[String]) -> Result<Set> {
        let mut set = self.clone();
        for name in parameters.iter().rev() {
            let raw = match set.parameter(name)? {
                Some(at) => unsafe { sys::isl_set_move_dims(set.take(), sys::DIM_SET, 0, sys::DIM_PARAM, at, 1) },
                None => unsafe { sys::isl_set_insert_dims(set.take(), sys::DIM_SET, 0, 1) },
            };
            set = Set::wrap_raw(self.context(), raw)?;
        }
        Ok(set)
    }

    /// Whether a dimension has a least value for each choice of parameter values for which there are points.
    ///
    /// # Errors
    /// When there is no such dimension.
    pub fn has_least(&self, dimension: usize) -> Result<bool> {
        let kind = sys::DIM_SET;
        unsafe { self.context().truth(sys::isl_set_dim_has_lower_bound(self.keep(), kind, dimension as c_uint)) }
    }

    /// Whether a dimension has a largest value for each choice of parameter values for which there are points.
    ///
    /// # Errors
    /// When there is no such dimension.
    pub fn has_most(&self, dimension: usize) -> Result<bool> {
        let kind = sys::DIM_SET;
        unsafe { self.context().truth(sys::isl_set_dim_has_upper_bound(self.keep(), kind, dimension as c_uint)) }
    }

    /// The place of a parameter.
    fn parameter(&self, name: &str) -> Result<Option<c_uint>> {
        let name = self.context().text(name)?;
        let at = unsafe { sys::isl_set_find_dim_by_name(self.keep(), sys::DIM_PARAM, name.as_ptr()) };
        Ok(c_uint::try_from(at).ok())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, Result, Set};

    #[test]
    fn a_point_for_each_size_is_a_function() -> Result<()> {
        let set = Set::read(&Context::new(), "[n] -> { [i, j] : i = n + 1 and 2j = n }")?;
        let functions = set.coordinates_of_point()?;
        assert_eq!(functions[1].eval(&[("n", 6)])?, Some(3));
        assert_eq!(functions[1].eval(&[("n", 7)])?, None);
        let two = Set::read(&Context::new(), "[n] -> { [i] : 0 <= i <= 1 }")?;
        assert!(two.coordinates_of_point().is_err());
        Ok(())
    }

    #[test]
    fn parameters_become_dimensions_or_go() -> Result<()> {
        let ctx = Context::new();
        let set = Set::read(&ctx, "[n, k] -> { [i] : k <= i < k + 3 and 0 <= k < n }")?;
        let moved = set.with_dimensions_for(&["k".to_string(), "m".to_string()])?;
        let expected = Set::read(&ctx, "[n] -> { [k, m, i] : k <= i < k + 3 and 0 <= k < n }")?;
        assert!(moved.is_equal(&expected)?);
        let any = set.for_any(&["k".to_string(), "m".to_string()])?;
        assert!(any.is_equal(&Set::read(&ctx, "[n] -> { [i] : n >= 1 and 0 <= i < n + 2 }")?)?);
        Ok(())
    }
}

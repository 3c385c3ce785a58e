//! Relations between several spaces, and the names of spaces.

use crate::{Context, Map, Result, Set, sys};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// The relations of a union that is given away, in isl's order.
pub(crate) unsafe fn each(ctx: &Context, union: *mut sys::isl_union_map) -> Result<Vec<Map>> {
    struct Visit<'a> {
        ctx: &'a Context,
        found: Vec<Result<Map>>,
    }
    extern "C" fn visit(map: *mut sys::isl_map, user: *mut c_void) -> c_int {
        let state = unsafe { &mut *user.cast::<Visit>() };
        state.found.push(Map::wrap_raw(state.ctx, map));
        0
    }
    let mut state = Visit { ctx, found: Vec::new() };
    let status = unsafe {
        let status = sys::isl_union_map_foreach_map(union, visit, (&raw mut state).cast());
        sys::isl_union_map_free(union);
        status
    };
    if status == 0 { state.found.into_iter().collect() } else { Err(ctx.error()) }
}

impl Map {
    /// Parses a relation between several spaces, `[n] -> { S[i] -> T[j] : …; T[j] -> T[k] : … }`, into one relation for
    /// each pair of spaces, in the order of their text.
    ///
    /// # Errors
    /// When the text is not a relation.
    pub fn read_each(ctx: &Context, text: &str) -> Result<Vec<Map>> {
        let c_text = ctx.text(text)?;
        let union = ctx.check(unsafe { sys::isl_union_map_read_from_str(ctx.raw(), c_text.as_ptr()) });
        let union = union.map_err(|error| error.about(text))?;
        let mut maps = unsafe { each(ctx, union)? };
        maps.sort_by_cached_key(Map::to_string);
        Ok(maps)
    }

    /// Names of the two tuples, as in `{ S[i] -> T[j] }`; `None` for a tuple without a name.
    pub fn tuple_names(&self) -> (Option<String>, Option<String>) {
        let name = |kind| unsafe { text(sys::isl_map_get_tuple_name(self.keep(), kind)) };
        (name(sys::DIM_IN), name(sys::DIM_OUT))
    }

    /// The names that the domain's and the range's dimensions were read with; `None` for an expression.
    ///
    /// # Errors
    /// Only after an earlier failure.
    #[allow(clippy::type_complexity)]
    pub fn dimension_names(&self) -> Result<(Vec<Option<String>>, Vec<Option<String>>)> {
        let name = |kind, k| unsafe { text(sys::isl_map_get_dim_name(self.keep(), kind, k as c_uint)) };
        let (domain, range) = self.dimensions()?;
        Ok(((0..domain).map(|k| name(sys::DIM_IN, k)).collect(), (0..range).map(|k| name(sys::DIM_OUT, k)).collect()))
    }
}

impl Set {
    /// Parses a set in several spaces, `[n] -> { S[i] : …; T[j] : … }`, into one set for each space, in the order of their text.
    ///
    /// # Errors
    /// When the text is not a set.
    pub fn read_each(ctx: &Context, text: &str) -> Result<Vec<Set>> {
        struct Visit<'a> {
            ctx: &'a Context,
            found: Vec<Result<Set>>,
        }
        extern "C" fn visit(set: *mut sys::isl_set, user: *mut c_void) -> c_int {
            let state = unsafe { &mut *user.cast::<Visit>() };
            state.found.push(Set::wrap_raw(state.ctx, set));
            0
        }
        let c_text = ctx.text(text)?;
        let mut state = Visit { ctx, found: Vec::new() };
        unsafe {
            let union = ctx.check(sys::isl_union_set_read_from_str(ctx.raw(), c_text.as_ptr()));
            let union = union.map_err(|error| error.about(text))?;
            let status = sys::isl_union_set_foreach_set(union, visit, (&raw mut state).cast());
            sys::isl_union_set_free(union);
            if status != 0 {
                return Err(ctx.error());
            }
        }
        let mut sets = state.found.into_iter().collect::<Result<Vec<Set>>>()?;
        sets.sort_by_cached_key(Set::to_string);
        Ok(sets)
    }

    /// The name of the tuple, as in `{ S[i] }`.
    pub fn tuple_name(&self) -> Option<String> {
        unsafe { text(sys::isl_set_get_tuple_name(self.keep())) }
    }
}

unsafe fn text(name: *const c_char) -> Option<String> {
    unsafe { (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned()) }
}

//! Relations between integer points, with parameters.

use crate::context::{ask, forward, object};
use crate::{Context, Result, Set, sys};
use std::ffi::{c_int, c_uint};

object! {
    /// A finite union of relations `[n] -> { A[i] -> B[j] : … }`.
    Map, isl_map, isl_map_copy, isl_map_free, isl_map_to_str
}

impl Map {
    /// Parses isl notation.
    ///
    /// # Errors
    /// When the text is not a relation between two spaces.
    pub fn read(ctx: &Context, text: &str) -> Result<Map> {
        let c_text = ctx.text(text)?;
        let parse = || unsafe { sys::isl_map_read_from_str(ctx.raw(), c_text.as_ptr()) };
        Map::wrap_raw(ctx, ctx.known().maps.read(&c_text, parse)).map_err(|e| e.about(text))
    }

    forward! {
        /// Pairs of either.
        union(other: Map) -> Map = isl_map_union;
        /// Pairs of both.
        intersect(other: Map) -> Map = isl_map_intersect;
        /// Pairs whose parameters are in `other`.
        intersect_params(other: Set) -> Map = isl_map_intersect_params;
        /// Pairs that start in `domain`.
        intersect_domain(domain: Set) -> Map = isl_map_intersect_domain;
        /// A simpler relation that is the same for starts in `domain`.
        gist_domain(domain: Set) -> Map = isl_map_gist_domain;
        /// Pairs that end in `range`.
        intersect_range(range: Set) -> Map = isl_map_intersect_range;
        /// Pairs not in `other`.
        subtract(other: Map) -> Map = isl_map_subtract;
        /// Where pairs start.
        domain() -> Set = isl_map_domain;
        /// Where pairs end.
        range() -> Set = isl_map_range;
        /// Parameter values for which there is a pair.
        params() -> Set = isl_map_params;
        /// All pairs turned around.
        reverse() -> Map = isl_map_reverse;
        /// Composition: first `self`, then `other`.
        apply_range(other: Map) -> Map = isl_map_apply_range;
        /// Replaces the start of each pair by its image under `other`.
        apply_domain(other: Map) -> Map = isl_map_apply_domain;
        /// `{ y − x : x → y }`.
        deltas() -> Set = isl_map_deltas;
        /// For each start the lexicographically smallest end.
        lexmin() -> Map = isl_map_lexmin;
        /// For each start the lexicographically largest end.
        lexmax() -> Map = isl_map_lexmax;
        /// The relation as a set of pairs `[A[…] -> B[…]]`.
        wrap() -> Set = isl_map_wrap;
        /// `{ a -> [b -> c] }` as `{ [a -> b] -> c }`.
        uncurry() -> Map = isl_map_uncurry;
        /// `{ a -> b }` from `{ a -> [b -> c] }`.
        range_factor_domain() -> Map = isl_map_range_factor_domain;
        /// `{ [a -> c] -> b }` from `{ a -> b }` and `{ c -> b }`.
        domain_product(other: Map) -> Map = isl_map_domain_product;
        /// `{ a -> [b -> c] }` from `{ a -> b }` and `{ a -> c }`.
        range_product(other: Map) -> Map = isl_map_range_product;
        /// `{ a -> [b, c] }` from `{ a -> [b] }` and `{ a -> [c] }`.
        flat_range_product(other: Map) -> Map = isl_map_flat_range_product;
    }

    ask! {
        /// Whether there is no pair, for any parameter value.
        is_empty() = isl_map_is_empty;
        /// Whether no two pairs share their end.
        is_injective() = isl_map_is_injective;
        /// Whether no two pairs share their start.
        is_single_valued() = isl_map_is_single_valued;
    }

    /// Removes one dimension of the domain by projection.
    ///
    /// # Errors
    /// When there is no such dimension, or the work bound is reached.
    pub fn project_out_of_domain(&self, dimension: usize) -> Result<Map> {
        unsafe {
            let raw = sys::isl_map_project_out(self.take(), sys::DIM_IN, dimension as c_uint, 1);
            Map::wrap_raw(self.context(), raw)
        }
    }

    /// The ends of pairs as a set that depends on their starts: the dimensions of the domain become parameters with the
    /// given names, which no parameter has.
    ///
    /// # Errors
    /// When a name is taken, or there are fewer dimensions than names.
    pub fn by_start(&self, names: &[String]) -> Result<Set> {
        let count = names.len() as c_uint;
        unsafe {
            let first = self.context().size(sys::isl_map_dim(self.keep(), sys::DIM_PARAM))? as c_uint;
            let mut map = sys::isl_map_move_dims(self.take(), sys::DIM_PARAM, first, sys::DIM_IN, 0, count);
            for (k, name) in (0..).zip(names) {
                let name = self.context().text(name)?;
                map = sys::isl_map_set_dim_name(map, sys::DIM_PARAM, first + k, name.as_ptr());
            }
            Set::wrap_raw(self.context(), sys::isl_map_range(map))
        }
    }

    /// The value of a dimension of the domain, if it obviously has one value only.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits.
    pub fn fixed_in_domain(&self, dimension: usize) -> Result<Option<i64>> {
        unsafe {
            let kind = sys::DIM_IN;
            let value = sys::isl_map_plain_get_val_if_fixed(self.keep(), kind, dimension as c_uint);
            self.context().integer(value)
        }
    }

    /// The value of a dimension of the range, if it obviously has one value only.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits.
    pub fn fixed_in_range(&self, dimension: usize) -> Result<Option<i64>> {
        unsafe {
            let value = sys::isl_map_plain_get_val_if_fixed(self.keep(), sys::DIM_OUT, dimension as c_uint);
            self.context().integer(value)
        }
    }

    /// The same relation without names for its tuples.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn unnamed(&self) -> Result<Map> {
        unsafe {
            let map = sys::isl_map_reset_tuple_id(self.take(), sys::DIM_IN);
            Map::wrap_raw(self.context(), sys::isl_map_reset_tuple_id(map, sys::DIM_OUT))
        }
    }

    /// The same relation without a name for where pairs start.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub(crate) fn without_domain_name(&self) -> Result<Map> {
        unsafe { Map::wrap_raw(self.context(), sys::isl_map_reset_tuple_id(self.take(), sys::DIM_IN)) }
    }

    /// The same relation without a name for where pairs end.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn without_range_name(&self) -> Result<Map> {
        unsafe { Map::wrap_raw(self.context(), sys::isl_map_reset_tuple_id(self.take(), sys::DIM_OUT)) }
    }

    /// `{ x -> y : x <= y }` lexicographically, between points of the space of `like`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn lex_le(like: &Set) -> Result<Map> {
        unsafe { Map::wrap_raw(like.context(), sys::isl_map_lex_le(sys::isl_set_get_space(like.keep()))) }
    }

    /// `{ x -> y : x < y }` lexicographically, where x and y first differ in dimension `level`; between points of the
    /// space of `like`.
    ///
    /// # Errors
    /// When there is no such dimension.
    pub fn lex_lt_at(like: &Set, level: usize) -> Result<Map> {
        unsafe {
            let space = sys::isl_space_map_from_set(sys::isl_set_get_space(like.keep()));
            let mut raw = sys::isl_map_universe(space);
            for k in 0..level {
                raw = sys::isl_map_equate(raw, sys::DIM_IN, k as c_int, sys::DIM_OUT, k as c_int);
            }
            raw = sys::isl_map_order_lt(raw, sys::DIM_IN, level as c_int, sys::DIM_OUT, level as c_int);
            Map::wrap_raw(like.context(), raw)
        }
    }

    /// `{ x -> x }` for all points of the space of `like`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn equality(like: &Set) -> Result<Map> {
        unsafe {
            let space = sys::isl_space_map_from_set(sys::isl_set_get_space(like.keep()));
            Map::wrap_raw(like.context(), sys::isl_map_identity(space))
        }
    }

    /// `{ x -> y : x < y }` lexicographically, between points of the space of `like`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn lex_lt(like: &Set) -> Result<Map> {
        unsafe { Map::wrap_raw(like.context(), sys::isl_map_lex_lt(sys::isl_set_get_space(like.keep()))) }
    }

    /// `{ x -> y : x >= y }` lexicographically, between points of the space of `like`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn lex_ge(like: &Set) -> Result<Map> {
        unsafe { Map::wrap_raw(like.context(), sys::isl_map_lex_ge(sys::isl_set_get_space(like.keep()))) }
    }

    /// `{ x -> y : x > y }` lexicographically, between points of the space of `like`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn lex_gt(like: &Set) -> Result<Map> {
        unsafe { Map::wrap_raw(like.context(), sys::isl_map_lex_gt(sys::isl_set_get_space(like.keep()))) }
    }

    /// Whether a coordinate of the end is always one of the start plus the same number.
    ///
    /// # Errors
    /// When there are no such coordinates, or the work bound is reached.
    pub fn is_shift_of(&self, start: usize, end: usize) -> Result<bool> {
        let (ends, starts) = (self.dimensions()?.1, self.dimensions()?.0);
        let one = |count: usize, k: usize| {
            let names: Vec<String> = (0..count).map(|k| format!("x{k}")).collect();
            Map::read(self.context(), &format!("{{ [{}] -> [x{k}] }}", names.join(", ")))
        };
        let plain = self.unnamed()?;
        let difference = plain.apply_domain(&one(starts, start)?)?.apply_range(&one(ends, end)?)?.deltas()?;
        let most = difference.dim_max_value(0)?;
        Ok(most.is_some() && most == difference.dim_min_value(0)?)
    }

    /// Number of convex pieces in the present description.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn pieces(&self) -> Result<usize> {
        unsafe { self.context().size(sys::isl_map_n_basic_map(self.keep())) }
    }

    /// The largest number of integer divisions that one convex piece is described with.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn divisions(&self) -> Result<usize> {
        self.wrap()?.divisions()
    }

    /// Number of dimensions of `(domain, range)`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn dimensions(&self) -> Result<(usize, usize)> {
        let ctx = self.context();
        unsafe {
            let domain = ctx.size(sys::isl_map_dim(self.keep(), sys::DIM_IN))?;
            Ok((domain, ctx.size(sys::isl_map_dim(self.keep(), sys::DIM_OUT))?))
        }
    }
}

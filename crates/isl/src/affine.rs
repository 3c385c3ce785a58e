//! Piecewise quasi-affine functions, and C text for functions and sets of the parameters.

use crate::context::{forward, object};
use crate::{AstExpr, Context, Result, Set, sys};
use std::ffi::{CStr, c_int, c_long, c_uint, c_void};

object! {
    /// A function `[n] -> { [i] -> [(i + n)] : … ; … }` with integer values.
    PwAff, isl_pw_aff, isl_pw_aff_copy, isl_pw_aff_free, isl_pw_aff_to_str
}

impl PwAff {
    /// Parses isl notation, such as `[n] -> { [(n + 1)] }`.
    ///
    /// # Errors
    /// When the text is not a single-valued function with one result.
    pub fn read(ctx: &Context, text: &str) -> Result<PwAff> {
        let text = ctx.text(text)?;
        let parse = || unsafe { sys::isl_pw_aff_read_from_str(ctx.raw(), text.as_ptr()) };
        PwAff::wrap_raw(ctx, ctx.known().functions.read(&text, parse))
    }

    forward! {
        /// The sum, where both are defined.
        add(other: PwAff) -> PwAff = isl_pw_aff_add;
        /// The difference, where both are defined.
        sub(other: PwAff) -> PwAff = isl_pw_aff_sub;
        /// The negative.
        neg() -> PwAff = isl_pw_aff_neg;
        /// The larger of both, or the one that is defined.
        union_max(other: PwAff) -> PwAff = isl_pw_aff_union_max;
        /// The same function for parameters in `context`, simplified.
        gist_params(context: Set) -> PwAff = isl_pw_aff_gist_params;
        /// The function for parameters in `context` only.
        intersect_params(context: Set) -> PwAff = isl_pw_aff_intersect_params;
        /// Where it is defined; a set of parameter values for a function of the parameters.
        domain() -> Set = isl_pw_aff_domain;
        /// Where both are defined and `self >= other`.
        at_least(other: PwAff) -> Set = isl_pw_aff_ge_set;
        /// Where both are defined and equal.
        equals(other: PwAff) -> Set = isl_pw_aff_eq_set;
    }

    /// `factor` times the function.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn scaled(&self, factor: i64) -> Result<PwAff> {
        unsafe {
            let value = sys::isl_val_int_from_si(self.context().raw(), factor as c_long);
            PwAff::wrap_raw(self.context(), sys::isl_pw_aff_scale_val(self.take(), value))
        }
    }

    /// The value of a function that is the same wherever it is defined.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits.
    pub fn as_constant(&self) -> Result<Option<i64>> {
        let graph = self.graph()?;
        let largest = graph.dim_max_value(0)?;
        Ok(if largest.is_some() && graph.dim_min_value(0)? == largest { largest } else { None })
    }

    /// Names of the parameters on which the value, or where it is defined, depends.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn parameters(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        unsafe {
            let count = self.context().size(sys::isl_pw_aff_dim(self.keep(), sys::DIM_PARAM))?;
            for k in 0..count as c_uint {
                if self.context().truth(sys::isl_pw_aff_involves_dims(self.keep(), sys::DIM_PARAM, k, 1))? {
                    let name = sys::isl_pw_aff_get_dim_name(self.keep(), sys::DIM_PARAM, k);
                    let name = self.context().check(name.cast_mut())?;
                    names.push(CStr::from_ptr(name).to_string_lossy().into_owned());
                }
            }
        }
        Ok(names)
    }

    /// The points `[v]` where v is the function's value, for a function of the parameters only.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn graph(&self) -> Result<Set> {
        unsafe { Set::wrap_raw(self.context(), sys::isl_set_from_pw_aff(self.take())) }
    }

    /// The affine pieces `(where, function)`, each function without its piece's bounds.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn pieces(&self) -> Result<Vec<(Set, PwAff)>> {
        struct Visit<'a> {
            ctx: &'a Context,
            pieces: Result<Vec<(Set, PwAff)>>,
        }
        extern "C" fn visit(set: *mut sys::isl_set, aff: *mut sys::isl_aff, user: *mut c_void) -> c_int {
            let state = unsafe { &mut *user.cast::<Visit>() };
            let function = unsafe { sys::isl_pw_aff_from_aff(aff) };
            let piece = Set::wrap_raw(state.ctx, set).and_then(|s| Ok((s, PwAff::wrap_raw(state.ctx, function)?)));
            match (piece, &mut state.pieces) {
                (Ok(piece), Ok(pieces)) => {
                    pieces.push(piece);
                    0
                }
                (Err(e), pieces) => {
                    *pieces = Err(e);
                    -1
                }
                (_, Err(_)) => -1,
            }
        }
        let mut state = Visit { ctx: self.context(), pieces: Ok(Vec::new()) };
        let status = unsafe { sys::isl_pw_aff_foreach_piece(self.keep(), visit, (&raw mut state).cast()) };
        match state.pieces {
            Ok(_) if status != 0 => Err(self.context().error()),
            pieces => pieces,
        }
    }

    /// The value at given parameter values, for a function of the parameters only; `None` where it is undefined.
    ///
    /// # Errors
    /// When the value does not fit into 64 bits.
    pub fn eval(&self, sizes: &[(&str, i64)]) -> Result<Option<i64>> {
        self.graph()?.at(sizes)?.dim_max_value(0)
    }
}

/// C expressions for functions and conditions on parameters, simplified by what `context` guarantees.
pub struct CText {
    build: *mut sys::isl_ast_build,
    ctx: Context,
}

impl CText {
    /// For parameters in `context`.
    ///
    /// # Errors
    /// Only after an earlier failure.
    pub fn new(context: &Set) -> Result<CText> {
        let ctx = context.context().clone();
        let build = unsafe { ctx.check(sys::isl_ast_build_from_context(context.take()))? };
        Ok(CText { build, ctx })
    }

    /// A condition that holds exactly for the parameters in `set`.
    ///
    /// # Errors
    /// When `set` is not a set of parameter values.
    pub fn condition(&self, set: &Set) -> Result<String> {
        self.ctx.owns(set.context());
        unsafe { self.print(sys::isl_ast_build_expr_from_set(self.build, set.take())) }
    }

    /// The value of a function of the parameters.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn value(&self, function: &PwAff) -> Result<String> {
        self.ctx.owns(function.context());
        unsafe { self.print(sys::isl_ast_build_expr_from_pw_aff(self.build, function.take())) }
    }

    /// The value of a function of the parameters, as a tree.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn tree(&self, function: &PwAff) -> Result<AstExpr> {
        self.ctx.owns(function.context());
        unsafe { crate::ast::expr(&self.ctx, sys::isl_ast_build_expr_from_pw_aff(self.build, function.take())) }
    }

    /// A condition that holds exactly for the parameters in `set`, as a tree.
    ///
    /// # Errors
    /// When `set` is not a set of parameter values.
    pub fn test(&self, set: &Set) -> Result<AstExpr> {
        self.ctx.owns(set.context());
        unsafe { crate::ast::expr(&self.ctx, sys::isl_ast_build_expr_from_set(self.build, set.take())) }
    }

    unsafe fn print(&self, expr: *mut sys::isl_ast_expr) -> Result<String> {
        unsafe {
            let expr = self.ctx.check(expr)?;
            let text = self.ctx.string(sys::isl_ast_expr_to_C_str(expr));
            sys::isl_ast_expr_free(expr);
            text
        }
    }
}

impl Drop for CText {
    fn drop(&mut self) {
        unsafe {
            sys::isl_ast_build_free(self.build);
        }
    }
}

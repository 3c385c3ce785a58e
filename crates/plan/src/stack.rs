//! Local buffers for arrays that stay declared.
//!
//! A parameter or global keeps its memory, wherever that is; the buffer in its place is a variable of the function. One of
//! run-time size could take any amount of stack. It is taken only if fewer of its extents depend on sizes than of the
//! array's: a few rows of `t[n][m]`, but not half of it.

use polyfold_alloc::Mapping;
use polyfold_flow::Model;
use polyfold_isl::Result;
use polyfold_scop::{ArrayId, ParameterOrigin, Scop, Storage};
use std::collections::BTreeSet;

/// Why such a buffer is not taken.
pub(crate) const TOO_LARGE_FOR_STACK: &str =
    "a smaller buffer would be a local array with as many run-time extents, which the stack may not hold";

/// Whether a mapping's buffer may stand in the function.
pub(crate) fn may_be_on_stack(model: &Model, id: ArrayId, mapping: &Mapping) -> Result<bool> {
    let is_apart = (model.scop.array(id).declaration.as_ref())
        .is_none_or(|d| matches!(d.storage, Storage::Parameter | Storage::Global));
    if !is_apart {
        return Ok(true);
    }
    let Mapping::Modular(mapping) = mapping else { return Ok(false) };
    let mut variable = 0;
    for modulus in &mapping.moduli {
        variable += usize::from(modulus.parameters()?.iter().any(|name| is_variable(model, name)));
    }
    Ok(variable == 0 || variable < variable_extents(model.scop, id))
}

/// How many extents of an array are known at run time only.
fn variable_extents(scop: &Scop, id: ArrayId) -> usize {
    let is_variable = |extent: &Option<polyfold_scop::Expr>| {
        let Some(extent) = extent else { return true };
        let mut used = BTreeSet::new();
        extent.collect_parameters(&mut used);
        used.iter().any(|p| scop.parameters[p.0].origin == ParameterOrigin::Variable)
    };
    scop.array(id).extents.iter().filter(|extent| is_variable(extent)).count()
}

/// Whether a parameter in isl notation is a variable of the program.
pub(crate) fn is_variable(model: &Model, name: &str) -> bool {
    let parameters = model.scop.parameters.iter().zip(&model.parameters);
    parameters.filter(|(p, _)| p.origin == ParameterOrigin::Variable).any(|(_, isl)| isl == name)
}

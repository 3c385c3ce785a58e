//! What C guarantees about the sizes, whatever the program does.

use super::Lowering;
use crate::syntax::Scalar;
use polyfold_scop::{Array, Comparison, Condition, Expr, ParameterId, Storage};

impl Lowering<'_> {
    /// The facts that hold in every run.
    pub(super) fn known(&self, arrays: &[Array]) -> Vec<Condition> {
        let mut known = Vec::new();
        let extents = arrays.iter().flat_map(guaranteed_extents).map(|extent| at_least(extent.clone(), 1));
        for fact in extents.chain(self.unsigned_sizes().map(|id| at_least(Expr::Parameter(id), 0))) {
            if !known.contains(&fact) {
                known.push(fact);
            }
        }
        known
    }

    /// Sizes that no value of their type makes negative: a test whether they are draws a compiler's warning.
    fn unsigned_sizes(&self) -> impl Iterator<Item = ParameterId> {
        let is_unsigned = |id: &ParameterId| {
            let variable = self.parameter_variables.get(id);
            variable.is_some_and(|v| matches!(self.variable_scalar(*v), Scalar::Integer { signed: false, .. }))
        };
        (0..self.parameters.len()).map(ParameterId).filter(is_unsigned)
    }
}

/// A declared array has at least one element in each dimension. The first extent of a parameter is not a part of its
/// type, and guarantees nothing; nor does a declaration in the scop that may never be reached.
fn guaranteed_extents(array: &Array) -> impl Iterator<Item = &Expr> {
    let skipped = match &array.declaration {
        Some(declaration) if !declaration.inside_scop => usize::from(declaration.storage == Storage::Parameter),
        _ => array.extents.len(),
    };
    array.extents.iter().skip(skipped).flatten().filter(|extent| extent.as_constant().is_none())
}

fn at_least(expression: Expr, least: i64) -> Condition {
    Condition::Compare(expression, Comparison::GreaterEqual, Expr::Constant(least))
}

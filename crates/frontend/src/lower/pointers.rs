//! Pointers that may lead into memory that has another name, too.
//!
//! A parameter is taken to lead to memory of its own, and so is a local pointer all of whose values come from `malloc` or the like:
//!
//! ```text
//! double *p = malloc(…);  if (p == NULL) …      memory of its own
//! double *p = a + 1;                            may be that of `a`
//! static double *p;                             may be any
//! ```

use super::Site;
use super::allocation::{inner, is_allocating, is_null};
use crate::syntax::{Derivation, Expression, ExpressionKind, Statement, StatementKind, VariableId};
use polyfold_scop::Storage;

/// Whether a variable is such a pointer.
pub(super) fn leads_anywhere(site: &Site, id: VariableId) -> bool {
    let variable = &site.unit.variables[id];
    let is_pointer = matches!(variable.shape.first(), Some(Derivation::Pointer));
    if !is_pointer || variable.storage == Storage::Parameter {
        return false;
    }
    let mut values = Vec::new();
    collect_initial(&site.function.body, id, &mut values);
    site.function.body.walk(&mut |part| {
        if let ExpressionKind::Assign(_, place, value) = &part.kind
            && place.variable() == Some(id)
        {
            values.push(value);
        }
    });
    let is_own = |value: &&Expression| is_allocating(value) || is_null(value);
    variable.storage != Storage::Local || values.is_empty() || !values.iter().all(is_own)
}

/// The values that declarations give to a variable.
fn collect_initial<'a>(statement: &'a Statement, id: VariableId, values: &mut Vec<&'a Expression>) {
    if let StatementKind::Declaration(list) = &statement.kind {
        values.extend(list.iter().filter(|(declared, _)| *declared == id).filter_map(|(_, value)| value.as_ref()));
    }
    inner(statement).into_iter().for_each(|statement| collect_initial(statement, id, values));
}

//! Pointers that may lead into memory that has another name, too.
//!
//! A parameter is taken to lead to memory of its own as long as the function moves it by numbers only, and so is a local pointer all of whose values come from `malloc` or the like:
//!
//! ```text
//! double *p = malloc(…);  if (p == NULL) …      memory of its own
//! double *p = a + 1;                            may be that of `a`
//! static double *p;                             may be any
//! void f(double *p, double *q) { p += 2; …      memory of its own
//! void f(double *p, double *q) { p = q; …       may be that of `q`
//! ```

use super::Site;
use super::allocation::{inner, is_allocating, is_null};
use super::facts::Facts;
use polyfold_c::syntax::Storage;
use polyfold_c::syntax::{Derivation, Expression, ExpressionKind, Statement, StatementKind, VariableId};

/// Whether a variable is such a pointer.
pub(super) fn leads_anywhere(site: &Site, facts: &Facts, id: VariableId) -> bool {
    let variable = &site.unit.variables[id];
    let is_parameter = variable.storage == Storage::Parameter;
    let is_pointer = match variable.shape.first() {
        // An array of a parameter is a pointer, too.
        Some(Derivation::Array(_)) => is_parameter,
        Some(Derivation::Pointer(_)) => true,
        _ => false,
    };
    if !is_pointer {
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
    let is_own = |value: &&Expression| is_allocating(site, value) || is_null(value);
    let is_known = match variable.storage {
        Storage::Parameter => values.iter().all(|value| is_own(value) || is_moved(site, id, value)),
        Storage::Local => !values.is_empty() && values.iter().all(is_own),
        _ => false,
    };
    facts.address_taken.contains(&id) || !is_known
}

/// Whether a pointer's new value is of itself and numbers alone.
fn is_moved(site: &Site, id: VariableId, value: &Expression) -> bool {
    let mut is_moved = true;
    value.walk(&mut |part| {
        is_moved &= match &part.kind {
            ExpressionKind::Integer(..) | ExpressionKind::Binary(..) => true,
            ExpressionKind::Name(name, None) => site.unit.enumerators.contains_key(name),
            ExpressionKind::Name(_, Some(other)) => *other == id || site.unit.variables[*other].is_scalar(),
            _ => false,
        };
    });
    is_moved
}

/// The values that declarations give to a variable.
fn collect_initial<'a>(statement: &'a Statement, id: VariableId, values: &mut Vec<&'a Expression>) {
    if let StatementKind::Declaration(list) = &statement.kind {
        values.extend(list.iter().filter(|(declared, _)| *declared == id).filter_map(|(_, value)| value.as_ref()));
    }
    inner(statement).into_iter().for_each(|statement| collect_initial(statement, id, values));
}

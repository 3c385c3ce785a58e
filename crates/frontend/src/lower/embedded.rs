//! Assignments inside larger expressions.
//!
//! An operation reads all that it reads before it writes. That is C's own order where a statement assigns, or assigns what another
//! assignment in it has just assigned (`a[i] = b[i] = x`). An assignment that is part of a larger expression has no order with the
//! rest of it: `a[i] + (a[i + 1] = x)` is well defined only as long as both cells differ, and `(a[i] = x) && a[i] > 0` reads what it
//! wrote. Nor does that order hold for a declaration of several variables, whose initializers are expressions one after the other, and
//! one operation here: `int p = a[i] = 1, q = a[i];`. So the array that is written there stays as it is, and nothing else may live in
//! it.

use super::Lowering;
use super::access::chain;
use super::arrays::Obstacle;
use polyfold_c::syntax::{Expression, ExpressionKind};
use polyfold_scop::Code;

impl Lowering<'_> {
    /// Keeps the arrays that are written inside an expression, which may be `whole`: an operation does nothing else.
    pub(super) fn keep_written_inside(&mut self, e: &Expression, whole: bool) {
        let mut places = Vec::new();
        inside(e, whole, &mut places);
        for place in places {
            let ExpressionKind::Name(name, Some(id)) = &chain(place).base.kind else { continue };
            let wanted = self.site.unit.variables[*id].dimensions();
            if wanted == 0 {
                continue;
            }
            let array = self.arrays.id(name, Some(*id), wanted);
            let reason = format!("it is assigned inside a larger expression at line {}", self.line(&place.span));
            let help = "assign it in a statement of its own";
            self.arrays.obstruct(
                array,
                Obstacle { code: Code::AssignedInside, reason, span: place.span.clone(), label: "assigned here", help },
            );
        }
    }
}

/// The places that are assigned in an expression, but for its own and those of assignments whose value it assigns.
fn inside<'e>(e: &'e Expression, is_outermost: bool, places: &mut Vec<&'e Expression>) {
    let (place, value) = match &e.kind {
        ExpressionKind::Assign(operator, place, value) => {
            let passes_on = is_outermost && operator == "=" && !reads_cells(place);
            (place, Some((value, passes_on)))
        }
        ExpressionKind::Step(_, place) => (place, None),
        _ => return e.parts().into_iter().for_each(|part| inside(part, false, places)),
    };
    if !is_outermost {
        places.push(place);
    }
    place.parts().into_iter().for_each(|part| inside(part, false, places));
    if let Some((value, passes_on)) = value {
        inside(value, passes_on, places);
    }
}

/// Whether finding a place reads cells of arrays.
pub(super) fn reads_cells(place: &Expression) -> bool {
    let mut reads = false;
    for subscript in chain(place).subscripts {
        subscript.walk(&mut |part| {
            reads |= !matches!(
                part.kind,
                ExpressionKind::Name(..) | ExpressionKind::Integer(..) | ExpressionKind::Binary(..)
            )
        });
    }
    reads
}

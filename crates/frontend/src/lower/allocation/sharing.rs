//! Whether memory from `malloc` may be others' memory, too.
//!
//! The idea: where two pointers `p` and `q` get memory one after the other, and nobody sees more of them than whether they are null, the
//! second may be the first: `q = p`. Both calls fail or succeed together then, which they may do anyway. Only `free(p)` counts
//! from there on, so the memory has to last:
//!
//! ```text
//! p = malloc(…);  if (!p) return 1;
//! q = malloc(…);  if (!q) { free(p); return 1; }        where p is freed in front of the scop, the function leaves
//! scop;  free(q);  free(p);                             elsewhere it is freed behind all that holds the scop
//! ```
//!
//! What is refused: `p == q`, a name that is declared twice in the function (in the scop it would mean something else), and what a
//! jump of another kind might do between a `free` and the function's end.

use crate::lower::Site;
use crate::lower::facts::scop_range;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Statement, StatementKind, VariableId};
use polyfold_scop::{Comparison, Span};

/// What the function does with a pointer besides using its memory; spans of the expanded text.
#[derive(Clone)]
pub(in crate::lower) struct Uses {
    /// Calls of `free`.
    pub(in crate::lower) frees: Vec<Span>,
    /// Whether it is compared with other pointers.
    is_compared: bool,
    /// Whether the memory is there from its allocation until behind the scop, whatever happens in between.
    pub(in crate::lower) lasts: bool,
}

impl Uses {
    /// Of the pointer that gets its memory in the statement `own`.
    pub(super) fn of(site: &Site, id: VariableId, own: &Statement) -> Uses {
        let mut uses = Uses { frees: Vec::new(), is_compared: false, lasts: true };
        let mut ends = Vec::new();
        site.function.body.walk(&mut |e| uses.note(e, id, &mut ends));
        let function = &site.function.span;
        let name = &site.unit.variables[id].name;
        let others = site.unit.variables.iter().enumerate().filter(|(other, v)| *other != id && v.name == *name);
        let is_hidden = others.into_iter().any(|(_, other)| function.contains(&other.name_span.start));
        uses.lasts = !is_hidden && ends.iter().all(|at| outlives(site, own, *at));
        uses
    }

    /// Whether another pointer may have the same value.
    pub(in crate::lower) fn may_be_another(&self) -> bool {
        !self.is_compared
    }

    fn note(&mut self, e: &Expression, id: VariableId, ends: &mut Vec<usize>) {
        let is_own = |e: &Expression| super::without_cast(e).variable() == Some(id);
        match &e.kind {
            ExpressionKind::Call(callee, arguments)
                if matches!(&callee.kind, ExpressionKind::Name(name, None) if name == "free")
                    && arguments.iter().any(is_own) =>
            {
                self.frees.push(e.span.clone());
                ends.push(e.span.start);
            }
            ExpressionKind::Assign(_, place, value) if is_own(place) && super::is_null(value) => {
                ends.push(e.span.start);
            }
            ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) if is_own(a) || is_own(b) => {
                let is_test = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                let with_null = super::is_null(a) || super::is_null(b);
                self.is_compared |= !is_test || !with_null;
            }
            _ => {}
        }
    }
}

/// Whether memory that `own` allocates is there for all of the scop, although it ends at a place.
fn outlives(site: &Site, own: &Statement, at: usize) -> bool {
    let scop = scop_range(site);
    let Some(block) = block_of(&site.function.body, own) else { return false };
    let holds_scop = |part: &&Statement| part.span.start <= scop.start && scop.end <= part.span.end;
    let held = super::inner(block).into_iter().find(holds_scop).map_or(scop, |part| part.span.clone());
    at < own.span.start || at >= held.end || leads_away(block, at)
}

/// The block directly around a statement.
fn block_of<'a>(statement: &'a Statement, own: &Statement) -> Option<&'a Statement> {
    let parts = super::inner(statement);
    if parts.iter().any(|part| std::ptr::eq(*part, own)) {
        return Some(statement);
    }
    parts.into_iter().find_map(|part| block_of(part, own))
}

/// Whether the function leaves a statement once a place in it is reached.
fn leads_away(statement: &Statement, at: usize) -> bool {
    let parts = super::inner(statement);
    let Some(place) = parts.iter().position(|part| part.span.contains(&at)) else { return is_jump(statement) };
    let is_plain = |part: &&Statement| is_plain(part);
    let ends_so = matches!(statement.kind, StatementKind::Block(_))
        && parts.last().is_some_and(|last| is_jump(last))
        && parts[place..parts.len() - 1].iter().all(is_plain);
    ends_so || leads_away(parts[place], at)
}

/// Whether what follows a statement happens behind it.
fn is_plain(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Empty | StatementKind::Expression(_) => true,
        StatementKind::Block(_) | StatementKind::If(..) => super::inner(statement).into_iter().all(is_plain),
        _ => false,
    }
}

fn is_jump(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Other("a `return`" | "a `goto`", ..))
}

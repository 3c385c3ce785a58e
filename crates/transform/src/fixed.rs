//! What stays the same while statements run, and which of them are loops.
//!
//! Example: in `for j { int at = j % 3; W[at][k] = 0; }` the integer k is fixed, and j and at aren't.

use polyfold_program::{Int, LocalId, LocalValue, Stmt};

/// Whether an integer is the same all the time, where some locals change.
pub(crate) fn is_fixed(e: &Int, changed: &[LocalId]) -> bool {
    let mut fixed = true;
    e.each(&mut |e| {
        fixed &= !matches!(e, Int::Data(_)) && !matches!(e, Int::Local(id) if changed.contains(id));
    });
    fixed
}

/// Locals that begin or change in some statements.
pub(crate) fn changed_in(body: &[Stmt]) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::For(own) => found.push(own.counter),
        Stmt::Let { local, value: LocalValue::Integer(_) } | Stmt::Set { local, .. } => found.push(*local),
        _ => {}
    };
    body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// Whether a statement is a loop, or has one inside.
pub(crate) fn has_loop(stmt: &Stmt) -> bool {
    stmt.any(&|stmt| matches!(stmt, Stmt::For(_)))
}

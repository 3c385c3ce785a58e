//! New loops as a program, printed with the source's own statements.
//!
//! The idea: isl's loops become loops of the scop's program ([`reorder`](polyfold_transform::reorder)), and `emit` prints them. So
//! comments go with their statements, and macro calls stay. The program that runs beside the source is the one that is printed.
//!
//! Example: of `{ const int at = y * w + x; u[at] = in[at]; }` the tree has `u[y * w + x]`. So has the new text, and `at` is gone.

use super::Piece;
use super::moved::is_a_variable;
use super::original::Original;
use polyfold_isl::Ast;
use polyfold_program::{BufferId, IntType, ParameterId, Program, StatementId, Stmt, Use};
use polyfold_scop::{Array, ArrayId, Scop};
use polyfold_transform::{Part, Reordering, privatize, reorder, without_writes};
use std::collections::BTreeSet;

/// The scop's program in another order. `None`: some piece isn't understood.
pub(super) fn in_order(ast: &Ast, operations: &Original) -> Option<Program> {
    let (scop, pieces) = (operations.scop, operations.pieces);
    let program = &with_variables_declared(scop, scop.program.as_ref()?);
    let size = |name: &str| operations.order.parameters.iter().position(|own| own == name).map(ParameterId);
    let piece = |name: &str| {
        let at = scop.statements.iter().position(|own| own.name == name)?;
        part(scop, program, pieces.all.get(at)?)
    };
    let counter = |name: &str| {
        let held = if operations.counters.word(name) == "int" { IntType::INT } else { IntType::LONG };
        (held, !operations.counters.is_users(name))
    };
    let parallel = |dimension, body: &Ast| operations.pragma(dimension, body).is_some();
    let reordering = Reordering { ast, size: &size, piece: &piece, counter: &counter, parallel: &parallel };
    Some(without_writes(&reorder(program, &reordering)?, &stand_ins(scop)))
}

/// Variables of which the program has the values, and the new text, too.
fn stand_ins(scop: &Scop) -> Vec<BufferId> {
    (0..scop.arrays.len()).filter(|k| scop.stands_in(ArrayId(*k))).map(BufferId).collect()
}

/// A program in which the first write of a variable declares it, where its declaration between the loops says no value.
fn with_variables_declared(scop: &Scop, program: &Program) -> Program {
    let is_inside = |array: &Array| array.declaration.as_ref().is_some_and(|own| own.inside_scop);
    let known = declared(program);
    let all = (0..scop.arrays.len()).filter(|k| is_inside(&scop.arrays[*k])).map(BufferId);
    let others = all.filter(|id| !known.contains(id));
    others.fold(program.clone(), |program, id| privatize(&program, id).unwrap_or(program))
}

/// The first piece that isn't a part of the program.
pub(super) fn unknown<'a>(scop: &Scop, pieces: &'a [Piece]) -> Option<&'a Piece> {
    let program = scop.program.as_ref().map(|program| with_variables_declared(scop, program));
    pieces.iter().find(|piece| program.as_ref().and_then(|program| part(scop, program, piece)).is_none())
}

/// A piece as a part of the program. `None`: its text names what the tree doesn't have.
fn part(scop: &Scop, program: &Program, piece: &Piece) -> Option<Part> {
    let begins_in_text = piece.statements.iter().any(|id| is_declaration(scop, *id)) && !declares(program, piece);
    let is_understood = !begins_in_text && is_declared(scop, program, piece) && !has_other_names(scop, program, piece);
    let statements = piece.statements.iter().map(|id| StatementId(id.0)).collect();
    let declares = !piece.declarations.is_empty();
    is_understood.then(|| Part { statements, guards: piece.guards.clone(), declares })
}

/// Whether a statement of the scop is a declaration. A piece without any has a number behind theirs.
fn is_declaration(scop: &Scop, id: polyfold_scop::StatementId) -> bool {
    let declarations = || scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
    scop.statements.get(id.0).is_some_and(|own| declarations().any(|declaration| declaration.statement == own.span))
}

/// Whether statements of the tree declare what those of a piece do, and not their text.
fn declares(program: &Program, piece: &Piece) -> bool {
    let is_own = |stmt: &Stmt| stmt.instance().is_some_and(|(id, _)| piece.statements.iter().any(|own| own.0 == id.0));
    let is_text = |stmt: &Stmt| matches!(stmt, Stmt::Opaque(_)) && is_own(stmt);
    !program.body.iter().any(|stmt| stmt.any(&is_text))
}

/// The variables that statements of a program declare.
fn declared(program: &Program) -> BTreeSet<BufferId> {
    let mut own = BTreeSet::new();
    program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| own.extend(stmt.declared())));
    own
}

/// Whether statements of the tree declare all variables that a piece declares in its text.
fn is_declared(scop: &Scop, program: &Program, piece: &Piece) -> bool {
    let own = declared(program);
    piece.declarations.iter().all(|at| {
        let is_here = |array: &Array| array.declaration.as_ref().is_some_and(|own| own.statement == *at);
        (0..scop.arrays.len()).filter(|k| is_here(&scop.arrays[*k])).all(|k| own.contains(&BufferId(k)))
    })
}

/// Whether a piece's text names integers that are declared in it: the tree has their values instead, and the text can't have them.
fn has_other_names(scop: &Scop, program: &Program, piece: &Piece) -> bool {
    let is_own = |stmt: &Stmt| stmt.assigned().iter().any(|id| piece.statements.iter().any(|own| own.0 == id.0));
    let (mut variables, mut read) = (BTreeSet::new(), BTreeSet::new());
    let mut visit = |stmt: &Stmt| {
        if matches!(stmt, Stmt::Assign(_)) && is_own(stmt) {
            variables.extend(stmt.declared());
            stmt.each_use(&mut |how, id| {
                if how == Use::Read {
                    read.insert(id);
                }
            });
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    let is_known = |id: &BufferId| {
        let array = ArrayId(id.0);
        read.contains(id) || scop.stands_in(array) || is_a_variable(scop, array)
    };
    !piece.declarations.is_empty() && !variables.iter().all(is_known)
}

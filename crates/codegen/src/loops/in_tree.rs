//! New loops as a program, printed with the source's own statements.
//!
//! The idea: isl's loops become loops of the scop's program ([`reorder`](polyfold_transform::reorder)), and `emit` prints them. So
//! comments go with their statements, and macro calls stay. The program that runs beside the source is the one that is printed.
//!
//! Example: of `{ const int at = y * w + x; u[at] = in[at]; }` the tree has `u[y * w + x]`. Such a piece is a leaf with its own text, and
//! so is what the front end doesn't understand.

use super::original::Original;
use super::{Outline, Piece, statement};
use polyfold_emit::{Names, Source, statements};
use polyfold_isl::Ast;
use polyfold_program::{BufferId, IntType, LocalId, Loop, ParameterId, Program, StatementId, Stmt, Use};
use polyfold_scop::{Array, Counter, Scop, Statement};
use polyfold_transform::{Part, Reordering, reorder};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

/// The scop's program in another order. What isn't understood stands in it as text.
pub(super) fn in_order(ast: &Ast, operations: &Original) -> Option<Program> {
    let (scop, pieces) = (operations.scop, operations.pieces);
    let program = scop.program.as_ref().or(scop.outline.as_ref())?;
    let size = |name: &str| operations.order.parameters.iter().position(|own| own == name).map(ParameterId);
    let piece = |name: &str| {
        let at = scop.statements.iter().position(|own| own.name == name)?;
        Some(part(operations, &scop.statements[at], pieces.all.get(at)?))
    };
    let counter = |name: &str| {
        let held = if operations.counters.word(name) == "int" { IntType::INT } else { IntType::LONG };
        (held, !operations.counters.is_users(name))
    };
    let parallel = |dimension, body: &Ast| operations.pragma(dimension, body).is_some();
    let reordering = Reordering { ast, size: &size, piece: &piece, counter: &counter, parallel: &parallel };
    reorder(program, &reordering)
}

/// A piece as a part of the program, or as its text.
fn part(operations: &Original, statement: &Statement, piece: &Piece) -> Part {
    let program = operations.scop.program.as_ref();
    let is_understood =
        |program: &Program| is_declared(operations.scop, program, piece) && !has_other_names(program, piece);
    let begins_in_text =
        piece.statements.iter().any(|id| is_declaration(operations.scop, *id)) && !declares(program, piece);
    if piece.labels.is_empty() && !begins_in_text && program.is_some_and(is_understood) {
        let statements = piece.statements.iter().map(|id| StatementId(id.0)).collect();
        return Part::Tree { statements, guards: piece.guards.clone() };
    }
    let first = piece.statements.first().map_or(StatementId(0), |id| StatementId(id.0));
    Part::Text(first, statement::template(operations.source, operations.scop, (statement, piece)))
}

/// Its text, behind an indent.
pub(super) fn lines(ast: &Ast, operations: &Original, program: &Program, indent: &str) -> Option<String> {
    let (scop, pieces) = (operations.scop, operations.pieces);
    // In the order in which loops are printed.
    let mut pragmas = VecDeque::new();
    ast.each(&mut |ast| {
        if let Ast::For { dimension, body, .. } = ast {
            pragmas.extend(operations.pragma(*dimension, body));
        }
    });
    let pragmas = RefCell::new(pragmas);
    let source = scop.program.as_ref().zip(scop.written.as_ref());
    let source = source.map(|(program, written)| Source { program, written });
    let of_counter = |id: StatementId, k: usize| {
        let is_it = |piece: &Piece| piece.statements.iter().any(|own| own.0 == id.0);
        let statement = &scop.statements[pieces.all.iter().position(is_it)?];
        Some(held(operations.counters.users(*statement.loops.get(k)?).ok()?))
    };
    let counter = |id: LocalId| program.locals[id.0].held.and_then(IntType::in_c).map(str::to_string);
    let pragmas = |_: &Loop| pragmas.borrow_mut().pop_front().map(|line| vec![line]);
    let names = Names { pragmas: &pragmas, source, counters: Some(&of_counter), ..Names::of(&counter) };
    statements(program, &names, indent).ok()
}

/// What C holds a counter in.
pub(super) fn held(counter: &Counter) -> IntType {
    let bits = 8 * counter.bytes as u32;
    if counter.signed { IntType::Signed(bits) } else { IntType::Unsigned(bits) }
}

/// Loops over statements that are texts, as lines of C.
pub(super) fn of_texts(ast: &Ast, (outline, sizes, texts): Outline, indent: &str) -> Option<String> {
    let part = |name: &str| outline.statement(name).map(|id| Part::Text(id, texts[id.0].clone()));
    let size = |name: &str| sizes.iter().position(|own| own == name).map(ParameterId);
    let counter = |_: &str| (IntType::INT, true);
    let reordering = Reordering { ast, size: &size, piece: &part, counter: &counter, parallel: &|_, _| false };
    let program = reorder(outline, &reordering)?;
    let counter = |_| Some("int".to_string());
    let names = Names { counters: Some(&|_, _| Some(IntType::INT)), ..Names::of(&counter) };
    statements(&program, &names, indent).ok()
}

/// Whether a statement of the scop is a declaration. A piece without any has a number behind theirs.
fn is_declaration(scop: &Scop, id: polyfold_scop::StatementId) -> bool {
    let declarations = || scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
    scop.statements.get(id.0).is_some_and(|own| declarations().any(|declaration| declaration.statement == own.span))
}

/// Whether statements of the tree declare what those of a piece do, and not their text.
fn declares(program: Option<&Program>, piece: &Piece) -> bool {
    let is_own = |stmt: &Stmt| stmt.instance().is_some_and(|(id, _)| piece.statements.iter().any(|own| own.0 == id.0));
    let is_text = |stmt: &Stmt| matches!(stmt, Stmt::Opaque(_)) && is_own(stmt);
    program.is_some_and(|program| !program.body.iter().any(|stmt| stmt.any(&is_text)))
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

/// Whether a piece's text names integers that are declared in it: the tree has their values instead.
fn has_other_names(program: &Program, piece: &Piece) -> bool {
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
    !piece.declarations.is_empty() && !variables.is_subset(&read)
}

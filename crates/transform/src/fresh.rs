//! Locals and variables that a pass adds.

use polyfold_program::{
    Buffer, BufferId, Element, Home, Int, IntType, Layout, Local, LocalId, LocalKind, LocalValue, Program, Role, Stmt,
};

/// Makes a variable's name from what it is for, the same each time.
pub type Name<'a> = dyn Fn(&str) -> String + 'a;

/// A new integer that a `long` holds, whose name no other local has.
pub(crate) fn fresh(program: &mut Program, name: &Name, stem: &str) -> LocalId {
    fresh_local(program, name, (stem, LocalKind::Integer, Some(IntType::LONG)))
}

/// A new counter that an `int` holds, whose name no other local has.
pub(crate) fn fresh_counter(program: &mut Program, name: &Name, stem: &str) -> LocalId {
    fresh_local(program, name, (stem, LocalKind::Integer, Some(IntType::INT)))
}

/// A new pointer, whose name no other local has.
pub(crate) fn fresh_pointer(program: &mut Program, name: &Name, stem: &str) -> LocalId {
    fresh_local(program, name, (stem, LocalKind::Pointer, None))
}

fn fresh_local(program: &mut Program, name: &Name, (stem, kind, held): (&str, LocalKind, Option<IntType>)) -> LocalId {
    let is_free = |own: &String| program.locals.iter().all(|local| local.name != *own);
    let number = |k: usize| if k == 0 { name(stem) } else { name(&format!("{stem}{k}")) };
    let name = (0..).map(number).find(is_free).unwrap_or_default();
    program.locals.push(Local { name, kind, held });
    LocalId(program.locals.len() - 1)
}

/// A new variable for values of a type, whose name no other buffer has.
pub(crate) fn fresh_variable(program: &mut Program, name: &Name, (stem, element): (&str, Element)) -> BufferId {
    let is_free = |own: &String| program.buffers.iter().all(|buffer| buffer.name != *own);
    let number = |k: usize| if k == 0 { name(stem) } else { name(&format!("{stem}{k}")) };
    let name = (0..).map(number).find(is_free).unwrap_or_default();
    let (role, layout, home) = (Role::Temporary, Layout::Rows, Home::Inside);
    program.buffers.push(Buffer { name, role, extents: Vec::new(), layout, home, element });
    BufferId(program.buffers.len() - 1)
}

/// A local that begins.
pub(crate) fn let_be(local: LocalId, value: Int) -> Stmt {
    Stmt::Let { local, value: LocalValue::Integer(value) }
}

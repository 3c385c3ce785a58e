//! Rings as shift registers.
//!
//! A ring of a few cells takes a remainder for each access. Where it is proved to be a shift register
//! ([`ShiftRegister`]) its subscripts are numbers, which compilers keep in registers and hardware has as wires, and the values move on at the
//! end of each iteration:
//!
//! ```c
//! for (int j = 0; j < n; j++) {                  for (int j = 0; j < n; j++) {
//!   t[j % 3] = in[j];                              t[2] = in[j];
//!   out[j] = t[(j - 2) % 3] + t[j % 3];            out[j] = t[0] + t[2];
//! }                                                t[0] = t[1];
//!                                                  t[1] = t[2];
//!                                                }
//! ```
//!
//! Where a value goes round, the first cell's moves to the last one: `const double t_first = t[0]; t[0] = t[1]; t[1] = t_first;`. In storage of several
//! dimensions all rows move.
//!
//! Loops stay as they are, with `%`, whose body is left early (`continue`), has labels, is a condition without braces around it, or is not all
//! in the file's own text.

use crate::Decisions;
use crate::edit::{Edit, Edits, Wrapped};
use crate::frame::Frame;
use crate::home::{free_name, words};
use crate::indent::{indent_at, step_of};
use crate::redeclared::is_type_declared;
use crate::tokens::{Kind, Token, tokens};
use polyfold_prove::{ShiftRegister, SlidingWindow};
use polyfold_scop::{Loop, LoopId, Node, Scop, Span, StatementId};

/// The rings that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<&'a ShiftRegister> {
    let scop = decisions.scop;
    let can_move = |register: &&ShiftRegister| {
        (!register.goes_round() || keeps_its_type(source, scop, register))
            && loops(scop, register).all(|l| body(source, scop, l).is_some())
    };
    decisions.registers.iter().filter(can_move).collect()
}

/// Whether the words of the elements' type say the same of a variable in the scop: they define no type, and none of them is declared again.
fn keeps_its_type(source: &str, scop: &Scop, register: &ShiftRegister) -> bool {
    let array = scop.array(register.array());
    let declared_at = array.declaration.as_ref().map_or(0, |declaration| declaration.statement.end);
    let behind = tokens(source, &(declared_at.min(scop.span.start)..scop.span.end));
    let mut names = words(&array.element).map(|(_, word)| word);
    let is_declared_again = |word: &str| (0..behind.len()).any(|at| is_type_declared(&behind, at, word));
    !array.element.contains('{') && !names.any(is_declared_again)
}

/// The loops that move a register's values.
pub(crate) fn loops<'a>(scop: &'a Scop, register: &ShiftRegister) -> impl Iterator<Item = &'a Loop> {
    scop.loops().into_iter().filter(|l| register.loops().contains(&l.id))
}

/// The copies that may go: a loop that moves values stays, and so does what is in it if that is nothing else.
pub(crate) fn without_needed(source: &str, decisions: &Decisions, copies: Vec<StatementId>) -> Vec<StatementId> {
    let scop = decisions.scop;
    let registers = written(source, decisions);
    let sliding = decisions.sliding.iter().map(SlidingWindow::time);
    let moving: Vec<LoopId> = registers.iter().flat_map(|r| r.loops()).copied().chain(sliding).collect();
    let is_left = |id: &StatementId| !copies.contains(id) && !decisions.dead.contains(id);
    let is_in = |id: &StatementId, l: &LoopId| scop.statement(*id).loops.contains(l);
    let has_more = |l: &LoopId| (0..scop.statements.len()).map(StatementId).any(|id| is_in(&id, l) && is_left(&id));
    let may_go = |id: &StatementId| !moving.iter().any(|l| is_in(id, l) && !has_more(l));
    copies.iter().copied().filter(may_go).collect()
}

/// Whether something can stand at the end of each iteration of a loop.
pub(crate) fn can_end_with(source: &str, scop: &Scop, l: &Loop) -> bool {
    body(source, scop, l).is_some()
}

/// Lines at the end of each iteration of a loop.
pub(crate) fn end_with(source: &str, scop: &Scop, l: &Loop, moved: &[String], edits: &mut Edits) {
    let Some(body) = body(source, scop, l).filter(|_| !moved.is_empty()) else { return };
    let (indent, step) = (indent_at(source, l.span.start), step_of(source, &scop.span));
    let on_lines = |indent: &str| moved.iter().map(|line| format!("\n{indent}{line}")).collect::<String>();
    if !body.has_braces {
        let closing = format!("{}\n{indent}}}", on_lines(&format!("{indent}{step}")));
        return edits.push_wrapped(Wrapped { span: body.span, opening: " {".to_string(), closing });
    }
    // Apart from the last statement, which may be replaced as a whole.
    let closing = body.span.end - 1;
    let has_own_line = indent_at(source, closing).len() == closing - source[..closing].rfind('\n').map_or(0, |n| n + 1);
    let first = tokens(source, &body.span).get(1).map_or("", |first| indent_at(source, first.at));
    let text = match indent_at(source, closing) {
        // Some write braces as deep as what they hold.
        own if has_own_line && first == own => moved.iter().map(|line| format!("{line}\n{own}")).collect(),
        own if has_own_line => moved.iter().map(|line| format!("{step}{line}\n{own}")).collect(),
        _ => format!("{} ", moved.join(" ")),
    };
    edits.push(Edit { span: closing..closing, text });
}

/// The assignments that move all rows of a register, called `name`, at the end of each iteration of a loop.
pub(crate) fn lines(scop: &Scop, register: &ShiftRegister, name: &str, source: &str) -> Vec<String> {
    let (last, element) = (register.cells() - 1, &scop.array(register.array()).element);
    let mut lines = Vec::new();
    for (k, row) in rows(register.extents(), register.row()).iter().enumerate() {
        let cell = |at: usize| format!("{name}{}", row.replacen("[]", &format!("[{at}]"), 1));
        let number = if k == 0 { String::new() } else { k.to_string() };
        let first = free_name(&format!("{name}_first{number}"), scop, source);
        lines.extend(register.goes_round().then(|| format!("const {element} {first} = {};", cell(0))));
        lines.extend((register.first()..last).map(|at| format!("{} = {};", cell(at), cell(at + 1))));
        lines.extend(register.goes_round().then(|| format!("{} = {first};", cell(last))));
    }
    lines
}

/// The subscripts of the rows along one dimension, with `[]` for that one: `[0][]`, `[1][]`.
fn rows(extents: &[usize], along: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    for (dimension, extent) in extents.iter().enumerate() {
        let subscripts: Vec<String> = match dimension == along {
            true => vec!["[]".to_string()],
            false => (0..*extent).map(|k| format!("[{k}]")).collect(),
        };
        rows = rows.iter().flat_map(|row| subscripts.iter().map(move |own| format!("{row}{own}"))).collect();
    }
    rows
}

/// What a loop repeats.
struct Body {
    /// From behind the head.
    span: Span,
    has_braces: bool,
}

/// `None`: it may be left early, or its text is not all there.
fn body(source: &str, scop: &Scop, l: &Loop) -> Option<Body> {
    let all = tokens(source, &l.span);
    let is_other = |t: &Token| t.kind == Kind::Directive && !t.text[1..].trim_start().starts_with("pragma");
    let is_plain = |t: &Token| !is_other(t) && !["continue", "goto", "break"].contains(&t.text);
    if all.first()?.text != "for" || !all.iter().all(is_plain) {
        return None;
    }
    let touches = |span: &Span| span.start < l.span.end && l.span.start < span.end;
    if Frame::of(source, scop).labels.iter().any(touches) {
        return None;
    }
    let mut depth = 0;
    let closing = all.iter().position(|t| {
        depth += i32::from(t.is('(')) - i32::from(t.is(')'));
        t.is(')') && depth == 0
    })?;
    let (first, last) = (all.get(closing + 1)?, all.last()?);
    let has_braces = first.is('{') && last.is('}') && source[..last.at].ends_with(char::is_whitespace);
    let is_plain = last.is(';') && first.kind != Kind::Directive;
    let is_loop = matches!(&l.body[..], [Node::Loop(inner)] if inner.span == (first.at..l.span.end));
    let is_plain = is_loop || is_plain && !["for", "if", "while", "do", "switch"].contains(&first.text);
    (has_braces || is_plain).then(|| Body { span: all[closing].at + 1..l.span.end, has_braces })
}

//! Cells in variables while the loops of a turn use them.
//!
//! ```c
//! mean[y - 2][x] = 0;                              float mean_cell = 0;
//! for (int k = -3; k <= 3; k++)                    for (int k = -3; k <= 3; k++)
//!   mean[y - 2][x] += cs[y - 1][x + k];              mean_cell += cs[y - 1][x + k];
//! mean[y - 2][x] *= inv;                           mean_cell *= inv;
//!                                                  mean[y - 2][x] = mean_cell;
//! ```
//!
//! The lines stand beside statements ([`Around`]). A turn has statements beside its loops, so that lines are never at the edges of a loop that is alone in its braces, whose new
//! text takes their place too.
//!
//! That nothing else touches the cell in the meantime is proved ([`ScalarCell`]). A variable whose first statement is not an assignment to the cell
//! alone begins with the cell's value.
//!
//! Cells stay in memory where something may leave the statements early, or stands between them that is no statement (`continue`, labels,
//! directives, macros with accesses), where their type is no plain number, and rings that move their cells.

use crate::Decisions;
use crate::assigned::assigned_value;
use crate::edit::{Around, Side};
use crate::frame::Frame;
use crate::home::free_name;
use crate::indent::indent_at;
use crate::linear::hides_counters;
use crate::removal::is_plain_copy;
use crate::tokens::{Kind, Token, tokens};
use crate::types::plain_element;
use polyfold_prove::{Placed, ScalarCell};
use polyfold_scop::{Access, ArrayId, LoopId, Node, Scop, Span, Statement, StatementId, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// A variable that stands for a cell.
pub(crate) struct Scalar<'a> {
    cell: &'a ScalarCell,
    name: String,
    element: String,
    /// An access that each turn has.
    said_by: (StatementId, usize),
    /// From the first statement that uses the cell to the last one.
    span: Span,
    /// Where the first statement assigns to it: the variable is declared there.
    declared_at: Option<Span>,
}

/// The cells that are written so; `moves`: whether an array's cells move.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions, moves: impl Fn(ArrayId) -> bool) -> Vec<Scalar<'a>> {
    let scop = decisions.scop;
    if hides_counters(&scop.body, &mut Vec::new()) {
        return Vec::new();
    }
    let loops: BTreeMap<LoopId, &[Node]> = scop.loops().into_iter().map(|l| (l.id, &l.body[..])).collect();
    let mut found: Vec<Scalar> = Vec::new();
    for cell in decisions.scalar_cells.iter().filter(|cell| !moves(cell.array())) {
        let array = scop.array(cell.array());
        let Some(nodes) = loops.get(&cell.turn()).map(|body| &body[cell.nodes().clone()]) else { continue };
        let (Some(element), Some(span)) = (plain_element(array), place(source, scop, nodes)) else { continue };
        if !cell.accesses().iter().all(|id| can_be_replaced(source, decisions, cell, *id)) {
            continue;
        }
        let declared_at = declared_at(source, scop, cell, &nodes[0]);
        if declared_at.is_none() && (cell.is_written_first() || element.contains("_Bool")) {
            continue;
        }
        let before = found.iter().filter(|other| other.cell.array() == cell.array()).count();
        let number = if before == 0 { String::new() } else { before.to_string() };
        let name = free_name(&format!("{}_cell{number}", array.name), scop, source);
        found.push(Scalar { cell, name, element, said_by: cell.in_each_turn(), span, declared_at });
    }
    let is_read: BTreeSet<ArrayId> = found.iter().flat_map(|scalar| read_beside(decisions, &found, scalar)).collect();
    found.retain(|scalar| is_read.contains(&buffer(decisions, scalar.cell.array())));
    found
}

/// The buffer of a cell, by one of its arrays, if it is read: compilers warn of one that is written alone.
fn read_beside(decisions: &Decisions, all: &[Scalar], scalar: &Scalar) -> Option<ArrayId> {
    let own = buffer(decisions, scalar.cell.array());
    let is_loaded = |other: &Scalar| other.declared_at.is_none() && buffer(decisions, other.cell.array()) == own;
    let statements = decisions.scop.statements.iter().enumerate().map(|(id, statement)| (StatementId(id), statement));
    let mut kept = statements.filter(|(id, _)| !decisions.dead.contains(id));
    let is_read = |(id, statement): (StatementId, &Statement)| {
        let mut accesses = statement.accesses.iter().enumerate();
        accesses.any(|(k, access)| {
            let is_in_memory = all.iter().all(|other| !other.has(id, k));
            access.is_read() && is_in_memory && buffer(decisions, access.array) == own
        })
    };
    (all.iter().any(is_loaded) || kept.any(is_read)).then_some(own)
}

/// The buffer that an array is in, by one of its arrays.
fn buffer(decisions: &Decisions, array: ArrayId) -> ArrayId {
    decisions.mapped.iter().find(|place| place.array() == array).and_then(Placed::shared).unwrap_or(array)
}

impl Scalar<'_> {
    /// Whether an access uses the cell.
    pub(crate) fn has(&self, statement: StatementId, access: usize) -> bool {
        self.cell.accesses().contains(&(statement, access))
    }

    /// Whether all statements that use the cell are asked for: then it is read and written in front of them and behind them.
    pub(crate) fn is_in(&self, has: impl Fn(StatementId) -> bool) -> bool {
        self.cell.accesses().iter().all(|(statement, _)| has(*statement))
    }

    /// Whether an access is the one that says which cell it is.
    pub(crate) fn is_said_by(&self, access: (StatementId, usize)) -> bool {
        self.said_by == access
    }

    /// What stands for an access.
    pub(crate) fn text(&self, access: &Access) -> String {
        match &self.declared_at {
            Some(span) if *span == access.place.span => format!("{} {}", self.element, self.name),
            _ => self.name.clone(),
        }
    }

    /// The lines in front of the statements and behind them, for the text of the cell.
    pub(crate) fn around(&self, cell: &str, source: &str) -> Vec<Around> {
        let Scalar { name, element, span, declared_at, .. } = self;
        let load = Around {
            at: span.start,
            side: Side::InFront,
            text: format!("{element} {name} = {cell};\n{}", indent_at(source, span.start)),
        };
        let store = Around {
            at: span.end,
            side: Side::Behind,
            text: format!("\n{}{cell} = {name};", indent_at(source, span.start)),
        };
        declared_at.is_none().then_some(load).into_iter().chain([store]).collect()
    }
}

/// Where nodes stand that are whole statements one after the other, which nothing leaves; `None`: they are not.
fn place(source: &str, scop: &Scop, nodes: &[Node]) -> Option<Span> {
    let (first, last) = (nodes.first()?, nodes.last()?);
    let span = scop.span_of(first).start..scop.span_of(last).end;
    let begins = |node: &Node| {
        let before = tokens(source, &(scop.span.start..scop.span_of(node).start));
        before.last().is_some_and(|token| token.is_any(&['{', '}', ';']))
    };
    let is_whole = |node: &Node| match node {
        Node::Loop(_) => true,
        Node::Statement(id) => scop.statement(*id).kind != StatementKind::Condition,
        Node::Guard(_) => false,
    };
    let all = tokens(source, &span);
    let leaves =
        |t: &Token| t.kind == Kind::Directive || ["continue", "break", "goto", "return", "switch"].contains(&t.text);
    let touches = |label: &Span| label.start < span.end && span.start < label.end;
    let is_labelled = Frame::of(source, scop).labels.iter().any(touches);
    let is_fine = [first, last].into_iter().all(|node| is_whole(node) && begins(node))
        && !all.iter().any(leaves)
        && !is_labelled
        && are_one_block(&all);
    is_fine.then_some(span)
}

/// Whether braces that tokens open are closed by them, and no others.
fn are_one_block(all: &[Token]) -> bool {
    let mut depth = 0;
    let is_inside = all.iter().all(|t| {
        depth += i32::from(t.is('{')) - i32::from(t.is('}'));
        depth >= 0
    });
    is_inside && depth == 0
}

/// Whether an access stands in the file as it is, in a statement whose other accesses have one place.
fn can_be_replaced(source: &str, decisions: &Decisions, cell: &ScalarCell, (id, k): (StatementId, usize)) -> bool {
    let statement = decisions.scop.statement(id);
    let access = &statement.accesses[k];
    let has_values = |a: &Access| decisions.values.iter().any(|values| values.array() == a.array);
    let is_own = |k: usize| cell.accesses().contains(&(id, k));
    let copies_itself = is_plain_copy(source, statement) && (0..statement.accesses.len()).all(is_own);
    access.place.fragment.is_none() && !statement.accesses.iter().any(has_values) && !copies_itself
}

/// Where a statement that is nothing but `cell = value;` has the cell.
fn declared_at(source: &str, scop: &Scop, cell: &ScalarCell, node: &Node) -> Option<Span> {
    let Node::Statement(id) = node else { return None };
    let statement: &Statement = scop.statement(*id);
    let own = statement.accesses.iter().enumerate().filter(|(k, _)| cell.accesses().contains(&(*id, *k)));
    let span = own.map(|(_, access)| &access.place.span).find(|span| span.start == statement.span.start)?;
    let behind = tokens(source, &(span.end..statement.span.end));
    (cell.is_written_first() && assigned_value(&behind).is_some()).then(|| span.clone())
}

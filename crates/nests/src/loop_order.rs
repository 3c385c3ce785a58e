//! In which order the statements of nests enter their loops, and what these run over.
//!
//! ```text
//! for (i …) for (j …) S        in the text S: [i, j]        exchanged S: [j, i]        skewed S: [i + j, j]
//! ```
//!
//! Invariant: each statement enters as many loops as it has, and each of its counters has one axis of its own ([`Axis`]).

use crate::axis::Axis;
use polyfold_scop::{Expr, LoopId, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// By statement, the axes of its loops, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopOrder(Vec<Vec<Axis>>);

impl LoopOrder {
    /// As in the text.
    pub fn of_text(scop: &Scop) -> LoopOrder {
        LoopOrder::new(scop.statements.iter().map(|statement| (0..statement.loops.len()).map(Axis::along).collect()))
    }

    pub(crate) fn new(by_statement: impl Iterator<Item = Vec<Axis>>) -> LoopOrder {
        LoopOrder(by_statement.collect())
    }

    /// The axes of the loops that a statement is not in yet.
    pub(crate) fn left(&self, id: StatementId, entered: usize) -> &[Axis] {
        &self.0[id.0][entered..]
    }

    /// The axes of all loops of a statement.
    pub(crate) fn axes(&self, id: StatementId) -> &[Axis] {
        &self.0[id.0]
    }

    /// Whether innermost loops go along as many rows as those of the text.
    pub(crate) fn keeps_rows(&self, scop: &Scop) -> bool {
        let is_kept = |(statement, axes): (&Statement, &Vec<Axis>)| match (axes.last(), statement.loops.last()) {
            (Some(now), Some(before)) => {
                along_rows(statement, statement.loops[now.own]) >= along_rows(statement, *before)
            }
            _ => true,
        };
        scop.statements.iter().zip(&self.0).all(is_kept)
    }

    /// Statements that have another order than in the text.
    pub fn exchanged(&self) -> BTreeSet<StatementId> {
        self.those(|axes| !axes.is_sorted_by_key(|axis| axis.own))
    }

    /// Statements one of whose loops runs over a sum.
    pub fn skewed(&self) -> BTreeSet<StatementId> {
        self.those(|axes| axes.iter().any(Axis::is_skewed))
    }

    fn those(&self, are_meant: impl Fn(&[Axis]) -> bool) -> BTreeSet<StatementId> {
        (0..self.0.len()).filter(|k| are_meant(&self.0[*k])).map(StatementId).collect()
    }
}

/// How many references of a statement go along a row as a loop of it goes on.
fn along_rows(statement: &Statement, own: LoopId) -> usize {
    let is_along = |subscripts: &Vec<Expr>| {
        let Some((last, others)) = subscripts.split_last() else { return false };
        last.mentions(own) && !others.iter().any(|other| other.mentions(own))
    };
    statement.accesses.iter().filter_map(|access| access.subscripts.as_ref()).filter(|s| is_along(s)).count()
}

//! The scop's own statements, as new loops go through them.

use super::counters::{Counters, means_something_else};
use super::inherited::Inheritance;
use super::{Operations, Order, Pieces, parallel};
use polyfold_isl::Ast;
use polyfold_scop::Scop;

/// The scop's own statements.
pub(super) struct Original<'a> {
    pub(super) source: &'a str,
    pub(super) scop: &'a Scop,
    pub(super) pieces: &'a Pieces,
    pub(super) order: &'a Order<'a>,
    pub(super) counters: Counters<'a>,
    pub(super) inheritance: Inheritance,
}

impl Operations for Original<'_> {
    fn counters(&self, name: &str) -> Vec<String> {
        let statement = self.scop.statements.iter().find(|statement| statement.name == name);
        statement.map_or_else(Vec::new, |statement| self.counters.around(statement))
    }

    fn may_be_counter(&self, name: &str) -> bool {
        !self.order.parameters.iter().any(|parameter| parameter == name)
            && !self.scop.parameters.iter().any(|parameter| parameter.name == name)
            && !means_something_else(self.source, self.pieces, name)
    }
}

impl Original<'_> {
    /// A line in front of a loop.
    pub(super) fn pragma(&self, dimension: usize, body: &Ast) -> Option<String> {
        let given = self.order.parallel.contains(&dimension).then_some("#pragma omp parallel for");
        let directive = given.or_else(|| self.inheritance.directive(dimension, body, self.scop))?;
        Some(parallel::pragma(directive, body, &self.counters))
    }
}

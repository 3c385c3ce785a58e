//! The scop's own statements, as new loops go through them.

use super::counters::{Counters, means_something_else};
use super::inherited::Inheritance;
use super::widths::{Typed, Widths};
use super::{LoopForm, Operations, Order, Pieces, is_word, parallel, printed, signed_size, statement};
use crate::fault;
use crate::subscript::is_in_parentheses;
use polyfold_isl::{Ast, AstExpr, Operation, Result};
use polyfold_scop::{Counter, Scop};

/// The scop's own statements.
pub(super) struct Original<'a> {
    pub(super) source: &'a str,
    pub(super) scop: &'a Scop,
    pub(super) pieces: &'a Pieces,
    pub(super) order: &'a Order<'a>,
    pub(super) counters: Counters<'a>,
    pub(super) widths: Widths,
    pub(super) inheritance: Inheritance,
}

impl Operations for Original<'_> {
    fn statement(&self, name: &str, coordinates: &[AstExpr]) -> Result<String> {
        let mut all = self.scop.statements.iter().zip(&self.pieces.all);
        let found = all.find(|(statement, _)| statement.name == name);
        let (statement, piece) = found.ok_or_else(|| fault(format!("there is no statement {name}")))?;
        let around = statement.loops.iter().map(|id| self.counters.users(*id));
        let coordinates = coordinates.iter().zip(around).map(|(c, counter)| self.value(c, counter?));
        let coordinates = coordinates.collect::<Result<Vec<String>>>()?;
        Ok(statement::text(self.source, self.scop, (statement, piece), &coordinates))
    }

    fn has_if(&self, name: &str) -> bool {
        let mut all = self.scop.statements.iter().zip(&self.pieces.all);
        all.any(|(statement, piece)| statement.name == name && piece.has_if(self.source))
    }

    fn head(&self, counter: &str) -> String {
        self.counters.head(counter)
    }

    fn counters(&self, name: &str) -> Vec<String> {
        let statement = self.scop.statements.iter().find(|statement| statement.name == name);
        statement.map_or_else(Vec::new, |statement| self.counters.around(statement))
    }

    fn may_be_counter(&self, name: &str) -> bool {
        !self.order.parameters.iter().any(|parameter| parameter == name)
            && !self.scop.parameters.iter().any(|parameter| parameter.name == name)
            && !means_something_else(self.source, self.pieces, name)
    }

    fn pragma(&self, dimension: usize, body: &Ast) -> Option<String> {
        let given = self.order.parallel.contains(&dimension).then_some("#pragma omp parallel for");
        let directive = given.or_else(|| self.inheritance.directive(dimension, body, self.scop))?;
        Some(parallel::pragma(directive, body, &self.counters))
    }

    fn size(&self, isl: &str) -> String {
        let place = self.order.parameters.iter().position(|name| name == isl);
        place.map_or_else(|| isl.to_string(), |k| signed_size(self.source, &self.scop.parameters[k]))
    }

    fn print(&self, expr: &AstExpr) -> Result<String> {
        in_c(&self.widths.typed(expr).expr)
    }

    fn first(&self, counter: &str, value: &AstExpr) -> Result<String> {
        let Typed { expr, is_long, .. } = self.widths.typed(value);
        let is_narrowed = is_long && self.counters.word(counter) == "int";
        Ok(if is_narrowed { cast("int", &in_c(&expr)?) } else { in_c(&expr)? })
    }

    /// An `int` is compared with an `int` in loops over strips: gcc makes no vectors of some otherwise.
    fn condition(&self, counter: &str, condition: &AstExpr) -> Result<String> {
        if let (LoopForm::Strips { .. }, AstExpr::Operation(comparison, sides)) = (self.order.form, condition)
            && let [AstExpr::Name(name), bound] = &sides[..]
            && name == counter
            && self.counters.word(counter) == "int"
        {
            let bound = self.widths.typed(bound);
            if let (true, true, Some(sign)) = (bound.is_long, bound.fits_int(), sign(*comparison)) {
                return Ok(format!("{counter} {sign} {}", cast("int", &in_c(&bound.expr)?)));
            }
        }
        self.print(condition)
    }
}

fn sign(comparison: Operation) -> Option<&'static str> {
    Some(match comparison {
        Operation::LessEqual => "<=",
        Operation::Less => "<",
        Operation::GreaterEqual => ">=",
        Operation::Greater => ">",
        _ => return None,
    })
}

impl Original<'_> {
    /// What stands in a counter's place, of its type.
    fn value(&self, expr: &AstExpr, counter: &Counter) -> Result<String> {
        let mentions_counters = expr.mentions(&|name| !self.order.parameters.iter().any(|size| size == name));
        let Typed { expr, is_long, .. } = self.widths.typed(expr);
        let is_wide = counter.is_int() && is_long;
        let needs_cast = is_wide || self.counters.needs_cast(counter, mentions_counters);
        Ok(if needs_cast { cast(&counter.element, &in_c(&expr)?) } else { in_c(&expr)? })
    }
}

fn cast(word: &str, text: &str) -> String {
    if is_word(text) || is_in_parentheses(text) { format!("({word}){text}") } else { format!("({word})({text})") }
}

fn in_c(expr: &AstExpr) -> Result<String> {
    printed(expr, &str::to_string)
}

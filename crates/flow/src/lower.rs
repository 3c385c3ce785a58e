//! Expressions and conditions as isl text.
//!
//! Quotients, remainders and ternaries become existentially quantified variables, each with a definition that
//! gives it exactly one value for every operand; a condition may therefore be negated while the definitions
//! stay outside the negation.
//!
//! Example: `i / 2 < n` becomes `exists (_e0 : ((i >= 0 and _e0 = floor(i/2)) or (i < 0 and
//! _e0 = -floor((-i)/2))) and _e0 < n)`, because C's division truncates.
//!
//! A condition on data is taken as true, and so is its negation: domains may be too large, never too small.

use crate::extremum::expand_extremum;
use crate::names::Names;
use polyfold_scop::{Comparison, Condition, Expr};

/// Collects the constraints of one set.
pub(crate) struct Constraints<'a> {
    names: &'a Names,
    variables: Vec<String>,
    conjuncts: Vec<String>,
}

impl<'a> Constraints<'a> {
    pub(crate) fn new(names: &'a Names) -> Self {
        Constraints { names, variables: Vec::new(), conjuncts: Vec::new() }
    }

    /// Adds a conjunct in isl text.
    pub(crate) fn require(&mut self, text: String) {
        self.conjuncts.push(text);
    }

    /// Adds a condition, or its negation.
    pub(crate) fn require_condition(&mut self, condition: &Condition, holds: bool) {
        if !condition.is_always() || !holds {
            let text = self.condition(condition, holds);
            self.require(text);
        }
    }

    /// A fresh existential variable.
    pub(crate) fn fresh(&mut self) -> String {
        let name = format!("_e{}", self.variables.len());
        self.variables.push(name.clone());
        name
    }

    /// The conjunction, with its variables quantified.
    pub(crate) fn finish(self) -> String {
        let body = if self.conjuncts.is_empty() { "true".to_string() } else { self.conjuncts.join(" and ") };
        match self.variables.is_empty() {
            true => body,
            false => format!("exists ({} : {body})", self.variables.join(", ")),
        }
    }

    /// The expression; its definitions are added to the conjunction.
    pub(crate) fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(value) if *value < 0 => format!("({value})"),
            Expr::Constant(value) => value.to_string(),
            Expr::Iterator(id) => self.names.iterators[id].clone(),
            Expr::Parameter(id) => self.names.parameters[id.0].clone(),
            Expr::Add(a, b) => format!("({} + {})", self.expr(a), self.expr(b)),
            Expr::Scale(factor, e) => format!("({factor} * {})", self.expr(e)),
            Expr::Divide(e, divisor) => self.quotient(e, *divisor).1,
            Expr::Remainder(e, divisor) => {
                let (dividend, quotient) = self.quotient(e, *divisor);
                format!("({dividend} - {divisor} * {quotient})")
            }
            Expr::Select(condition, first, second) => self.select(condition, first, second),
        }
    }

    /// The texts of a dividend and of its quotient, which truncates toward zero.
    fn quotient(&mut self, dividend: &Expr, divisor: i64) -> (String, String) {
        let e = self.expr(dividend);
        let v = self.fresh();
        self.require(format!(
            "(({e} >= 0 and {v} = floor({e}/{divisor})) or ({e} < 0 and {v} = -floor((-{e})/{divisor})))"
        ));
        (e, v)
    }

    fn select(&mut self, condition: &Condition, first: &Expr, second: &Expr) -> String {
        let (a, b) = (self.expr(first), self.expr(second));
        let (yes, no) = (self.condition(condition, true), self.condition(condition, false));
        let v = self.fresh();
        self.require(format!("(({yes} and {v} = {a}) or ({no} and {v} = {b}))"));
        v
    }

    fn condition(&mut self, condition: &Condition, holds: bool) -> String {
        match condition {
            Condition::Unknown => "true".to_string(),
            Condition::Not(inner) => self.condition(inner, !holds),
            Condition::All(parts) => self.join(parts, holds, holds),
            Condition::Any(parts) => self.join(parts, holds, !holds),
            Condition::Compare(a, comparison, b) => match expand_extremum(a, operator(*comparison, holds), b) {
                Some(simpler) => self.condition(&simpler, true),
                None => {
                    let (a, b) = (self.expr(a), self.expr(b));
                    format!("({a} {} {b})", symbol(operator(*comparison, holds)))
                }
            },
        }
    }

    fn join(&mut self, parts: &[Condition], holds: bool, conjunction: bool) -> String {
        if parts.is_empty() {
            return conjunction.to_string();
        }
        let parts: Vec<String> = parts.iter().map(|p| self.condition(p, holds)).collect();
        format!("({})", parts.join(if conjunction { " and " } else { " or " }))
    }
}

/// The comparison that holds iff the given one does, or does not.
fn operator(comparison: Comparison, holds: bool) -> Comparison {
    use Comparison::*;
    match (comparison, holds) {
        (same, true) => same,
        (Less, false) => GreaterEqual,
        (LessEqual, false) => Greater,
        (Greater, false) => LessEqual,
        (GreaterEqual, false) => Less,
        (Equal, false) => NotEqual,
        (NotEqual, false) => Equal,
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
    }
}

//! Arithmetic in the head of a loop, which also happens where no turn follows.
//!
//! The idea: a test is computed before the first turn, and after each turn with the counter's next value. What it obliges
//! to at a turn it obliges to at these as well.
//!
//! Example: `2 * i < n` obliges to `2 * i <= 4294967295` and, before the next test, to `2 * i + 2 <= 4294967295`.

use super::Lowering;
use super::unsigned::is_signed;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, VariableId};
use polyfold_scop::{Bound, Comparison, Condition, Expr, LoopId, Obligation};

/// The turns of a loop.
pub(super) struct Turns {
    pub(super) id: LoopId,
    pub(super) first: Expr,
    pub(super) step: i64,
}

impl Lowering<'_> {
    /// What a comparison in the head of a loop obliges to.
    pub(super) fn note_test(&mut self, test: &Expression, turns: &Turns) {
        let ExpressionKind::Binary(_, a, b) = &test.kind else { return };
        let common = self.scalar_of(a).with(self.scalar_of(b));
        for side in [a, b] {
            if !self.affine(side).is_ok_and(|e| mentions(&e, turns.id)) {
                self.note_as(side, common);
                continue;
            }
            self.loops.push(turns.id);
            let noted = self.obligations_of(|walk| walk.note_as(side, common));
            self.loops.pop();
            let next = Expr::Iterator(turns.id).add(Expr::Constant(turns.step));
            for obligation in noted {
                self.add_obligation(Obligation {
                    loops: self.loops.clone(),
                    ..at(&obligation, turns.id, &turns.first)
                });
                self.add_obligation(at(&obligation, turns.id, &next));
                self.add_obligation(obligation);
            }
        }
    }

    /// What the counter's update obliges to: the next value is one of the counter's type.
    pub(super) fn note_update(&mut self, counter: VariableId, test: &Expression, update: &Expression, turns: &Turns) {
        let scalar = self.variable_scalar(counter);
        let common = match &update.kind {
            ExpressionKind::Assign(_, _, by) => {
                self.note_low_bits(by, scalar.bits());
                scalar.with(self.scalar_of(by))
            }
            _ => scalar.with(Scalar::INT),
        };
        let next = Expr::Iterator(turns.id).add(Expr::Constant(turns.step));
        self.loops.push(turns.id);
        if is_signed(scalar) && common == scalar {
            self.note_value(next, common);
        } else if turns.step.abs() != 1 || !self.ends_in_time(counter, test) {
            let (least, most) = scalar.range().into_inner();
            let bound = if turns.step > 0 { Bound::Most(most) } else { Bound::Least(least) };
            self.oblige_expr(next, bound, &update.span);
        }
        self.loops.pop();
    }

    /// Whether every turn's counter is strictly on one side of a value of its own type.
    fn ends_in_time(&self, counter: VariableId, test: &Expression) -> bool {
        match &test.kind {
            ExpressionKind::Binary(BinaryOperator::And, a, b) => {
                self.ends_in_time(counter, a) || self.ends_in_time(counter, b)
            }
            ExpressionKind::Binary(BinaryOperator::Compare(Comparison::Less | Comparison::Greater), a, b) => {
                let (own, other) = (self.variable_scalar(counter), if a.variable() == Some(counter) { b } else { a });
                [a, b].iter().any(|side| side.variable() == Some(counter)) && own.with(self.scalar_of(other)) == own
            }
            _ => false,
        }
    }
}

/// An obligation for another value of a counter.
fn at(obligation: &Obligation, id: LoopId, value: &Expr) -> Obligation {
    Obligation {
        loops: obligation.loops.clone(),
        conditions: obligation.conditions.iter().map(|c| condition_at(c, id, value)).collect(),
        expression: expr_at(&obligation.expression, id, value),
        bound: obligation.bound,
        extent: obligation.extent,
        span: obligation.span.clone(),
    }
}

fn expr_at(e: &Expr, id: LoopId, value: &Expr) -> Expr {
    let inner = |e: &Expr| Box::new(expr_at(e, id, value));
    match e {
        Expr::Iterator(other) if *other == id => value.clone(),
        Expr::Constant(_) | Expr::Iterator(_) | Expr::Parameter(_) => e.clone(),
        Expr::Add(a, b) => expr_at(a, id, value).add(expr_at(b, id, value)),
        Expr::Scale(factor, a) => expr_at(a, id, value).scale(*factor),
        Expr::Divide(a, by) => Expr::Divide(inner(a), *by),
        Expr::Remainder(a, by) => Expr::Remainder(inner(a), *by),
        Expr::Select(c, a, b) => Expr::Select(Box::new(condition_at(c, id, value)), inner(a), inner(b)),
    }
}

fn condition_at(condition: &Condition, id: LoopId, value: &Expr) -> Condition {
    let all = |parts: &[Condition]| parts.iter().map(|part| condition_at(part, id, value)).collect();
    match condition {
        Condition::Compare(a, comparison, b) => {
            Condition::Compare(expr_at(a, id, value), *comparison, expr_at(b, id, value))
        }
        Condition::All(parts) => Condition::All(all(parts)),
        Condition::Any(parts) => Condition::Any(all(parts)),
        Condition::Not(inner) => Condition::Not(Box::new(condition_at(inner, id, value))),
        Condition::Unknown => Condition::Unknown,
    }
}

/// Whether an expression depends on a counter.
fn mentions(e: &Expr, id: LoopId) -> bool {
    expr_at(e, id, &Expr::Constant(0)) != *e
}
